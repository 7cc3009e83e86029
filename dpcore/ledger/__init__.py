"""What several releases of one table come to."""
