"""The colours around what is drawn. Those of lines and marks are the figure's own, in each theme."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Colours:
    """Of texts, of the lines behind the data, and of the ground."""

    ink: str
    grid: str
    ground: str


@final
class Theme(Enum):
    """LIGHT and DARK are the same everywhere. PAGE follows the page that the SVG stands in: its custom properties ``--ink``,
    ``--grid`` and ``--ground``, and is light on the page's own ground where it has none."""

    LIGHT = Colours("#31333f", "#e3e4e8", "#ffffff")
    DARK = Colours("#fafafa", "#3b3e48", "#0e1117")
    PAGE = Colours("var(--ink, #31333f)", "var(--grid, #e3e4e8)", "var(--ground, transparent)")

    @property
    def ink(self) -> str:
        """Of texts."""
        return self.value.ink

    @property
    def grid(self) -> str:
        """Of the lines behind the data."""
        return self.value.grid

    @property
    def ground(self) -> str:
        """Behind everything."""
        return self.value.ground
