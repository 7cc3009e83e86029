"""A SQL query as a target: its answer on a table of rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import Interval, interval
from dpcore.base.checks import finite, set_fields
from dpcore.base.columns import ALL_THAT_ARE_READ, Column, Slots, of_numbers, of_rows, of_text
from dpcore.base.text import quoted
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError, NoAnswerError, QueryError
from dpcore.result_types.kind import KindOfAnswer
from dpcore.result_types.numbers import Numbers
from dpcore.sql import server_client
from dpcore.sql.allowlist import NUMBERS
from dpcore.sql.parsed_query import answer_types, as_arrow, check_columns, read_columns

_MOST_ROWS = 2  # of an answer, more than can be right
_SECONDS, _SECONDS_A_RECORD = 3e-4, 3e-7  # of a simple query in a large batch, on 2 shared cores
_FAILURES = {  # by DuckDB's kind of error: its message can quote a cell
    "ConversionException": "a value cannot be cast to the type that the query names; try_cast gives NULL for it",
    "OutOfRangeException": "a number is outside the range of its type; cast to a larger type first",
    "InvalidInputException": "a function was given a value that it does not take",
}
_TOO_MUCH = "the query took more memory or processor time than it may"
_ONE_ROW = "Answer with one row of numbers, such as avg(cost) FILTER (WHERE ward = 'Park')."
_MISSING = {
    "label": "Without a number",
    "title": "If the query gives no number, count",
    "empty": "Nothing: it fails there",
    "shown": lambda value: None if value is None else (value,),
    "made": lambda _, given: given[0] if isinstance(given, tuple) and len(given) == 1 else given,
    "help": "For NULL, an infinite number, an answer without a row or with several, and a value of the table that the query "
    "cannot work with. A trial that fails counts as one that moves the answer without end.",
}
_BETWEEN = {
    "label": "Bounds of the answer",
    "title": "Each number is between",
    "empty": "lowest, highest",
    "help": "Public bounds. Do not read them off the table. A number beyond them counts as the nearest bound. Blocks, on "
    "Release, need them.",
}
_PARTS = {"": "Not said", "alike": "About the same, as a mean is", "in proportion": "About half, as a sum is"}
_PART = {"label": "For a part of the rows", "title": "For half the rows the answer is", "choices": _PARTS}


@final
@dataclass(frozen=True, slots=True)
class SqlQuery(Target):
    """The answer of a query in DuckDB's SQL on the table ``data``; (n,) with named fields -> (d,).

    Nothing is proved about a query. A release is random DP with a sampled sensitivity, or pure DP by sample and aggregate.

    ``data`` is made by the declared columns: numbers are clipped to their bounds, missing values are NULL, and so are values
    outside a list of categories, unless the list has “other”. The query answers with one row of numbers. For several groups,
    write one number for each: ``avg(cost) FILTER (WHERE ward = 'Park'), avg(cost) FILTER (WHERE ward = 'Hill')``.

    Only queries on the allow-list (``dpcore.sql.allowlist``) run, each call in a fresh process with limits. Databases of one
    batch are answered one after another by a plan without statistics of a table. So each answer is, to the last bit, the answer
    of a separate call. A query that needs too much time or memory fails. Tables with a column that says whose each row is are
    refused.

    Args:
        query: The query. The host must allow SQL.
        table: The declared columns.
        answer_if_missing: Public number for NULL, infinity, an answer without a row or with several rows, and a table whose
            values DuckDB refuses. Without it these are failures.
        from_a_part: How the answer goes from a part of the rows to all, “alike” or “in proportion”; empty if unknown.
        between: Public bounds that each number is clipped to.

    Raises:
        QueryError: If the query is not allowed or does not fit the table, or SQL is off here.
        InvalidValueError: If another argument is wrong.

    Examples:
        >>> from dpcore import Column, targets
        >>> table = (Column("cost", bounds=(0.0, 100.0)), Column("ward", role="text", categories=("Park", "Hill")))
        >>> mean = targets.SqlQuery("SELECT avg(cost) FROM data WHERE ward = 'Park'", table)
        >>> float(mean(np.array([(10.0, "Park"), (900.0, "Park"), (5.0, "Hill")], dtype=[("cost", float), ("ward", "U4")]))[0])
        55.0
    """

    query: str
    table: tuple[Column, ...]
    answer_if_missing: float | None = field(default=None, metadata=_MISSING)
    from_a_part: str = field(default="", metadata=_PART)
    between: Interval | None = field(default=None, metadata=_BETWEEN)
    title: ClassVar[str] = "SQL query"
    takes: ClassVar[Slots] = ALL_THAT_ARE_READ
    place: ClassVar[int] = 9
    accepts_structured: ClassVar[bool] = True
    reads_missing: ClassVar[bool] = True
    written: ClassVar[str] = "query"
    pairs_a_call: ClassVar[int] = 1_000

    def __post_init__(self) -> None:
        if not isinstance(self.query, str):
            raise InvalidValueError("query", "a text", self.query)
        if self.from_a_part not in _PARTS:
            expected = "“alike”, as a mean, “in proportion”, as a sum, or left out"
            raise InvalidValueError("from_a_part", expected, self.from_a_part)
        missing = None if self.answer_if_missing is None else finite("answer_if_missing", self.answer_if_missing)
        between = None if self.between is None else interval("between", self.between)
        set_fields(self, table=check_columns(self.table), answer_if_missing=missing, between=between)
        for name, kind in self._types:
            if kind.partition("(")[0].casefold() not in NUMBERS or kind.endswith("]"):
                problem = f"The answer’s column {quoted(name)} holds no numbers, but {quoted(kind)}"
                raise QueryError(problem, _ONE_ROW, self.query)

    @classmethod
    def offered(cls, columns: tuple[Column, ...]) -> bool:
        """Return whether a query of these columns is offered: the host allows SQL, and no column says whose a row is."""
        return server_client.is_allowed() and bool(columns) and all(map(of_rows, columns))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> SqlQuery:
        """Return the mean of the first column of numbers, or of the lengths of the first column of texts."""
        column = next(filter(of_numbers, columns), columns[0])
        name = '"' + column.name.replace('"', '""') + '"'
        return cls(f"SELECT avg({name if of_numbers(column) else f'length({name})'}) FROM data", columns)

    def rewritten(self, query: str, columns: tuple[Column, ...], /) -> SqlQuery:
        """Return another query, of the columns that it reads.

        Args:
            query: The query.
            columns: The columns that it may read.
        """
        answer_types(query, check_columns(columns))
        return replace(self, query=query, table=read_columns(query, columns))

    @property
    def _types(self) -> tuple[tuple[str, str], ...]:
        return answer_types(self.query, self.table)

    @property
    def fields(self) -> tuple[str, ...]:
        """The columns that it reads by their names."""
        return tuple(column.name for column in self.table)

    columns = fields

    @property
    def numbers(self) -> int:
        """Number of numbers of the answer."""
        return len(self._types)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether these can be its columns, in this order."""
        return [(one.name, of_text(one)) for one in columns] == [(one.name, of_text(one)) for one in self.table]

    def answer(self, columns: tuple[Column, ...], /) -> KindOfAnswer:
        """Return its kind of answer: numbers by the names that the query gives them."""
        return Numbers(tuple(name for name, _ in self._types))

    def words(self, columns: tuple[Column, ...] = ()) -> str:
        """Return an empty text: conditions and groups are in the query."""
        return ""

    def asked_of(self, columns: tuple[Column, ...]) -> str:
        """Return the query as it was written, shortened if it is long."""
        return f"SQL query {quoted(self.query)}"

    def said_of(self, columns: tuple[Column, ...]) -> str:
        """Return the whole query with its settings and the declarations of its columns."""
        missing = "" if self.answer_if_missing is None else f"{self.answer_if_missing:g} in place of a missing number"
        part = f"{self.from_a_part} for a part of the rows" if self.from_a_part else ""
        between = "" if self.between is None else f"kept between {self.between[0]:g} and {self.between[1]:g}"
        asked_of = f"the SQL query {quoted(self.query, len(self.query) + 1)} of {', '.join(map(_declared, self.table))}"
        return "; ".join(filter(None, (asked_of, missing, between, part)))

    def answer_bounds(self, _n: int, /) -> Interval | None:
        """Return the public bounds of its only number; None if none are stated, or it has several numbers."""
        return self.between if self.numbers == 1 else None

    def seconds(self, n: int, /) -> float:
        """Return the approximate seconds of one of many calls."""
        return _SECONDS + _SECONDS_A_RECORD * n

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(self.batch(database[None])[0])

    def batch(self, databases: Database, /) -> FloatArray:
        """Return the answers of many databases, (b, n) -> (b, d).

        Raises:
            NoAnswerError: If one fails, with the reason of the first.
        """
        answers, reasons = self.tried(databases, most_lost=1)
        if reasons:
            raise NoAnswerError(reasons[min(reasons)])
        return answers

    def tried(self, databases: Database, /, *, most_lost: int | None = None) -> tuple[FloatArray, dict[int, str]]:
        """Return the answers of many databases, NaN for one that fails, and why by its position.

        Args:
            databases: As for ``batch``.
            most_lost: After so many that needed too much, the others fail too.
        """
        none = math.nan if self.answer_if_missing is None else self.answer_if_missing
        answers, reasons = np.full((len(databases), self.numbers), none), dict[int, str]()
        for place, rows in enumerate(self._rows(np.asarray(databases), most_lost)):
            if rows is None:
                answers[place], reasons[place] = math.nan, _TOO_MUCH
            elif isinstance(rows, dict):
                reasons[place] = f"the query failed: {_FAILURES.get(rows['failed'], 'it does not fit the table')}"
            elif len(rows) > 1:
                reasons[place] = "the query answered with several rows instead of one"
            elif rows:
                numbers = np.array(rows[0], dtype=np.float64)  # NaN for NULL
                answers[place] = np.where(np.isfinite(numbers), numbers, none)
        failed = np.flatnonzero(np.isnan(answers).any(axis=1)).tolist()
        answers = answers if self.between is None else np.clip(answers, *self.between)
        return answers, {place: reasons.get(place, "the query answered with no number") for place in failed}

    def _rows(self, databases: Database, most_lost: int | None) -> list[Any]:
        """Return the rows of each database's answer, or its kind of error; None if the query needed too much.

        A database whose process ended is the first of another process, so every one has the answer of a separate call.
        """
        tables, (count, n), answers = as_arrow(read_columns(self.query, self.table), databases), databases.shape, list[Any]()
        while (start := len(answers)) < count and (most_lost is None or answers.count(None) < most_lost):
            answers += server_client.run(self.query, tables.slice(start * n), count - start, _MOST_ROWS)
            if len(answers) == start:  # although its process had answered nothing before
                answers.append(None)
        return answers + [None] * (count - len(answers))


def _declared(column: Column) -> str:
    """Return a column with its declared values."""
    if column.categories is not None:
        return f"{quoted(column.name)} of {' or '.join(map(column.shown, column.categories))}"
    return quoted(column.name) + ("" if column.bounds is None else f" from {column.bounds[0]:g} to {column.bounds[1]:g}")
