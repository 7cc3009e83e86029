"""Releases of one browser, and their cost."""
