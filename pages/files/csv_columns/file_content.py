"""The bytes of a text file: that they are text, and that text in UTF-8 with one kind of line end."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager

from dpcore.base.counted import counted
from dpcore.errors import TableError
from pages.files.limits import MOST_BYTES

_MOST_OF_TEXT = 64 * 2**20  # in UTF-8: a byte of another encoding can take three
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
    body = _composed(body)
    if not body or body.isspace():
        raise _empty()
    if _NO_TABLE.match(body):
        raise TableError("The file is not a CSV: it begins like a web page or JSON.", "Save the table as CSV.")
    return _from_line(body, line)


_UNSEEN = (b"\xe2\x80\x8b", b"\xef\xbb\xbf")  # a blank without width, and a mark of byte order within the text
_COMBINING = rb"(?:\xcc[\x80-\xbf]|\xcd[\x80-\xaf])"
_NO_COMBINING = re.compile(rb"[\x00-\x7f\xc2-\xcb\xce-\xf4]")  # first byte of a character that is no mark of another
_MOST_MARKS = 30  # marks of one letter, which are put in order in as many steps as their square
_COMBINED = re.compile(rf"([^\x00-\x20\x7f][\u0300-\u036f]{{1,{_MOST_MARKS}}})")


def _composed(body: bytes) -> bytes:
    """With what looks alike written alike: ü as one character, as people type it, and without what nobody sees.

    Only a letter with a mark of its own becomes another, whatever stands elsewhere: no cell changes how others are read.
    """
    for unseen in _UNSEEN:
        body = body.replace(unseen, b"") if unseen in body else body
    if re.search(_COMBINING, body):
        return b"".join(composed(block).encode() for block in _blocks(body))
    return body


def _blocks(body: bytes) -> Iterator[str]:
    """Pieces of a text in UTF-8, none of which begins with a mark of the letter before it."""
    start = 0
    while start < len(body):
        cut = _NO_COMBINING.search(body, start + _BLOCK)
        end = cut.start() if cut else len(body)
        yield body[start:end].decode()
        start = end


def composed(text: str) -> str:
    """Return a text with each letter and its marks as one character, if there is one."""
    pieces = _COMBINED.split(text)
    pieces[1::2] = (unicodedata.normalize("NFC", one) for one in pieces[1::2])
    return "".join(pieces)


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
        for _ in _decoded(content, "utf-8", "strict"):
            pass
    except UnicodeDecodeError:
        return False
    return True


def _as_utf8(content: bytes, encoding: str) -> bytes:
    """Without a mark of byte order."""
    if (encoding != "utf-16" and content.isascii()) or (encoding == "utf-8" and in_utf8(content)):
        return content.removeprefix(codecs.BOM_UTF8)
    parts, size = [], 0
    for part in _decoded(content, encoding, "replace"):
        parts.append(part.encode("utf-8"))
        size += len(parts[-1])
        if size > _MOST_OF_TEXT:
            raise too_large(f"The file takes more than {_MOST_OF_TEXT // 2**20} MB as text in UTF-8.")
    return b"".join(parts).removeprefix(codecs.BOM_UTF8)


def _decoded(content: bytes, encoding: str, errors: str) -> Iterator[str]:
    """Block after block."""
    if encoding == "utf-16":  # its own decoder fails where no mark of byte order comes first
        encoding = "utf-16-be" if content.startswith(codecs.BOM_UTF16_BE) else "utf-16-le"
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    for start in range(0, len(content), _BLOCK):
        yield decoder.decode(content[start : start + _BLOCK], final=start + _BLOCK >= len(content))


def _empty() -> TableError:
    return TableError("The file is empty.", "Upload a CSV with a header line and at least 2 rows.")


def _binary() -> TableError:
    return TableError("The file holds binary data, not text.", "Save the table as CSV.")
