"""The figures of a page as a report has them."""

from __future__ import annotations

from dpcore.plots.svg import Theme, svg
from pages.reports.document import Picture
from pages.shared.drawn import Figure


def picture(made: Figure, height: int = 340) -> Picture:
    """A figure with what describes it."""
    figure, alt = made
    return Picture(svg(figure, alt=alt, width=480, height=height, theme=Theme.PAGE), alt)
