"""Whose the rows of a table are, as its holder says: then its records are people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpcore.base.checks import named, whole
from dpcore.base.people import MOST_ROWS
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency

MOST_PEOPLE = MOST_ROWS  # each has a row at least, and an oracle makes up so many people


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
            raise InvalidValueError("left_out", "True or False", self.left_out)
        if self.left_out and self.stated is None:
            expected = "people of their own, where the number of people is public: it would change by rows that are left out"
            raise InvalidValueError("rows that name nobody", expected, "left out")

    @property
    def adjacency(self) -> Adjacency:
        """A person is replaced where their number is public, else added or removed."""
        return Adjacency.REPLACE_ONE_USER if self.stated is None else Adjacency.ADD_OR_REMOVE_ONE_USER

    @property
    def words(self) -> str:
        """What became of rows that name nobody."""
        if self.left_out:
            return "Rows that name nobody were left out."
        return "A row that names nobody is a person of its own, and that person is protected by this row alone."
