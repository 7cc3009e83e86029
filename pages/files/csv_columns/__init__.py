"""Reading a CSV, or text like it: how it is written, its header, its records."""
