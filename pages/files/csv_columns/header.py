"""The names of the columns; and records that do not fit them."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import count

import numpy as np

from dpcore.base.counted import counted
from dpcore.errors import TableError
from pages.files.csv_columns.file_content import SAY_WHERE, no_such_line
from pages.files.csv_columns.format import Layout
from pages.files.csv_columns.header_lines import FIRST_LINE, HeaderLines, joined

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
_SHORT = "Put short names above the columns, or say in which line of the file they are."
_NAMES = f"{SAY_WHERE} If there is none, put one above the rows."


def read_header(body: bytes, delimiter: str, at: HeaderLines = FIRST_LINE) -> tuple[list[str], int]:
    """The names as the file has them, and how many bytes their lines have. Nothing beyond the names is read.

    ``at``: where the text begins in its file, and how many lines of names there are.
    """
    end = body.find(b"\n")
    first = body if end < 0 else body[:end]
    if b'"' not in first:
        refuse_many(first.count(delimiter.encode()) + 1)
    rows, size = _rows(body, delimiter, at)
    names = joined(rows)
    refuse_many(len(names))
    if all(_is_number(name) for name in names if name) or not any(names):
        what = "numbers" if any(names) else "nothing"
        raise TableError(f"Line {at.first} of the file holds {what}, not names of columns.", _NAMES)
    return names, size


def refuse_many(columns: int) -> None:
    """TableError for more columns than are read."""
    if columns > MOST_COLUMNS:
        raise TableError(
            f"The file names {columns:,} columns; at most {MOST_COLUMNS:,} are read.", "Leave out columns that are not needed."
        )


def _rows(body: bytes, delimiter: str, at: HeaderLines) -> tuple[list[list[str]], int]:
    rows: list[list[str]] = []
    sizes: list[int] = []

    def lines() -> Iterator[str]:
        for line in _lines(body):
            sizes.append(len(line))
            yield line.decode("utf-8")

    reader = csv.reader(lines(), delimiter=delimiter)
    try:
        for _ in range(at.lines):
            rows.append([name.strip() for name in next(reader)])
    except csv.Error:  # all that is left: a carriage return and a zero byte were seen to before
        problem = f"A name in the header has more than {csv.field_size_limit():,} characters."
        raise TableError(problem, _SHORT) from None
    except StopIteration:
        raise no_such_line(at.first + at.lines - 1, at.first - 1 + len(sizes)) from None
    return rows, sum(sizes)


def _lines(body: bytes) -> Iterator[bytes]:
    """Line after line, as few as are asked for."""
    start = 0
    while start < len(body):
        end = body.find(b"\n", start) + 1 or len(body)
        if end > _MOST_BYTES:
            raise TableError(f"The names of the columns take more than {_MOST_BYTES // 2**20} MB.", _SHORT)
        yield body[start:end]
        start = end


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


_BLOCK = 2**22  # bytes that are looked at together
_MOST_QUOTED = 1_000_000  # separators beyond the header's in one line, where quotation marks may hold some of them
_REMEDY = "Give every row as many values as there are names, or say in which line of the file the names are."


def refuse_surplus(layout: Layout) -> None:
    """TableError where a line has more values than the header, before a parser takes memory for each of them.

    Without quotation marks this is exact, but for one separator at a line's end, which the parser judges. With them a line may
    hold separators inside values, and only one with a million too many is refused here.
    """
    most = len(layout.header) - 1
    if b'"' not in layout.body:
        if (found := _first_line_beyond(layout, most)) is not None:
            raise _surplus(layout, found[0], found[1] + 1)
    elif (found := _first_line_beyond(layout, most + _MOST_QUOTED)) is not None:
        raise TableError(
            f"Line {found[0]:,} of the file holds {found[1]:,} separators, but the header names {layout.columns_in_words}.",
            _REMEDY,
        )


def misfit(layout: Layout) -> TableError:
    """Why a parser could not take the records."""
    if (found := _too_long(layout)) is not None:
        return _surplus(layout, *found)
    if layout.body.count(b'"') % 2:
        close = "Close it where its value ends. Write a quotation mark inside a value twice."
        return TableError("A quotation mark is opened and never closed.", close)
    return TableError(f"The rows do not fit the header, which names {layout.columns_in_words}.", _REMEDY)


def _surplus(layout: Layout, line: int, values: int) -> TableError:
    problem = f"Line {line:,} of the file holds {values:,} values, but the header names {layout.columns_in_words}."
    return TableError(problem, _REMEDY)


def _first_line_beyond(layout: Layout, most: int) -> tuple[int, int] | None:
    """The first line of the file, from 1, with more separators than that beside one at its end, and how many it has."""
    text, separator = np.frombuffer(layout.body, np.uint8), ord(layout.delimiter)
    lines, begun = layout.lines_before, 0  # lines that are complete, and the separators of the one that is not
    for start in range(0, len(text), _BLOCK):
        block = text[start : start + _BLOCK]
        ends = np.flatnonzero(block == ord("\n"))
        so_far = np.cumsum(block == separator, dtype=np.int32)
        counts = np.diff(so_far[ends], prepend=-begun)
        beyond = np.flatnonzero(counts - (text[start + ends - 1] == separator) > most)
        if beyond.size:
            return lines + int(beyond[0]) + 1, _separators(layout, start + int(ends[beyond[0]]))
        begun = int(so_far[-1] - so_far[ends[-1]]) if ends.size else begun + int(so_far[-1])
        lines += ends.size
        if begun > most + 1:
            return lines + 1, _separators(layout, start + len(block))
    if begun - layout.body.endswith(layout.delimiter.encode()) > most:
        return lines + 1, begun
    return None


def _separators(layout: Layout, place: int) -> int:
    """In the line that holds the place, or that ends there."""
    body = layout.body
    end = body.find(b"\n", place)
    return body.count(layout.delimiter.encode(), body.rfind(b"\n", 0, place) + 1, len(body) if end < 0 else end)


def _too_long(layout: Layout) -> tuple[int, int] | None:
    """The first record with more values than the header: the line where it begins, from 1, and how many it has.

    None where there is none, or where one record takes so many separators that its values would fill the memory.
    """
    text = io.TextIOWrapper(io.BytesIO(layout.body), encoding="utf-8", newline="\n")
    begins, separators = layout.lines_before + 1, 0

    def lines() -> Iterator[str]:
        nonlocal separators
        for line in text:
            separators += line.count(layout.delimiter)
            if separators > 2 * _MOST_QUOTED:
                raise csv.Error
            yield line

    reader = csv.reader(lines(), delimiter=layout.delimiter, skipinitialspace=True)
    with suppress(csv.Error):  # a value longer than this reader takes
        for values in reader:
            if len(values) > len(layout.header):
                return begins, len(values)
            begins, separators = layout.lines_before + 1 + reader.line_num, 0
    return None
