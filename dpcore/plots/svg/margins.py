"""How much room is left around the plots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

Span = tuple[float, float]
_PLOTLY = {"l": 80.0, "r": 80.0, "t": 100.0, "b": 80.0}
_LEAST = 10.0  # pixels of a plot


@final
@dataclass(frozen=True, slots=True)
class Margins:
    """Pixels at each side of a picture so ``wide`` and ``high``."""

    wide: float
    high: float
    left: float
    right: float
    top: float
    bottom: float

    @classmethod
    def of(cls, layout: dict[str, Any], wide: float, high: float) -> Margins:
        """As a figure says."""
        given = layout.get("margin") or {}
        left, right, top, bottom = (float(given.get(side, default)) for side, default in _PLOTLY.items())
        return cls(wide, high, left, right, top, bottom)

    @property
    def across(self) -> Span:
        """Where the plots begin and end."""
        return self.left, max(self.left + _LEAST, self.wide - self.right)

    @property
    def up(self) -> Span:
        """Where they begin and end, from below."""
        low = max(_LEAST, self.high - self.bottom)
        return low, min(self.top, low - _LEAST)

    @property
    def plot(self) -> Span:
        """Their width and height together."""
        return self.across[1] - self.across[0], self.up[0] - self.up[1]
