"""What lessons compute with: the example, its tables, and what a step finds."""
