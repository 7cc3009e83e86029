"""A SQL query as a target: its answer on a table of rows, or for each of some public groups."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import Interval, interval
from dpcore.base.checks import finite, set_fields
from dpcore.base.columns import ALL_THAT_ARE_READ, TEXT, Column, Slots, of_numbers, of_rows
from dpcore.base.filters import GroupBy
from dpcore.base.text import quoted
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError, NoAnswerError, QueryError
from dpcore.result_types.kind import Grouped, KindOfAnswer
from dpcore.result_types.numbers import Numbers
from dpcore.sql import server_client
from dpcore.sql.parsed_query import answer_types, as_arrow, check_columns, identifier, is_number, read_columns

_MOST_NUMBERS, _MOST_OTHER_ROWS = 2**16, 100_000  # of an answer; rows of groups that are not declared
_SECONDS, _SECONDS_A_RECORD = 3e-4, 3e-7  # of a simple query in a large batch, on 2 shared cores
_FAILURES = {  # by DuckDB's kind of error: its message can quote a cell
    "ConversionException": "a value cannot be cast to the type that the query names; try_cast gives NULL for it",
    "OutOfRangeException": "a number is outside the range of its type; cast to a larger type first",
    "InvalidInputException": "a function was given a value that it does not take",
}
_TOO_MUCH = "the query took more memory or processor time than it may"
_MISSING = {
    "label": "Without a number",
    "title": "If the query gives no number, count",
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
_PARTS = {"": "Not said", "alike": "About the same, as a mean is", "in proportion": "About half, as a sum is"}
_PART = {"label": "For a part of the rows", "title": "For half the rows the answer is", "choices": _PARTS}


@final
@dataclass(frozen=True, slots=True)
class SqlQuery(Target):
    """The answer of a query in DuckDB's SQL on the table ``data``; (n,) with named fields -> (d,), or (groups·d,).

    Nothing is proved about a query. A release is random DP with a sampled sensitivity, or pure DP by sample and aggregate.

    ``data`` is made by the declared columns: numbers are clipped to their bounds, missing values are NULL, and so are values
    outside a list of categories, unless the list has “other”. The query answers with one row of numbers; with ``by`` it answers
    with one row for each group. Only queries on the allow-list (``sql.allowlist``) run, each call in a fresh process with limits.
    Databases of one batch are answered one after another by a plan without statistics of a table, so each answer is, to the
    last bit, the answer of a separate call. A query that needs too much time or memory fails.

    Queries are about rows: a table that says whose each row is, is refused.

    Attributes:
        query: The query. The host must allow SQL.
        table: The declared columns.
        by: Public groups, by a column of the answer. The answer's other groups are ignored.
        answer_if_missing: Public number for NULL, infinity, a group without a row, and a table that DuckDB or ``by`` refuses.
            Without it these are failures.
        from_a_part: How the answer goes from a part of the rows to all, “alike” or “in proportion”; empty if nobody said.
        between: Public bounds that each number is clipped to.

    Example:
        >>> from dpcore import Column, targets
        >>> table = (Column("cost", bounds=(0.0, 100.0)), Column("ward", role="text", categories=("Park", "Hill")))
        >>> mean = targets.SqlQuery("SELECT avg(cost) FROM data WHERE ward = 'Park'", table)
        >>> float(mean(np.array([(10.0, "Park"), (900.0, "Park"), (5.0, "Hill")], dtype=[("cost", float), ("ward", "U4")]))[0])
        55.0
    """

    query: str
    table: tuple[Column, ...]
    by: GroupBy | None = None
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
        if not isinstance(self.by, GroupBy | None):
            raise InvalidValueError("by", "groups, or left out", self.by)
        if self.from_a_part not in _PARTS:
            expected = "“alike”, as a mean, “in proportion”, as a sum, or left out"
            raise InvalidValueError("from_a_part", expected, self.from_a_part)
        missing = None if self.answer_if_missing is None else finite("answer_if_missing", self.answer_if_missing)
        between = None if self.between is None else interval("between", self.between)
        set_fields(self, table=check_columns(self.table), answer_if_missing=missing, between=between)
        self._check_answer()

    @classmethod
    def offered(cls, columns: tuple[Column, ...]) -> bool:
        """Return whether a query of these columns is offered: the host allows SQL, and no column says whose a row is."""
        return server_client.is_allowed() and bool(columns) and all(map(of_rows, columns))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> SqlQuery:
        """Return the mean of the first column of numbers, or of the lengths of the first column of texts."""
        number = next(filter(of_numbers, columns), None)
        what = f"length({identifier(columns[0].name)})" if number is None else identifier(number.name)
        return cls(f"SELECT avg({what}) FROM data", columns)

    def rewritten(self, query: str, columns: tuple[Column, ...], /) -> SqlQuery:
        """Return another query, of the columns that it reads.

        It answers for groups if it selects one listed column beside its numbers.

        Args:
            query: The query.
            columns: The columns that it may read.
        """
        types, read = answer_types(query, check_columns(columns)), read_columns(query, columns)
        names = {name.casefold() for name, _ in types}
        keys = [one for one in read if one.categories is not None and one.name.casefold() in names]
        by = GroupBy(keys[0].name, keys[0].categories) if len(keys) == 1 and len(types) > 1 and keys[0].categories else None
        return replace(self, query=query, table=read, by=by)

    def _check_answer(self) -> None:
        """Raise ``QueryError`` for a query that does not answer with numbers, or not with its groups."""
        keys = [kind for name, kind in self._types if self._is_key(name)]
        for name, kind in self._types:
            if not (is_number(kind) or self._is_key(name)):
                problem = f"The answer’s column {quoted(name)} holds no numbers, but {quoted(kind)}"
                raise QueryError(problem, "Answer with numbers, as of count, sum and avg.", self.query)
        if self.by is not None and len(keys) != 1:
            problem = f"The answer has {len(keys)} columns {quoted(self.by.column)}, and one must tell the group of each row"
            raise QueryError(problem, "Select it once, beside the numbers.", self.query)
        if self.by is not None and isinstance(self.by.categories[0], str) != (keys[0] == "VARCHAR"):
            problem = f"The answer’s column {quoted(self.by.column)} holds {quoted(keys[0])}, unlike the groups"
            raise QueryError(problem, "State groups as the column holds them, texts or numbers.", self.query)
        numbers = self.numbers * len(self._groups)
        if not 1 <= numbers <= _MOST_NUMBERS:
            problem = f"The answer would have {numbers:,} numbers"
            raise QueryError(problem, f"Select at least one, and at most {_MOST_NUMBERS:,}.", self.query)

    @property
    def _types(self) -> tuple[tuple[str, str], ...]:
        return answer_types(self.query, self.table)

    def _is_key(self, name: str) -> bool:
        return self.by is not None and name.casefold() == self.by.column.casefold()

    @property
    def _groups(self) -> tuple[Any, ...]:
        """The groups; one without a name if the answer has none."""
        return (None,) if self.by is None else self.by.categories

    @property
    def fields(self) -> tuple[str, ...]:
        """The columns that it reads by their names."""
        return tuple(column.name for column in self.table)

    columns = fields

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of the groups; empty without groups."""
        return () if self.by is None else self.by.labels

    @property
    def numbers(self) -> int:
        """Number of numbers of the answer, per group if there are groups."""
        return len(self._types) - (self.by is not None)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether these can be its columns, in this order."""
        return list(map(_held, columns)) == list(map(_held, self.table))

    def answer(self, columns: tuple[Column, ...], /) -> KindOfAnswer:
        """Return its kind of answer: numbers by the names that the query gives them, of each group one after another."""
        own = Numbers(tuple(name for name, _ in self._types if not self._is_key(name)))
        return own if self.by is None else Grouped(own, self.by.labels_in(columns or self.table))

    def words(self, columns: tuple[Column, ...] = ()) -> str:
        """Return its groups, as “by ward”; empty without groups."""
        return "" if self.by is None else self.by.words(columns or self.table)

    def asked_of(self, columns: tuple[Column, ...]) -> str:
        """Return the query as it was written, shortened if it is long."""
        return f"SQL query {quoted(self.query)}"

    def said_of(self, columns: tuple[Column, ...]) -> str:
        """Return the whole query with its settings and the declarations of its columns."""
        missing = "" if self.answer_if_missing is None else f"{self.answer_if_missing:g} where there is no number"
        part = f"{self.from_a_part} for a part of the rows" if self.from_a_part else ""
        between = "" if self.between is None else f"kept between {self.between[0]:g} and {self.between[1]:g}"
        asked_of = f"the SQL query {quoted(self.query, len(self.query) + 1)} of {', '.join(map(_declared, self.table))}"
        return "; ".join(filter(None, (asked_of, self.words(columns), missing, between, part)))

    def answer_bounds(self, _n: int, /) -> Interval | None:
        """Return the public bounds of its only number; None if none are stated, or it has several numbers."""
        return self.between if self.numbers * len(self._groups) == 1 else None

    def seconds(self, n: int, /) -> float:
        """Return the approximate seconds of one of many calls."""
        return _SECONDS + _SECONDS_A_RECORD * n

    def __call__(self, database: Database, /) -> FloatArray:
        answer: FloatArray = self.batch(database[None])[0]
        return answer

    def batch(self, databases: Database, /) -> FloatArray:
        """Return the answers of many databases, (b, n) -> (b, d).

        Raises:
            NoAnswerError: If one fails, with the reason of the first.
        """
        found, reasons = self._found(databases, most_lost=1)
        if reasons:
            raise NoAnswerError(reasons[min(reasons)])
        return found

    def tried(self, databases: Database, /, *, most_lost: int | None = None) -> tuple[FloatArray, dict[int, str]]:
        """Return the answers of many databases, NaN for one that fails, and why by its position.

        Args:
            databases: As for ``batch``.
            most_lost: After so many that needed too much, the others fail too.
        """
        found, reasons = self._found(databases, most_lost)
        none = dict.fromkeys(np.flatnonzero(np.isnan(found).any(axis=1)).tolist(), "the query answered with no number")
        return found, none | reasons

    def _found(self, databases: Database, most_lost: int | None) -> tuple[FloatArray, dict[int, str]]:
        rows = np.asarray(databases)
        tables, lengths = as_arrow(read_columns(self.query, self.table), rows), [rows.shape[1]] * len(rows)
        none = math.nan if self.answer_if_missing is None else self.answer_if_missing
        found, reasons = np.full((len(lengths), len(self._groups) * self.numbers), none), dict[int, str]()
        for place, answer in enumerate(self._rows(tables, lengths, most_lost)):
            if answer is None:
                found[place], reasons[place] = math.nan, _TOO_MUCH
                continue
            try:
                numbers = self._numbers_by_group(answer)
                found[place] = np.where(np.isfinite(numbers), numbers, none)
            except NoAnswerError as error:
                if self.answer_if_missing is None:
                    reasons[place] = str(error)
        return found if self.between is None else np.clip(found, *self.between), reasons

    def _rows(self, tables: Any, lengths: list[int], most_lost: int | None) -> list[Any]:
        """Return the rows of each table's answer, or its kind of error; None if the query needed too much.

        A table whose process ended is given to another process, so every table has the answer of a separate call.
        """
        ends, answers = [0, *accumulate(lengths)], list[Any]()

        def ask(start: int, stop: int) -> list[Any]:
            some = tables.slice(ends[start], ends[stop] - ends[start])
            return server_client.run("answer", self.query, some, lengths[start:stop], self._most_rows)

        while len(answers) < len(lengths):
            start = len(answers)
            answers += ask(start, len(lengths))
            stopped = len(answers)
            if stopped < len(lengths):
                answers += (ask(stopped, stopped + 1) if start + 1 < len(lengths) else []) or [None]
                if most_lost is not None and answers.count(None) >= most_lost:
                    answers += [None] * (len(lengths) - len(answers))
        return answers

    @property
    def _most_rows(self) -> int:
        """More rows of an answer than can be right."""
        return 2 if self.by is None else _MOST_OTHER_ROWS + len(self._groups)

    def _numbers_by_group(self, rows: Any) -> FloatArray:
        """Return the numbers of an answer's rows, NaN for NULL and for a group without a row.

        Raises:
            NoAnswerError: If the query failed, or answered with other rows than asked for.
        """
        if not isinstance(rows, list):
            raise NoAnswerError(f"the query failed: {_FAILURES.get(rows['failed'], 'it does not fit the table')}")
        if len(rows) >= self._most_rows:
            raise NoAnswerError(f"the query answered with {len(rows):,} rows or more")
        key = next((place for place, (name, _) in enumerate(self._types) if self._is_key(name)), None)
        found = dict.fromkeys(self._groups, [math.nan] * self.numbers)
        seen = set[Any]()
        for row in rows:
            group = None if key is None else row.pop(key)
            if group in seen:
                raise NoAnswerError("the query answered with several rows for one group")
            if group in found:
                seen.add(group)
                found[group] = [math.nan if cell is None else float(cell) for cell in row]
        return np.array(list(found.values()), dtype=np.float64).ravel()


def _held(column: Column) -> tuple[str, bool]:
    """Return a column's name, and whether it holds texts."""
    return column.name, column.role == TEXT


def _declared(column: Column) -> str:
    """Return a column with its declared values."""
    if column.categories is not None:
        return f"{quoted(column.name)} of {' or '.join(map(column.shown, column.categories))}"
    return quoted(column.name) + ("" if column.bounds is None else f" from {column.bounds[0]:g} to {column.bounds[1]:g}")
