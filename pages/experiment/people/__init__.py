"""Errors of answers about people under limits on their rows or totals, predicted on a public or a simulated table."""
