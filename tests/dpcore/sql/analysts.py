"""What analysts ask of a table, in SQL: by each with the public groups that it answers for, or without."""

from dpcore import GroupBy

_WARDS = GroupBy("ward", ("Park", "Hill", "Sea"))

ORDINARY: tuple[tuple[str, GroupBy | None], ...] = (
    ("SELECT count(*) FROM data", None),
    ("SELECT count(cost) FROM data WHERE age >= 65", None),
    ("SELECT avg(cost) FROM data", None),
    ("SELECT sum(cost), avg(cost), min(cost), max(cost) FROM data", None),
    ("select Avg(COST) as mean_cost from Data where Age between 18 and 64;", None),
    ("SELECT ward, count(*) FROM data GROUP BY ward", _WARDS),
    ("SELECT ward, avg(cost) FROM data GROUP BY ward ORDER BY ward", _WARDS),
    ("SELECT ward, avg(cost) AS mean, stddev(cost) AS sd FROM data WHERE age > 30 GROUP BY ALL", _WARDS),
    ("SELECT count(*) FROM data WHERE ward = 'Park' AND cost > 50", None),
    ("SELECT count(*) FROM data WHERE ward IN ('Park', 'Sea') OR note IS NULL", None),
    ("SELECT count(*) FROM data WHERE note LIKE 'w%'", None),
    ("SELECT count(DISTINCT note) FROM data", None),
    ("SELECT median(cost), quantile_cont(cost, 0.9) FROM data", None),
    ("SELECT quantile_disc(age, 0.25) FROM data WHERE age IS NOT NULL", None),
    ("SELECT stddev_samp(cost), var_pop(cost) FROM data", None),
    ("SELECT corr(cost, age), covar_samp(cost, age) FROM data", None),
    ("SELECT regr_slope(cost, age), regr_intercept(cost, age), regr_r2(cost, age) FROM data", None),
    ("SELECT sum(CASE WHEN age >= 65 THEN 1 ELSE 0 END) * 1.0 / count(*) FROM data", None),
    ("SELECT avg(CASE ward WHEN 'Park' THEN cost END) - avg(CASE ward WHEN 'Hill' THEN cost END) FROM data", None),
    ("SELECT count(*) FILTER (WHERE cost > 20), count(*) FILTER (WHERE cost <= 20) FROM data", None),
    ("SELECT sum(coalesce(cost, 0)) FROM data", None),
    ("SELECT avg(cost / nullif(age, 0)) FROM data", None),
    ("SELECT avg(ln(1 + cost)), exp(avg(ln(1 + cost))) FROM data", None),
    ("SELECT round(avg(cost), 1) FROM data", None),
    ("SELECT avg(abs(cost - (SELECT median(cost) FROM data))) FROM data", None),
    ("SELECT count(*) FROM data WHERE cost > (SELECT avg(cost) + 2 * stddev(cost) FROM data)", None),
    ("WITH means AS (SELECT ward, avg(cost) AS m FROM data GROUP BY ward) SELECT max(m) - min(m) FROM means", None),
    ("SELECT max(n) FROM (SELECT note, count(*) AS n FROM data GROUP BY note HAVING count(*) > 5)", None),
    ("SELECT age FROM data WHERE age IS NOT NULL GROUP BY age ORDER BY count(*) DESC, age LIMIT 1", None),
    ("SELECT sum(cost) FROM (SELECT cost FROM data ORDER BY cost DESC NULLS LAST LIMIT 10)", None),
    (
        "SELECT avg(cost) FROM (SELECT cost, row_number() OVER (PARTITION BY ward ORDER BY cost) AS r FROM data) WHERE r <= 5",
        None,
    ),
    ("SELECT count(*) FROM (SELECT cost, avg(cost) OVER (PARTITION BY ward) AS m FROM data) WHERE cost > m", None),
    (
        "SELECT ward, avg(cost) FROM data d WHERE cost > (SELECT avg(cost) FROM data e WHERE e.ward = d.ward) GROUP BY ward",
        _WARDS,
    ),
    (
        "SELECT count(*) FROM data d JOIN (SELECT ward, median(age) AS m FROM data GROUP BY ward) w "
        "ON d.ward = w.ward AND d.age > w.m",
        None,
    ),
    (
        "SELECT ward, sum(cost) FROM data GROUP BY ward UNION ALL SELECT 'all', sum(cost) FROM data",
        GroupBy("ward", ("Park", "all")),
    ),
    (
        "SELECT CASE WHEN age < 30 THEN 'young' WHEN age < 65 THEN 'middle' ELSE 'old' END AS band, avg(cost) "
        "FROM data GROUP BY band",
        GroupBy("band", ("young", "middle", "old")),
    ),
    (
        "SELECT floor(age / 10) * 10 AS decade, count(*) FROM data GROUP BY decade",
        GroupBy("decade", (0.0, 10.0, 20.0, 80.0, 200.0)),
    ),
    ("SELECT entropy(note), mode(age), arg_max(age, cost), mad(cost) FROM data", None),
    (
        "SELECT avg(cost) FROM data WHERE lower(trim(note)) = 'well' AND length(note) BETWEEN 2 AND 8 "
        "AND NOT starts_with(note, 's')",
        None,
    ),
    (
        "SELECT count(*) FROM data WHERE year(DATE '2020-01-01' + CAST(age AS INTEGER)) = 2020 "
        "AND month(DATE '2020-01-01' + to_days(CAST(age AS INTEGER))) < 3",
        None,
    ),
    ("SELECT count(TRY_CAST(note AS DOUBLE)), bool_or(cost > 90)::INT, sum((cost > 10)::INT) FROM data", None),
    ("FROM data SELECT avg(cost) WHERE ward <> 'Sea'", None),
    ("SELECT kurtosis(cost), skewness(cost), sem(cost), geomean(1 + cost) FROM data", None),
    ("SELECT percent_above FROM (SELECT 100.0 * avg((cost > 30)::INT) AS percent_above FROM data)", None),
)
