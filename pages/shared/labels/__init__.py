"""The label of what was published, or would be: what it says, and how it is taken along."""
