"""The names of the columns; and records that do not fit them."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count, islice
from typing import final

from dpcore.base.counted import counted
from dpcore.errors import TableError
from pages.files.csv_columns.file_content import SAY_WHERE, no_such_line
from pages.files.csv_columns.format import Format
from pages.files.csv_columns.header_lines import FIRST_LINE, HeaderLines, joined
from pages.files.limits import MOST_COLUMNS

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


_MOST_BYTES = 2**20  # of the names together
_SHORT = "Put short names above the columns, or say in which line of the file they are."
_NAMES = f"{SAY_WHERE} If there are none, say so."


def read_header(body: bytes, delimiter: str, at: HeaderLines = FIRST_LINE) -> tuple[list[str], int]:
    """The names as the file has them, and how many lines they take. Nothing far beyond the names is read.

    ``at``: where the text begins in its file, and how many lines of names there are.
    """
    first = body[: end + 1] if (end := body.find(b"\n")) >= 0 else body
    if b'"' not in first:
        refuse_many(first.count(delimiter.encode()) + 1)
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
    names = joined(rows) if at.lines else different([""] * len(rows[0]))
    refuse_no_names(names, at)
    return names, reader.line_num if at.lines else 0


def refuse_no_names(names: Sequence[str], at: HeaderLines) -> None:
    """Raise TableError for more names than are read, and for numbers or nothing in their place, if there is one."""
    refuse_many(len(names))
    if at.lines and all(_is_number(name) for name in names if name):
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
        f"{number} columns are named {quoted([name])[0]}: they are called "
        f"{listed(quoted([new for new, old in zip(told, names, strict=True) if old == name]))}."
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


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


# Records that do not fit the header, in words of our own: looked for in the text, not in the parser's message.


@final
@dataclass(frozen=True, slots=True)
class Layout:
    """The text from its last line of names on, in UTF-8 with plain line ends; how it is written, its columns, and how many lines
    of the file stand before."""

    body: bytes
    form: Format
    header: list[str]
    lines_before: int

    @property
    def delimiter(self) -> str:
        """What stands between its columns."""
        return self.form.delimiter

    @property
    def columns_in_words(self) -> str:
        """1 column, 2 columns."""
        return counted(len(self.header), " columns")


_MOST_QUOTED = 1_000_000  # separators beyond the header's in one record, where quotation marks may hold some of them
_REMEDY = "Give every row as many values as there are names, or say in which line of the file the names are."


def misfit(layout: Layout) -> TableError:
    """Why a parser could not take the records."""
    if (found := surplus(layout)) is not None:
        return found
    if layout.body.count(b'"') % 2:
        close = "Close it where its value ends. Write a quotation mark inside a value twice."
        return TableError("A quotation mark is opened and never closed.", close)
    return TableError(f"The rows do not fit the header, which names {layout.columns_in_words}.", _REMEDY)


def surplus(layout: Layout) -> TableError | None:
    """What is said of the first record with more values than the header; None where there is none.

    Of a record with a million separators too many the separators are counted, since its values would fill the memory.
    """
    text = io.TextIOWrapper(io.BytesIO(layout.body), encoding="utf-8", newline="\n")
    begins, separators, most = layout.lines_before + 1, 0, len(layout.header)

    def lines() -> Iterator[str]:
        nonlocal separators
        for line in text:
            separators += line.count(layout.delimiter)
            if separators > most + _MOST_QUOTED:
                raise csv.Error
            yield line

    reader = csv.reader(lines(), delimiter=layout.delimiter, skipinitialspace=True)
    with suppress(csv.Error):  # too many separators, or a value longer than this reader takes
        for values in reader:
            if len(values) > most + (values[-1:] == [""]):
                return _surplus(layout, begins, f"{len(values):,} values")
            begins, separators = layout.lines_before + 1 + reader.line_num, 0
    return _surplus(layout, begins, f"{separators:,} separators") if separators > most + _MOST_QUOTED else None


def _surplus(layout: Layout, line: int, what: str) -> TableError:
    problem = f"Line {line:,} of the file holds {what}, but the header names {layout.columns_in_words}."
    return TableError(problem, _REMEDY)
