"""The rows of people that a question counts, and what a limit on each person keeps of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.bounds import Interval
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
        people: Whose each row is, as ``dpcore.base.people`` has it, shape (rows,).
        records: What the target takes of each row.
        values: What each row brings before it is clipped, shape (rows,).
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
        """How many rows each person has, shape (people,)."""
        found = np.bincount(self.people[CODE])
        return np.asarray(found[found > 0])

    def by_group(self, of_rows: FloatArray) -> FloatArray:
        """Return the sum of each group: (rows,) -> (groups,)."""
        return np.bincount(self.places, of_rows, self.groups)

    def weights(self, target: Capped) -> FloatArray:
        """Return how much each row counts under the limit of a target, shape (rows,)."""
        return weights(self.people, self.places, target.rows, target.groups_each, target.salt)

    @cached_property
    def cells(self) -> tuple[Places, Places, Places]:
        """The rows of one person in one group are a cell: the person and the group of each, and the cell of each row."""
        keys, cell = np.unique(self.people[CODE] * self.groups + self.places, return_inverse=True)
        return keys // self.groups, keys % self.groups, cell

    def totals(self, of_rows: FloatArray) -> FloatArray:
        """Return what the rows of each cell add up to: (rows,) -> (cells,)."""
        return np.bincount(self.cells[2], of_rows)

    def sides(self, totals: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return what each person's cells above 0, and the sizes of those below 0, add up to, by the person's code."""
        return np.bincount(self.cells[0], np.maximum(totals, 0.0)), np.bincount(self.cells[0], np.maximum(-totals, 0.0))

    def size_of_totals(self, of_rows: FloatArray) -> FloatArray:
        """Return the size of each person's total, above or below 0, whichever is larger: (rows,) -> (people,)."""
        above, below = self.sides(self.totals(of_rows))
        return np.maximum(above, below)[np.unique(self.cells[0])]

    def limited(self, totals: FloatArray, limit: Interval) -> FloatArray:
        """Return the cells, shrunk alike for each person until the person's total is within a limit (mathematics, section 15.3).

        Args:
            totals: Shape (cells,).
            limit: The lower bound of a person's total, at most 0, and the upper one, at least 0.
        """
        who, (above, below) = self.cells[0], self.sides(totals)
        high, low = _share(above, limit[1])[who], _share(below, -limit[0])[who]
        return np.maximum(totals, 0.0) * high + np.minimum(totals, 0.0) * low


def _share(sums: FloatArray, most: float) -> FloatArray:
    """Return min(1, most/sum) for each sum."""
    return np.divide(most, sums, out=np.ones(len(sums)), where=sums > most)
