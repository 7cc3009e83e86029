"""Answer SQL queries on one table: an allow-list of queries, and DuckDB in a child process with limits."""
