"""How many rows people have, and what a cap leaves out of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.bounds import Interval
from dpcore.workbench.contributions.cap import Cap
from dpcore.workbench.contributions.classes import cells_of, classes_of
from dpcore.workbench.contributions.counted_rows import CountedRows, Whole
from dpcore.workbench.contributions.parts import Parts, parts_of


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
    people = np.bincount(rows.rows_a_person)
    there = np.flatnonzero(people)
    return RowsAPerson(there, people[there])


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
