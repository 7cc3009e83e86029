"""A SQL query as a target: what it answers on a table, or for each of some public groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from dpcore.answers.answer import KindOfAnswer
from dpcore.answers.grouped import Grouped
from dpcore.answers.numbers import Numbers
from dpcore.base.checks import finite, set_fields
from dpcore.base.declared import TEXT, Column
from dpcore.base.groups import Groups
from dpcore.base.quoted import quoted
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.sql import asked
from dpcore.sql.answered_rows import AnsweredRows
from dpcore.sql.as_arrow import as_arrow
from dpcore.sql.query_error import QueryError
from dpcore.sql.understood import Types, check_columns, is_number, understood

_MOST_NUMBERS = 2**16
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
    answer_if_missing: float | None = None
    from_a_part: str = ""
    title: ClassVar[str] = "SQL query"
    extra: ClassVar[str] = "sql"
    takes_fields: ClassVar[bool] = True
    remembers_nothing: ClassVar[bool] = True
    pairs_a_call: ClassVar[int] = 1_000

    def __post_init__(self) -> None:
        if not isinstance(self.query, str):
            raise InvalidValueError("query", "a text", self.query)
        if not isinstance(self.by, Groups | None):
            raise InvalidValueError("by", "groups, or left out", self.by)
        if self.from_a_part not in ("", "alike", "in proportion"):
            expected = "“alike”, as a mean, “in proportion”, as a sum, or left out"
            raise InvalidValueError("from_a_part", expected, self.from_a_part)
        missing = None if self.answer_if_missing is None else finite("answer_if_missing", self.answer_if_missing)
        set_fields(self, table=check_columns(self.table), answer_if_missing=missing)
        self._check_answer()

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
        numbers = self.numbers * max(1, len(self.groups))
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
        asked_of = f"the SQL query {quoted(self.query, len(self.query) + 1)} of {', '.join(map(_declared, self.table))}"
        return "; ".join(filter(None, (asked_of, self.words(columns), missing, part)))

    def seconds(self, n: int, /) -> float:
        """About how long one of many takes."""
        return _SECONDS + _SECONDS_A_RECORD * n

    def __call__(self, database: Database, /) -> FloatArray:
        answer: FloatArray = self.batch(database[None])[0]
        return answer

    def batch(self, databases: Database, /) -> FloatArray:
        """(b, n) -> (b, d); ValueError, with the reason of the first, where some fail."""
        rows, reads = self._rows, understood(self.query, self.table).reads
        said = asked.answers("answer", self.query, as_arrow(reads, databases), len(databases), rows.most)
        found = [rows.read(one) for one in said]
        if len(found) < len(databases):
            raise ValueError("the query took more memory or processor time than it may")
        return np.array(found)

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
