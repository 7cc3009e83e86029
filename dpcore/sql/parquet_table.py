"""A table larger than memory: a Parquet file, or a folder of them, whose questions are answered without loading it."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Self, TypeVar, final

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.declared import CATEGORY, CONSTANT, TEXT, Column
from dpcore.base.facts import facts
from dpcore.base.quoted import quoted
from dpcore.base.slots import fits
from dpcore.base.summands import Summand, in_steps
from dpcore.base.types import Database, FloatArray, Target
from dpcore.errors import InvalidValueError, TableError
from dpcore.sql.file_digest import Stamps, digest, stamps
from dpcore.sql.parquet_schema import ParquetSchema, files_of, schema_of
from dpcore.sql.parquet_values import bytes_of, values_of
from dpcore.sql.question_as_sql import Asked, as_sql, asked_in
from dpcore.sql.scan import scan

MOST_BYTES = 80_000_000  # of the values that are read into memory for one question: 10 million numbers
_LEAST_KEY = 16  # bytes
_AGAIN = "Declare it again: what was declared of it, and its noise, is for the table as it was."

R = TypeVar("R")


@final
@dataclass(frozen=True)
class ParquetTable:
    """A Parquet file, or a folder of them, on this machine's disk. Made by ``open``.

    ``n``: how many rows it has, which is public. ``columns``: what is declared of those that can be asked. A number
    that is NaN or NULL is missing, and so is an empty text; of listed categories what is none of them is “other”, where that is
    listed, else missing. Only known values count. ``key``: the holder's, bytes that nobody else knows, for the ``seal``.

        >>> table = ParquetTable.open("stays.parquet", [Column("cost", bounds=(0.0, 100.0))])  # doctest: +SKIP
        >>> question = targets.On(targets.KnownMean((0.0, 100.0)), ("cost",))  # doctest: +SKIP
        >>> worst_case = question.global_sensitivity(L1, table.n)  # doctest: +SKIP
        >>> Laplace().calibrate(worst_case, PureDP(1.0)).release_on_disk(table)  # doctest: +SKIP
    """

    path: Path
    columns: tuple[Column, ...]
    n: int
    files: tuple[Path, ...] = field(repr=False)
    key: bytes = field(repr=False)
    digest: str = field(repr=False)  # confirms a guess of a last row: it is for the holder alone

    @classmethod
    def open(cls, path: str | Path, columns: Sequence[Column] | None = None, *, key: bytes | None = None) -> Self:
        """Reads what the files say of themselves, and all of them once for their digest.

        ``columns``: what is declared of those that are asked; None declares nothing. ``key``: None for a new one. TableError for
        what is no table, or has no such column.
        """
        if find_spec("duckdb") is None:
            raise TableError("The package duckdb is not installed.", "Install it: it comes with the extra “sql”.")
        if sys.platform != "linux":
            problem = "A table on disk is read on Linux alone, where the system limits what a process takes."
            raise TableError(problem, "Ask it there, or load a smaller table.")
        path = Path(path).absolute()
        before, schema = _stamps_or_none(path), schema_of(path)
        key = secrets.token_bytes(32) if key is None else key
        if not isinstance(key, bytes) or len(key) < _LEAST_KEY:
            raise InvalidValueError("key", f"at least {_LEAST_KEY} bytes that nobody else knows", "fewer, or none")
        found = _digest(path)
        if found is None or _stamps_or_none(path) != before:  # what was read of it is of the same files
            raise _changed(path)
        table = cls(path, schema.columns, schema.n, schema.files, key, found)
        return table if columns is None else table.declared(columns, schema)

    def declared(self, columns: Iterable[Column], schema: ParquetSchema | None = None) -> Self:
        """The same table with these declarations; TableError for a column that it does not have, or that holds something else."""
        known = schema or schema_of(self.path)
        roles = {column.name: column.role == TEXT for column in known.columns}
        columns = tuple(columns)
        for column in columns:
            _check(column, roles, known.others)
        if len({column.name for column in columns}) < len(columns):
            raise InvalidValueError("columns", "each declared once", [column.name for column in columns])
        return replace(self, columns=columns)

    @property
    def seal(self) -> str:
        """The digest's HMAC-SHA-256 under the key: who has both can show of which table a release is, and nobody else can try
        guesses of its rows."""
        return hmac.new(self.key, self.digest.encode(), hashlib.sha256).hexdigest()

    def refuse(self, question: Target, columns: tuple[str, ...] = ()) -> None:
        """TableError for a question that is not answered here; ``columns``: of one that names none itself."""
        for asked in asked_in(question, columns):
            self._read_by(asked)

    def answer(self, question: Target, columns: tuple[str, ...] = ()) -> FloatArray:
        """What the question answers, (d,), the same number for any order of rows, files and threads (mathematics, section 13.5).

        The digest is taken again meanwhile: TableError, and no answer, where the files are not those that were opened. ValueError
        where they cannot be read whole. ``columns``: of a question that names none itself.
        """
        self.refuse(question, columns)
        return np.concatenate(self._meanwhile(lambda: [self._of(asked) for asked in asked_in(question, columns)]))

    def _meanwhile(self, read: Callable[[], R]) -> R:
        """What is read, while the digest is taken again: TableError where the files are not those that were opened."""
        with ThreadPoolExecutor(1) as beside:
            found = beside.submit(_digest, self.path)
            try:
                values, failed = read(), None
            except Exception as error:  # of any kind: a file that changed can have lost a column
                failed = error
            if found.result() != self.digest:  # what is said first is whether the files have changed
                raise _changed(self.path)
        if failed is not None:
            raise failed
        return values

    def _of(self, asked: Asked) -> FloatArray:
        """One question's answer, over its width where it has one."""
        query, parameters = as_sql(asked, self._read_by(asked), list(map(str, self.files)))
        summands: tuple[Summand, ...] = facts(asked.target).summands
        places = {(): 0} if asked.by is None else {(category,): at for at, category in enumerate(asked.by.categories)}
        totals = [[0] * len(summands) for _ in places]
        for *group, in_group in ((*row[: -len(summands)], row[-len(summands) :]) for row in scan(query, parameters, self.n)):
            at = places[tuple(group)]
            totals[at] = [one + more for one, more in zip(totals[at], in_group, strict=True)]
        steps = [summand.step for summand in summands]
        answer = np.array([in_steps(total, step) for each in totals for total, step in zip(each, steps, strict=True)])
        return answer if asked.width is None else answer / asked.width

    def load(self, names: Iterable[str]) -> dict[str, Database]:
        """The values of these columns, (n,) each, as they are declared: for questions that are not answered where they lie.

        TableError where that takes more than 80 MB, and where the files are not those that were opened; ValueError where they
        cannot be read whole.
        """
        columns = [self._column(name) for name in dict.fromkeys(names)]
        self.refuse_to_load(column.name for column in columns)
        return self._meanwhile(lambda: values_of(self.files, columns, self.n))

    def refuse_to_load(self, names: Iterable[str]) -> None:
        """TableError for columns that are not declared, or whose values take too much memory, by what is publicly declared."""
        columns = [self._column(name) for name in dict.fromkeys(names)]
        room = bytes_of(columns, self.n)
        if room is None:
            problem = "Text without a list of words is not read from disk."
            raise TableError(problem, "Declare its words, or ask another column.")
        if room > MOST_BYTES:
            what = f"{counted(len(columns), ' columns')} of {counted(self.n, ' rows')} in memory, which is {room / 1e6:,.0f} MB"
            problem = f"This question needs {what}; at most {MOST_BYTES / 1e6:.0f} MB are read from disk."
            fewer = " of fewer columns, or" if len(columns) > 1 else ""
            raise TableError(problem, f"Ask{fewer} for a number of rows, a sum, a mean or a share of known values.")

    @property
    def provenance(self) -> dict[str, str]:
        """What a release says of the table that was answered where it lies."""
        return {"table_seal": self.seal, "answered": "on disk, in whole numbers"}

    def _read_by(self, asked: Asked) -> tuple[Column, ...]:
        """The columns that a question reads; TableError for one that is not answered here."""
        if not facts(asked.question).summands or facts(asked.question).person is not None:
            problem = "This question has no answer on disk with a proved worst case."
            raise TableError(problem, "Ask for a number of rows, a sum, a mean or a share of known values.")
        columns = tuple(self._column(name) for name in asked.fields)
        if not columns or not fits(asked.question, columns):
            problem = "The question does not fit what is declared of its columns."
            raise TableError(problem, "Ask a column of numbers for numbers, and one of text by a list of categories.")
        return columns

    def _column(self, name: str) -> Column:
        """As it is declared; TableError for one that is not."""
        found = next((column for column in self.columns if column.name == name), None)
        if found is None:
            problem = f"The table {quoted(self.path.name)} declares no column {quoted(name)}."
            raise TableError(problem, "Declare it, or ask another.")
        return found


def _check(column: Column, roles: dict[str, bool], others: dict[str, str]) -> None:
    if column.name in others:
        problem = f"The column {quoted(column.name)} is of the type {quoted(others[column.name])}, which is not read on disk."
        raise TableError(problem, "Write it as numbers or as text, or leave it out.")
    if column.name not in roles:
        known = ", ".join(map(quoted, roles))
        raise TableError(f"The table has no column {quoted(column.name)}.", f"Its columns are {known}.")
    if roles[column.name] != (column.role == TEXT):
        held, other = ("text", "numbers") if roles[column.name] else ("numbers", "text")
        raise TableError(
            f"The column {quoted(column.name)} holds {held}, and is declared to hold {other}.", f"Declare it as {held}."
        )
    if column.missing in (CONSTANT, CATEGORY):
        problem = f"Missing values of {quoted(column.name)} are declared to count."
        raise TableError(problem, "On disk only known values count: declare that.")


def _stamps_or_none(path: Path) -> Stamps | None:
    try:
        return stamps(files_of(path))
    except (OSError, TableError):
        return None


def _digest(path: Path) -> str | None:
    """None where a file changes meanwhile, or is not there."""
    try:
        files, before = files_of(path), _stamps_or_none(path)
        found = digest(files, [str(file.relative_to(path)) if file != path else "" for file in files])
    except (OSError, TableError):
        return None
    return found if before is not None and _stamps_or_none(path) == before else None


def _changed(path: Path) -> TableError:
    return TableError(f"The table {quoted(path.name)} has changed since it was declared.", _AGAIN)
