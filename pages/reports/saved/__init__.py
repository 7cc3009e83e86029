"""All that a tab knows of a table as one file: written, read back, and told from the file of another table."""
