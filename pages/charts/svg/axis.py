"""An axis: what it shows, where on the picture, and how values become pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.types import FloatArray
from pages.charts.svg.extremes import Range
from pages.charts.svg.ticks import Tick, ticks
from pages.charts.svg.values import NotDrawnError, numbers, unpacked

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
