"""A SQL query as a target: what it answers on a table of rows or of people, or for each of some public groups."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, final

import numpy as np

from dpcore.answers.answer import KindOfAnswer
from dpcore.answers.grouped import Grouped
from dpcore.answers.numbers import Numbers
from dpcore.base import row_weights
from dpcore.base.bounds import Interval, interval
from dpcore.base.checks import finite, set_fields
from dpcore.base.counted import counted
from dpcore.base.declared import PERSON, TEXT, Column
from dpcore.base.groups import Groups
from dpcore.base.quoted import quoted
from dpcore.base.slots import ALL_THAT_ARE_READ, Slots, of_numbers, of_rows
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError, NoAnswerError
from dpcore.sql.answer_settings import ALIKE, BETWEEN, IN_PROPORTION, MISSING, PART
from dpcore.sql.answered_rows import AnsweredRows, each_answer
from dpcore.sql.as_arrow import as_arrow
from dpcore.sql.of_people import kept
from dpcore.sql.plain_question import plain_question
from dpcore.sql.query_error import QueryError
from dpcore.sql.understood import Types, check_columns, identifier, is_number, parsed, understood
from dpcore.targets.sql_as_question import AsQuestion, Whose, as_question

_MOST_NUMBERS = 2**16
_SECONDS, _SECONDS_A_RECORD = 3e-4, 3e-7  # of a simple query, among many, measured on 2 shared cores
_SECONDS_A_PERSON = 1e-6  # the same with some five rows, to draw these and to choose among them


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

    Where a column of ``table`` has the role “person”, the query is about people: a neighbour replaces one person with all rows.
    Then ``data`` holds at most so many ``rows`` of each, chosen before any condition by the person's key and the public ``salt``.
    The column holds one value for each person, by which a query can group, join and count: a place among all people, counted from
    where all keys say. A row without an id is a person of its own. People stand in the order of their keys, which are made of
    the ids alone, so no answer hangs on where a person stands in the table, except among those without an id.

        >>> from dpcore import Column, targets
        >>> table = (Column("cost", bounds=(0.0, 100.0)), Column("ward", role="text", categories=("Park", "Hill")))
        >>> mean = targets.SqlQuery("SELECT avg(cost) FROM data WHERE ward = 'Park'", table)
        >>> float(mean(np.array([(10.0, "Park"), (900.0, "Park"), (5.0, "Hill")], dtype=[("cost", float), ("ward", "U4")]))[0])
        55.0
        >>> a_person = "SELECT avg(total) FROM (SELECT sum(cost) AS total FROM data GROUP BY who)"
        >>> about_people = targets.SqlQuery(a_person, (*table, Column("who", role="person")), rows=3)
        >>> about_people.words()
        'at most 3 rows a person, kept under the salt 0'
    """

    query: str
    table: tuple[Column, ...]
    by: Groups | None = None
    answer_if_missing: float | None = field(default=None, metadata=MISSING)
    from_a_part: str = field(default="", metadata=PART)
    between: Interval | None = field(default=None, metadata=BETWEEN)
    rows: int | None = None
    salt: int | None = None
    title: ClassVar[str] = "SQL query"
    takes: ClassVar[Slots] = ALL_THAT_ARE_READ
    place: ClassVar[float] = 9
    takes_fields: ClassVar[bool] = True
    reads_missing: ClassVar[bool] = True
    written: ClassVar[str] = "query"
    pairs_a_call: ClassVar[int] = 1_000

    def __post_init__(self) -> None:
        if not isinstance(self.query, str):
            raise InvalidValueError("query", "a text", self.query)
        if not isinstance(self.by, Groups | None):
            raise InvalidValueError("by", "groups, or left out", self.by)
        if self.from_a_part not in ("", ALIKE, IN_PROPORTION):
            expected = "“alike”, as a mean, “in proportion”, as a sum, or left out"
            raise InvalidValueError("from_a_part", expected, self.from_a_part)
        missing = None if self.answer_if_missing is None else finite("answer_if_missing", self.answer_if_missing)
        between = None if self.between is None else interval("between", self.between)
        set_fields(self, table=check_columns(self.table), answer_if_missing=missing, between=between)
        self._check_people()
        self._check_answer()

    @classmethod
    def offered(cls, columns: tuple[Column, ...]) -> bool:
        """Whether there is something to ask of; whether it can be answered here is said once somebody asks."""
        return bool(columns) and all(map(of_rows, columns))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> SqlQuery:
        """The mean of the first column of numbers, else of the lengths of the first one of texts."""
        number = next(filter(of_numbers, columns), None)
        what = f"length({identifier(columns[0].name)})" if number is None else identifier(number.name)
        return cls(f"SELECT avg({what}) FROM data", columns)

    def rewritten(self, query: str, columns: tuple[Column, ...], /) -> SqlQuery:
        """Another query, of the columns that it reads and that of people; in the groups of a listed column that it names."""
        found = understood(query, check_columns(columns))
        named = {name.casefold() for name, _ in found.types}
        keys = [one for one in found.reads if one.categories is not None and one.name.casefold() in named]
        by = Groups(keys[0].name, keys[0].categories) if len(keys) == 1 and len(found.types) > 1 and keys[0].categories else None
        return replace(self, query=query, table=found.declares, by=by)

    def _check_people(self) -> None:
        """InvalidValueError for people without a cap, and for a cap without people."""
        if self.person is None and not self.rows is self.salt is None:
            expected = "left out, where no column of the table says whose a row is"
            raise InvalidValueError("rows and salt", expected, (self.rows, self.salt))
        if self.person is not None:
            rows, _, salt = row_weights.checked(self.rows, None, self.salt or 0)
            set_fields(self, rows=rows, salt=salt)

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
        numbers = self._answered_rows.numbers
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
    def person(self) -> str | None:
        """The column that says whose a row is; None where it is about rows."""
        return next((column.name for column in self.table if column.role == PERSON), None)

    @property
    def columns(self) -> tuple[str, ...]:
        """Of which columns it is: all that its table declares, but that of people."""
        return tuple(name for name in self.fields if name != self.person)

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
        """Where these are its columns in order: texts where it takes texts, and people where it takes people."""
        return list(map(_held, columns)) == list(map(_held, self.table))

    def answer(self, columns: tuple[Column, ...], /) -> KindOfAnswer:
        """Its numbers, by the names that the query gives them; of each group, one after another."""
        own = Numbers(self._names)
        return own if self.by is None else Grouped(own, self.by.labels_in(columns or self.table))

    def words(self, columns: tuple[Column, ...] = ()) -> str:
        """Its groups and its cap, as people read them: ``by ward, at most 3 rows a person, kept under the salt 0``."""
        by = "" if self.by is None else self.by.words(columns or self.table)
        cap = f"at most {counted(self.rows, ' rows')} a person, kept under the salt {self.salt}" if self.rows else ""
        return ", ".join(filter(None, (by, cap)))

    def about_people(self, person: str, rows: int, salt: int | None = None) -> SqlQuery:
        """The same query about the people of this column, of whom at most so many rows are in the table."""
        columns = tuple(column for column in self.table if column.role != PERSON and column.name != person)
        return replace(self, table=(*columns, Column(person, role=PERSON)), rows=rows, salt=salt)

    def asked_of(self, columns: tuple[Column, ...]) -> str:
        """What is asked: as it was written, shortened where it is long."""
        return f"SQL query {'' if self.person is None else 'about people '}{quoted(self.query)}"

    def said_of(self, columns: tuple[Column, ...]) -> str:
        """The whole query, with what is declared of its columns and what it says of itself."""
        missing = "" if self.answer_if_missing is None else f"{self.answer_if_missing:g} where there is no number"
        part = f"{self.from_a_part} for a part of the rows" if self.from_a_part else ""
        between = "" if self.between is None else f"kept between {self.between[0]:g} and {self.between[1]:g}"
        asked_of = f"the SQL query {quoted(self.query, len(self.query) + 1)} of {', '.join(map(_declared, self.table))}"
        return "; ".join(filter(None, (asked_of, self.words(columns), missing, between, part)))

    def answer_bounds(self, _n: int, /) -> Interval | None:
        """The public bounds of its one number; None where none are stated, and of several numbers."""
        return self.between if self._answered_rows.numbers == 1 else None

    def as_question(self) -> AsQuestion | None:
        """The question that it is, about people where it is, which has a proved worst case, and a sentence for each case in which
        the two answer otherwise; None where no question says the same."""
        whose = None if self.person is None else Whose(self.person, self.rows or 1, self.salt or 0)
        return as_question(plain_question(parsed(self.query)), self.table, self.by, self.answer_if_missing, whose)

    def seconds(self, n: int, /) -> float:
        """About how long one of many takes."""
        return _SECONDS + (_SECONDS_A_RECORD if self.person is None else _SECONDS_A_PERSON) * n

    def __call__(self, database: Database, /) -> FloatArray:
        answer: FloatArray = (self.batch(database[None]) if self.person is None else self.batch_of_people([database]))[0]
        return answer

    def batch(self, databases: Iterable[Database], /) -> FloatArray:
        """(b, n) -> (b, d); NoAnswerError, with the reason of the first, where some fail."""
        found, reasons = self._found(databases, most_lost=1)
        if reasons:
            raise NoAnswerError(reasons[min(reasons)])
        return found

    def batch_of_people(self, databases: Iterable[Database], /) -> FloatArray:
        """The same of databases of people, b of any lengths -> (b, d); of each no more is held than the query reads."""
        return self.batch(databases)

    def tried(self, databases: Iterable[Database], /, *, most_lost: int | None = None) -> tuple[FloatArray, dict[int, str]]:
        """The same as ``batch``, or of people as ``batch_of_people``, but NaN where it fails, and why by place.

        Where one takes too much, those after it are asked without it, so each has the answer that it has alone; but once
        ``most_lost`` took too much the rest count as failed too.
        """
        found, reasons = self._found(databases, most_lost)
        none = dict.fromkeys(np.flatnonzero(np.isnan(found).any(axis=1)).tolist(), "the query answered with no number")
        return found, none | reasons

    def _found(self, databases: Iterable[Database], most_lost: int | None) -> tuple[FloatArray, dict[int, str]]:
        tables, lengths = self._laid_out(databases)
        found, reasons = each_answer(self.query, tables, lengths, self._answered_rows, most_lost)
        return found if self.between is None else np.clip(found, *self.between), reasons

    def _laid_out(self, databases: Iterable[Database]) -> tuple[Any, list[int]]:
        """One after another in a table of Arrow, and how many rows each has there."""
        if self.person is None:
            rows = np.asarray(databases)
            return as_arrow(self._reads, rows), [rows.shape[1]] * len(rows)
        import pyarrow as pa

        assert self.rows is not None
        tables = [as_arrow(self._reads, kept(one, self.person, self.rows, self.salt or 0)) for one in databases]
        return pa.concat_tables(tables), [table.num_rows for table in tables]

    @property
    def _reads(self) -> tuple[Column, ...]:
        return understood(self.query, self.table).reads

    @property
    def _answered_rows(self) -> AnsweredRows:
        names = [name for name, _ in self._types]
        key = next((place for place, name in enumerate(names) if self._is_key(name)), None)
        return AnsweredRows(len(names), key, () if self.by is None else self.by.categories, self.answer_if_missing)


def _held(column: Column) -> tuple[str, str]:
    """A column's name, and whether it holds texts, people or numbers."""
    return column.name, column.role if column.role in (TEXT, PERSON) else ""


def _declared(column: Column) -> str:
    """A column and what a query may find in it."""
    if column.role == PERSON:
        return f"the people of {quoted(column.name)}"
    if column.categories is not None:
        return f"{quoted(column.name)} of {' or '.join(map(column.shown, column.categories))}"
    return quoted(column.name) + ("" if column.bounds is None else f" from {column.bounds[0]:g} to {column.bounds[1]:g}")
