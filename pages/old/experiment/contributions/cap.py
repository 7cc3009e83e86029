"""How much of each person is kept, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import final

import numpy as np
from numpy.typing import NDArray

from dpcore.base import people
from dpcore.base.bounds import Interval
from dpcore.base.checks import whole
from dpcore.base.counted import counted
from dpcore.base.people import MOST_ROWS
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError

# The rows of people that a question counts: whose each is, its value and its group.


MOST = 1e100  # of a value: squares of sums of 2²⁷ such numbers are finite, and so is the noise

Whole = NDArray[np.int64]


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class CountedRows:
    """Rows that count, made by ``counted_rows``: at least one, and each person here has one.

    ``person``: 0, 1, … in the order of the rows, (rows,). ``value``: (rows,), of one where rows are counted. ``group``: from 0 to
    ``groups`` − 1, (rows,).
    """

    person: Whole
    value: FloatArray
    group: Whole
    groups: int

    @property
    def people(self) -> int:
        """How many people have a row that counts."""
        return int(self.person[-1]) + 1

    @property
    def rows_a_person(self) -> Whole:
        """How many rows of each person count, (people,)."""
        return np.bincount(self.person)


def counted_rows(
    persons: Database,
    values: FloatArray | None = None,
    *,
    where: NDArray[np.bool_] | None = None,
    group: Whole | None = None,
    groups: int = 1,
) -> CountedRows:
    """The rows of people (rows,) that meet the conditions, whose value is known, and that are in one of the public groups.

    - ``persons``: the field that ``people.per_user`` makes.
    - ``values``: numbers, NaN where missing; None where rows are counted.
    - ``where``: which rows the conditions hold of; None for all.
    - ``group``: which of the ``groups`` each row is in, −1 for none, as ``Groups.places`` gives it.

    A person none of whose rows counts is not here, because it adds nothing. InvalidValueError for other arrays, for values that
    are no finite numbers of at most 1e100, and where no row counts.
    """
    people.check(persons)
    counts = np.ones(len(persons), dtype=bool) if where is None else _beside("where", where, persons).astype(bool)
    known = np.ones(len(persons)) if values is None else _beside("values", values, persons).astype(np.float64)
    places = np.zeros(len(persons), dtype=np.int64) if group is None else _beside("group", group, persons)
    whole("groups", groups)
    counts &= ~np.isnan(known) & (places >= 0)
    if not counts.any():
        raise InvalidValueError("rows", "some that count: here the conditions, groups and missing values leave nobody", 0)
    kept = slice(None) if counts.all() else counts
    code, known, places = persons[people.CODE][kept], known[kept], places[kept]
    if not max(known.max(), -known.min()) <= MOST:
        raise InvalidValueError(
            "values", f"numbers from −{MOST:g} to {MOST:g}, or none where a value is missing", float(np.abs(known).max())
        )
    if places.max() >= groups:
        raise InvalidValueError("group", f"a place among the {groups} groups, or −1", int(places.max()))
    return CountedRows(person=people.contiguous(code), value=known, group=places, groups=groups)


def _beside(name: str, array: Database, persons: Database) -> Database:
    if array.shape != persons.shape:
        raise InvalidValueError(name, "an array with one entry a row", array.shape)
    return array


# Rows that weigh the same at every cap, put together: a cap then costs no more than there are such classes.


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


class Keeping(Enum):
    """What happens to the rows of a person who has more than s."""

    WEIGHTS = "all rows of a person, with less weight"
    ROWS = "some rows of a person, chosen by a public salt"


@final
@dataclass(frozen=True, slots=True)
class Cap:
    """``rows``: s, that many rows of each person over all groups; or, with ``groups``, s rows in each group and ``groups``
    groups of each person: each group by its weight p = min(1, groups/(groups that the person is in)), or, where a salt chooses
    rows, so many whole groups, each with the chance p.

    Both are whole numbers from 1 to 2²⁴, the most rows that a database of people has, else InvalidValueError.
    """

    rows: int
    groups: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", _number("rows kept of each person, s,", self.rows))
        if self.groups is not None:
            object.__setattr__(self, "groups", _number("groups kept of each person", self.groups))

    @property
    def size(self) -> int:
        """How large it is, on the axis of a chart: s."""
        return self.rows

    @property
    def a_group(self) -> bool:
        """Whether rows are counted in each group by itself."""
        return self.groups is not None

    def groups_of(self, public: int) -> int:
        """In how many of the public groups a person's kept rows are as many as s."""
        return 1 if self.groups is None else min(self.groups, public)

    def weights(self, classes: Classes) -> FloatArray:
        """min(1, s/N) of each class, times min(1, g/G) (mathematics, section 9.1)."""
        return self._of_groups(classes) * np.minimum(1.0, self.rows / classes.rows)

    def variances(self, classes: Classes) -> FloatArray:
        """By what the variance of N values is multiplied in that of the sum of s drawn from them: s(N − s)/N where N > s, else 0;
        times p, for they are drawn in groups that are kept (mathematics, section 9.2)."""
        s = self.rows
        return np.asarray(self._of_groups(classes) * s * np.maximum(0.0, 1 - s / classes.rows))

    def of_whole(self, classes: Classes) -> FloatArray:
        """By what the square of the sum of N values is multiplied in that variance, because the whole group is kept or not:
        p(1 − p)·min(1, s/N)² (mathematics, section 9.2)."""
        p = self._of_groups(classes)
        return np.asarray(p * (1 - p) * np.minimum(1.0, self.rows / classes.rows) ** 2)

    def _of_groups(self, classes: Classes) -> FloatArray:
        return np.ones(len(classes.rows)) if self.groups is None else np.minimum(1.0, self.groups / classes.groups)


def _number(name: str, value: object) -> int:
    if (number := whole(name, value)) > MOST_ROWS:
        raise InvalidValueError(name, f"at most {MOST_ROWS:,}", value)
    return number


# What is worth saying of a table of people before its numbers are read.


def remarks(rows: CountedRows, caps: Sequence[Cap]) -> tuple[str, ...]:
    """Sentences on a table of one person, on one where nobody has a second row, and on caps that drop nothing."""
    most = int(rows.rows_a_person.max())
    said = []
    if rows.people == 1:
        said.append(
            "All rows that count are one person's. The noise hides that person, so it hides the whole answer. Check that the "
            "column names the person."
        )
    elif most == 1:
        said.append("Nobody has more than one row that counts. A cap of one row drops nothing, and a higher one only adds noise.")
    beyond = sorted({cap.rows for cap in caps if cap.rows > most})
    if beyond and most > 1:
        said.append(
            f"Nobody has more than {counted(most, ' rows')} that count, so keeping {beyond[0]:,} or more only adds noise."
        )
    return tuple(said)


def remarks_on_bounds(rows: CountedRows, bounds: Interval) -> tuple[str, ...]:
    """Sentences on bounds that hold none of the values, and on negative values that a lower bound of at least 0 takes away."""
    low, high = bounds
    if not ((rows.value >= low) & (rows.value <= high)).any():
        return (f"No value of the table is from {low:g} to {high:g}, so each of them counts as one of these bounds.",)
    negative = float((rows.value < 0).mean())
    if negative and low >= 0:
        return (f"{negative:.2g} of the values, as a share, are below 0 and count as {low:g}.",)
    return ()
