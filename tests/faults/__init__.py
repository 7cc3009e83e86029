"""Faults that are injected into a running app one by one, and how long each takes to pass."""
