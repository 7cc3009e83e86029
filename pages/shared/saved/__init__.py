"""Saving all that a tab knows of a table, and loading it again."""
