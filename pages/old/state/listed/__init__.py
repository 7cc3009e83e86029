"""The list of questions of each table, in this session."""
