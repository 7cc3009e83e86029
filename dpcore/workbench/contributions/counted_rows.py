"""The rows of people that a question counts: whose each is, its value and its group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from dpcore.base import people
from dpcore.base.checks import whole
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError

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
        raise InvalidValueError("values", f"numbers from −{MOST:g} to {MOST:g}, or NaN where missing", float(np.abs(known).max()))
    if places.max() >= groups:
        raise InvalidValueError("group", f"a place among the {groups} groups, or −1", int(places.max()))
    return CountedRows(person=people.contiguous(code), value=known, group=places, groups=groups)


def _beside(name: str, array: Database, persons: Database) -> Database:
    if array.shape != persons.shape:
        raise InvalidValueError(name, "an array with one entry a row", array.shape)
    return array
