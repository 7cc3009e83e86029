"""Colours between two ends, as numbers are between theirs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.types import FloatArray
from dpcore.plots.colour_scales import SCALES
from dpcore.plots.svg.refused import NotDrawnError, one_of

_HEX = "0123456789abcdefABCDEF"
_DARK, _OF_DARK, _OF_LIGHT = 128.0, "#ffffff", "#444444"


@final
@dataclass(frozen=True, eq=False)
class ColourScale:
    """``stops`` (s,) from 0 to 1 with the red, green and blue of each, (s, 3)."""

    stops: FloatArray
    colours: FloatArray

    @classmethod
    def of(cls, given: Any) -> ColourScale:
        """By its name, or by its stops."""
        pairs: Any = one_of(SCALES, given, "colorscale") if isinstance(given, str) else given
        if not pairs:
            raise NotDrawnError("colorscale", given)
        return cls(np.array([float(at) for at, _ in pairs]), np.array([_rgb(colour) for _, colour in pairs]))

    def at(self, shares: FloatArray) -> NDArray[np.int64]:
        """Red, green and blue of each of any shape, in a further axis."""
        found = [np.interp(np.clip(shares, 0, 1), self.stops, part) for part in self.colours.T]
        return np.asarray(np.rint(np.stack(found, axis=-1)), dtype=np.int64)


def _rgb(colour: str) -> tuple[float, float, float]:
    if len(colour) != 7 or colour[0] != "#" or any(letter not in _HEX for letter in colour[1:]):
        raise NotDrawnError("a colour of a colorscale", colour)
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def named(rgb: Any) -> str:
    """A colour as an attribute has it."""
    red, green, blue = (int(part) for part in rgb)
    return f"#{red:02x}{green:02x}{blue:02x}"


def read_on(rgb: Any) -> str:
    """The colour of a text on this ground, as plotly chooses it."""
    red, green, blue = (float(part) for part in rgb)
    return _OF_DARK if (299 * red + 587 * green + 114 * blue) / 1000 < _DARK else _OF_LIGHT
