"""An axis: how far it reaches, where on the picture it lies, and how values become pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.types import FloatArray
from pages.charts.svg.ticks import Tick, ticks
from pages.charts.svg.values import NotDrawnError, numbers, unpacked

# How far an axis reaches that has no range of its own: as far as plotly's would, marks and all.


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


KINDS = ("linear", "log", "category")


@final
@dataclass(frozen=True, slots=True)
class Axis:
    """``name`` as a trace has it, x2 say; ``shown`` as plotly counts it: exponents of ten, or places of categories. ``pixels``
    are where that begins and ends on the picture: of a y axis from below."""

    name: str
    given: dict[str, Any]
    kind: str
    categories: tuple[str, ...]
    shown: Range
    pixels: Range

    @property
    def letter(self) -> str:
        """x or y."""
        return self.name[0]

    @property
    def visible(self) -> bool:
        """Whether anything of the axis itself is drawn."""
        return self.given.get("visible") is not False

    def counted(self, values: Any) -> FloatArray:
        """Values as the axis counts them."""
        return counted(values, self.kind, self.categories)

    def at(self, values: FloatArray) -> FloatArray:
        """Pixels of what the axis counts; NaN where it is no finite number."""
        (low, high), (begin, end) = self.shown, self.pixels
        with np.errstate(invalid="ignore", over="ignore"):
            shares = (values - low) / (high - low)
            return np.asarray(np.where(np.isfinite(values), begin + shares * (end - begin), np.nan))

    def place(self, values: Any) -> FloatArray:
        """Pixels of values."""
        return self.at(self.counted(values))

    def ticks(self) -> list[Tick]:
        """Where it has numbers or names."""
        length = abs(self.pixels[1] - self.pixels[0])
        return ticks(self.given | {"letter": self.letter}, self.kind, self.shown, length, self.categories)

    def placed_ticks(self) -> list[tuple[Tick, float]]:
        """The same, each with its pixel."""
        found = self.ticks()
        return list(zip(found, self.at(np.array([tick.at for tick in found], dtype=np.float64)).tolist(), strict=True))


def counted(values: Any, kind: str, categories: Sequence[str]) -> FloatArray:
    """Values as an axis of this kind counts them: a logarithm of what is not above 0 is NaN."""
    if kind == "category":
        places = {name: float(i) for i, name in enumerate(categories)}
        return np.array([_category(value, places) for value in unpacked(values)], dtype=np.float64)
    plain = numbers(values, f"values of a {kind} axis")
    if kind == "linear":
        return plain
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(plain > 0, np.log10(plain), np.nan))


def _category(value: Any, places: dict[str, float]) -> float:
    """A place is meant by a number too."""
    if value is None:
        return float("nan")
    if isinstance(value, str):
        return places[value]
    return float(value)


def kind_of(given: dict[str, Any], values: Sequence[Any]) -> str:
    """linear, log or category: what the axis says, or what its values are."""
    found = given.get("type")
    if found in (None, "-"):
        return "category" if any(isinstance(one, str) for some in values for one in _plain(some)) else "linear"
    if found not in KINDS:
        raise NotDrawnError("the type of an axis", found)
    return str(found)


def _plain(values: Any) -> Sequence[Any]:
    """Values one by one, where one of them can be a text."""
    values = unpacked(values)
    return values if isinstance(values, (list, tuple)) or (values is not None and values.dtype.kind in "UO") else ()


def names_of(values: Sequence[Any]) -> tuple[str, ...]:
    """Categories in the order in which the traces have them."""
    return tuple(dict.fromkeys(str(one) for some in values for one in _plain(some) if one is not None))
