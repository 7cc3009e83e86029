"""Reports of what was released, and of what a page shows."""
