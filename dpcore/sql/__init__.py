"""SQL over one table: which queries are run, and the processes in which DuckDB answers them, each behind walls."""
