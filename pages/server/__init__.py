"""Work of the server for all tabs."""
