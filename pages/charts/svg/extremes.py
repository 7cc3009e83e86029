"""How far an axis reaches that has no range of its own: as far as plotly's would, marks and all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.types import FloatArray
from pages.charts.svg.values import NotDrawnError

Range = tuple[float, float]
_AROUND = 0.05  # of the axis, beside what is padded
_NOTHING = {"x": (-1.0, 6.0), "y": (-1.0, 4.0)}


@final
@dataclass(frozen=True, slots=True)
class Reach:
    """What one trace needs of an axis: from ``low`` to ``high``, with so many pixels beyond, and with room where ``padded``.
    ``from_zero``: it stands on 0, where it needs no room."""

    low: float
    high: float
    pixels: float = 0.0
    padded: bool = False
    from_zero: bool = False

    @classmethod
    def of(cls, values: FloatArray, *, pixels: float = 0.0, padded: bool = False, from_zero: bool = False) -> Reach | None:
        """Of values as the axis counts them; None where none is finite."""
        known = values[np.isfinite(values)]
        if not known.size:
            return None
        low, high = float(known.min()), float(known.max())
        if from_zero:
            low, high = min(0.0, low), max(0.0, high)
        return cls(low, high, pixels, padded, from_zero)

    def room(self, end: float, length: float) -> float:
        """Pixels beyond one of its ends."""
        return 0.0 if self.from_zero and end == 0 else self.pixels + _AROUND * length * self.padded


def reached(reaches: Sequence[Reach], length: float, letter: str, rangemode: str, kind: str) -> Range:
    """From the first to the last that an axis of so many pixels shows."""
    if rangemode not in ("normal", "tozero"):
        raise NotDrawnError("rangemode", rangemode)
    if not reaches:
        return _NOTHING[letter] if kind != "category" else (-0.5, 0.5)
    lows = [(one.low, one.room(one.low, length)) for one in reaches]
    highs = [(one.high, one.room(one.high, length)) for one in reaches]
    to_zero = rangemode == "tozero" and kind == "linear"
    least, most = min(low for low, _ in lows), max(high for high, _ in highs)
    if least == most:
        return _around(least, [pad for _, pad in highs], length, to_zero=to_zero)
    if to_zero:
        lows = [(0.0, 0.0)] if least >= 0 else lows
        highs = [(0.0, 0.0)] if most <= 0 else highs
    return _stretched(lows, highs, length)


def _stretched(lows: list[Range], highs: list[Range], length: float) -> Range:
    """The least range in which all have their pixels: units of a pixel are as many as any two of them need."""
    pairs = [
        ((high - low) / (length - before - after), (low, before), (high, after))
        for low, before in lows
        for high, after in highs
        if high > low and length > before + after
    ]
    if not pairs:
        return min(low for low, _ in lows), max(high for high, _ in highs)
    unit, (low, before), (high, after) = max(pairs, key=lambda pair: pair[0])
    return low - unit * before, high + unit * after


def _around(only: float, pads: list[float], length: float, *, to_zero: bool) -> Range:
    """Of a single value."""
    if not to_zero:
        return only - 1, only + 1
    if only == 0:
        return 0.0, 1.0
    end = only / (1 - min(0.5, max(pads) / length))
    return (0.0, end) if only > 0 else (end, 0.0)
