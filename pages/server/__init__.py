"""What the server does for all tabs."""
