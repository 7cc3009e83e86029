"""Rows that weigh the same at every cap, put together: a cap then costs no more than there are such classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.workbench.contributions.counted_rows import CountedRows, Whole

_DENSE = 4  # keys for each thing numbered, up to which a table of all keys is quicker than sorting


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Cells:
    """One person's rows in one group are a cell. ``of_row``: (rows,). Of each cell, (cells,): ``person``, ``group``, ``rows``."""

    of_row: Whole
    person: Whole
    group: Whole
    rows: Whole


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Classes:
    """Cells of one group whose ``rows`` N, of which s are kept, and ``groups`` G, of which g are kept, are equal.

    ``of_cell``: (cells,). ``drawn_from``: N of each cell, (cells,). Of each class, (classes,): ``rows``, ``groups``, ``group``.
    """

    of_cell: Whole
    drawn_from: Whole
    rows: FloatArray
    groups: FloatArray
    group: Whole
    public: int

    def add(self, of_cells: FloatArray) -> FloatArray:
        """(cells,) -> (classes,)"""
        return summed(self.of_cell, of_cells, len(self.rows))

    def by_group(self, of_classes: FloatArray) -> FloatArray:
        """(classes,) -> (public groups,)"""
        return summed(self.group, of_classes, self.public)


def cells_of(rows: CountedRows) -> Cells:
    """The cells of a table's rows, those of one person beside one another."""
    if rows.groups == 1:
        person = np.arange(rows.people)
        return Cells(of_row=rows.person, person=person, group=np.zeros_like(person), rows=rows.rows_a_person)
    of_row, keys = numbered(rows.person * rows.groups + rows.group, rows.people * rows.groups)
    return Cells(of_row=of_row, person=keys // rows.groups, group=keys % rows.groups, rows=np.bincount(of_row))


def classes_of(rows: CountedRows, cells: Cells, *, a_group: bool) -> Classes:
    """N is a person's rows over all groups and G is 1; or, with ``a_group``, N is its rows in the group and G its groups."""
    of_rows = cells.rows if a_group else rows.rows_a_person[cells.person]
    of_groups = np.bincount(cells.person)[cells.person] if a_group else np.ones(len(of_rows), dtype=np.int64)
    most = int(of_groups.max()) + 1
    pairs, kept = numbered(of_rows * most + of_groups, (int(of_rows.max()) + 1) * most)
    of_cell, keys = numbered(pairs * rows.groups + cells.group, len(kept) * rows.groups)
    pair = kept[keys // rows.groups]
    return Classes(
        of_cell=of_cell,
        drawn_from=of_rows,
        rows=(pair // most).astype(np.float64),
        groups=(pair % most).astype(np.float64),
        group=keys % rows.groups,
        public=rows.groups,
    )


def summed(places: Whole, values: FloatArray, many: int) -> FloatArray:
    """The sum of the values at each place from 0 to below ``many``, (values,) -> (many,)."""
    return np.asarray(np.bincount(places, values, many), dtype=np.float64)


def numbered(keys: Whole, most: int) -> tuple[Whole, Whole]:
    """0, 1, … for the keys, which are from 0 to below ``most``, in their order; and the key of each number."""
    if most > _DENSE * len(keys):
        different, of_each = np.unique(keys, return_inverse=True)
        return of_each, different
    there = np.zeros(most, dtype=bool)
    there[keys] = True
    return (np.cumsum(there) - 1)[keys], np.flatnonzero(there)
