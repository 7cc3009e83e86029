"""Whole people drawn again from a public table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base import people
from dpcore.base.checks import named, set_fields
from dpcore.base.declared import Column
from dpcore.base.people import CODE, KEY
from dpcore.base.types import Database, Oracle
from dpcore.errors import InvalidValueError
from dpcore.oracles.people import check_people, check_rows
from dpcore.oracles.resample import of_columns_like


@final
@dataclass(frozen=True, eq=False)
class ResamplePeople(Oracle):
    """People drawn with replacement from those of a *public* table of rows, each with all rows, as ``people.per_user`` makes it.

    Never from the confidential table itself: an oracle that was made from it voids the guarantee. Whoever is drawn twice is two
    people, and each gets a key of its own.
    """

    records: Database
    person: str = "person"
    draws_people: ClassVar[bool] = True
    draws_fields: ClassVar[bool] = True
    independent_records: ClassVar[bool] = True
    title: ClassVar[str] = "People drawn again"
    _starts: NDArray[np.int64] = field(init=False, repr=False)  # where each person's rows begin, and where the last one's end

    def __post_init__(self) -> None:
        records = np.array(self.records)
        fields = _names(records) if records.ndim == 1 and len(records) and not records.dtype.hasobject else ()
        if named("person", self.person) not in fields:
            expected = f"rows of people, with the column “{self.person}”"
            raise InvalidValueError("records", expected, (str(records.dtype), records.shape))
        people.check(records[self.person])
        records.flags.writeable = False
        starts = np.searchsorted(records[self.person][CODE], np.arange(people.count(records[self.person]) + 1))
        set_fields(self, records=records, _starts=starts)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Columns of its names, texts for those of text; the field of people is none of them."""
        return of_columns_like(self.records, tuple(name for name in _names(self.records) if name != self.person), columns)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        """-> (1, rows) of ``records`` people.

        InvalidValueError for more databases than one, TooManyRowsError for people with more than 2²⁴ rows.
        """
        check_people(databases, records)
        chosen = rng.integers(len(self._starts) - 1, size=records)
        numbers = np.diff(self._starts)[chosen]
        ends = np.cumsum(numbers)
        check_rows(int(ends[-1]), records, records)
        keys = rng.integers(2**64, size=records, dtype=np.uint64)
        whose = np.repeat(np.arange(records), numbers)
        drawn: Database = self.records[np.arange(ends[-1]) + (self._starts[chosen] - ends + numbers)[whose]]
        drawn[self.person][CODE], drawn[self.person][KEY] = whose, keys[whose]
        return drawn.reshape(1, -1)


def _names(records: Database) -> tuple[str, ...]:
    return records.dtype.names or ()


def of_people(records: Database, person: str) -> Oracle:
    """The oracle that draws these people again, with replacement: they must be public."""
    return ResamplePeople(records, person)
