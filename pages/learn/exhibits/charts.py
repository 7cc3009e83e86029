"""What a stored figure shows: charts with named series, and tables of numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

import numpy as np

from dpcore.base.checks import finite, named
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError

ROLES = (  # whose a series is, so that one role has one look on every chart
    "formula",  # stated in the paper's text as a formula, and drawn from it
    "dkw",  # ours at the paper's operating points
    "rank",  # ours at the operating points of RANK
    "tolerance",
    "worst case",  # proved, by this project
    "paper's worst case",  # proved, by the paper
    "no privacy",
    "true",  # a distribution that is known exactly
    "other",
)
DRAWN = ("line", "steps", "points")
Cell = str | float


@final
@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis measures, in which unit ("" without one), and whether it is logarithmic."""

    label: str
    unit: str = ""
    log: bool = False

    def __post_init__(self) -> None:
        named("label", self.label)
        if not isinstance(self.unit, str) or not isinstance(self.log, bool):
            raise InvalidValueError("axis", "a unit in words, and whether it is logarithmic", (self.unit, self.log))


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Series:
    """One line, or one set of points: ``x`` and ``y`` (p,), finite, in the units of the chart's axes.

    ``low`` and ``high`` (p,) are around ``y`` where a spread was measured, else None both; the chart's ``spread`` says what
    they mean. ``role`` is one of ``ROLES``, ``drawn`` one of ``DRAWN``.
    """

    name: str
    role: str
    x: FloatArray
    y: FloatArray
    low: FloatArray | None = None
    high: FloatArray | None = None
    drawn: str = "line"

    def __post_init__(self) -> None:
        named("name", self.name)
        _one_of("role", self.role, ROLES)
        _one_of("drawn", self.drawn, DRAWN)
        x = _column("x", self.x)
        object.__setattr__(self, "x", x)
        object.__setattr__(self, "y", _column("y", self.y, len(x)))
        if (self.low is None) != (self.high is None):
            raise InvalidValueError("low and high", "both given, or neither", (self.low, self.high))
        for name in ("low", "high"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _column(name, getattr(self, name), len(x)))


@final
@dataclass(frozen=True, kw_only=True)
class Chart:
    """One panel: its axes and at least one series, each of a name of its own."""

    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    spread: str = ""

    def __post_init__(self) -> None:
        named("title", self.title)
        names = [one.name for one in self.series]
        if not names or len(set(names)) < len(names):
            raise InvalidValueError("series", "at least one, of different names", names)
        if not isinstance(self.spread, str) or (not self.spread and any(one.low is not None for one in self.series)):
            raise InvalidValueError("spread", "words for what low and high are", self.spread)
        for axis, values in ((self.x, "x"), (self.y, "y")):
            if axis.log and any((getattr(one, values) <= 0).any() for one in self.series):
                raise InvalidValueError(values, "above 0 on a logarithmic axis", self.title)

    def called(self, name: str) -> Series:
        """The series of this name; InvalidValueError where there is none."""
        found = [one for one in self.series if one.name == name]
        if not found:
            raise InvalidValueError("name", f"one of {', '.join(one.name for one in self.series)}", name)
        return found[0]


@final
@dataclass(frozen=True, kw_only=True)
class StoredTable:
    """A table: a title, names of columns, and rows of texts and finite numbers, as many in each as there are columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...] = field(repr=False)

    def __post_init__(self) -> None:
        named("title", self.title)
        for column in self.columns:
            named("column", column)
        if not self.columns or not self.rows or any(len(row) != len(self.columns) for row in self.rows):
            raise InvalidValueError("rows", f"at least one, of {len(self.columns)} cells each", self.title)
        for cell in (cell for row in self.rows for cell in row):
            if not isinstance(cell, str):
                finite("cell", cell)


def _column(name: str, value: object, length: int | None = None) -> FloatArray:
    array = np.array(value, dtype=np.float64) if _holds_stored_table(value) else np.empty(0)
    if array.ndim != 1 or not array.size or not np.isfinite(array).all() or len(array) != (length or len(array)):
        raise InvalidValueError(name, "finite numbers, as many as x has", value)
    array.flags.writeable = False
    return array


def _holds_stored_table(value: object) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "fiu"
    return isinstance(value, (list, tuple)) and all(type(one) in (int, float) for one in value)


def _one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise InvalidValueError(name, f"one of {', '.join(known)}", value)
