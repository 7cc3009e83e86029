"""What a file seems to be written in: proposed to its holder, who confirms or changes it, and never looked at again."""

from __future__ import annotations

import codecs
import csv
import re
from itertools import islice, product

from dpcore.workbench.csv_columns.content import cleaned, in_utf8, out_of_memory, refuse_what_is_no_text
from dpcore.workbench.csv_columns.format import DECIMALS, THOUSANDS, Format

_HEAD = 2**21  # bytes that delimiter and numbers are looked for in; the encoding is looked for in all of them
_RECORDS, _CELLS = 1_000, 20_000
_UNDEFINED = b"\x81\x8d\x8f\x90\x9d"  # in Windows-1252; Latin-1 has control characters there
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def detected(content: bytes) -> Format:
    """The format that fits most of the first 1,000 records; TableError where the bytes are no text."""
    refuse_what_is_no_text(content)
    try:
        return _detected(content)
    except MemoryError:
        raise out_of_memory() from None


def _detected(content: bytes) -> Format:
    encoding = _encoding(content)
    head = content[:_HEAD]
    body = cleaned(content if head.isspace() else head, encoding)[0]
    delimiter = _delimiter(body)
    decimal, thousands = _numbers(_cells(body, delimiter))
    return Format(encoding, delimiter, decimal, thousands)


def _encoding(content: bytes) -> str:
    if content.startswith(_UTF16):
        return "utf-16"
    if in_utf8(content):
        return "utf-8"
    return "latin-1" if any(byte in content for byte in _UNDEFINED) else "windows-1252"


def _delimiter(body: bytes) -> str:
    """What the first line has most of, outside quotation marks; the comma where it has none."""
    first = re.sub(rb'"[^"]*"', b"", body.partition(b"\n")[0])
    return max(",;\t|", key=lambda mark: first.count(mark.encode()) * 10 + (mark == ","))


def _cells(body: bytes, delimiter: str) -> list[str]:
    """Those of the first records that could be numbers written in more than one way."""
    lines = body.decode("utf-8", errors="replace").split("\n")[: _RECORDS + 1]
    try:
        records = list(csv.reader((line + "\n" for line in lines), delimiter=delimiter, skipinitialspace=True))[1:]
    except csv.Error:  # a value that is longer than this reader takes: it is refused, or text
        return []
    marked = (cell for record in records for value in record if re.match(r"[+-]?[0-9][0-9.,'’\s]*$", cell := value.strip()))
    return list(islice((cell for cell in marked if not cell.isdecimal()), _CELLS))


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
