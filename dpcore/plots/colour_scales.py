"""Scales of colours by name: the colours are plotly's, and are here so that a figure needs no plotly."""

from __future__ import annotations

_CIVIDIS = ("#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838")
CIVIDIS = [[i / 9, colour] for i, colour in enumerate(_CIVIDIS)]
"""Cividis of Nuñez, Anderton and Renslow (2018): as light as its number, and read by those who tell no red from green."""
SCALES = {"Cividis": CIVIDIS}
