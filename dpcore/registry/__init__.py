"""The one place that finds the members of each kind, reads them from JSON and writes them as code."""
