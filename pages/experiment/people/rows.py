"""The rows of people that a question counts, and their parts under a limit on each person."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.people import CODE
from dpcore.base.row_weights import weights
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError, TableError
from dpcore.targets.capped import Capped
from dpcore.targets.clipped_totals import ClippedTotals
from dpcore.targets.people_rows import placed

Places = NDArray[np.int64]
AboutPeople = Capped | ClippedTotals
MOST = 1e100  # of a value: squares of sums of 2²⁴ such numbers are finite


@final
@dataclass(frozen=True, eq=False)
class CountedRows:
    """Rows that count: their value is known, all conditions hold, and they are in a public group.

    Args:
        people: The person of each row, as in ``dpcore.base.people``, shape (rows,).
        records: The records that the target takes.
        values: The value of each row before clipping, shape (rows,).
        places: The group of each row, shape (rows,).
        groups: Number of public groups, at least 1.
    """

    people: Database
    records: Database
    values: FloatArray
    places: Places
    groups: int

    @classmethod
    def of(cls, target: AboutPeople, database: Database) -> CountedRows:
        """Return the rows of a database that a target counts.

        Raises:
            TableError: If no row counts.
            InvalidValueError: If a value is not finite or its size is above 1e100.
        """
        records, places = placed(target.question, database)
        counts = places >= 0
        if not counts.any():
            raise TableError("No row meets the conditions and groups and has a value.", "Ask for less, or choose another column.")
        inner: Any = target.question.target
        values = np.asarray(inner.row_values(records[counts]), dtype=np.float64)
        if not np.abs(values).max() <= MOST:
            raise InvalidValueError("values", f"numbers from −{MOST:g} to {MOST:g}", float(np.abs(values).max()))
        groups = max(1, len(target.question.groups))
        return cls(database[target.person][counts], records[counts], values, places[counts], groups)

    @cached_property
    def rows_a_person(self) -> Places:
        """The number of rows of each person, shape (people,)."""
        found = np.bincount(self.people[CODE])
        return np.asarray(found[found > 0])

    def by_group(self, of_rows: FloatArray) -> FloatArray:
        """Return the sum of each group: (rows,) -> (groups,)."""
        return summed(self.places, of_rows, self.groups)

    def weights(self, target: Capped) -> FloatArray:
        """Return how much each row counts under the limit of a target, shape (rows,)."""
        return weights(self.people, self.places, target.rows, target.groups_each, target.salt)

    def kept(self, target: AboutPeople, brought: FloatArray) -> Kept:
        """Return the parts of the rows, or of people's totals, with and without the limit of a target.

        Args:
            target: The target.
            brought: The part of each row in its answer, shape (rows, d).
        """
        if isinstance(target, Capped):
            return Kept(self.people[CODE], self.places, brought, brought * self.weights(target)[:, None])
        who, place, totals = self.totals(brought)
        low, high = target.totals
        (above, below), (up, down) = self.sides(who, totals), (np.maximum(totals, 0.0), np.minimum(totals, 0.0))
        after = up * _share(above, high)[who] + down * _share(below, -low)[who]
        return Kept(who, place, totals[:, None], after[:, None])

    def totals(self, brought: FloatArray) -> tuple[Places, Places, FloatArray]:
        """Return the person, the group and the sum of each cell: the rows of one person in one group."""
        return *self._cells[:2], summed(self._cells[2], brought[:, 0], len(self._cells[0]))

    @cached_property
    def _cells(self) -> tuple[Places, Places, Places]:
        """The person and the group of each cell, and the cell of each row."""
        keys, cell = np.unique(self.people[CODE] * self.groups + self.places, return_inverse=True)
        return keys // self.groups, keys % self.groups, cell

    def sides(self, who: Places, totals: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the sum of each person's cells above 0, and of the sizes of those below 0, by the person's code."""
        above, below = (summed(who, np.maximum(sign * totals, 0.0), int(who[-1]) + 1) for sign in (1, -1))
        return above, below


@final
@dataclass(frozen=True, eq=False)
class Kept:
    """Parts of the answer, with and without a limit on each person, of rows or of cells (one person's rows in one group).

    Args:
        people: The person of each row or cell, shape (k,).
        places: Its group, shape (k,).
        before: Its part without the limit, shape (k, d).
        after: Its part with the limit, shape (k, d). Parts of a person's total are shrunk alike (mathematics, section 15.3).
    """

    people: Places
    places: Places
    before: FloatArray
    after: FloatArray


def summed(places: Places, values: FloatArray, count: int) -> FloatArray:
    """Return the sum of the values at each place from 0 to below a count, shape (count,)."""
    return np.asarray(np.bincount(places, values, count), dtype=np.float64)


def _share(sums: FloatArray, most: float) -> FloatArray:
    """Return min(1, most/sum) for each sum."""
    return np.divide(most, sums, out=np.ones(len(sums)), where=sums > most)
