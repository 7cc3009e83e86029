"""Explore, the first screen: one question, its sensitivity, and what privacy costs it."""
