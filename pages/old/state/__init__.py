"""What one tab remembers, and the address that it is written into."""
