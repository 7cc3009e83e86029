"""How many cells a workbook has, before it is parsed: by its own word, and counted in its text where that cannot be so."""

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

from pages.files.large_files import count

_CHUNK = 2**20
_LONGEST = 2**24  # a row or tag that is longer is not looked at
_SHORT = 2**20  # 40 ms
_HEAD = 2**14  # what a sheet says of itself stands in so many first bytes
_DIMENSION = re.compile(rb'<(?:\w+:)?dimension\s[^>]*?ref="([A-Z]{1,9})(\d{1,18}):([A-Z]{1,9})(\d{1,18})"')
_TAG = re.compile(rb"<(?:\w+:)?(row|c|v|is)(\s[^>]*)?>")
_ROW_AT, _CELL_AT = re.compile(rb'\sr="(\d{1,18})"'), re.compile(rb'\sr="([A-Z]{1,9})\d*"')
_ROW, _ROW_ENDS = b"<table:table-row", b"</table:table-row>"
_ROWS_REPEATED, _CELLS_REPEATED = (re.compile(rb'number-%s-repeated="(\d{1,18})"' % what) for what in (b"rows", b"columns"))
_CELL = re.compile(rb"<table:(?:covered-)?table-cell\b([^>]*)>")
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
                count(size)
    return size


def _packed(content: bytes, part: zipfile.ZipInfo) -> memoryview:
    """The bytes of a part as they are in the archive, behind its own header."""
    name, extra = struct.unpack_from("<HH", content, part.header_offset + 26)
    return memoryview(content)[part.header_offset + 30 + name + extra :][: part.compress_size]


def excel(book: zipfile.ZipFile, sheet: str, most: int) -> Size | None:
    """Rows and columns of a sheet of Excel that has more than so many cells; None for one that may have fewer.

    Its dimension is read first. One that is too large need not be true, for programs write what they please: then all cells
    are looked at, and those count that hold something. In a short text they are in any case, for two far ones are enough. A
    long text that says too little of itself is not found out here, but by the limit of memory.
    """
    part = part_of(book, sheet)
    if part is None:
        return None
    with book.open(part) as text:
        said = _DIMENSION.search(text.read(_HEAD))
    if book.getinfo(part).file_size > _SHORT and (said is None or prod(_size(said)) <= most):
        return None
    with book.open(part) as text:
        found = _counted(text)
    return found if prod(found) > most else None


def repeated(book: zipfile.ZipFile) -> int:
    """How many cells of a workbook of LibreOffice stand in rows that hold something, and are written once for several."""
    with book.open("content.xml") as text:
        return sum(_times(_ROWS_REPEATED, row.partition(b">")[0]) * _width(row) for row in _repeated_rows(text))


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


def _size(said: re.Match[bytes]) -> Size:
    left, top, right, bottom = said.groups()
    return int(bottom) - int(top) + 1, _column(right) - _column(left) + 1


def _column(letters: bytes) -> int:
    """A is 1, Z 26, AA 27."""
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number


def _counted(text: IO[bytes]) -> Size:
    """The least rectangle around the cells that hold something; a cell without a place stands after the one before it."""
    row = column = right = bottom = 0
    left = top = 10**19
    for tag in (tag for piece in _pieces(text, b">") for tag in _TAG.finditer(piece)):
        kind, options = tag[1], tag[2] or b""
        if kind == b"row":
            at = _ROW_AT.search(options)
            row, column = int(at[1]) if at else row + 1, 0
        elif kind == b"c":
            at = _CELL_AT.search(options)
            column = _column(at[1]) if at else column + 1
        else:
            left, right, top, bottom = min(left, column), max(right, column), min(top, row), max(bottom, row)
    return (bottom - top + 1, right - left + 1) if right else (0, 0)


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
    for cell in _CELL.finditer(row):
        width += _times(_CELLS_REPEATED, cell[1])
        filled = width if b"value-type=" in cell[1] else filled
    return filled


def _times(written: re.Pattern[bytes], options: bytes) -> int:
    found = written.search(options)
    return int(found[1]) if found else 1
