"""A private summary of a whole table: what is asked, and what may be told of its answer."""
