"""Detection of the format of a text file. The user confirms or changes it."""

from __future__ import annotations

import codecs
import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate, islice, product
from operator import itemgetter

from pages.files import header
from pages.files.form import DECIMALS, DELIMITERS, LAST_LINE, THOUSANDS, Format, HeaderLines
from pages.files.limits import MOST_COLUMNS
from pages.files.text_file import cleaned, in_utf8, refuse_other_kinds, within_memory

_HEAD = 2**21  # bytes that delimiter and numbers are looked for in; that a text is UTF-8 is looked for in all of them
_RECORDS, _CELLS = 1_000, 20_000
_LINES, _LETTERS = 260, 2**18  # in which the names are looked for
_WORDS = 2**19  # bytes in which letters within words are looked for
_UNDEFINED = b"\x81\x8d\x8f\x90\x9d"  # in Windows-1252; Latin-1 has control characters there
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MONEY = r"(?:[€$£¥]|[A-Z]{3}(?=\s))\s*"
_MARKED = re.compile(  # with or without a unit
    rf"(?:{_MONEY})?([+-]?[0-9](?:[0-9.,'’\s]*[0-9.,])?)\s*(?:[^0-9.,'’\s][^0-9]{{0,14}})?$"
)
_PLAIN = re.compile("[+-]?[0-9][0-9., '’]*")
_LINE_END = re.compile(rb"\r\n|\n|\r")
_WITHIN_WORDS = {  # bytes of small letters; in Windows-1252 those of the others are marks or capitals, hardly within a word
    "windows-1252": rb"\xe0-\xff",
    "windows-1250": rb"\x9d\x9f\xb3\xb9\xbe\xbf",
    "cp850": rb"\x81\x82\x84\x87\x88\x94",
    "mac_roman": rb"\x8a\x8d\x8e\x8f\x90\x95\x9f\xa7",
}
_OFTEN = 0.1  # of the bytes within words that would be small letters in Windows-1252


@within_memory()
def detect(content: bytes) -> tuple[Format, bool]:
    """Return the format that fits the names of columns and most of the first 1,000 records.

    Lines above the names decide nothing.

    Returns:
        The format, and whether each number with its decimal mark could also be a whole number, as 1.234.

    Raises:
        TableError: If the bytes are not text.
    """
    refuse_other_kinds(content)
    wide = content.startswith(_UTF16)
    body, blank = cleaned(content[:_HEAD], "utf-16" if wide else "utf-8")
    lines = body.decode("utf-8", errors="replace").split("\n")
    _, delimiter, first, several, below = max((_split(lines, mark) for mark in DELIMITERS), key=itemgetter(0))
    line = blank + first + 1
    names = HeaderLines(line if line <= LAST_LINE else 1, several)  # from line 1 on, blank lines are passed over
    ends = [end.end() for end in islice(_LINE_END.finditer(content), names.first - 1)]
    encoding = "utf-16" if wide else _encoding(content[ends[-1] :] if ends else content)
    if encoding not in ("utf-8", "utf-16"):  # a hard blank between thousands is not UTF-8
        lines = cleaned(content[:_HEAD], encoding)[0].decode("utf-8").split("\n")
    numbers = _numbers_of(_records(lines[below : below + _RECORDS], delimiter)[1])
    decimal, thousands = _marks(numbers)
    form = Format(encoding, delimiter, decimal, thousands, names)
    return form, not thousands and _are_thousands(numbers, decimal) is None


def first_lines(content: bytes, form: Format, most: int) -> list[str]:
    """Return at most so many first lines of a text, as they are."""
    body, blank = cleaned(content[:_HEAD], form.encoding)
    return [*[""] * min(blank, most), *body.decode("utf-8", errors="replace").split("\n")][:most]


def _encoding(content: bytes) -> str:
    if in_utf8(content):
        return "utf-8"
    first = re.search(b"[\x80-\xff]", content)
    some = content[first.start() - 1 :][:_WORDS] if first and first.start() else content[:_WORDS]
    within = {
        encoding: len(re.findall(rb"(?<=[a-z\xe0-\xff])[%b](?=[a-z\xe0-\xff])" % letters, some))
        for encoding, letters in _WITHIN_WORDS.items()
    }
    usual = within.pop("windows-1252")
    likely = max(within, key=within.__getitem__)
    if within[likely] > _OFTEN * usual:
        return likely
    return "latin-1" if any(byte in content for byte in _UNDEFINED) else "windows-1252"


def _split(lines: Sequence[str], mark: str) -> tuple[tuple[bool, int, int], str, int, int, int]:
    """Split the first lines of a text by a separator.

    Returns:
        How well the separator fits (larger is better): whether the names are words, and how many records are not wider than
        these. Then the separator, the place of the first line of names, their number, and the place of the line below them.
    """
    sizes = accumulate(len(line) for line in lines[:_LINES])
    some = lines[: max(1, sum(size <= _LETTERS for size in sizes))]
    begins, rows = _records(some, mark)
    place, several = header.found(rows)
    names = header.joined(rows[place : place + max(1, several)])
    covered = sum(any(row[1:]) and len(row) - (not row[-1]) <= len(names) for row in rows[place:])
    words = 2 * covered > len(rows) - place and not any(map(header.is_value, names))
    marks = sum(len(row) - 1 for row in rows[place : place + several])
    if not several:  # 1,5;2,5 has as many commas as there would be columns, and 5;2 is no number
        marks = sum(_PLAIN.fullmatch(cell) is not None for row in rows[place:] for cell in row)
    return (words, covered, marks * 10 + (mark == ",")), mark, begins[place], several, begins[place + several]


def _records(lines: Sequence[str], mark: str) -> tuple[list[int], list[list[str]]]:
    """Return the line in which each record begins and the line below, and the cells of each: at least one record."""
    reader, begins, rows = csv.reader((line + "\n" for line in lines), delimiter=mark, skipinitialspace=True), [0], []
    for row in reader:
        rows.append([cell.strip() for cell in row[: MOST_COLUMNS + 1]] or [""])  # a file with more names is refused
        begins.append(reader.line_num)
    return (begins, rows) if rows else ([0, 1], [[""]])


def _numbers_of(records: Iterable[Sequence[str]]) -> list[list[str]]:
    """Return the numbers in each column of records, without their units."""
    columns = defaultdict[int, list[str]](list)
    cells = ((place, value) for record in records for place, value in enumerate(record))
    numbers = ((place, found[1]) for place, value in cells if (found := _MARKED.match(value.strip())))
    for place, number in islice(numbers, _CELLS):
        columns[place].append(number)
    return list(columns.values())


def marks_of_numbers(records: Iterable[Sequence[str]]) -> tuple[str, str]:
    """Return the decimal mark and the thousands separator of the numbers in records of texts."""
    return _marks(_numbers_of(records))


def _marks(columns: Sequence[Sequence[str]]) -> tuple[str, str]:
    """Return the decimal mark and the thousands separator with which most cells are numbers.

    Of marks that fit equally many cells, the plainest win, and a point wins over a comma. If all these cells could be whole
    numbers, the other numbers of their columns decide.
    """
    cells = [cell for column in columns for cell in column if not cell.isdecimal()]
    ways = [
        Format(decimal=decimal, thousands=thousands)
        for thousands, decimal in product(THOUSANDS, DECIMALS)
        if thousands != decimal
    ]
    counts = [sum(1 for cell in cells if pattern.match(cell)) for pattern in (re.compile(way.number) for way in ways)]
    best = ways[counts.index(max(counts))]
    if not best.thousands and _are_thousands(columns, best.decimal):
        return (_OTHER[best.decimal], best.decimal)
    return best.decimal, best.thousands


_OTHER = {".": ",", ",": "."}
_SURE = 10  # so many numbers with three decimals do not all end in another digit than 0 by chance
_NINES = re.compile(r"[+-]?9+")  # a code for a missing value


def _are_thousands(columns: Sequence[Sequence[str]], mark: str) -> bool | None:
    """Return whether 1.234 is a whole number; None if that is unknown.

    It can be one only if every number with the mark can. It is one if the other numbers of these columns have at most three
    digits.
    """
    marked = [column for column in columns if any(mark in cell for cell in column)]
    cells = [cell for column in marked for cell in column if mark in cell]
    grouped = re.compile(rf"[+-]?[1-9][0-9]{{0,2}}(?:{re.escape(mark)}[0-9]{{3}})+")
    if not cells or not all(map(grouped.fullmatch, cells)):
        return False
    beside = [cell.lstrip("+-") for column in marked for cell in column if mark not in cell and not _NINES.fullmatch(cell)]
    if any(len(cell) > 3 for cell in beside):
        return False
    return True if beside and len(cells) >= _SURE else None
