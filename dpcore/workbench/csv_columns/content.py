"""The bytes of a file: that they are text, and that text in UTF-8 with one kind of line end."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from dpcore.errors import TableError

MOST_BYTES = 50 * 2**20
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


def cleaned(content: bytes, encoding: str) -> tuple[bytes, int]:
    r"""The text from its first line that is not blank on, in UTF-8, each line ended by \n; and how many lines were left out.

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
    kept = body.lstrip(b"\n")
    return kept, len(body) - len(kept)


def refuse_sizes(content: bytes) -> None:
    """TableError for an empty file, and for one over the limit."""
    if len(content) > MOST_BYTES:
        raise TableError(
            f"The file has {len(content) / 2**20:.0f} MB; at most {MOST_BYTES // 2**20} MB are read.",
            "Leave out columns or records that are not needed.",
        )
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


def out_of_memory() -> TableError:
    """What is said where this computer's memory is not enough for a file."""
    problem = "This computer has too little memory left to read this file now."
    return TableError(problem, "Try again later, or leave out columns or records that are not needed.")


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
            problem = f"The file takes more than {_MOST_OF_TEXT // 2**20} MB as text in UTF-8."
            raise TableError(problem, "Leave out columns or records that are not needed.")
    return b"".join(parts).removeprefix(codecs.BOM_UTF8)


def _decoded(content: bytes, encoding: str, errors: str) -> Iterator[str]:
    """Block after block."""
    if encoding == "utf-16":  # its own decoder fails where no mark of byte order comes first
        encoding = "utf-16-be" if content.startswith(codecs.BOM_UTF16_BE) else "utf-16-le"
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    for start in range(0, len(content), _BLOCK):
        yield decoder.decode(content[start : start + _BLOCK], final=start + _BLOCK >= len(content))


def _empty() -> TableError:
    return TableError("The file is empty.", "Upload a CSV with a header line and at least 2 records.")


def _binary() -> TableError:
    return TableError("The file holds binary data, not text.", "Save the table as CSV.")
