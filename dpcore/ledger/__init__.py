"""The total guarantee of several releases of one table."""
