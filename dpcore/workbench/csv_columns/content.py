"""The bytes of a file: that they are text, and that text in UTF-8 with one kind of line end."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from dpcore.errors import TableError

MOST_BYTES = 50 * 2**20
_BLOCK = 2**20
_MAGIC = {
    b"PAR1": "a Parquet file",
    b"PK\x03\x04": "a ZIP archive or an Excel workbook",
    b"\xd0\xcf\x11\xe0": "an old or password-protected Excel workbook",
    b"\x1f\x8b": "a gzip archive",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
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


def refuse_what_is_no_text(content: bytes) -> None:
    """TableError for an empty file, one over the limit, and one whose first bytes say that it is something else."""
    if len(content) > MOST_BYTES:
        raise TableError(
            f"The file has {len(content) / 2**20:.0f} MB; at most {MOST_BYTES // 2**20} MB are read.",
            "Leave out columns or records that are not needed.",
        )
    if not content or content.isspace():
        raise _empty()
    for magic, what in _MAGIC.items():
        if content.startswith(magic):
            raise TableError(f"The file is {what}, whatever its name says.", "Open it and save it as CSV (UTF-8).")
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
    text = b"".join(part.encode("utf-8") for part in _decoded(content, encoding, "replace"))
    return text.removeprefix(codecs.BOM_UTF8)


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
    return TableError("The file holds binary data, not text.", "Save the table as CSV (UTF-8).")
