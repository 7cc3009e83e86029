"""One experiment on one table: its scenario, what it shows, and how accurate the private answers are."""
