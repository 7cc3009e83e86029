"""What a text file seems to be written in: proposed to its holder, who confirms or changes it, and never looked at again."""

from __future__ import annotations

import codecs
import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, islice, product
from typing import final

import numpy as np
from numpy.typing import NDArray

from pages.files.csv_columns import header_lines
from pages.files.csv_columns.file_content import cleaned, in_utf8, refuse_what_is_no_text, within_memory
from pages.files.csv_columns.format import DECIMALS, DELIMITERS, THOUSANDS, Format
from pages.files.csv_columns.header_lines import LAST_LINE, HeaderLines
from pages.files.limits import MOST_COLUMNS

_HEAD = 2**21  # bytes that delimiter and numbers are looked for in; the encoding is looked for in all of them
_RECORDS, _CELLS = 1_000, 20_000
_LINES, _LETTERS = 260, 2**18  # in which the names are looked for
_MOST_IN_QUOTES = 20  # lines of one record: a mark that nothing closes is a letter like others
_UNDEFINED = b"\x81\x8d\x8f\x90\x9d"  # in Windows-1252; Latin-1 has control characters there
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MONEY = r"(?:[€$£¥]|[A-Z]{3}(?=\s))\s*"
_MARKED = re.compile(  # a unit can stand beside it
    rf"(?:{_MONEY})?([+-]?[0-9](?:[0-9.,'’\s]*[0-9.,])?)\s*(?:[^0-9.,'’\s][^0-9]{{0,14}})?$"
)
_PLAIN = re.compile("[+-]?[0-9][0-9., '’]*")
_LINE_END = re.compile(rb"\r\n|\n|\r")
_SMALL = rb"a-z\xe0-\xff"
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
    decimal, thousands = _numbers(_columns(lines[best.below : best.below + _RECORDS], best.delimiter))
    return Format(encoding, best.delimiter, decimal, thousands, names)


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
    """How many of these letters stand between small ones; of several one after another every second."""
    small, letter = _codes_of(_SMALL), _codes_of(letters)
    number = 0
    for start in range(0, len(content), _HEAD):
        codes = np.frombuffer(content, dtype=np.uint8)[start : start + _HEAD + 2]
        within = small[codes[:-2]] & letter[codes[1:-1]] & small[codes[2:]]
        ends = np.flatnonzero(np.diff(within, prepend=False, append=False))
        number += int(((ends[1::2] - ends[::2] + 1) // 2).sum())
    return number


def _codes_of(letters: bytes) -> NDArray[np.bool_]:
    """For each byte whether it is one of these letters."""
    return np.array([re.fullmatch(b"[%b]" % letters, bytes([code])) is not None for code in range(256)])


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
    names = header_lines.joined(rows[place : place + max(1, several)])
    covered = sum(any(row[1:]) and len(row) - (not row[-1]) <= len(names) for row in rows[place:])
    words = 2 * covered > len(rows) - place and not any(map(header_lines.is_value, names))
    below = begins[place + several] if place + several < len(begins) else len(lines)
    marks = sum(len(row) - 1 for row in rows[place : place + several])
    if not several:  # 1,5;2,5 has as many commas as there would be columns, and 5;2 is no number
        marks = sum(_PLAIN.fullmatch(cell) is not None for row in rows[place:] for cell in row)
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


def _columns(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """The numbers in the first records, without what stands beside them: those of each column."""
    try:
        return _numbers_of(csv.reader((line + "\n" for line in lines), delimiter=delimiter, skipinitialspace=True))
    except csv.Error:  # a value that is longer than this reader takes: it is refused, or text
        return []


def _numbers_of(records: Iterable[Sequence[str]]) -> list[list[str]]:
    columns = defaultdict[int, list[str]](list)
    cells = ((place, value) for record in records for place, value in enumerate(record))
    numbers = ((place, found[1]) for place, value in cells if (found := _MARKED.match(value.strip())))
    for place, number in islice(numbers, _CELLS):
        columns[place].append(number)
    return list(columns.values())


def marks_of_numbers(records: Iterable[Sequence[str]]) -> tuple[str, str]:
    """The decimal mark, and the one between thousands, of the numbers in records of texts."""
    return _numbers(_numbers_of(records))


def in_doubt(content: bytes, form: Format) -> bool:
    """Whether each number that has the decimal mark could as well be a whole one with this between thousands, as 1.234."""
    body, _ = cleaned(content[:_HEAD], form.encoding, form.names.first)
    lines = body.decode("utf-8", errors="replace").split("\n")[form.names.lines :][:_RECORDS]
    return not form.thousands and _thousands(_columns(lines, form.delimiter), form.decimal) is None


def _numbers(columns: Sequence[Sequence[str]]) -> tuple[str, str]:
    """The marks with which most cells are numbers that can be written in more than one way; of equally many the plainest, and a
    point before a comma. But where these all could be whole numbers, what stands beside them decides."""
    cells = [cell for column in columns for cell in column if not cell.isdecimal()]
    ways = [
        Format(decimal=decimal, thousands=thousands)
        for thousands, decimal in product(THOUSANDS, DECIMALS)
        if thousands != decimal
    ]
    counts = [sum(1 for cell in cells if pattern.match(cell)) for pattern in (re.compile(way.number) for way in ways)]
    best = ways[counts.index(max(counts))]
    if not best.thousands and _thousands(columns, best.decimal):
        return (_OTHER[best.decimal], best.decimal)
    return best.decimal, best.thousands


_OTHER = {".": ",", ",": "."}
_SURE = 10  # numbers with three digits behind the mark, the last of which is no 0 by chance alone
_NINES = re.compile(r"[+-]?9+")  # mean that nothing is known


def _thousands(columns: Sequence[Sequence[str]], mark: str) -> bool | None:
    """Whether 1.234 is a whole number: where all that have the mark could be, it is among others of up to three digits, and is
    not among longer ones. None where there are no others."""
    marked = [column for column in columns if any(mark in cell for cell in column)]
    cells = [cell for column in marked for cell in column if mark in cell]
    grouped = re.compile(rf"[+-]?[1-9][0-9]{{0,2}}(?:{re.escape(mark)}[0-9]{{3}})+")
    if not cells or not all(map(grouped.fullmatch, cells)):
        return False
    beside = [cell.lstrip("+-") for column in marked for cell in column if mark not in cell and not _NINES.fullmatch(cell)]
    if any(len(cell) > 3 for cell in beside):
        return False
    return True if beside and len(cells) >= _SURE else None
