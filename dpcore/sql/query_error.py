"""A query that is refused before any table is asked: what is wrong, where, and what to do."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.errors import DpcoreError


@dataclass(eq=False)
class QueryError(DpcoreError, ValueError):
    """``place``: at which character of the query, from 0; None where it is no single place."""

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
    """The character that a byte of the query's text belongs to; None for what is no place in it."""
    text = query.encode()
    if not isinstance(byte, int) or not 0 <= byte <= len(text):
        return None
    return len(text[:byte].decode(errors="ignore"))
