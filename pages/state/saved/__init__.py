"""All that a tab knows of a table, saved as a file and loaded again."""
