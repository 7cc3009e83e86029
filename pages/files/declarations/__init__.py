"""Declarations of an uploaded file: proposed from its cells, then fixed by the user."""
