"""Records that do not fit the header, in words of our own: looked for in the text, not in the parser's message."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import final

import numpy as np

from dpcore.errors import TableError
from pages.files.csv_columns.format import Layout

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
        problem = f"Line {found[0]:,} of the file holds {found[1]:,} separators, but the header names {layout.columns_in_words}."
        raise TableError(problem, _REMEDY)


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
    """The first record with more values than the header: the line where it begins, from 1, and how many it has."""
    lines = _Lines(layout)
    reader = csv.reader(lines, delimiter=layout.delimiter, skipinitialspace=True)
    try:
        for values in reader:
            if len(values) > len(layout.header):
                return lines.begins, len(values)
            lines.next_record()
    except csv.Error:  # a value longer than this reader takes
        return None
    return None


@final
class _Lines:
    """The lines, until one record has taken so many separators that its values would fill the memory."""

    def __init__(self, layout: Layout) -> None:
        self.begins = self._line = layout.blank_lines + 1
        self._text = io.TextIOWrapper(io.BytesIO(layout.body), encoding="utf-8", newline="\n")
        self._delimiter, self._separators = layout.delimiter, 0

    def __iter__(self) -> Iterator[str]:
        for line in self._text:
            self._line += 1
            self._separators += line.count(self._delimiter)
            if self._separators > 2 * _MOST_QUOTED:
                raise csv.Error
            yield line

    def next_record(self) -> None:
        """What was given so far is complete."""
        self.begins, self._separators = self._line, 0
