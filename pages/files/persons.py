"""Whose the rows of a table are, as its holder says: then its records are people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.checks import named, whole
from dpcore.base.people import MOST_ROWS, numbered, texts_of
from dpcore.base.types import Database
from dpcore.errors import InvalidValueError, TableError
from dpcore.guarantees.privacy import Adjacency

MOST_PEOPLE = MOST_ROWS  # each has a row at least, and an oracle makes up so many people


LONGEST_ID = 64  # letters of a person's name


@final
@dataclass(frozen=True, slots=True)
class Persons:
    """``column`` names the person of each row. ``stated`` is about how many people there are, said without a look at the table;
    None where their true number is public.

    A row without a name is a person of its own, or ``left_out``. That changes how many people there are, so it needs a number
    that is stated.
    """

    column: str
    stated: int | None = None
    left_out: bool = False

    def __post_init__(self) -> None:
        named("column of people", self.column)
        if self.stated is not None and whole("number of people", self.stated) > MOST_PEOPLE:
            raise InvalidValueError(
                "number of people", f"at most {MOST_PEOPLE:,}, the most rows that people have together", self.stated
            )
        if not isinstance(self.left_out, bool):
            raise InvalidValueError("left_out", "true or false", self.left_out)
        if self.left_out and self.stated is None:
            expected = "people of their own, where the number of people is public: it would change by rows that are left out"
            raise InvalidValueError("rows that name nobody", expected, "left out")

    @property
    def adjacency(self) -> Adjacency:
        """A person is replaced where their number is public, else added or removed."""
        return Adjacency.REPLACE_ONE_USER if self.stated is None else Adjacency.ADD_OR_REMOVE_ONE_USER

    @property
    def words(self) -> str:
        """What became of rows that name nobody, and how many rows there can be, which is the same for every table."""
        return f"{self._nameless} A table of people has at most {MOST_ROWS:,} rows."

    @property
    def _nameless(self) -> str:
        if self.left_out:
            return "Rows that name nobody were left out."
        return "A row that names nobody is a person of its own, and that person is protected by this row alone."


def told_apart(ids: Database, column: str) -> Database:
    """Whose each row is, by names as they are written, ``numbered``; TableError where they cannot be told apart for certain: two
    people who became one would move an answer further than is proved."""
    if len(ids) > MOST_ROWS:
        problem = f"A table of people can have {MOST_ROWS:,} rows, and this one has more."
        raise TableError(problem, "Leave out rows, or bring a table of fewer people.")
    if ids.dtype.kind == "f" and (np.abs(ids[~np.isnan(ids)]) >= 2.0**53).any():
        raise TableError(f"Numbers in {column} are too large to be told apart.", "Write the people's column as text.")
    texts = texts_of(ids)
    if int(np.strings.str_len(texts).max(initial=0)) > LONGEST_ID:
        raise TableError(f"A name in {column} has more than {LONGEST_ID} letters.", "Give people shorter names, or numbers.")
    return numbered(texts)
