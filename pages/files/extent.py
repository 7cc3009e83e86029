"""How large a workbook is, before it is parsed: what its parts unpack to, and how far the cells of a sheet reach."""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from math import prod
from posixpath import join, normpath
from typing import IO
from xml.etree import ElementTree

_CHUNK = 2**16  # bytes that are unpacked at once: few enough to be reused
_SHORT = 2**20  # of such a sheet all cells are looked at
_HEAD = 2**14  # what a sheet says of itself stands in so many first bytes
_DIMENSION = re.compile(rb'<(?:\w+:)?dimension\s[^>]*?ref="([A-Z]{1,9})(\d{1,18}):([A-Z]{1,9})(\d{1,18})"')
_CELL = re.compile(rb"<(?:\w+:)?c(\s[^>]*)?>\s*<(?:\w+:)?(?:v|is|f)\b")
_PLACE = re.compile(rb'\sr="([A-Z]{1,9})(\d{1,18})"')
_LONGEST = 2**24  # a row that is longer is not looked at
_ROW, _ROW_ENDS = b"<table:table-row", b"</table:table-row>"
_ROWS_REPEATED, _CELLS_REPEATED = (re.compile(rb'number-%s-repeated="(\d{1,18})"' % what) for what in (b"rows", b"columns"))
_CELL_OF_ODS = re.compile(rb"<table:(?:covered-)?table-cell\b([^>]*)>")
_RELATED = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
Size = tuple[int, int]  # rows, columns


def unpacked(content: bytes, parts: Iterable[zipfile.ZipInfo], most: int) -> int:
    """Return how many bytes these parts of an archive unpack to, whatever its directory says; of many, a number above ``most``.

    Raises:
        zlib.error: If a part cannot be unpacked.
    """
    size = 0
    for part in parts:
        packed = _packed(content, part)
        if part.compress_type != zipfile.ZIP_DEFLATED:
            size += len(packed)
            continue
        inflated = zlib.decompressobj(-zlib.MAX_WBITS)
        for start in range(0, len(packed), _CHUNK):
            left = bytes(packed[start : start + _CHUNK])
            while left and not inflated.eof and size <= most:
                size += len(inflated.decompress(left, _CHUNK))
                left = inflated.unconsumed_tail
    return size


def _packed(content: bytes, part: zipfile.ZipInfo) -> memoryview:
    """The bytes of a part as they are in the archive, behind its own header."""
    name, extra = struct.unpack_from("<HH", content, part.header_offset + 26)
    return memoryview(content)[part.header_offset + 30 + name + extra :][: part.compress_size]


def excel(book: zipfile.ZipFile, sheet: str, most: int) -> Size | None:
    """Rows and columns of a sheet of Excel that has more than so many cells; None for one that may have fewer.

    Programs write what they please of a sheet's dimension, so the places of its cells are looked at, if it is short (two far
    cells are enough) or says that it is too large. Other sheets are stopped by the limit of memory.
    """
    part = part_of(book, sheet)
    if part is None:
        return None
    with book.open(part) as text:
        said = _DIMENSION.search(text.read(_HEAD))
    if book.getinfo(part).file_size > _SHORT and (said is None or prod(_around([said.groups()[:2], said.groups()[2:]])) <= most):
        return None
    found = _around(_place(cell[1] or b"") for cell in _CELL.finditer(book.read(part)))
    return found if prod(found) > most else None


def part_of(book: zipfile.ZipFile, sheet: str) -> str | None:
    """Return the name in the archive of the sheet's text; None if it has none in XML."""
    try:
        listed = ElementTree.fromstring(book.read("xl/workbook.xml")).iter()
        known = {each.get("name"): each.get(_RELATED) for each in listed if each.tag.endswith("}sheet")}
        related = ElementTree.fromstring(book.read("xl/_rels/workbook.xml.rels"))
        found = {each.get("Id"): each.get("Target", "") for each in related}.get(known.get(sheet))
    except (ElementTree.ParseError, KeyError):
        return None
    part = normpath(join("/xl", found)).lstrip("/") if found else ""
    return part if part in book.namelist() else None


def _place(options: bytes) -> tuple[bytes, ...]:
    """Of a cell; one that does not say it stands near the beginning."""
    said = _PLACE.search(options)
    return said.groups() if said else (b"A", b"1")


def _around(places: Iterable[tuple[bytes, ...]]) -> Size:
    """The least rectangle around cells, by their columns' letters and their rows."""
    left = top = 10**19
    right = bottom = 0
    for letters, number in places:
        column, row = _column(letters), int(number)
        left, right, top, bottom = min(left, column), max(right, column), min(top, row), max(bottom, row)
    return max(0, bottom - top + 1), max(0, right - left + 1)


def _column(letters: bytes) -> int:
    """A is 1, Z 26, AA 27."""
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number


def repeated(book: zipfile.ZipFile) -> int:
    """How many cells of a workbook of LibreOffice stand in rows that hold something, and are written once for several."""
    with book.open("content.xml") as text:
        return sum(_times(_ROWS_REPEATED, row.partition(b">")[0]) * _width(row) for row in _repeated_rows(text))


def _repeated_rows(text: IO[bytes]) -> Iterator[bytes]:
    """The text of each row that is written once for several, without its end."""
    for piece in _pieces(text, _ROW_ENDS):
        if b"number-rows-repeated" in piece:
            rows = (row[max(row.rfind(_ROW), 0) :] for row in piece.split(_ROW_ENDS))
            yield from (row for row in rows if _ROWS_REPEATED.search(row.partition(b">")[0]))


def _pieces(text: IO[bytes], end: bytes) -> Iterator[bytes]:
    """All of a text, in pieces that each end with this, but perhaps the last."""
    kept = b""
    while chunk := text.read(_CHUNK):
        whole, found, kept = (kept + chunk).rpartition(end)
        yield whole + found
        kept = kept if len(kept) < _LONGEST else b""
    yield kept


def _width(row: bytes) -> int:
    """Up to its last cell that holds something."""
    width = filled = 0
    for cell in _CELL_OF_ODS.finditer(row):
        width += _times(_CELLS_REPEATED, cell[1])
        filled = width if b"value-type=" in cell[1] else filled
    return filled


def _times(written: re.Pattern[bytes], options: bytes) -> int:
    found = written.search(options)
    return int(found[1]) if found else 1
