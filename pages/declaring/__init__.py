"""Your data: how an uploaded file is read, and what its user declares about it."""
