"""Workbooks whose cells have whole numbers of many digits: the parser makes floats of them, so they are made text before."""

from __future__ import annotations

import io
import re
import zipfile

from pages.files.extent import part_of

_EXCEL = re.compile(rb"<((?:\w+:)?c)\b([^>]*)>(\s*<(?:\w+:)?v>\s*[+-]?[0-9]{16,}\s*</)")
_EXCEL_TYPE = re.compile(rb'\st="([^"]*)"')
_ODS = re.compile(rb'<table:(?:covered-)?table-cell\b[^>]*\soffice:value="[+-]?[0-9]{16,}"[^>]*>')


def with_long_numbers_as_text(content: bytes, sheet: str) -> bytes | None:
    """Return a workbook of Excel or LibreOffice with whole numbers of 16 digits or more as text; None for one without them.

    Raises:
        zipfile.BadZipFile: If the archive is broken.
    """
    book = zipfile.ZipFile(io.BytesIO(content))
    name = "content.xml" if "content.xml" in book.namelist() else part_of(book, sheet)
    if name is None:
        return None
    text = book.read(name)
    changed = _ODS.sub(_ods_text, text) if name == "content.xml" else _EXCEL.sub(_excel_text, text)
    if changed == text:
        return None
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as copy:
        for part in book.infolist():
            copy.writestr(part.filename, changed if part.filename == name else book.read(part))
    return out.getvalue()


def _excel_text(cell: re.Match[bytes]) -> bytes:
    tag, options, value = cell.groups()
    kind = _EXCEL_TYPE.search(options)
    if kind and kind[1] != b"n":
        return cell[0]
    return b'<%b%b t="str">%b' % (tag, _EXCEL_TYPE.sub(b"", options), value)


def _ods_text(cell: re.Match[bytes]) -> bytes:
    typed = re.sub(rb'\soffice:value-type="[^"]*"', b' office:value-type="string"', cell[0])
    return typed.replace(b" office:value=", b" office:string-value=")
