"""The sampler: which way it takes, its draws, and where they are made."""
