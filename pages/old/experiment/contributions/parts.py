"""The sums that every cap needs, made once for each pair of bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.bounds import Interval
from dpcore.base.types import FloatArray
from pages.old.experiment.contributions.cap import Cap, Cells, Classes, CountedRows, Whole, cells_of, classes_of, summed


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Uncapped:
    """Of each group, (groups,): its ``number`` of rows, their ``sum``, and what clipping adds to it from below (``low``, at least
    0) and from above (``high``, at most 0)."""

    number: FloatArray
    sum: FloatArray
    low: FloatArray
    high: FloatArray


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Spreads:
    """Of each class, added over people, (3, classes): of the clipped values with themselves, of being a row of the group with
    itself, and of one with the other; a row of another group has 0 for both.

    ``rows``: the (N − 1)-variances of N rows and their covariance; ``sums``: the squares of their sums and the sums' product
    (mathematics, section 9.2).
    """

    rows: FloatArray
    sums: FloatArray

    def over_salts(self, cap: Cap, classes: Classes) -> list[FloatArray]:
        """Over salts, of each public group: the variances of the kept values and of their number, and the covariance."""
        return [classes.by_group(each) for each in cap.variances(classes) * self.rows + cap.of_whole(classes) * self.sums]


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Parts:
    """``value``: Σ clip(v) of each class, ``number``: its rows, (classes,). ``spreads`` is None where no rows are chosen."""

    uncapped: Uncapped
    classes: Classes
    value: FloatArray
    number: FloatArray
    spreads: Spreads | None

    def capped(self, cap: Cap) -> AtCap:
        """Each group's sums at one cap, which cost one pass over the classes."""
        weights, add = cap.weights(self.classes), self.classes.by_group
        sums = add(weights * self.value), add(weights * self.number)
        if self.spreads is None:
            none = np.zeros(self.classes.public)
            return AtCap(self.uncapped, *sums, none, none, none)
        return AtCap(self.uncapped, *sums, *self.spreads.over_salts(cap, self.classes))


@final
@dataclass(frozen=True, eq=False)
class AtCap:
    """Of each group, (groups,): Σ w·clip(v), Σ w, and over salts their variances and their covariance."""

    uncapped: Uncapped
    value: FloatArray
    number: FloatArray
    variance_of_value: FloatArray
    variance_of_number: FloatArray
    covariance: FloatArray


def parts_of(rows: CountedRows, cells: Cells, classes: Classes, bounds: Interval, *, spread: bool) -> Parts:
    """One pass over the rows for values clipped to the bounds, and with ``spread`` another one."""
    clipped = np.clip(rows.value, *bounds)
    value, number = summed(cells.of_row, clipped, len(cells.rows)), cells.rows.astype(np.float64)
    return Parts(
        uncapped=uncapped(rows, bounds),
        classes=classes,
        value=classes.add(value),
        number=classes.add(number),
        spreads=_spreads(cells, classes, clipped, value) if spread else None,
    )


def uncapped(rows: CountedRows, bounds: Interval) -> Uncapped:
    """Each group's rows before a cap, with values clipped to the bounds."""
    low, high = bounds
    return Uncapped(
        number=_by_group(rows, np.ones(len(rows.value))),
        sum=_by_group(rows, rows.value),
        low=_by_group(rows, np.maximum(low - rows.value, 0.0)),
        high=_by_group(rows, np.minimum(high - rows.value, 0.0)),
    )


def _by_group(rows: CountedRows, of_rows: FloatArray) -> FloatArray:
    return of_rows.sum(keepdims=True) if rows.groups == 1 else summed(rows.group, of_rows, rows.groups)


def _spreads(cells: Cells, classes: Classes, clipped: FloatArray, value: FloatArray) -> Spreads:
    """Σ(x − m)² over all N rows, of which those of another group have x = 0; m = Σx/N."""
    drawn_from, inside = classes.drawn_from, cells.rows
    mean, share = value / drawn_from, inside / drawn_from
    squares = summed(cells.of_row, (clipped - mean[cells.of_row]) ** 2, len(inside)) + (drawn_from - inside) * mean**2
    free = np.maximum(drawn_from - 1, 1)
    number = inside.astype(np.float64)
    rows = squares / free, inside * (1 - share) / free, value * (1 - share) / free
    sums = value**2, number**2, value * number
    return Spreads(rows=np.array([classes.add(each) for each in rows]), sums=np.array([classes.add(each) for each in sums]))


# How many rows people have, and what a cap leaves out of them.


@final
@dataclass(frozen=True, eq=False)
class RowsAPerson:
    """``people[i]`` people have ``rows[i]`` rows that count: each number of rows that somebody has, in order."""

    rows: Whole
    people: Whole


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """Shares, from 0 to 1: of ``rows``, weights added up; of ``people`` who lose some of theirs; of ``value``, that of the sizes
    |clip(v)| added up, the same as ``rows`` where rows are counted, and 0 where all values are 0."""

    rows: float
    people: float
    value: float


def rows_a_person(rows: CountedRows) -> RowsAPerson:
    """How many people have how many rows."""
    return RowsAPerson(*np.unique(rows.rows_a_person, return_counts=True))


def dropped(rows: CountedRows, caps: tuple[Cap, ...], bounds: Interval | None = None) -> tuple[Dropped, ...]:
    """What each cap leaves out, of values clipped to the bounds, or as they are."""
    cells = cells_of(rows)
    sizes = np.abs(rows.value if bounds is None else np.clip(rows.value, *bounds))
    of_sizes = CountedRows(person=rows.person, value=sizes, group=rows.group, groups=rows.groups)
    first = np.flatnonzero(np.diff(cells.person, prepend=-1))  # where each person's cells begin
    top = (0.0, max(float(sizes.max()), 1.0))
    classes = {a_group: classes_of(rows, cells, a_group=a_group) for a_group in {cap.a_group for cap in caps}}
    parts = {a_group: parts_of(of_sizes, cells, of, top, spread=False) for a_group, of in classes.items()}
    return tuple(_dropped(parts[cap.a_group], cap, first) for cap in caps)


def _dropped(parts: Parts, cap: Cap, first: Whole) -> Dropped:
    weights, value = cap.weights(parts.classes), float(parts.value.sum())
    return Dropped(
        rows=float(1 - weights @ parts.number / parts.number.sum()),
        people=float(np.maximum.reduceat(weights[parts.classes.of_cell] < 1, first).mean()),
        value=float(1 - weights @ parts.value / value) if value else 0.0,
    )
