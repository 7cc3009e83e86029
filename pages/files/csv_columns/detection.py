"""What a text file seems to be written in: proposed to its holder, who confirms or changes it, and never looked at again."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, islice, product
from typing import final

from pages.files.csv_columns import header_lines
from pages.files.csv_columns.file_content import cleaned, in_utf8, refuse_what_is_no_text, within_memory
from pages.files.csv_columns.format import DECIMALS, DELIMITERS, THOUSANDS, Format
from pages.files.csv_columns.header import MOST_COLUMNS
from pages.files.csv_columns.header_lines import LAST_LINE, HeaderLines

_HEAD = 2**21  # bytes that delimiter and numbers are looked for in; the encoding is looked for in all of them
_RECORDS, _CELLS = 1_000, 20_000
_LINES, _LETTERS = 260, 2**18  # in which the names are looked for
_MOST_IN_QUOTES = 20  # lines of one record: a mark that nothing closes is a letter like others
_UNDEFINED = b"\x81\x8d\x8f\x90\x9d"  # in Windows-1252; Latin-1 has control characters there
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MARKED = re.compile(r"([+-]?[0-9](?:[0-9.,'’\s]*[0-9.,])?)\s*(?:[^0-9.,'’\s][^0-9]{0,14})?$")  # a unit can stand behind it
_LINE_END = re.compile(rb"\r\n|\n|\r")
_SMALL = rb"[a-z\xe0-\xff]"
_WITHIN_WORDS = {  # bytes of small letters that in Windows-1252 are marks or capitals, which hardly stand between two of these
    "windows-1250": rb"\x9d\x9f\xb3\xb9\xbe\xbf",
    "cp850": rb"\x81\x82\x84\x87\x88\x94",
    "mac_roman": rb"\x8a\x8d\x8e\x8f\x90\x95\x9f\xa7",
}
_OFTEN = 0.1  # of the bytes within words that would be small letters in Windows-1252


@within_memory()
def detected(content: bytes) -> Format:
    """The format that fits the names of columns and most of the first 1,000 records; TableError where the bytes are no text.

    Nothing that stands above the names decides any of it.
    """
    refuse_what_is_no_text(content)
    wide = content.startswith(_UTF16)
    head = content[:_HEAD]
    body, blank = cleaned(content if head.isspace() else head, "utf-16" if wide else "utf-8")
    lines = body.decode("utf-8", errors="replace").split("\n")
    best = max((_split(lines, mark) for mark in DELIMITERS), key=lambda split: split.fits)
    line = blank + best.first + 1
    names = HeaderLines(line if line <= LAST_LINE else 1, best.rows)  # from line 1 on, blank lines are passed over
    encoding = "utf-16" if wide else _encoding(_from_line(content, names.first))
    if encoding not in ("utf-8", "utf-16"):  # a hard blank between thousands is no byte of UTF-8
        lines = cleaned(content if head.isspace() else head, encoding)[0].decode("utf-8").split("\n")
    decimal, thousands = _numbers(_cells(lines[best.below : best.below + _RECORDS], best.delimiter))
    return Format(encoding, best.delimiter, decimal, thousands, names)


def first_rows(content: bytes, form: Format) -> list[tuple[int, list[str]]]:
    """The first records of a text with the lines in which they begin, from 1; what stands above the names is one too."""
    body, blank = cleaned(content[:_HEAD], form.encoding)
    lines = body.decode("utf-8", errors="replace").split("\n")
    return [(blank + begins + 1, row) for begins, row in _rows(_sample(lines), form.delimiter)]


def first_lines(content: bytes, form: Format, most: int) -> list[str]:
    """The first lines of a text as they are."""
    body, blank = cleaned(content[:_HEAD], form.encoding)
    return [*[""] * min(blank, most), *body.decode("utf-8", errors="replace").split("\n")][:most]


def _from_line(content: bytes, line: int) -> bytes:
    """The bytes of a text whose encoding is still open."""
    ends = [end.end() for end in islice(_LINE_END.finditer(content), line - 1)]
    return content[ends[-1] :] if ends else content


def _encoding(content: bytes) -> str:
    if in_utf8(content):
        return "utf-8"
    usual = _within_words(rb"\xe0-\xff", content)
    found = {encoding: _within_words(letters, content) for encoding, letters in _WITHIN_WORDS.items()}
    likely = max(found, key=found.__getitem__)
    if found[likely] > _OFTEN * usual:
        return likely
    return "latin-1" if any(byte in content for byte in _UNDEFINED) else "windows-1252"


def _within_words(letters: bytes, content: bytes) -> int:
    return sum(1 for _ in re.finditer(rb"%b[%b](?=%b)" % (_SMALL, letters, _SMALL), content))


@final
@dataclass(frozen=True, slots=True)
class _Split:
    """The first lines of a text with one mark between their cells.

    ``first``: the line in which the names begin, from 0; ``rows``: of names; ``below``: the line after them. ``fits``: the
    larger, the better.
    """

    delimiter: str
    first: int
    rows: int
    below: int
    fits: tuple[bool, int, int]


def _split(lines: Sequence[str], mark: str) -> _Split:
    """How well a mark splits: into names that are words, and as many records as can be that are no wider than these."""
    begins, rows = zip(*_rows(_sample(lines), mark), strict=True)
    place, several = header_lines.found(rows)
    names = header_lines.joined(rows[place : place + several])
    covered = sum(any(row[1:]) and len(row) - (not row[-1]) <= len(names) for row in rows[place:])
    words = 2 * covered > len(rows) - place and not any(map(header_lines.is_value, names))
    below = begins[place + several] if place + several < len(begins) else len(lines)
    marks = sum(len(row) - 1 for row in rows[place : place + several])
    return _Split(mark, begins[place], several, below, (words, covered, marks * 10 + (mark == ",")))


def _sample(lines: Sequence[str]) -> list[str]:
    """The first lines, at least one, and no more than some letters together."""
    sizes = accumulate(len(line) for line in lines[:_LINES])
    return list(lines[: max(1, sum(size <= _LETTERS for size in sizes))])


def _rows(lines: Sequence[str], mark: str) -> Iterator[tuple[int, list[str]]]:
    """The line in which each record begins, and its cells. In quotation marks it goes on for some lines, and no longer."""
    place = 0
    while place < len(lines):
        last = next((end for end, quotes in _quotes(lines, place) if quotes % 2 == 0), place)
        yield place, _record("\n".join(lines[place : last + 1]), mark)
        place = last + 1


def _quotes(lines: Sequence[str], place: int) -> Iterator[tuple[int, int]]:
    ends = range(place, min(len(lines), place + _MOST_IN_QUOTES))
    return zip(ends, accumulate(lines[end].count('"') for end in ends), strict=True)


def _record(text: str, mark: str) -> list[str]:
    cells = text.split(mark, MOST_COLUMNS)  # and one more: a file with more names is refused
    if '"' in text and text.count('"') % 2 == 0:
        with suppress(csv.Error):  # a value that is longer than this reader takes
            cells = next(csv.reader([text], delimiter=mark, skipinitialspace=True), [])
    return [cell.strip() for cell in cells[: MOST_COLUMNS + 1]]


def _cells(lines: Sequence[str], delimiter: str) -> list[str]:
    """Those of the first records that could be numbers written in more than one way."""
    try:
        records = list(csv.reader((line + "\n" for line in lines), delimiter=delimiter, skipinitialspace=True))
    except csv.Error:  # a value that is longer than this reader takes: it is refused, or text
        return []
    return _in_several_ways(value for record in records for value in record)


def _in_several_ways(values: Iterable[str]) -> list[str]:
    marked = (found[1] for value in values if (found := _MARKED.match(value.strip())))
    return list(islice((cell for cell in marked if not cell.isdecimal()), _CELLS))


def marks_of_numbers(values: Iterable[str]) -> tuple[str, str]:
    """The decimal mark, and the one between thousands, of the numbers among texts."""
    return _numbers(_in_several_ways(values))


def _numbers(cells: list[str]) -> tuple[str, str]:
    """The marks with which most cells are numbers; of equally many the plainest, and a point before a comma."""
    ways = [
        Format(decimal=decimal, thousands=thousands)
        for thousands, decimal in product(THOUSANDS, DECIMALS)
        if thousands != decimal
    ]
    counts = [sum(1 for cell in cells if pattern.match(cell)) for pattern in (re.compile(way.number) for way in ways)]
    best = ways[counts.index(max(counts))]
    return best.decimal, best.thousands
