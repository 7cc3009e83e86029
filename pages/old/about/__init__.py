"""About: what is promised, and its limits."""
