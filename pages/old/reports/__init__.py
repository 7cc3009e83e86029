"""Reports: what is said in one, and the file that it becomes."""
