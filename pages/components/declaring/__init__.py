"""What a holder declares of a file's columns: the table of declarations, and its settings file."""
