"""The error of every configuration, a cap with bounds of the values, predicted before a release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.bounds import Interval
from dpcore.base.checks import positive
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.workbench.contributions.asked import Asked
from dpcore.workbench.contributions.cap import Cap, Keeping
from dpcore.workbench.contributions.classes import Cells, Classes, cells_of, classes_of
from dpcore.workbench.contributions.counted_rows import CountedRows
from dpcore.workbench.contributions.errors import Errors
from dpcore.workbench.contributions.parts import Parts, parts_of
from dpcore.workbench.contributions.terms import Terms

NEAR = 0.1  # of the least error: which configurations count as good as the best


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Prediction:
    """One configuration: the ``sensitivity`` that its cap and bounds have, the ``scale`` of the noise, and the errors."""

    cap: Cap
    bounds: Interval
    sensitivity: float
    scale: float
    errors: Errors


@final
@dataclass(frozen=True, eq=False)
class Predictions:
    """All configurations: ``table[i][j]`` has the i-th cap and the j-th bounds."""

    table: tuple[tuple[Prediction, ...], ...]

    @property
    def totals(self) -> FloatArray:
        """The root mean square error of each, over groups where there are some, (caps, bounds)."""
        return np.array([[each.errors.total for each in row] for row in self.table])

    @property
    def best(self) -> Prediction:
        """The first one with the least total."""
        row, column = np.unravel_index(int(np.argmin(self.totals)), self.totals.shape)
        return self.table[row][column]

    def near_best(self, share: float = NEAR) -> NDArray[np.bool_]:
        """Which have a total of at most 1 + share times the least, (caps, bounds)."""
        totals = self.totals
        return np.asarray(totals <= (1 + share) * totals.min())


def predict(
    rows: CountedRows, asked: Asked, terms: Terms, caps: Sequence[Cap], bounds: Sequence[Interval] | None = None
) -> Predictions:
    """Every cap with every pair of bounds.

    Rows are looked at once for each pair of bounds, and once more for its variance over salts. A cap then costs one pass over
    the classes of people that have equally many rows. ``bounds`` is left out where the question knows its own.
    InvalidValueError for no cap, no bounds, or bounds the wrong way.
    """
    if not caps:
        raise InvalidValueError("caps", "at least one", tuple(caps))
    pairs, cells = asked.pairs(bounds), cells_of(rows)
    classes = {a_group: classes_of(rows, cells, a_group=a_group) for a_group in {cap.a_group for cap in caps}}
    columns = [_column(_Table(rows, cells, classes, asked, terms), tuple(caps), pair) for pair in pairs]
    return Predictions(tuple(zip(*columns, strict=True)))


def predict_with(
    rows: CountedRows, asked: Asked, terms: Terms, cap: Cap, bounds: Interval | None, sensitivity: float | None
) -> Prediction:
    """One configuration; with a ``sensitivity``, above 0 in the noise's norm, under noise for that, not for what is proved."""
    (pair,), cells = asked.pairs(bounds and (bounds,)), cells_of(rows)
    table = _Table(rows, cells, {cap.a_group: classes_of(rows, cells, a_group=cap.a_group)}, asked, terms)
    known = None if sensitivity is None else positive("sensitivity", sensitivity)
    return table.prediction(table.parts(cap.a_group, pair), cap, pair, known)


@dataclass(frozen=True, eq=False)
class _Table:
    rows: CountedRows
    cells: Cells
    classes: dict[bool, Classes]
    asked: Asked
    terms: Terms

    def parts(self, a_group: bool, bounds: Interval) -> Parts:
        spread = self.terms.keeping is Keeping.ROWS
        return parts_of(self.rows, self.cells, self.classes[a_group], bounds, spread=spread)

    def prediction(self, parts: Parts, cap: Cap, bounds: Interval, sensitivity: float | None = None) -> Prediction:
        proved = self.terms.sensitivity(self.asked, cap, bounds, self.rows.groups) if sensitivity is None else sensitivity
        scale = self.terms.noise.scale(proved)
        errors = self.asked.released.errors(parts.capped(cap), bounds, self.terms.noise, scale)
        return Prediction(cap=cap, bounds=bounds, sensitivity=proved, scale=scale, errors=errors)


def _column(table: _Table, caps: tuple[Cap, ...], bounds: Interval) -> list[Prediction]:
    parts = {a_group: table.parts(a_group, bounds) for a_group in {cap.a_group for cap in caps}}
    return [table.prediction(parts[cap.a_group], cap, bounds) for cap in caps]
