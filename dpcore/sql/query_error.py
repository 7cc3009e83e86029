"""The error of a query that is refused before any table is read."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.errors import DpcoreError


@dataclass(eq=False)
class QueryError(DpcoreError, ValueError):
    """A refused query: what is wrong, where, and what to do.

    Attributes:
        problem: What is wrong, without a full stop.
        remedy: What to do, as a sentence.
        query: The query.
        place: Index of the character in the query; None if the problem has no single place.
    """

    problem: str
    remedy: str
    query: str
    place: int | None = None

    @property
    def line(self) -> int | None:
        """The line of the place, from 1."""
        return None if self.place is None else self.query.count("\n", 0, self.place) + 1

    @property
    def character(self) -> int | None:
        """The place within its line, from 1."""
        return None if self.place is None else self.place - self.query.rfind("\n", 0, self.place)

    def __str__(self) -> str:
        where = "" if self.place is None else f" (line {self.line}, character {self.character})"
        return f"{self.problem}{where}. {self.remedy}"


def character_of(query: str, byte: object) -> int | None:
    """Return the index of the character that holds a byte of the query in UTF-8; None if there is no such byte."""
    text = query.encode()
    if not isinstance(byte, int) or not 0 <= byte <= len(text):
        return None
    return len(text[:byte].decode(errors="ignore"))
