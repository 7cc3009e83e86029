"""Learn: lessons and the gallery of figures."""
