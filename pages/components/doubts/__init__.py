"""Doubts in the oracle, below the panels of Explore: what its being wrong costs, and how like the table it is."""
