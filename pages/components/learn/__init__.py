"""What the page Learn shows."""
