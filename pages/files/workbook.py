"""Workbooks of Excel and LibreOffice: the cells of a sheet, as a CSV of it would have them."""

from __future__ import annotations

import datetime
import io
import re
import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import pyarrow as pa

from dpcore.errors import TableError
from pages.files import header
from pages.files.cells import trimmed
from pages.files.form import HeaderLines
from pages.files.limits import MOST_CELLS, MOST_TEXT_BYTES, MOST_UNPACKED, Answer, too_large
from pages.files.text_detection import marks_of_numbers

_ARCHIVE, _OLE2 = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_LOCK = re.compile(  # of a new workbook; and BOF, WriteProtect, FilePass of an old one [MS-XLS]
    "EncryptedPackage".encode("utf-16-le") + rb"|\x09\x08\x10\0.{16}(?:\x86\0\0\0)?\x2f\0", re.DOTALL
)
_BROKEN = (OSError, ValueError, OverflowError, NotImplementedError, struct.error, zipfile.BadZipFile)
_MOST_NAME = 255
_SEEN, _ROWS = 50_000, 260  # cells and rows of a sheet that names of columns are looked for in
_SHOWN = 20  # rows that can be shown as they are
_LONGEST = 2**15  # letters of a cell among them, as many as Excel takes
_LONGEST_LINE = 200  # letters of a row that is shown
_TOGETHER = 2**16  # cells that are written at once
_EXACT = 2**53  # below that a float keeps every whole number


def seen(content: bytes) -> Answer:
    """Return the visible sheets: name, rows, columns, the lines of names, the marks in numbers that are text, and the first rows.

    Raises:
        TableError: If the file is not a workbook, or has no sheet.
    """
    import python_calamine as calamine

    table, visible = calamine.SheetTypeEnum.WorkSheet, calamine.SheetVisibleEnum.Visible
    with _opened(content) as book:
        # names in Excel have 1 to 31 letters: other ones come from damaged files
        named = [sheet for sheet in book.sheets_metadata if 0 < len(sheet.name) <= _MOST_NAME and "\0" not in sheet.name]
        plain = [sheet for sheet in named if sheet.typ == table]
        found = [_seen(book, sheet.name) for sheet in [one for one in plain if one.visible == visible] or plain]
    if not found:
        raise TableError("The workbook has no sheet with a table.", "Put the table on a sheet of its own.")
    return {"sheets": found}, None


def _seen(book: Any, name: str) -> dict[str, Any]:
    sheet = book.get_sheet_by_name(name)
    if sheet.start is None:
        return {"name": name, "rows": 0, "columns": 0, "first": 1, "lines": 1, "marks": [".", ""], "shown": []}
    rows = [[_text(cell) for cell in row] for row in islice(sheet.iter_rows(), min(_ROWS, max(2, _SEEN // sheet.width)))]
    place, lines = header.found(rows)
    below = islice(sheet.iter_rows(), place + lines, len(rows))
    marks = marks_of_numbers([cell if isinstance(cell, str) else "" for cell in row] for row in below)
    return {
        "name": name,
        "rows": sheet.height,
        "columns": sheet.width,
        "first": place + 1,
        "lines": lines,
        "marks": marks,
        "shown": [" | ".join(row)[:_LONGEST_LINE] for row in rows[:_SHOWN]],
    }


def _text(cell: Any) -> str:
    return str(_value(cell)).strip()[:_LONGEST]


def read(content: bytes, name: str, first: int = 1, lines: int = 1, decimal: str = ".") -> Answer:
    """Return the names and the cells of a sheet. A date is 2024-01-31. Of merged cells the first has the value.

    A column with a whole number of so many digits that the parser has rounded it is ``rounded``, and not read.

    Args:
        content: The workbook.
        name: The sheet's name.
        first: The row in which the names begin, from 1. Blank ones that come first are passed over.
        lines: Rows of names.
        decimal: The mark that numbers get, as those have that are text.
    """
    with _opened(content) as book:
        sheet = _sheet(book, name)
        if sheet.height * sheet.width > MOST_CELLS:
            size = f"{sheet.height:,} rows of {sheet.width:,} columns"
            raise too_large(f"The sheet has {size}; at most {MOST_CELLS / 1e6:.0f} million cells are read.")
        begins = sheet.start[0] + 1 if first == 1 else first
        rows = islice(sheet.iter_rows(), begins - 1, None)
        names = _names(rows, sheet, HeaderLines(begins, lines))
        cells, rounded = _cells(header.different(names), rows, decimal)
    return {"names": names, "rounded": rounded}, cells.drop_columns(rounded)


def _names(rows: Iterator[list[Any]], sheet: Any, at: HeaderLines) -> list[str]:
    """Return the names, which are taken off the rows."""
    if not at.lines:
        return header.different([""] * sheet.width)
    cells = [[_text(cell) for cell in row] for row in islice(rows, at.lines)]
    if len(cells) < at.lines:
        raise header.no_such_line(at.first + at.lines - 1, sheet.end[0] + 1)
    if not any(map(any, cells)):
        raise TableError(f"Line {at.first} of the sheet is empty.", header.SAY_WHERE)
    names = header.joined(cells)
    header.refuse_unusable(names, at)
    return names


def _sheet(book: Any, name: str) -> Any:
    """Return the sheet with this name. Raise TableError if it is missing or empty."""
    if name not in book.sheet_names:
        raise TableError("The workbook has no sheet of this name.", "Choose another sheet.")
    sheet = book.get_sheet_by_name(name)
    if sheet.start is None:
        raise TableError("The sheet is empty.", "Choose another sheet, or put a table on it.")
    return sheet


@contextmanager
def _opened(content: bytes) -> Iterator[Any]:
    import python_calamine as calamine

    try:
        _refuse(content)
        with calamine.CalamineWorkbook.from_object(io.BytesIO(content)) as book:
            yield book
    except (TableError, MemoryError):
        raise
    except calamine.PasswordError:
        raise _locked() from None
    except (calamine.CalamineError, *_BROKEN):
        raise _broken() from None
    except BaseException as error:  # a panic of its parser is a BaseException only
        if type(error).__name__ != "PanicException":
            raise
        raise _broken() from None


def _refuse(content: bytes) -> None:
    """Raise TableError for files that can be refused before unpacking. If a part unpacks to more than the archive's directory
    says, the parser reports it as broken.
    """
    if content.startswith(_OLE2) and _LOCK.search(content):
        raise _locked()
    if content.startswith(_ARCHIVE):
        unpacked = sum(part.file_size for part in zipfile.ZipFile(io.BytesIO(content)).infolist())
        if unpacked > MOST_UNPACKED:
            raise too_large(f"The workbook takes more than {MOST_UNPACKED // 2**20} MB once it is unpacked.")


def _locked() -> TableError:
    return TableError("The workbook is protected by a password.", "Open it, and save it without one.")


def _broken() -> TableError:
    return TableError("The workbook is broken, or of a kind that is not read.", "Open it and save it again, or save it as CSV.")


def _cells(names: list[str], rows: Iterator[list[Any]], decimal: str) -> tuple[Any, list[str]]:
    """Return the cells as text, and the columns with numbers that the parser has rounded."""
    parts, size, rounded = [], 0, set[str]()
    while block := list(islice(rows, max(1, _TOGETHER // len(names)))):
        columns = dict(zip(names, zip(*block, strict=True), strict=True))
        rounded |= {name for name, cells in columns.items() if any(map(_is_rounded, cells))}
        parts.append(pa.table({name: trimmed([_written(cell, decimal) for cell in cells]) for name, cells in columns.items()}))
        size += parts[-1].nbytes
        if size > MOST_TEXT_BYTES:
            raise too_large(f"The sheet has more than {MOST_TEXT_BYTES // 2**20} MB of text.")
    if sum(map(len, parts)) < 2:
        raise header.few_rows(sum(map(len, parts)))
    return pa.concat_tables(parts), sorted(rounded)


def _is_rounded(cell: Any) -> bool:
    """Return whether a number has more digits than a float keeps: then it may be an identifier with other ones in the file."""
    return isinstance(cell, float) and abs(cell) >= _EXACT and float(f"{cell:.15g}") != cell


def _written(cell: Any, decimal: str) -> str:
    value = _value(cell)
    return str(value).replace(".", decimal) if isinstance(value, float) else str(value)


def _value(cell: Any) -> Any:
    """Return a cell as a CSV has it."""
    if isinstance(cell, bool):
        return str(cell)
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() and abs(cell) < _EXACT else cell
    if isinstance(cell, datetime.datetime):
        return str(cell if cell.time() != datetime.time() else cell.date())
    if isinstance(cell, datetime.timedelta):
        minutes, seconds = divmod(round(abs(cell).total_seconds()), 60)
        sign = "-" if cell < datetime.timedelta() else ""
        return f"{sign}{minutes // 60}:{minutes % 60:02}:{seconds:02}"  # 30:00:00, and not a day and six hours
    return cell if isinstance(cell, (int, str)) else str(cell)
