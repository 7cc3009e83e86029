"""Your data: a file becomes a table whose columns its holder declares."""
