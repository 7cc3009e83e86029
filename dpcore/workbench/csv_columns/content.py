"""The bytes of a file: that they are text in UTF-8, with one kind of line end."""

from __future__ import annotations

import codecs

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


def cleaned(content: bytes) -> tuple[bytes, int]:
    r"""The text from its first line that is not blank on, in UTF-8, each line ended by \n; and how many lines were left out.

    It stays bytes: as a string a file takes four times its size as soon as it holds one emoji.
    """
    _refuse_what_is_no_text(content)
    body = content.removeprefix(codecs.BOM_UTF8)
    if b"\r" in body:
        body = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if not body or body.isspace():
        raise _empty()
    _refuse_other_encodings(body)
    kept = body.lstrip(b"\n")
    return kept, len(body) - len(kept)


def _refuse_what_is_no_text(content: bytes) -> None:
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
    if content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise TableError("The file is in UTF-16.", "Save it as “CSV UTF-8”.")
    if b"\0" in content:
        raise TableError("The file holds binary data, not text.", "Save the table as CSV (UTF-8).")


def _empty() -> TableError:
    return TableError("The file is empty.", "Upload a CSV with a header line and at least 2 records.")


def _refuse_other_encodings(body: bytes) -> None:
    if body.isascii():
        return
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(body), _BLOCK):
        try:
            decoder.decode(body[start : start + _BLOCK], final=start + _BLOCK >= len(body))
        except UnicodeDecodeError as error:  # what was kept of the block before is part of one character: no line ends in it
            line = body.count(b"\n", 0, start) + error.object.count(b"\n", 0, error.start) + 1
            raise TableError(
                f"Line {line:,} of the file is not in UTF-8.", "Save it as “CSV UTF-8”; it may be in Latin-1 or Windows-1252 now."
            ) from None
