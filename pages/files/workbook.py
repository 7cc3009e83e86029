"""Workbooks of Excel and LibreOffice: the cells of a sheet, as a CSV of it would have them."""

from __future__ import annotations

import datetime
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import accumulate, islice
from typing import Any

import pyarrow as pa

from dpcore.errors import TableError
from pages.files.cells import trimmed
from pages.files.csv_columns import header_lines
from pages.files.csv_columns.detection import marks_of_numbers
from pages.files.csv_columns.file_content import SAY_WHERE, composed, few_rows, no_such_line, too_large
from pages.files.csv_columns.header import different, refuse_no_names
from pages.files.csv_columns.header_lines import HeaderLines, Span
from pages.files.csv_columns.identifiers import EXACT
from pages.files.extent import Size, excel, repeated, unpacked
from pages.files.limits import MOST_CELLS, MOST_TEXT_BYTES, MOST_UNPACKED, Answer, UnreadableError
from pages.files.long_numbers import with_long_numbers_as_text

_ARCHIVE, _OLE2 = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_OLD_LOCK = re.compile(rb"\x09\x08\x10\0.{16}(?:\x86\0\0\0)?\x2f\0", re.DOTALL)  # BOF, WriteProtect, FilePass of [MS-XLS]
_PARTS = ("xl/workbook.xml", "xl/workbook.bin", "content.xml")
_BINARY = _PARTS[1].encode()  # of .xlsb
_MOST_NAME = 255
_SEEN, _ROWS = 50_000, 260  # cells and rows of a sheet that names of columns are looked for in
_LONGEST, _LETTERS = 2**15, 2**20  # letters of a cell among them, as many as Excel takes; and of the names of all sheets
_TOGETHER = 2**16  # cells that are written at once
_WHOLE = 1e16  # below that a whole number is written without a point


def sheets(content: bytes) -> Answer:
    """The names of its sheets that can be seen; TableError for what is no workbook, or has none."""
    import python_calamine as calamine

    table, seen = calamine.SheetTypeEnum.WorkSheet, calamine.SheetVisibleEnum.Visible
    with _opened(content) as book:
        # Excel takes names of 31 letters: one that is empty, longer than any or cut by a zero byte is none that people gave
        named = [sheet for sheet in book.sheets_metadata if 0 < len(sheet.name) <= _MOST_NAME and "\0" not in sheet.name]
        plain = [sheet for sheet in named if sheet.typ == table]
        names = [sheet.name for sheet in plain if sheet.visible == seen] or [sheet.name for sheet in plain]
    if not names:
        raise TableError("The workbook has no sheet with a table.", "Put the table on a sheet of its own.")
    return {"sheets": names}, None


def seen(content: bytes) -> Answer:
    """Of each sheet its name, its rows and columns, where its names of columns seem to be, these, and the marks in numbers that
    are text; no size of one that is too large to be looked at."""
    names = sheets(content)[0]["sheets"]
    with _opened(content) as book:
        found = [_seen(book, name, too_far=_too_far(content, name) is not None) for name in names]
    letters = accumulate(sum(map(len, one["names"])) for one in found)
    few = [one if so_far <= _LETTERS else one | {"names": []} for one, so_far in zip(found, letters, strict=True)]
    return {"sheets": few}, None


def _seen(book: Any, name: str, *, too_far: bool) -> dict[str, Any]:
    unknown = {"name": name, "rows": 0, "columns": 0, "first": 1, "lines": 1, "names": [], "marks": [".", ""]}
    if too_far:
        return unknown
    sheet = book.get_sheet_by_name(name)
    if sheet.start is None:
        return unknown
    rows, merged = _first_rows(sheet)
    place, lines = header_lines.found(rows, merged)
    above = rows[place : place + lines]
    names = different(header_lines.joined(above, header_lines.within(merged, place, lines)) or [""] * sheet.width)
    below = islice(sheet.iter_rows(), place + lines, len(rows))
    marks = marks_of_numbers([cell if isinstance(cell, str) else "" for cell in row] for row in below)
    size = {"rows": sheet.height, "columns": sheet.width}
    return unknown | size | {"first": place + 1, "lines": lines, "names": names, "marks": marks}


def first_rows(content: bytes, name: str) -> Answer:
    """The first rows of a sheet as texts, a blank one too."""
    with _opened(content, name) as book:
        return {"rows": _first_rows(_sheet(book, name))[0]}, None


def _first_rows(sheet: Any) -> tuple[list[list[str]], list[Span]]:
    rows = [[_text(cell) for cell in row] for row in islice(sheet.iter_rows(), min(_ROWS, max(2, _SEEN // sheet.width)))]
    return rows, [span for span in _merged(sheet) if span[0] < len(rows)]


def _merged(sheet: Any) -> list[Span]:
    """Cells that were merged across columns, as they are counted in the sheet's rows; a workbook of LibreOffice says none."""
    left = sheet.start[1]
    return [(top, start - left, last - left) for (top, start), (_, last) in sheet.merged_cell_ranges or ()]


def _text(cell: Any) -> str:
    return str(_value(cell)).strip()[:_LONGEST]


def read(content: bytes, name: str, first: int = 1, lines: int = 1, decimal: str = ".") -> Answer:
    """The names and the cells of a sheet. A date is 2024-01-31; of merged cells the first has the value, but where names are
    joined. Whole numbers have all digits that the file has; columns in which its parser rounds some are ``rounded``.

    ``first``: the row in which the names begin, from 1; blank ones that come first are passed over. ``lines``: rows of names.
    ``decimal``: the mark that numbers get, as those have that are text.
    """
    with _opened(content, name) as book:
        sheet = _sheet(book, name)
        if sheet.height * sheet.width > MOST_CELLS:
            raise _too_many(sheet.height, sheet.width)
        begins = max(first, sheet.start[0] + 1) if first == 1 else first
        rows = islice(sheet.iter_rows(), begins - 1, None)
        names = _names(rows, sheet, HeaderLines(begins, lines))
        cells, rounded = _cells(different(names), rows, decimal)
    if rounded and content.startswith(_ARCHIVE) and _BINARY not in content:
        if changed := _with_all_digits(content, name):
            return read(changed, name, first, lines, decimal)
        rounded = []  # programs write such numbers with an exponent
    return {"names": names, "rounded": rounded}, cells


def _with_all_digits(content: bytes, sheet: str) -> bytes | None:
    try:
        return with_long_numbers_as_text(content, sheet)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        raise _broken() from None


def _names(rows: Iterator[list[Any]], sheet: Any, at: HeaderLines) -> list[str]:
    """The names, which are taken off the rows."""
    if not at.lines:
        return different([""] * sheet.width)
    cells = [[_text(cell) for cell in row] for row in islice(rows, at.lines)]
    if len(cells) < at.lines:
        raise no_such_line(at.first + at.lines - 1, sheet.end[0] + 1)
    if not any(map(any, cells)):
        raise TableError(f"Line {at.first} of the sheet is empty.", SAY_WHERE)
    names = header_lines.joined(cells, header_lines.within(_merged(sheet), at.first - 1, at.lines))
    refuse_no_names(names, at)
    return names


def _sheet(book: Any, name: str) -> Any:
    """TableError where there is none of this name, or nothing on it."""
    if name not in book.sheet_names:
        raise TableError("The workbook has no sheet of this name.", "Choose another sheet.")
    sheet = book.get_sheet_by_name(name)
    if sheet.start is None:
        raise TableError("The sheet is empty.", "Choose another sheet, or put a table on it.")
    return sheet


@contextmanager
def _opened(content: bytes, sheet: str = "") -> Iterator[Any]:
    import python_calamine as calamine

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
    if _unpacked(content, parts) > MOST_UNPACKED:
        raise TableError(
            f"The workbook takes more than {MOST_UNPACKED // 2**20} MB once it is unpacked.",
            "Leave out sheets, columns or rows that are not needed.",
        )
    if "content.xml" in book.namelist():
        _refuse_repeated(book)
    if sheet and (size := _too_far(content, sheet)):
        raise _too_many(*size)


def _refuse_repeated(book: zipfile.ZipFile) -> None:
    """Of LibreOffice; a part that cannot be unpacked is left to its parser."""
    with suppress(zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, EOFError, zlib.error):
        if (cells := repeated(book)) > MOST_CELLS:
            most = f"at most {MOST_CELLS / 1e6:.0f} million cells are read"
            raise too_large(f"The workbook repeats rows until they have {cells:,} cells; {most}.")


def stated_size(content: bytes) -> int:
    """Return how many bytes a ZIP archive unpacks to, by its directory; 0 if it is none."""
    if not content.startswith(_ARCHIVE):
        return 0
    try:
        return sum(part.file_size for part in zipfile.ZipFile(io.BytesIO(content)).infolist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return 0


def _unpacked(content: bytes, parts: list[zipfile.ZipInfo]) -> int:
    """How many bytes they unpack to: by the archive's directory, and if that says few, as they are unpacked."""
    said = sum(part.file_size for part in parts)
    if said <= MOST_UNPACKED:
        with suppress(zlib.error, struct.error):  # its parser says what is broken
            return unpacked(content, parts, MOST_UNPACKED)
    return said


def _too_far(content: bytes, sheet: str) -> Size | None:
    """Rows and columns of a sheet that has too many cells; None also if a part cannot be unpacked, which its parser says."""
    with suppress(zipfile.BadZipFile, ValueError, OSError, NotImplementedError, RuntimeError, EOFError, zlib.error):
        return excel(zipfile.ZipFile(io.BytesIO(content)), sheet, MOST_CELLS)
    return None


def _too_many(rows: int, columns: int) -> TableError:
    return too_large(
        f"The sheet has {rows:,} rows of {columns:,} columns; at most {MOST_CELLS / 1e6:.0f} million cells are read."
    )


def _locked() -> TableError:
    return TableError("The workbook is protected by a password.", "Open it, and save it without one.")


def _broken() -> TableError:
    return UnreadableError(
        "The workbook is broken, or of a kind that is not read.", "Open it and save it again, or save it as CSV."
    )


def _cells(header: list[str], rows: Iterator[list[Any]], decimal: str) -> tuple[Any, list[str]]:
    """And the columns with a number so large that a float may have lost digits of it."""
    parts, size, largest = [], 0, [0.0] * len(header)
    while block := list(islice(rows, max(1, _TOGETHER // len(header)))):
        columns = list(zip(*block, strict=True))
        largest = [max(so_far, *map(_size_of, cells)) for so_far, cells in zip(largest, columns, strict=True)]
        written = [trimmed([_written(cell, decimal) for cell in cells]) for cells in columns]
        parts.append(pa.table(written, names=header))
        size += parts[-1].nbytes
        if size > MOST_TEXT_BYTES:
            raise too_large(f"The sheet has more than {MOST_TEXT_BYTES // 2**20} MB of text.")
    if sum(map(len, parts)) < 2:
        raise few_rows(sum(map(len, parts)))
    return pa.concat_tables(parts), [name for name, most in zip(header, largest, strict=True) if most >= EXACT]


def _size_of(cell: Any) -> float:
    return abs(cell) if isinstance(cell, float) else 0.0


def _written(cell: Any, decimal: str) -> str:
    value = _value(cell)
    if isinstance(value, str) and not value.isascii():
        return composed(value.replace("\u200b", ""))
    return str(value).replace(".", decimal) if isinstance(value, float) else str(value)


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
