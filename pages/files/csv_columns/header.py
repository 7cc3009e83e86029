"""The first line: the columns' names."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from dpcore.errors import TableError

# Names from a file, as an error lists them: quoted, shortened, and at most ten.


MOST_LISTED = 10
_LONGEST = 40  # characters of one


def quoted(names: Sequence[str]) -> list[str]:
    """Each name in quotation marks, shortened where it would fill the screen."""
    return [f"“{name}”" if len(name) <= _LONGEST else f"“{name[: _LONGEST - 1]}…”" for name in names]


def listed(names: Sequence[str]) -> str:
    """2; 2 and 4; 2, 4 and 5; of a long list the first nine and how many more there are."""
    if len(names) > MOST_LISTED:
        shown = MOST_LISTED - 1
        return f"{', '.join(names[:shown])} and {len(names) - shown:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


MOST_COLUMNS = 2_000
_MOST_BYTES = 2**20  # of the names together
_SHORT = "Put short names of columns in the first line."


def read_header(body: bytes, delimiter: str) -> list[str]:
    """The names. Nothing beyond the first line is read, but where a name in quotes goes on below."""
    if re.match(rb"\s*[<{\[]", body):
        raise TableError("The file is not a CSV: it begins like a web page or JSON.", "Save the table as CSV.")
    end = body.find(b"\n")
    first = body if end < 0 else body[:end]
    if b'"' not in first:
        refuse_many(first.count(delimiter.encode()) + 1)
    names = _names(body, delimiter)
    refuse_many(len(names))
    refuse_unusable(names)
    _refuse_numbers(names)
    return names


def refuse_many(columns: int) -> None:
    """TableError for more columns than are read."""
    if columns > MOST_COLUMNS:
        problem = f"The first line names {columns:,} columns; at most {MOST_COLUMNS:,} are read."
        raise TableError(problem, "Leave out columns that are not needed.")


def _names(body: bytes, delimiter: str) -> list[str]:
    try:
        return [name.strip() for name in next(csv.reader(_lines(body), delimiter=delimiter))]
    except csv.Error:  # all that is left: a carriage return and a zero byte were seen to before
        problem = f"A name in the header has more than {csv.field_size_limit():,} characters."
        raise TableError(problem, _SHORT) from None


def _lines(body: bytes) -> Iterator[str]:
    """Line after line, as few as are asked for."""
    start = 0
    while start < len(body):
        end = body.find(b"\n", start) + 1 or len(body)
        if end > _MOST_BYTES:
            raise TableError(f"The names of the columns take more than {_MOST_BYTES // 2**20} MB.", _SHORT)
        yield body[start:end].decode("utf-8")
        start = end


def refuse_unusable(names: list[str]) -> None:
    """TableError for names that are missing, or the same."""
    missing = [str(i + 1) for i, name in enumerate(names) if not name]
    if missing:
        of = f"Columns {listed(missing)} of the header have" if len(missing) > 1 else f"Column {missing[0]} of the header has"
        raise TableError(f"{of} no name.", "Give every column a name in the first line.")
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise TableError(f"The header names {listed(quoted(twice))} more than once.", "Give each column its own name.")


def _refuse_numbers(names: list[str]) -> None:
    if all(_is_number(name) for name in names):
        problem = "The first line holds numbers, not names of columns."
        raise TableError(problem, "Put a line with the names of the columns before the records.")


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True
