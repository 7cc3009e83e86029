"""How large the type on a wall is."""

SMALLEST = 18.5  # pixels of type on 1280 × 720, for which all is laid out
