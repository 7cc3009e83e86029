"""A SQL query as a target: what it answers on a table, or for each of some public groups."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, final

import numpy as np

from dpcore.answers.answer import KindOfAnswer
from dpcore.answers.grouped import Grouped
from dpcore.answers.numbers import Numbers
from dpcore.base.bounds import Interval, interval
from dpcore.base.checks import finite, set_fields
from dpcore.base.declared import TEXT, Column
from dpcore.base.groups import Groups
from dpcore.base.quoted import quoted
from dpcore.base.slots import ALL_THAT_ARE_READ, Slots, of_numbers, of_rows
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.sql import asked
from dpcore.sql.answered_rows import AnsweredRows
from dpcore.sql.as_arrow import as_arrow
from dpcore.sql.query_error import QueryError
from dpcore.sql.understood import Types, check_columns, identifier, is_number, understood

_MOST_NUMBERS = 2**16
_TOO_MUCH = "the query took more memory or processor time than it may"
_ALIKE, _IN_PROPORTION = "alike", "in proportion"
_MISSING = {
    "label": "Where there is no number",
    "title": "Where the query gives no number, count",
    "empty": "Nothing: it fails there",
    "shown": lambda value: None if value is None else (value,),
    "made": lambda _, given: given[0] if isinstance(given, tuple) and len(given) == 1 else given,
    "help": "For NULL, an infinite number, a group without a row, and a value of the table that the query cannot work with. A "
    "trial that fails counts as one that moves the answer without end.",
}
_BETWEEN = {
    "label": "Bounds of the answer",
    "title": "Each number lies between",
    "empty": "lowest, highest",
    "help": "Public bounds, from what the number can be and not from the table: what lies beyond counts as the nearest. Blocks, "
    "on Release, need them.",
}
_PART = {
    "label": "For a part of the rows",
    "title": "For half the rows the answer is",
    "choices": {"": "Not said", _ALIKE: "About the same, as a mean is", _IN_PROPORTION: "About half, as a sum is"},
}
_SECONDS, _SECONDS_A_RECORD = 3e-4, 3e-7  # of a simple query, among many, measured on 2 shared cores


@final
@dataclass(frozen=True, slots=True)
class SqlQuery:
    """What ``query`` answers, in DuckDB's SQL, on the table ``data``; (n,) with named fields -> (d,), or (groups·d,).

    ``table``: the declared columns, by which ``data`` is made: numbers are clipped to their bounds, what is missing is NULL, and
    of listed categories what is none of them is “other”, where that is listed, else NULL. The query answers with one row of
    numbers. With ``by`` it answers with one row for each group: the column of that name tells which, public groups are
    answered in their order, and others vanish.

    ``answer_if_missing``, a public number, stands where there is no number: for NULL and what is not finite, for a group that the
    answer lacks, and for all numbers where DuckDB refuses a value of the table, as of a cast, or a query gives other rows than
    asked. Without it, these are failures. A query that takes too much time or memory always fails.

    Only queries are run that are functions of the table alone (``sql.allowed``). Each call is answered in a process of its own,
    behind walls, on one thread, by a plan in which no statistic of the table enters. Many databases at once are answered
    one after another by that plan, so each has the answer to the last bit that it has alone.

    ``between``: public bounds of each number; what lies beyond counts as the nearest of them.
    ``from_a_part``: how the answer goes from a part of the rows to all, “alike” or “in proportion”; empty where nobody said.

        >>> from dpcore import Column, targets
        >>> table = (Column("cost", bounds=(0.0, 100.0)), Column("ward", role="text", categories=("Park", "Hill")))
        >>> mean = targets.SqlQuery("SELECT avg(cost) FROM data WHERE ward = 'Park'", table)
        >>> float(mean(np.array([(10.0, "Park"), (900.0, "Park"), (5.0, "Hill")], dtype=[("cost", float), ("ward", "U4")]))[0])
        55.0
    """

    query: str
    table: tuple[Column, ...]
    by: Groups | None = None
    answer_if_missing: float | None = field(default=None, metadata=_MISSING)
    from_a_part: str = field(default="", metadata=_PART)
    between: Interval | None = field(default=None, metadata=_BETWEEN)
    title: ClassVar[str] = "SQL query"
    extra: ClassVar[str] = "sql"
    takes: ClassVar[Slots] = ALL_THAT_ARE_READ
    place: ClassVar[float] = 9
    takes_fields: ClassVar[bool] = True
    reads_missing: ClassVar[bool] = True
    written: ClassVar[str] = "query"
    remembers_nothing: ClassVar[bool] = True
    pairs_a_call: ClassVar[int] = 1_000

    def __post_init__(self) -> None:
        if not isinstance(self.query, str):
            raise InvalidValueError("query", "a text", self.query)
        if not isinstance(self.by, Groups | None):
            raise InvalidValueError("by", "groups, or left out", self.by)
        if self.from_a_part not in ("", _ALIKE, _IN_PROPORTION):
            expected = "“alike”, as a mean, “in proportion”, as a sum, or left out"
            raise InvalidValueError("from_a_part", expected, self.from_a_part)
        missing = None if self.answer_if_missing is None else finite("answer_if_missing", self.answer_if_missing)
        between = None if self.between is None else interval("between", self.between)
        set_fields(self, table=check_columns(self.table), answer_if_missing=missing, between=between)
        self._check_answer()

    @classmethod
    def offered(cls, columns: tuple[Column, ...]) -> bool:
        """Whether there is something to ask of; whether it can be answered here is said once somebody asks."""
        return bool(columns) and all(map(of_rows, columns))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> SqlQuery:
        """The mean of the first column of numbers, else how many rows there are."""
        number = next(filter(of_numbers, columns), None)
        return cls("SELECT count(*) FROM data" if number is None else f"SELECT avg({identifier(number.name)}) FROM data", columns)

    def rewritten(self, query: str, columns: tuple[Column, ...], /) -> SqlQuery:
        """Another query, of those of the columns that it reads; in the groups of a column of public categories that it names."""
        found = understood(query, check_columns(columns))
        named = {name.casefold() for name, _ in found.types}
        keys = [one for one in found.reads if one.categories is not None and one.name.casefold() in named]
        by = Groups(keys[0].name, keys[0].categories) if len(keys) == 1 and len(found.types) > 1 and keys[0].categories else None
        return replace(self, query=query, table=found.reads, by=by)

    def _check_answer(self) -> None:
        """QueryError for a query that answers with something else than numbers, or without its groups."""
        keys = [kind for name, kind in self._types if self._is_key(name)]
        for name, kind in self._types:
            if not (is_number(kind) or self._is_key(name)):
                problem = f"The answer’s column {quoted(name)} holds no numbers, but {quoted(kind)}"
                raise QueryError(problem, "Answer with numbers, as of count, sum and avg.", self.query)
        if self.by is not None and len(keys) != 1:
            problem = f"The answer has {len(keys)} columns {quoted(self.by.column)}, and one is to tell the group of each row"
            raise QueryError(problem, "Select it once, beside the numbers.", self.query)
        if self.by is not None and isinstance(self.by.categories[0], str) != (keys[0] == "VARCHAR"):
            problem = f"The answer’s column {quoted(self.by.column)} holds {quoted(keys[0])}, unlike the groups"
            raise QueryError(problem, "State groups as the column holds them, texts or numbers.", self.query)
        numbers = self._width
        if not 1 <= numbers <= _MOST_NUMBERS:
            problem = f"The answer would have {numbers:,} numbers"
            raise QueryError(problem, f"Select at least one, and at most {_MOST_NUMBERS:,}.", self.query)

    @property
    def _types(self) -> Types:
        return understood(self.query, self.table).types

    def _is_key(self, name: str) -> bool:
        return self.by is not None and name.casefold() == self.by.column.casefold()

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self._types if not self._is_key(name))

    @property
    def columns(self) -> tuple[str, ...]:
        """Of which columns it is: all that its table declares."""
        return self.fields

    @property
    def fields(self) -> tuple[str, ...]:
        """The columns that it reads by their names."""
        return tuple(column.name for column in self.table)

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups' names; empty without groups."""
        return () if self.by is None else self.by.labels

    @property
    def numbers(self) -> int:
        """Of how many numbers its answer is, for each group where there are groups."""
        return len(self._names)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Where these are its columns in order, texts where it takes texts."""
        return [(one.name, one.role == TEXT) for one in columns] == [(one.name, one.role == TEXT) for one in self.table]

    def answer(self, columns: tuple[Column, ...], /) -> KindOfAnswer:
        """Its numbers, by the names that the query gives them; of each group, one after another."""
        own = Numbers(self._names)
        return own if self.by is None else Grouped(own, self.by.labels_in(columns or self.table))

    def words(self, columns: tuple[Column, ...] = ()) -> str:
        """Its groups, as people read them."""
        return "" if self.by is None else self.by.words(columns or self.table)

    def asked_of(self, columns: tuple[Column, ...]) -> str:
        """What is asked: as it was written, shortened where it is long."""
        return f"SQL query {quoted(self.query)}"

    def said_of(self, columns: tuple[Column, ...]) -> str:
        """The whole query, with what is declared of its columns and what it says of itself."""
        missing = "" if self.answer_if_missing is None else f"{self.answer_if_missing:g} where there is no number"
        part = f"{self.from_a_part} for a part of the rows" if self.from_a_part else ""
        between = "" if self.between is None else f"kept between {self.between[0]:g} and {self.between[1]:g}"
        asked_of = f"the SQL query {quoted(self.query, len(self.query) + 1)} of {', '.join(map(_declared, self.table))}"
        return "; ".join(filter(None, (asked_of, self.words(columns), missing, between, part)))

    def answer_bounds(self, _n: int, /) -> tuple[Interval, ...] | None:
        """Its public bounds, for each number; None where none are stated."""
        return None if self.between is None else (self.between,) * self._width

    def seconds(self, n: int, /) -> float:
        """About how long one of many takes."""
        return _SECONDS + _SECONDS_A_RECORD * n

    def __call__(self, database: Database, /) -> FloatArray:
        answer: FloatArray = self.batch(database[None])[0]
        return answer

    def batch(self, databases: Database, /) -> FloatArray:
        """(b, n) -> (b, d); ValueError, with the reason of the first, where some fail."""
        found, reasons = self._found(databases, most_lost=1)
        if reasons:
            raise ValueError(reasons[min(reasons)])
        return found

    def tried(self, databases: Database, /, *, most_lost: int | None = None) -> tuple[FloatArray, dict[int, str]]:
        """(b, n) -> (b, d), NaN where it fails, and why by place.

        Where one takes too much, those after it are asked without it, so each has the answer that it has alone; but once
        ``most_lost`` took too much the rest count as failed too.
        """
        found, reasons = self._found(databases, most_lost)
        none = dict.fromkeys(np.flatnonzero(np.isnan(found).any(axis=1)).tolist(), "the query answered with no number")
        return found, none | reasons

    def _found(self, databases: Database, most_lost: int | None) -> tuple[FloatArray, dict[int, str]]:
        found, reasons, start, lost = np.full((len(databases), self._width), np.nan), dict[int, str](), 0, 0
        while start < len(databases):
            said = self._said(databases[start:])
            for place, one in enumerate(said, start):
                try:
                    found[place] = self._rows.read(one)
                except ValueError as error:
                    reasons[place] = str(error)
            start += len(said)
            if not said:
                lost += 1
                end = start + 1 if most_lost is None or lost < most_lost else len(databases)
                reasons |= dict.fromkeys(range(start, end), _TOO_MUCH)
                start = end
        return found if self.between is None else np.clip(found, *self.between), reasons

    def _said(self, databases: Database) -> list[Any]:
        reads = understood(self.query, self.table).reads
        return asked.answers("answer", self.query, as_arrow(reads, databases), len(databases), self._rows.most)

    @property
    def _width(self) -> int:
        return self.numbers * max(1, len(self.groups))

    @property
    def _rows(self) -> AnsweredRows:
        names = [name for name, _ in self._types]
        key = next((place for place, name in enumerate(names) if self._is_key(name)), None)
        return AnsweredRows(len(names), key, () if self.by is None else self.by.categories, self.answer_if_missing)


def _declared(column: Column) -> str:
    """A column and what a query may find in it."""
    within = "" if column.bounds is None else f" from {column.bounds[0]:g} to {column.bounds[1]:g}"
    listed = "" if column.categories is None else f" of {' or '.join(map(column.shown, column.categories))}"
    return f"{quoted(column.name)}{within}{listed}"
