"""The names of the columns."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import count, islice

from dpcore.base.counted import counted
from dpcore.base.quoted import quoted
from dpcore.errors import TableError
from pages.files.csv_columns.file_content import SAY_WHERE, no_such_line
from pages.files.csv_columns.header_lines import FIRST_LINE, HeaderLines, joined
from pages.files.limits import MOST_COLUMNS

MOST_LISTED = 10


def listed(names: Sequence[str]) -> str:
    """2; 2 and 4; 2, 4 and 5; of a long list the first nine and how many more there are."""
    if len(names) > MOST_LISTED:
        shown = MOST_LISTED - 1
        return f"{', '.join(names[:shown])} and {len(names) - shown:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


_MOST_BYTES = 2**20  # of the names together
_SHORT = "Put short names above the columns, or say in which line of the file they are."
_NAMES = f"{SAY_WHERE} If there are none, say so."


def read_header(body: bytes, delimiter: str, at: HeaderLines = FIRST_LINE) -> tuple[list[str], int]:
    """The names as the file has them, and how many lines they take. Nothing far beyond the names is read.

    ``at``: where the text begins in its file, and how many lines of names there are.
    """
    head = body[:_MOST_BYTES].decode("utf-8", errors="ignore")
    reader = csv.reader(io.StringIO(head, newline="\n"), delimiter=delimiter)
    try:
        rows = [[name.strip() for name in row] for row in islice(reader, max(1, at.lines))]
    except csv.Error:  # all that is left: a carriage return and a zero byte were seen to before
        problem = f"A name in the header has more than {csv.field_size_limit():,} characters."
        raise TableError(problem, _SHORT) from None
    if len(body) > _MOST_BYTES and reader.line_num > head.count("\n"):
        raise TableError(f"The names of the columns take more than {_MOST_BYTES // 2**20} MB.", _SHORT)
    if len(rows) < at.lines:
        raise no_such_line(at.first + at.lines - 1, at.first - 1 + reader.line_num)
    refuse_many(max(map(len, rows)))
    names = joined(rows) if at.lines else different([""] * len(rows[0]))
    refuse_no_names(names, at)
    return names, reader.line_num if at.lines else 0


_NUMBER = re.compile(r"[+-]?[.,]?\d[\d.,]*(?:[eE][+-]?\d+)?")


def refuse_no_names(names: Sequence[str], at: HeaderLines) -> None:
    """Raise TableError for more names than are read, and for numbers or nothing in their place, if there is one."""
    refuse_many(len(names))
    if at.lines and all(_NUMBER.fullmatch(name) for name in names if name):
        what = "numbers" if any(names) else "nothing"
        raise TableError(f"Line {at.first} of the file holds {what}, not names of columns.", _NAMES)


def refuse_many(columns: int) -> None:
    """TableError for more columns than are read."""
    if columns > MOST_COLUMNS:
        raise TableError(
            f"The file names {columns:,} columns; at most {MOST_COLUMNS:,} are read.", "Leave out columns that are not needed."
        )


def different(names: Sequence[str]) -> list[str]:
    """The names with which columns are told apart: a second “Diagnosis” is “Diagnosis (2)”, and the fourth column “Column 4”,
    where it has no name."""
    taken, told = set(names), dict[str, None]()
    for place, name in enumerate(names, 1):
        own = name or f"Column {place}"
        told[own if name not in told and (name or own not in taken) else _next(own, taken)] = None
        taken.update(told)
    return list(told)


def _next(name: str, taken: set[str]) -> str:
    return next(one for number in count(2) if (one := f"{name} ({number})") not in taken)


def renamed(names: Sequence[str]) -> tuple[str, ...]:
    """What is said of names that are not as the file has them: a sentence each for those that it has twice, and one of others."""
    told = different(names)
    twice = Counter(name for name in names if name)
    said = [
        f"{number} columns are named {quoted(name)}: they are called "
        f"{listed([quoted(new) for new, old in zip(told, names, strict=True) if old == name])}."
        for name, number in twice.items()
        if number > 1
    ]
    return tuple(said[:MOST_LISTED])


def refuse_unnamed(names: Sequence[str], filled: Collection[str]) -> None:
    """TableError where more columns with values have no name than have one: then these are no names. ``filled``: the columns with
    values, by the names that they have here."""
    without = sum(not name for name, new in zip(names, different(names), strict=True) if new in filled)
    if without > sum(map(bool, names)):
        problem = f"Of {counted(str(len(filled)), ' columns')} with values {without} have no name."
        raise TableError(problem, SAY_WHERE)
