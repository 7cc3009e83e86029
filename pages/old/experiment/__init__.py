"""One experiment on one table: what fits it, what it costs, how it is found."""
