"""What is said of the private versions of an answer, and how far off they are: one file a kind of answer."""
