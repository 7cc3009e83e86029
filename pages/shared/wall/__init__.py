"""For a wall: panels of the whole width, and a page stepped through in large type."""
