"""The chart of an answer beside its private versions, and that of a response: one file a kind of answer."""
