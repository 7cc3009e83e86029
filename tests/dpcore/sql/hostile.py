"""Queries of somebody who wants more than an answer: to read, write, keep, use chance or the clock, or take the machine."""

SECRET = 4711471
FILE, WRITTEN = "/tmp/dpcore_hostile/secret.csv", "/tmp/dpcore_hostile/written"  # the first holds the secret

_FILES = f"""
SELECT * FROM '{FILE}'
SELECT * FROM "{FILE}"
SELECT * FROM read_csv('{FILE}')
SELECT * FROM read_csv_auto('{FILE}')
SELECT * FROM sniff_csv('{FILE}')
SELECT * FROM read_text('{FILE}')
SELECT * FROM read_blob('{FILE}')
SELECT length(content) FROM read_text('{FILE}')
SELECT * FROM read_json('{FILE}')
SELECT * FROM read_parquet('{FILE}')
SELECT * FROM parquet_metadata('{FILE}')
SELECT * FROM parquet_scan('{FILE}')
SELECT count(*) FROM glob('/tmp/*')
SELECT (SELECT count(*) FROM glob('/tmp/*'))
SELECT sum(x) FROM (SELECT column0 AS x FROM read_csv('{FILE}', header = false))
WITH t AS (FROM read_csv('{FILE}')) SELECT count(*) FROM t
SELECT cost FROM data UNION SELECT * FROM read_csv('{FILE}')
SELECT cost FROM data WHERE cost IN (SELECT * FROM read_csv('{FILE}'))
SELECT avg(cost) FROM data, LATERAL (SELECT * FROM read_csv('{FILE}'))
SELECT avg(cost) FROM data JOIN '{FILE}' ON true
FROM '{FILE}'
TABLE "{FILE}"
DESCRIBE '{FILE}'
SUMMARIZE '{FILE}'
COPY data TO '{WRITTEN}'
COPY (SELECT 1) TO '{WRITTEN}' (FORMAT csv)
COPY data FROM '{FILE}'
EXPORT DATABASE '{WRITTEN}'
IMPORT DATABASE '{WRITTEN}'
ATTACH '{WRITTEN}' AS kept
ATTACH ':memory:' AS other
DETACH memory
USE memory
CHECKPOINT
EXPLAIN ANALYZE SELECT count(*) FROM '{FILE}'
EXPLAIN SELECT 1
SELECT parse_path('{FILE}')
SELECT getenv('HOME')
SELECT * FROM duckdb_secrets()
SELECT * FROM duckdb_settings()
SELECT write_log('kept')
SELECT * FROM duckdb_logs
"""
_NETWORK = """
SELECT * FROM 'http://127.0.0.1:9/x.csv'
SELECT * FROM read_csv('http://127.0.0.1:9/x.csv')
SELECT * FROM read_parquet('s3://bucket/x.parquet')
INSTALL httpfs
LOAD httpfs
FORCE INSTALL json
INSTALL spatial FROM community
UPDATE EXTENSIONS
ATTACH 'http://127.0.0.1:9/x.db' AS far
SELECT inet_client_addr()
SELECT * FROM pg_stat_activity
CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')
"""
_STATE = """
SET threads = 8
SET memory_limit = '10GB'
SET lock_configuration = false
SET enable_external_access = true
RESET memory_limit
PRAGMA threads = 8
PRAGMA database_list
PRAGMA enable_profiling
SET VARIABLE kept = 1
SELECT getvariable('kept')
CREATE TABLE kept (x INT)
CREATE TEMP TABLE kept AS SELECT * FROM data
CREATE VIEW kept AS SELECT 1
CREATE MACRO avg(x) AS 1
CREATE SEQUENCE kept
CREATE TYPE kept AS ENUM ('a')
CREATE SCHEMA kept
CREATE INDEX kept ON data (cost)
SELECT nextval('kept')
SELECT currval('kept')
SELECT setval('kept', 1)
SELECT setseed(0.5)
INSERT INTO data VALUES (1, 1, 'a', 'b')
UPDATE data SET cost = 0
DELETE FROM data
TRUNCATE data
MERGE INTO data USING data AS d ON true WHEN MATCHED THEN DELETE
DROP TABLE data
DROP VIEW data
ALTER TABLE data ADD COLUMN x INT
BEGIN
COMMIT
ROLLBACK
VACUUM
ANALYZE
CALL pragma_version()
PREPARE kept AS SELECT 1
EXECUTE question
DEALLOCATE question
COMMENT ON TABLE data IS 'kept'
SHOW TABLES
SELECT * FROM (SHOW TABLES)
SELECT * FROM (DESCRIBE data)
LOCK TABLE data
"""
_CHANCE_AND_CLOCK = """
SELECT random()
SELECT avg(cost + random()) FROM data
SELECT avg(cost) FROM data WHERE random() < 0.5
SELECT avg(cost) FROM data TABLESAMPLE 10%
SELECT avg(cost) FROM data USING SAMPLE 10
SELECT avg(cost) FROM data TABLESAMPLE reservoir(10 ROWS) REPEATABLE (1)
SELECT avg(cost) FROM (SELECT * FROM data USING SAMPLE 5 ROWS)
SELECT reservoir_quantile(cost, 0.5) FROM data
SELECT cost FROM data ORDER BY random() LIMIT 1
SELECT sum(x) OVER (ORDER BY random()) FROM (SELECT cost AS x FROM data) LIMIT 1
SELECT uuid()
SELECT gen_random_uuid()
SELECT uuidv7()
SELECT hash(uuid()) % 2
SELECT now()
SELECT epoch(now())
SELECT date_part('second', current_timestamp)
SELECT year(current_date)
SELECT current_date - DATE '2020-01-01'
SELECT day(today())
SELECT epoch(get_current_timestamp())
SELECT epoch(transaction_timestamp())
SELECT current_localtimestamp()
SELECT localtimestamp
SELECT current_time
SELECT epoch(age(TIMESTAMP '2020-01-01'))
SELECT ago(INTERVAL 1 DAY)
SELECT avg(cost) FROM data WHERE CURRENT_DATE > DATE '2020-01-01'
SELECT avg(cost) FROM data GROUP BY current_date
SELECT (SELECT year(current_date)) FROM (SELECT 1 AS current_date)
SELECT pg_postmaster_start_time()
SELECT txid_current()
SELECT current_query_id()
SELECT current_connection_id()
SELECT sleep_ms(5000)
SELECT pg_sleep(5)
SELECT vector_type(cost) FROM data
SELECT stats(cost) FROM data LIMIT 1
"""
_WHO = """
SELECT current_user
SELECT user
SELECT session_user
SELECT current_setting('threads')
SELECT current_query()
SELECT current_schema
SELECT current_database()
SELECT version()
SELECT in_search_path('memory', 'main')
"""
_OTHER_TABLES = """
SELECT * FROM query('SELECT 1')
SELECT * FROM query_table('data')
SELECT * FROM json_execute_serialized_sql('{}')
SELECT json_serialize_sql('SELECT 1')
SELECT count(*) FROM information_schema.tables
SELECT count(*) FROM duckdb_tables()
SELECT count(*) FROM duckdb_tables
SELECT count(*) FROM pg_catalog.pg_class
SELECT count(*) FROM pg_class
SELECT count(*) FROM sqlite_master
SELECT count(*) FROM memory.main.data
SELECT count(*) FROM main.data
SELECT count(*) FROM temp.data
SELECT count(*) FROM other
SELECT count(*) FROM "DATA "
SELECT count(*) FROM (WITH pg_class AS (SELECT 1) SELECT 1), pg_class
SELECT (WITH pg_class AS (SELECT 1) SELECT 1) FROM pg_class
WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT count(*) FROM a
SELECT * FROM range(10)
SELECT * FROM generate_series(1, 10)
SELECT unnest([1, 2])
SELECT * FROM unnest([1, 2])
SELECT * FROM repeat(1, 10)
SELECT * FROM test_all_types()
SELECT * FROM summary((SELECT * FROM data))
SELECT * FROM arrow_scan(0, 0, 0)
SELECT * FROM pandas_scan(0)
SELECT * FROM seq_scan('data')
SELECT main.avg(cost) FROM data
SELECT system.main.avg(cost) FROM data
SELECT memory.main.random()
SELECT count(*) FROM data AT (VERSION => 1)
PIVOT data ON ward USING sum(cost)
UNPIVOT data ON cost, age INTO NAME n VALUE v
SELECT * FROM (PIVOT data ON ward USING sum(cost))
SELECT count(*) FROM data POSITIONAL JOIN data
SELECT count(*) FROM data ASOF JOIN data AS b ON data.cost >= b.cost
SELECT avg(COLUMNS('c.*')) FROM data
SELECT avg(COLUMNS(lambda c: c LIKE 'c%')) FROM data
SELECT $1
SELECT ?
SELECT $name
SELECT avg(cost) FROM data WHERE cost > $1
WITH RECURSIVE t AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM t) SELECT count(*) FROM t
WITH RECURSIVE t(x) USING KEY (x) AS (SELECT 1 UNION SELECT x + 1 FROM t) SELECT count(*) FROM t
"""
_SEVERAL_AND_TRICKS = f"""
SELECT 1; SELECT 2
SELECT avg(cost) FROM data; DROP VIEW data
SELECT avg(cost) FROM data; SET threads = 8
;;
--
/* nothing */
SELECT 1 /* ; */ ; /* */ COPY data TO '{WRITTEN}'
SELECT 1 -- harmless\\n; COPY data TO '{WRITTEN}'
SELECT/**/random/**/()
SELECT "random"()
SELECT RaNdOm()
SELECT system."random"()
SELECT cost.random() FROM data
SELECT 'http://127.0.0.1:9/x.csv'.read_text()
SELECT ｒandom()
SELECT ran\u200bdom()
SELECT\u00a0random()
SELECT r\u0430ndom()
SELECT U&'\\0041' || random()
SELECT 1\u037e SELECT 2
SELECT * FROM d\u0430ta
SELECT $$a$$ || random()::VARCHAR
SELECT E'\\x41' || uuid()
SELECT 1) UNION (SELECT random()
SELECT avg(cost) FROM data) ; COPY (SELECT 1) TO '{WRITTEN}
question AS SELECT random()
(SELECT 1; SELECT 2)
SELECT (SELECT random())
SELECT CASE WHEN true THEN random() END
SELECT cost FROM data ORDER BY uuid() LIMIT 1
SELECT avg(cost) FILTER (WHERE random() > 0.5) FROM data
SELECT sum(cost ORDER BY random()) FROM data
SELECT avg(cost) FROM data HAVING random() > 0.5
SELECT avg(cost) FROM data QUALIFY random() > 0.5
SELECT cost FROM data LIMIT (SELECT random())
SELECT list_transform([1], lambda x: random())
SELECT [random() for x in [1]]
SELECT {{'a': random()}}.a
SELECT ward COLLATE NOCASE FROM data
SELECT avg(cost) FROM data WHERE 'a' ~ getvariable('x')
SELECT 1 AS "a\u202eb", random()
VALUES (random())
SELECT cast_to_type(random(), 1)
SELECT invoke(lambda x: random(), 1)
"""
_MEMORY = """
SELECT length(repeat('a', 4000000000))
SELECT length(repeat(repeat('a', 100000), 100000))
SELECT length(lpad('a', 2000000000, 'b'))
SELECT length(rpad('a', 2000000000, 'b'))
SELECT len(range(4000000000))
SELECT len(generate_series(1, 4000000000))
SELECT length(printf('%2000000000d', 1))
SELECT length(format('{:>2000000000}', 'a'))
SELECT len(list_sort(range(1000000000)))
SELECT length(replace(replace(replace('aaaaaaaa', 'a', 'aaaaaaaaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaa'))
SELECT length(array_to_string(range(1000000000), ','))
SELECT len(list_resize([1], 4000000000))
SELECT length(string_agg(note, repeat('a', 1000000))) FROM data
SELECT len(list(cost)) FROM data
SELECT len(array_agg(cost)) FROM data
SELECT length(bitstring('1', 4000000000))
SELECT len(flatten([range(100000000), range(100000000)]))
SELECT histogram(cost) FROM data
SELECT length(hex(repeat('a', 1000000000)))
SELECT length(to_base64(repeat('a', 1000000000)::BLOB))
SELECT length(regexp_replace(repeat('a', 100000), 'a', repeat('b', 100000), 'g'))
SELECT bar(1, 0, 10, 4000000000)
SELECT map_from_entries([(1, 2)])
SELECT max(cost, 100000000) FROM data
SELECT x'00'::BLOB
SELECT CAST('[1]' AS INT[])
SELECT json_array(cost) FROM data
SELECT sum(1) FROM data, data AS b, range(1000000000)
SELECT levenshtein(repeat('a', 1000000), repeat('b', 1000000))
"""


def _doubled(times: int) -> str:
    steps = "".join(f", t{i} AS (SELECT s || s AS s FROM t{i - 1})" for i in range(1, times))
    return f"WITH t0 AS (SELECT 'aaaaaaaaaaaaaaaa' AS s){steps} SELECT length(s) FROM t{times - 1}"


def _tenfold(times: int) -> str:
    steps = [f"t{i} AS (SELECT concat(s, s, s, s, s, s, s, s, s, s) AS s FROM t{i - 1})" for i in range(1, times)]
    return f"WITH t0 AS (SELECT note AS s FROM data), {', '.join(steps)} SELECT sum(length(s)) FROM t{times - 1}"


# Of listed parts alone, so that the limits of the process alone hold them.
HEAVY = (
    _doubled(40),
    _tenfold(9),
    f"SELECT count(*) FROM {', '.join(f'data AS d{i}' for i in range(6))}",
    "SELECT a.cost FROM data AS a, data AS b, data AS c ORDER BY a.cost + b.cost + c.cost LIMIT 1",
    "SELECT count(DISTINCT a.cost + b.cost + c.cost) FROM data AS a, data AS b, data AS c",
    "SELECT count(*) FROM (SELECT any_value(x) FROM (SELECT a.cost + b.cost * 7 + c.age AS x FROM data a, data b, data c)"
    " GROUP BY x)",
    "SELECT count(*) FROM data a WHERE NOT EXISTS (SELECT 1 FROM data b, data c WHERE b.cost < a.cost AND c.cost < b.cost)",
    "SELECT count(*) FROM data GROUP BY CUBE (cost, age, ward, note, cost + 1, cost + 2, cost + 3, cost + 4, cost + 5, cost + 6)",
    "SELECT count(m) FROM (SELECT max(cost, 999999) AS m FROM data GROUP BY cost)",
    "WITH t AS (SELECT concat(note, note, note, note, note, note, note) AS s FROM data), u AS (SELECT concat(s, s, s, s, s, s)"
    " AS s FROM t) SELECT sum(levenshtein(s, s || 'x')) FROM u",
    "SELECT sum(x) FROM (SELECT median(a.cost) OVER (ORDER BY b.cost ROWS 900 PRECEDING) AS x FROM data a"
    " JOIN data b USING (ward))",
    "SELECT a.cost FROM data a, data b, data c LIMIT 1 OFFSET 900000000",
    "SELECT count(*) FROM data WHERE regexp_matches(note, '(a{1,30}){1,30}b')",
    "SELECT count(*) FROM data WHERE note LIKE '" + "%a" * 200 + "b'",
    "SELECT " + "(" * 300 + "1" + ")" * 300,
    "SELECT " + "(" * 4000 + "1" + ")" * 4000,
    "SELECT " + "+".join(["1"] * 4000),
    "SELECT " + "NOT " * 2000 + "true",
    "SELECT " + "- " * 3000 + "1",
    "SELECT " + "(SELECT " * 400 + "1" + ")" * 400,
    "SELECT " + "CASE WHEN true THEN " * 300 + "1" + " END" * 300,
    " UNION ALL ".join(["SELECT cost FROM data"] * 400),
    "SELECT sum(x) FROM (SELECT lag(cost, 1000000000) OVER () AS x FROM data)",
    "SELECT max(x) FROM (SELECT ntile(1000000000000) OVER () AS x FROM data)",
    "SELECT sum(cost) FROM data WHERE cost IN (" + ", ".join(map(str, range(1500))) + ")",
    "SELECT factorial(33) ** 300",
)
FORBIDDEN = tuple(
    line.replace("\\n", "\n")
    for part in (_FILES, _NETWORK, _STATE, _CHANCE_AND_CLOCK, _WHO, _OTHER_TABLES, _SEVERAL_AND_TRICKS, _MEMORY)
    for line in part.strip("\n").split("\n")
)
