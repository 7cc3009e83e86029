"""What one browser has released of its tables, and what that spent."""
