"""The bytes of a text file: that they are text, and that text in UTF-8 with one kind of line end."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from contextlib import contextmanager

from dpcore.base.counted import counted
from dpcore.errors import TableError
from pages.files.limits import MOST_BYTES

_BLOCK = 2**20
_TABLE = "Open it, and save the table that it holds as CSV."
_MAGIC = {  # what a file is, by its first bytes, and what to do; its name can say anything
    b"PAR1": ("a Parquet file", _TABLE),
    b"PK\x03\x04": ("a ZIP archive or an Excel workbook", _TABLE),
    b"PK\x05\x06": ("an empty ZIP archive", "Upload the file that should be in it."),
    b"\xd0\xcf\x11\xe0": ("an old or password-protected Excel workbook", _TABLE),
    b"\x1f\x8b": ("a gzip archive", "Unpack it, and upload the file in it."),
    b"BZh": ("a bzip2 archive", "Unpack it, and upload the file in it."),
    b"\xfd7zXZ": ("an xz archive", "Unpack it, and upload the file in it."),
    b"7z\xbc\xaf": ("a 7-Zip archive", "Unpack it, and upload the file in it."),
    b"Rar!": ("a RAR archive", "Unpack it, and upload the file in it."),
    b"\x28\xb5\x2f\xfd": ("a Zstandard archive", "Unpack it, and upload the file in it."),
    b"%PDF": ("a PDF", "Upload the table that it was made from."),
    b"{\\rtf": ("a text document", _TABLE),
    b"\x89PNG": ("a picture", "Upload the table that it shows."),
    b"\xff\xd8\xff": ("a picture", "Upload the table that it shows."),
    b"GIF8": ("a picture", "Upload the table that it shows."),
    b"RIFF": ("a sound, a film or a picture", _TABLE),
    b"SQLite format 3": ("a database of SQLite", "Save one of its tables as CSV."),
    b"ARROW1": ("an Arrow file", "Save its table as Parquet or CSV."),
    b"\x89HDF": ("an HDF file", _TABLE),
    b"$FL2": ("a file of SPSS", "Save its table as CSV."),
    b"<stata_dta>": ("a file of Stata", "Save its table as CSV."),
    b"\x7fELF": ("a program", "Upload a table."),
    b"MZ\x90": ("a program", "Upload a table."),
}


def cleaned(content: bytes, encoding: str, line: int = 1) -> tuple[bytes, int]:
    r"""The text from this line on, from 1, in UTF-8, each line ended by \n; and how many lines were left out.

    Blank lines that come first are left out too. TableError where there is no such line, or it is blank and not the first.

    Bytes that mean nothing in the encoding become U+FFFD, one after another, so that the rest is read as ever. The text stays
    bytes: as a string a file takes four times its size as soon as it holds one emoji.
    """
    body = _as_utf8(content, encoding)
    if b"\0" in body:
        raise _binary()
    if b"\r" in body:
        body = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if not body or body.isspace():
        raise _empty()
    if _NO_TABLE.match(body):
        raise TableError("The file is not a CSV: it begins like a web page or JSON.", "Save the table as CSV.")
    return _from_line(body, line)


_NO_TABLE = re.compile(rb"\s*(?:<[a-zA-Z!?/]|\{\s*[\"}]|\[\s*[\[{\"\d\]])")


def _from_line(body: bytes, line: int) -> tuple[bytes, int]:
    place = 0
    for before in range(1, line):
        place = body.find(b"\n", place) + 1
        if not place or place == len(body):
            raise no_such_line(line, before)
    kept = body[place:].lstrip(b"\n")
    if line > 1 and len(kept) < len(body) - place:
        raise TableError(f"Line {line} of the file is empty.", SAY_WHERE)
    return kept, line - 1 + len(body) - place - len(kept)


SAY_WHERE = "Say in which line of the file the names of the columns are."


def no_such_line(line: int, lines: int) -> TableError:
    """What is said where the names are to be beyond the end."""
    return TableError(f"The file ends after line {lines}, and the names were looked for in line {line}.", SAY_WHERE)


def few_rows(records: int) -> TableError:
    """What is said where fewer than two records are below the names."""
    return TableError(
        f"The table has {counted(str(records), ' rows')} below its names of columns; at least 2 are needed.",
        f"Upload a table with more rows. {SAY_WHERE}",
    )


def refuse_sizes(content: bytes) -> None:
    """TableError for an empty file, and for one over the limit."""
    if len(content) > MOST_BYTES:
        raise too_large(f"The file has {len(content) / 2**20:.0f} MB; at most {MOST_BYTES // 2**20} MB are read.")
    if not content or content.isspace():
        raise _empty()


def refuse_what_is_no_text(content: bytes) -> None:
    """TableError for an empty file, one over the limit, and one whose first bytes say that it is something else."""
    refuse_sizes(content)
    for magic, (what, remedy) in _MAGIC.items():
        if content.startswith(magic):
            raise TableError(f"The file is {what}, whatever its name says.", remedy)
    if b"\0" in content and content[:2] not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise _binary()


def too_large(problem: str) -> TableError:
    """What is said where a file holds more than is read."""
    return TableError(problem, "Leave out columns or rows that are not needed.")


@contextmanager
def within_memory() -> Iterator[None]:
    """TableError where this computer's memory is not enough for a file."""
    try:
        yield
    except MemoryError:
        raise TableError(
            "This computer has too little memory left to read this file now.",
            "Try again later, or leave out columns or rows that are not needed.",
        ) from None


def in_utf8(content: bytes) -> bool:
    """Whether all of it is."""
    try:
        for _ in codecs.iterdecode(_blocks(content), "utf-8"):
            pass
    except UnicodeDecodeError:
        return False
    return True


def _as_utf8(content: bytes, encoding: str) -> bytes:
    """Without a mark of byte order."""
    if encoding == "utf-16":  # the incremental decoder fails if no mark of byte order comes first
        encoding = "utf-16-be" if content.startswith(codecs.BOM_UTF16_BE) else "utf-16-le"
    elif content.isascii() or (encoding == "utf-8" and in_utf8(content)):
        return content.removeprefix(codecs.BOM_UTF8)
    return b"".join(part.encode() for part in codecs.iterdecode(_blocks(content), encoding, "replace")).removeprefix(
        codecs.BOM_UTF8
    )


def _blocks(content: bytes) -> Iterator[bytes]:
    return (content[start : start + _BLOCK] for start in range(0, len(content), _BLOCK))


def _empty() -> TableError:
    return TableError("The file is empty.", "Upload a CSV with a header line and at least 2 rows.")


def _binary() -> TableError:
    return TableError("The file holds binary data, not text.", "Save the table as CSV.")
