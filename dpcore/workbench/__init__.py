"""One experiment on one table: its scenario, what fits the table, and what comes of it."""
