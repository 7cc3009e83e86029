"""Pieces of the page People: its controls and its three questions."""
