"""Small workbooks in the binary forms of Excel, made by hand: old ones (.xls), protected ones, and .xlsb."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence

from tests.pages.files.workbooks import packed, relations

_SECTOR, _LEAST = 512, 4096  # a shorter stream would be kept elsewhere in the file
_FREE, _END, _TABLE, _NONE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
Rows = Sequence[Sequence[str | float]]


def ole2(streams: Mapping[str, bytes]) -> bytes:
    """A compound file of these streams ([MS-CFB], version 3): a header, a table of sectors, a directory, and the streams."""
    sectors, starts, table = b"", list[int](), [_TABLE, _END]
    for stream in streams.values():
        padded = stream.ljust(max(_LEAST, -len(stream) % _SECTOR + len(stream)), b"\0")
        starts.append(len(table))
        table += [*range(len(table) + 1, len(table) + len(padded) // _SECTOR), _END]
        sectors += padded
    entries = [_entry("Root Entry", 5, 1, _END, 0)]
    for i, (name, stream) in enumerate(streams.items()):
        entries.append(_entry(name, 2, _NONE, starts[i], max(len(stream), _LEAST), i + 2 if i + 1 < len(streams) else _NONE))
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<5H6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<9I", 0, 1, 1, 0, _LEAST, _END, 0, _END, 0) + struct.pack("<109I", 0, *[_FREE] * 108)
    return (
        header + struct.pack("<128I", *table, *[_FREE] * (128 - len(table))) + b"".join(entries).ljust(_SECTOR, b"\0") + sectors
    )


def _entry(name: str, kind: int, child: int, start: int, size: int, after: int = _NONE) -> bytes:
    named = name.encode("utf-16-le") + b"\0\0"
    return named.ljust(64, b"\0") + struct.pack("<HBB3I36xIQ", len(named), kind, 1, _NONE, after, child, start, size)


def xls(rows: Rows, days: frozenset[int] = frozenset()) -> bytes:
    """A workbook of Excel 97 ([MS-XLS]) with the sheet S; numbers in the columns ``days`` are in the style of dates."""
    styles = b"".join(_record(0xE0, struct.pack("<HHH14x", 0, style, 0)) for style in (0, 14))
    sheet = _record(0x809, struct.pack("<HHHH8x", 0x600, 0x10, 0, 0)) + b"".join(_xls_cells(rows, days)) + _record(0x0A)
    begin = _record(0x809, struct.pack("<HHHH8x", 0x600, 5, 0, 0)) + styles
    listed = _record(0x85, struct.pack("<IBBBB", len(begin) + 13 + 4, 0, 0, 1, 0) + b"S")
    return ole2({"Workbook": begin + listed + _record(0x0A) + sheet})


def _xls_cells(rows: Rows, days: frozenset[int]) -> Iterator[bytes]:
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            if isinstance(value, str):
                text = value.encode("utf-16-le")
                yield _record(0x204, struct.pack("<HHHHB", i, j, 0, len(value), 1) + text)
            else:
                yield _record(0x203, struct.pack("<HHHd", i, j, j in days, value))


def _record(kind: int, data: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def xlsb(rows: Rows, name: str = "S") -> bytes:
    """A workbook of Excel in binary parts ([MS-XLSB]) with the sheet S, or of another name."""
    listed = _part(156, struct.pack("<II", 0, 1) + _wide("rId1") + _wide(name))
    size = _part(148, struct.pack("<4I", 0, len(rows) - 1, 0, len(rows[0]) - 1))
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "xl/workbook.bin": _part(131) + _part(143) + listed + _part(144) + _part(132),
        "xl/_rels/workbook.bin.rels": relations({"rId1": ("worksheet", "worksheets/sheet1.bin")}),
        "xl/worksheets/sheet1.bin": _part(129) + size + _part(145) + b"".join(_xlsb_cells(rows)) + _part(146) + _part(130),
    }
    return packed(parts)


def _xlsb_cells(rows: Rows) -> Iterator[bytes]:
    for i, row in enumerate(rows):
        yield _part(0, struct.pack("<I13x", i))
        for j, value in enumerate(row):
            text = isinstance(value, str)
            yield _part(6 if text else 5, struct.pack("<II", j, 0) + (_wide(value) if text else struct.pack("<d", value)))


def _wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def _part(kind: int, data: bytes = b"") -> bytes:
    return _sevens(kind) + _sevens(len(data)) + data


def _sevens(number: int) -> bytes:
    """Seven bits a byte, the lowest first."""
    return bytes([number]) if number < 128 else bytes([number & 127 | 128, number >> 7])
