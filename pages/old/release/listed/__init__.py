"""A list of questions on Release."""
