"""How names, numbers and errors are said to a person."""
