"""A figure of pages.charts as SVG, by this library alone."""

from pages.charts.svg.document import Theme, svg
from pages.charts.svg.values import NotDrawnError

__all__ = ["NotDrawnError", "Theme", "svg"]
