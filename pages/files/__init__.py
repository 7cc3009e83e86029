"""A file becomes a table whose columns are declared."""
