"""The first line, which names the columns; and records that do not fit it."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np

from dpcore.errors import TableError
from pages.files.csv_columns.format import Layout

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
    if all(_is_number(name) for name in names):
        raise TableError(
            "The first line holds numbers, not names of columns.", "Put a line with the names of the columns before the records."
        )
    return names


def refuse_many(columns: int) -> None:
    """TableError for more columns than are read."""
    if columns > MOST_COLUMNS:
        raise TableError(
            f"The first line names {columns:,} columns; at most {MOST_COLUMNS:,} are read.",
            "Leave out columns that are not needed.",
        )


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


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


# Records that do not fit the header, in words of our own: looked for in the text, not in the parser's message.


_BLOCK = 2**22  # bytes that are looked at together
_MOST_QUOTED = 1_000_000  # separators beyond the header's in one line, where quotation marks may hold some of them
_REMEDY = "Give every record as many values as the header has names."


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
    return TableError(f"The records do not fit the header, which names {layout.columns_in_words}.", _REMEDY)


def _surplus(layout: Layout, line: int, values: int) -> TableError:
    problem = f"Line {line:,} of the file holds {values:,} values, but the header names {layout.columns_in_words}."
    return TableError(problem, _REMEDY)


def _first_line_beyond(layout: Layout, most: int) -> tuple[int, int] | None:
    """The first line of the file, from 1, with more separators than that beside one at its end, and how many it has."""
    text, separator = np.frombuffer(layout.body, np.uint8), ord(layout.delimiter)
    lines, begun = layout.blank_lines, 0  # lines that are complete, and the separators of the one that is not
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
    begins, separators = layout.blank_lines + 1, 0

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
            begins, separators = layout.blank_lines + 1 + reader.line_num, 0
    return None
