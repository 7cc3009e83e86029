"""Queries that analysts write: each answers with one row of numbers."""

ORDINARY = tuple(
    """
SELECT count(*) FROM data
SELECT count(cost) FROM data WHERE age >= 65
SELECT avg(cost) FROM data
SELECT sum(cost), avg(cost), min(cost), max(cost) FROM data
select Avg(COST) as mean_cost from Data where Age between 18 and 64;
SELECT count(*) FROM data WHERE ward = 'Park' AND cost > 50
SELECT count(*) FROM data WHERE ward IN ('Park', 'Sea') OR note IS NULL
SELECT count(*) FROM data WHERE note LIKE 'w%'
SELECT count(DISTINCT note) FROM data
SELECT median(cost), quantile_cont(cost, 0.9) FROM data
SELECT quantile_disc(age, 0.25) FROM data WHERE age IS NOT NULL
SELECT stddev_samp(cost), var_pop(cost) FROM data
SELECT corr(cost, age), covar_samp(cost, age) FROM data
SELECT regr_slope(cost, age), regr_intercept(cost, age), regr_r2(cost, age) FROM data
SELECT sum(CASE WHEN age >= 65 THEN 1 ELSE 0 END) * 1.0 / count(*) FROM data
SELECT avg(CASE ward WHEN 'Park' THEN cost END) - avg(CASE ward WHEN 'Hill' THEN cost END) FROM data
SELECT count(*) FILTER (WHERE cost > 20), count(*) FILTER (WHERE cost <= 20) FROM data
SELECT sum(coalesce(cost, 0)) FROM data
SELECT avg(cost / nullif(age, 0)) FROM data
SELECT avg(ln(1 + cost)), exp(avg(ln(1 + cost))) FROM data
SELECT round(avg(cost), 1) FROM data
SELECT avg(abs(cost - (SELECT median(cost) FROM data))) FROM data
SELECT count(*) FROM data WHERE cost > (SELECT avg(cost) + 2 * stddev(cost) FROM data)
WITH means AS (SELECT ward, avg(cost) AS m FROM data GROUP BY ward) SELECT max(m) - min(m) FROM means
SELECT max(n) FROM (SELECT note, count(*) AS n FROM data GROUP BY note HAVING count(*) > 5)
SELECT age FROM data WHERE age IS NOT NULL GROUP BY age ORDER BY count(*) DESC, age LIMIT 1
SELECT sum(cost) FROM (SELECT cost FROM data ORDER BY cost DESC NULLS LAST LIMIT 10)
SELECT avg(cost) FROM (SELECT cost, row_number() OVER (PARTITION BY ward ORDER BY cost) AS r FROM data) WHERE r <= 5
SELECT count(*) FROM (SELECT cost, avg(cost) OVER (PARTITION BY ward) AS m FROM data) WHERE cost > m
SELECT avg(cost) FROM data d WHERE cost > (SELECT avg(cost) FROM data e WHERE e.ward = d.ward)
SELECT count(*) FROM data d JOIN (SELECT ward, median(age) AS m FROM data GROUP BY ward) w ON d.ward = w.ward AND d.age > w.m
SELECT max(s) FROM (SELECT ward, sum(cost) AS s FROM data GROUP BY ward UNION ALL SELECT 'all', sum(cost) FROM data)
SELECT sum(floor(age / 10) * 10), count(DISTINCT floor(age / 10)) FROM data
SELECT entropy(note), mode(age), arg_max(age, cost), mad(cost) FROM data
SELECT avg(cost) FROM data WHERE lower(trim(note)) = 'well' AND length(note) BETWEEN 2 AND 8 AND NOT starts_with(note, 's')
SELECT count(*) FROM data WHERE month(DATE '2020-01-01' + to_days(CAST(age AS INTEGER))) < 3
SELECT count(TRY_CAST(note AS DOUBLE)), bool_or(cost > 90)::INT, sum((cost > 10)::INT) FROM data
FROM data SELECT avg(cost) WHERE ward <> 'Sea'
SELECT kurtosis(cost), skewness(cost), sem(cost), geomean(1 + cost) FROM data
SELECT percent_above FROM (SELECT 100.0 * avg((cost > 30)::INT) AS percent_above FROM data)
""".strip().splitlines()
)
