"""Scenarios side by side: what differs among them, two charts, a table, and what can be done with each."""
