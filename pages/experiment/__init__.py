"""One experiment on one table: its scenario, its results, and the accuracy of its private answers."""
