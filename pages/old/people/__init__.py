"""People: how many rows of each person should count."""
