"""A command as a target: it reads the database on its standard input and prints numbers."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import ClassVar, Literal, final

import numpy as np

from dpcore.answers.answer import KindOfAnswer
from dpcore.answers.numbers import Numbers
from dpcore.base.checks import named, positive, set_fields, whole
from dpcore.base.declared import PERSON, TEXT, Column
from dpcore.base.extras import needs
from dpcore.base.quoted import quoted
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.programs.files import Digests, digests, whole_command
from dpcore.programs.run import output, shown
from dpcore.programs.table import as_csv, as_parquet

_MOST_NUMBERS = 2**16
_BYTES, _BYTES_A_NUMBER = 4_096, 512  # that it may print
_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_WRITTEN: dict[str, Callable[[tuple[Column, ...], Database], bytes]] = {"csv": as_csv, "parquet": as_parquet}


@final
@dataclass(frozen=True, slots=True)
class Program:
    """What ``command`` prints where it reads the database; (n,) with named fields -> (numbers,).

    ``command``: a program and its arguments, which no shell reads. A file among them is a ``Path``, for the program runs in an
    empty folder. It is given few settings of the environment, the same each time; ``("env", "NAME=value", …)`` gives it more.

    ``table``: the declared columns, which it reads by name as ``form`` says: “csv” (``as_csv``) or “parquet”. Numbers are clipped
    to their bounds. What is in no list of categories is missing, unless “other” is listed, which then stands for it.

    It prints as many ``numbers`` as were stated, as decimals with blanks or lines between, and ends with the code 0. All else is
    a failure, with its reason: other numbers or words, one that is not finite, another code, more than ``seconds_at_most``. When
    it has ended, or the time is up, all processes of its group are ended.

    **It must be a function of the table alone, and nothing checks that.** It runs with all rights of whoever asks it: it can read
    files, use the network and the clock, draw at random, and keep what it saw; and nothing limits its memory. So blocks of
    records are not asked of it. It is in no link and no file; a fingerprint follows its command and the bytes of the files that
    the command names, not what these load.

        >>> from dpcore import Column
        >>> table = (Column("cost", bounds=(0.0, 100.0)),)
        >>> total = Program(("awk", "NR > 1 { s += $1 } END { print s }"), table)
        >>> float(total(np.array([(10.0,), (900.0,)], dtype=[("cost", float)]))[0])
        110.0
    """

    command: tuple[str | Path, ...]
    table: tuple[Column, ...]
    numbers: int = 1
    seconds_at_most: float = 10.0
    form: Literal["csv", "parquet"] = "csv"
    files: Digests = field(init=False, repr=False)
    title: ClassVar[str] = "Program"
    takes_fields: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if os.name != "posix":
            expected = "run where all processes of a group can be ended, as on Linux: else one that hangs could not be stopped"
            raise InvalidValueError("command", expected, sys.platform)
        if self.form not in _WRITTEN:
            raise InvalidValueError("form", "“csv” or “parquet”", self.form)
        if self.form == "parquet":
            with needs("parquet"):
                import_module("pyarrow.parquet")
        numbers, seconds = whole("numbers", self.numbers), positive("seconds_at_most", self.seconds_at_most)
        if numbers > _MOST_NUMBERS:
            raise InvalidValueError("numbers", f"at most {_MOST_NUMBERS:,}", numbers)
        command = whole_command(self.command)
        set_fields(self, command=command, table=_checked(self.table), numbers=numbers, seconds_at_most=seconds)
        set_fields(self, files=digests(command))

    @property
    def columns(self) -> tuple[str, ...]:
        """Of which columns it is: all that its table declares."""
        return self.fields

    @property
    def fields(self) -> tuple[str, ...]:
        """The columns that it reads by their names."""
        return tuple(column.name for column in self.table)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Where these are its columns in order, texts where it takes texts."""
        return [(one.name, one.role == TEXT) for one in columns] == [(one.name, one.role == TEXT) for one in self.table]

    def answer(self, columns: tuple[Column, ...], /) -> KindOfAnswer:
        """Its numbers, by their places."""
        return Numbers(tuple(f"number {place}" for place in range(1, self.numbers + 1)))

    def __call__(self, database: Database, /) -> FloatArray:
        """ValueError, with the reason, where it has no answer."""
        command = tuple(map(str, self.command))
        if digests(command) != self.files:
            raise ValueError("a file that the command names is gone, or was changed after the target was made")
        given = _WRITTEN[self.form](self.table, database)
        return self._read(output(command, given, self.seconds_at_most, _BYTES + _BYTES_A_NUMBER * self.numbers))

    def _read(self, printed: bytes) -> FloatArray:
        words = printed.split()
        for word in words:
            if not (_NUMBER.fullmatch(word) and math.isfinite(float(word))):
                raise ValueError(f"the program printed {quoted(shown(word))}, which is no finite number")
        if len(words) != self.numbers:
            raise ValueError(f"the program printed {len(words) or 'no'} numbers, expected {self.numbers}")
        return np.array([float(word) for word in words])


def _checked(table: object) -> tuple[Column, ...]:
    """Declared columns of numbers and texts, of different names."""
    if not isinstance(table, (list, tuple)) or not table or not all(isinstance(one, Column) for one in table):
        raise InvalidValueError("table", "the declared columns of the table, at least one", table)
    names = [named("name of a column", column.name) for column in table]
    if len(set(names)) < len(names):
        raise InvalidValueError("table", "of columns with different names", names)
    if people := [column.name for column in table if column.role == PERSON]:
        raise InvalidValueError("table", "without the column that says whose a row is: a program is asked about rows", people[0])
    return tuple(table)
