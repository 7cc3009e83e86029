"""Small workbooks, made by hand: the parts of one by their names, and the parts as a file."""

from __future__ import annotations

import datetime
import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_ODS = "urn:oasis:names:tc:opendocument:xmlns"
Rows = Sequence[Sequence[Any]]


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    """A ZIP archive of these parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(zipfile.ZipInfo(name), part, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def xlsx_parts(sheets: Mapping[str, Rows]) -> dict[str, str]:
    """Of a workbook of Excel; dates are numbers in a style of dates, as Excel has them."""
    listed = "".join(f'<sheet name="{escape(name)}" sheetId="{i}" r:id="rId{i}"/>' for i, name in enumerate(sheets, 1))
    related = {f"rId{i}": ("worksheet", f"worksheets/sheet{i}.xml") for i in range(1, len(sheets) + 1)}
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"/>',
        "_rels/.rels": relations({"rId1": ("officeDocument", "xl/workbook.xml")}),
        "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(related | {"rId99": ("styles", "styles.xml")}),
        "xl/styles.xml": f'<styleSheet xmlns="{_SHEET}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    }
    for i, rows in enumerate(sheets.values(), 1):
        data = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
        parts[f"xl/worksheets/sheet{i}.xml"] = f'<worksheet xmlns="{_SHEET}"><sheetData>{data}</sheetData></worksheet>'
    return parts


def xlsx(sheets: Mapping[str, Rows]) -> bytes:
    """A workbook of Excel."""
    return packed(xlsx_parts(sheets))


def merged_xlsx(sheets: Mapping[str, Rows], merged: Mapping[str, Sequence[str]]) -> bytes:
    """A workbook of Excel in whose sheets these cells were merged, such as A1:C1."""
    parts = xlsx_parts(sheets)
    for i, name in enumerate(sheets, 1):
        if cells := "".join(f'<mergeCell ref="{one}"/>' for one in merged.get(name, ())):
            part = f"xl/worksheets/sheet{i}.xml"
            parts[part] = parts[part].replace("</worksheet>", f"<mergeCells>{cells}</mergeCells></worksheet>")
    return packed(parts)


def xlsx_of(sheet: str, **parts: str) -> bytes:
    """A workbook of Excel with this text inside its sheet S, and other parts by their names in the folder xl."""
    text = f'<worksheet xmlns="{_SHEET}" xmlns:r="{_OFFICE}">{sheet}</worksheet>'
    given = {f"xl/{name}.xml": part for name, part in parts.items()}
    return packed(xlsx_parts({"S": []}) | {"xl/worksheets/sheet1.xml": text} | given)


def ods(sheets: Mapping[str, Rows]) -> bytes:
    """A workbook of LibreOffice, of numbers, dates and text."""
    written = {
        name: "".join(f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in rows)
        for name, rows in sheets.items()
    }
    return ods_of(written)


def ods_of(sheets: Mapping[str, str]) -> bytes:
    """A workbook of LibreOffice with this text inside its sheets."""
    tables = "".join(f'<table:table table:name="{escape(name)}">{rows}</table:table>' for name, rows in sheets.items())
    spaces = " ".join(f'xmlns:{name}="{_ODS}:{name}:1.0"' for name in ("office", "table", "text"))
    body = f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
    content = f'<?xml version="1.0"?><office:document-content {spaces}>{body}</office:document-content>'
    manifest = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    return packed({"mimetype": kind, "META-INF/manifest.xml": manifest, "content.xml": content})


def relations(some: Mapping[str, tuple[str, str]]) -> str:
    """The part that says of which kind others are, and where they are, by their ids."""
    listed = "".join(f'<Relationship Id="{i}" Type="{_OFFICE}/{kind}" Target="{to}"/>' for i, (kind, to) in some.items())
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{listed}</Relationships>'


def _cell(value: Any) -> str:
    if value is None:
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, datetime.date):
        return f'<c s="1"><v>{(value - datetime.date(1899, 12, 30)).days}</v></c>'
    if isinstance(value, str):
        return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f"<c><v>{value}</v></c>"


def _ods_cell(value: Any) -> str:
    if value is None:
        return "<table:table-cell/>"
    text = f"<text:p>{escape(str(value))}</text:p>"
    if isinstance(value, datetime.date):
        return f'<table:table-cell office:value-type="date" office:date-value="{value}">{text}</table:table-cell>'
    if isinstance(value, str):
        return f'<table:table-cell office:value-type="string">{text}</table:table-cell>'
    return f'<table:table-cell office:value-type="float" office:value="{value}">{text}</table:table-cell>'
