"""Workbooks of Excel and LibreOffice: a sheet as the CSV that saving it would give, so that one reader reads both."""

from __future__ import annotations

import csv
import datetime
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from math import prod
from posixpath import join, normpath
from typing import IO, Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from dpcore.errors import TableError
from pages.files.csv_columns.file_content import MOST_BYTES, too_large
from pages.files.parquet import MOST_CELLS, package

# How many cells a workbook has, before it is parsed: by its own word, and counted in its text where that cannot be so.


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


def excel(book: zipfile.ZipFile, sheet: str, most: int) -> Size | None:
    """Rows and columns of a sheet of Excel that has more than so many cells; None for one that may have fewer.

    Its dimension is read first. One that is too large need not be true, for programs write what they please: then all cells
    are looked at, and those count that hold something. In a short text they are in any case, for two far ones are enough. A
    long text that says too little of itself is not found out here, but by the limit of memory.
    """
    part = _part(book, sheet)
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


def _part(book: zipfile.ZipFile, sheet: str) -> str | None:
    """The name in the archive of the sheet's text; None where it has none in XML."""
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


MOST_UNPACKED = 400 * 2**20  # as the archive's directory has it; beyond that the limit of memory holds
_ARCHIVE, _OLE2 = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_OLD_LOCK = re.compile(rb"\x09\x08\x10\0.{16}(?:\x86\0\0\0)?\x2f\0", re.DOTALL)  # BOF, WriteProtect, FilePass of [MS-XLS]
_PARTS = ("xl/workbook.xml", "xl/workbook.bin", "content.xml")
_MOST = "at most 5 million cells are read"
_MOST_NAME = 255
_WHOLE = 1e15  # below that a whole number is written without a point


def sheets(content: bytes) -> tuple[dict[str, Any], list[NDArray[Any]]]:
    """The names of its sheets that can be seen; TableError for what is no workbook, or has none."""
    calamine = _calamine()
    table, seen = calamine.SheetTypeEnum.WorkSheet, calamine.SheetVisibleEnum.Visible
    with _opened(content) as book:
        # Excel takes names of 31 letters: one that is empty, longer than any or cut by a zero byte is none that people gave
        named = [sheet for sheet in book.sheets_metadata if 0 < len(sheet.name) <= _MOST_NAME and "\0" not in sheet.name]
        plain = [sheet for sheet in named if sheet.typ == table]
        names = [sheet.name for sheet in plain if sheet.visible == seen] or [sheet.name for sheet in plain]
    if not names:
        raise TableError("The workbook has no sheet with a table.", "Put the table on a sheet of its own.")
    return {"sheets": names}, []


def read(content: bytes, name: str) -> tuple[dict[str, Any], list[NDArray[Any]]]:
    """The sheet as the bytes of a CSV in UTF-8. A date is 2024-01-31; of merged cells the first has the value."""
    with _opened(content, name) as book:
        if name not in book.sheet_names:
            raise TableError("The workbook has no sheet of this name.", "Choose another sheet.")
        sheet = book.get_sheet_by_name(name)
        if sheet.start is None:
            raise TableError("The sheet is empty.", "Choose another sheet, or put a table on it.")
        if sheet.height * sheet.width > MOST_CELLS:
            raise too_large(_too_many(sheet.height, sheet.width))
        return {}, [_as_csv(islice(sheet.iter_rows(), sheet.start[0], None))]


def _calamine() -> Any:
    return package("python_calamine", "Excel and ODS workbooks")


@contextmanager
def _opened(content: bytes, sheet: str = "") -> Iterator[Any]:
    calamine = _calamine()
    _refuse(content, sheet)
    try:
        with calamine.CalamineWorkbook.from_object(io.BytesIO(content)) as book:
            yield book
    except (TableError, MemoryError):
        raise
    except calamine.PasswordError:
        raise _locked() from None
    except (calamine.CalamineError, OSError, ValueError, OverflowError):
        raise _broken() from None
    except BaseException as error:  # a panic of its parser is none of Exception
        if type(error).__name__ != "PanicException":
            raise
        raise _broken() from None


def _refuse(content: bytes, sheet: str) -> None:
    """What can be said before anything is unpacked."""
    if content.startswith(_OLE2) and ("EncryptedPackage".encode("utf-16-le") in content or _OLD_LOCK.search(content)):
        raise _locked()
    if not content.startswith(_ARCHIVE):
        return
    try:
        book = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise _broken() from None
    parts = book.infolist()
    if not any(part.filename in _PARTS for part in parts):
        raise TableError(
            "The file is a ZIP archive or a document, and no workbook, whatever its name says.",
            "Unpack it, and upload the table in it.",
        )
    if sum(part.file_size for part in parts) > MOST_UNPACKED:
        raise TableError(
            f"The workbook takes more than {MOST_UNPACKED // 2**20} MB once it is unpacked.",
            "Leave out sheets, columns or records that are not needed.",
        )
    if problem := _extent_problem(book, sheet):
        raise too_large(problem)


def _extent_problem(book: zipfile.ZipFile, sheet: str) -> str:
    """What is too large; empty also where a part cannot be unpacked, for that its parser says."""
    with suppress(zipfile.BadZipFile, ValueError, OSError, NotImplementedError, RuntimeError, EOFError, zlib.error):
        if "content.xml" in book.namelist():
            cells = repeated(book)
            return f"The workbook repeats rows until they have {cells:,} cells; {_MOST}." if cells > MOST_CELLS else ""
        if sheet and (size := excel(book, sheet, MOST_CELLS)):
            return _too_many(*size)
    return ""


def _too_many(rows: int, columns: int) -> str:
    return f"The sheet has {rows:,} rows of {columns:,} columns; {_MOST}."


def _locked() -> TableError:
    return TableError("The workbook is protected by a password.", "Open it, and save it without one.")


def _broken() -> TableError:
    return TableError("The workbook is broken, or of a kind that is not read.", "Open it and save it again, or save it as CSV.")


def _as_csv(rows: Iterator[list[Any]]) -> NDArray[Any]:
    written = io.BytesIO()
    out = io.TextIOWrapper(written, "utf-8", "replace", newline="")  # which keeps no second copy of the whole
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow([str(_value(cell)) for cell in next(rows)])
    writer.writerows([_value(cell) for cell in row] for row in rows)
    out.flush()
    if written.tell() > MOST_BYTES:
        raise too_large(f"The sheet has {written.tell() / 2**20:.0f} MB of text; at most {MOST_BYTES // 2**20} MB are read.")
    return np.frombuffer(written.getbuffer(), dtype=np.uint8)


def _value(cell: Any) -> Any:
    """As it stands in a CSV."""
    if isinstance(cell, bool):
        return str(cell)
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() and abs(cell) < _WHOLE else cell
    if isinstance(cell, datetime.datetime):
        return str(cell if cell.time() != datetime.time() else cell.date())
    if isinstance(cell, datetime.timedelta):
        return _elapsed(cell)
    return cell if isinstance(cell, (int, str)) else str(cell)


def _elapsed(time: datetime.timedelta) -> str:
    """30:00:00, and not a day and six hours."""
    minutes, seconds = divmod(round(abs(time).total_seconds()), 60)
    return f"{'-' * (time < datetime.timedelta())}{minutes // 60}:{minutes % 60:02}:{seconds:02}"
