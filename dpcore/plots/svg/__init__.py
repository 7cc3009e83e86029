"""A figure of dpcore.plots as SVG, by this library alone."""

from dpcore.plots.svg.document import svg
from dpcore.plots.svg.theme import Theme
from dpcore.plots.svg.values import NotDrawnError

__all__ = ["NotDrawnError", "Theme", "svg"]
