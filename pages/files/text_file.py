"""A CSV, or text like it: its bytes become text in UTF-8, and this becomes the cells of its columns."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice, zip_longest
from typing import Any

import pyarrow as pa
import pyarrow.csv

from dpcore.base.serialization import from_plain
from dpcore.base.text import counted
from dpcore.errors import TableError
from pages.files.cells import Cells, trimmed
from pages.files.form import Format, HeaderLines
from pages.files.header import SAY_WHERE, different, few_rows, joined, no_such_line, refuse_many, refuse_unusable
from pages.files.limits import MOST_BYTES, MOST_VALUES, Answer, too_large

_BLOCK = 2**20  # bytes that are decoded at once
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
_NO_TABLE = re.compile(rb"\s*(?:<[a-zA-Z!?/]|\{\s*[\"}]|\[\s*[\[{\"\d\]])")
_MOST_OF_THE_NAMES = 2**17  # bytes
_SHORT = "Put short names above the columns, or say in which line of the file they are."
_AT_ONCE, _BYTES = 2**18, 2**23  # values of a part for the csv module, and bytes of one for Arrow,
_LEAST = 2_000  # but at least so many records, because each column of a part has a price of its own
_END = "\0"  # a line that no text has: it is in a cell if a quotation mark is never closed
_REMEDY = "Give every row as many values as there are names, or say in which line of the file the names are."
csv.field_size_limit(MOST_BYTES)


# The bytes of a file.


def refuse_sizes(content: bytes) -> None:
    """Raise TableError for an empty file, and for one over the limit."""
    if len(content) > MOST_BYTES:
        raise too_large(f"The file has {len(content) / 2**20:.0f} MB; at most {MOST_BYTES // 2**20} MB are read.")
    if not content or content.isspace():
        raise _empty()


def refuse_other_kinds(content: bytes) -> None:
    """Raise TableError for an empty file, one over the limit, and one whose first bytes belong to another kind of file."""
    refuse_sizes(content)
    for magic, (what, remedy) in _MAGIC.items():
        if content.startswith(magic):
            raise TableError(f"The file is {what}, whatever its name says.", remedy)
    if b"\0" in content and content[:2] not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise _binary()


def in_utf8(content: bytes) -> bool:
    """Return whether all of a text is UTF-8."""
    try:
        for _ in codecs.iterdecode(_blocks(content), "utf-8"):
            pass
    except UnicodeDecodeError:
        return False
    return True


def cleaned(content: bytes, encoding: str, line: int = 1) -> tuple[bytes, int]:
    r"""Return the text from a line on, in UTF-8, each line ended by \n.

    Bytes that mean nothing in the encoding become U+FFFD, so the rest is read as usual. The text stays bytes: a string that
    holds one emoji takes four times the size of the file.

    Args:
        content: The bytes of the file.
        encoding: Their encoding.
        line: The first line that is kept, from 1. Blank lines that come first are omitted.

    Returns:
        The text, and the number of omitted lines.

    Raises:
        TableError: If the line does not exist, if it is blank and not the first, or if the content is not a table.
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
    *above, rest = body.split(b"\n", line - 1)
    if len(above) < line - 1 or not rest:
        raise no_such_line(line, body.count(b"\n") + (not body.endswith(b"\n")))
    kept = rest.lstrip(b"\n")
    blank = len(rest) - len(kept)
    if line > 1 and blank:
        raise TableError(f"Line {line} of the file is empty.", SAY_WHERE)
    return kept, line - 1 + blank


def _as_utf8(content: bytes, encoding: str) -> bytes:
    """Return the text in UTF-8, without a byte order mark."""
    if encoding == "utf-16":  # the incremental decoder fails if no byte order mark comes first
        encoding = "utf-16-be" if content.startswith(codecs.BOM_UTF16_BE) else "utf-16-le"
    elif content.isascii() or (encoding == "utf-8" and in_utf8(content)):
        return content.removeprefix(codecs.BOM_UTF8)
    parts = codecs.iterdecode(_blocks(content), encoding, "replace")
    return b"".join(part.encode() for part in parts).removeprefix(codecs.BOM_UTF8)


def _blocks(content: bytes) -> Iterator[bytes]:
    return (content[start : start + _BLOCK] for start in range(0, len(content), _BLOCK))


def _empty() -> TableError:
    return TableError("The file is empty.", "Upload a CSV with a header line and at least 2 rows.")


def _binary() -> TableError:
    return TableError("The file holds binary data, not text.", "Save the table as CSV.")


@contextmanager
def within_memory() -> Iterator[None]:
    """Raise TableError if the memory of this computer is too small for a file."""
    try:
        yield
    except MemoryError:
        raise TableError(
            "This computer has too little memory left to read this file now.",
            "Try again later, or leave out columns or rows that are not needed.",
        ) from None


# The cells of a text.


def read(content: bytes, form: dict[str, Any]) -> Answer:
    """Return the names of a text, and its cells; ``form`` is plain data."""
    cells = read_cells(content, from_plain(Format, form))
    return {"names": cells.names}, pa.table(cells.columns)


@within_memory()
def read_cells(content: bytes, form: Format) -> Cells:
    """Return the cells of a text that is written in this form.

    Raises:
        TableError: If it cannot be read, has more than 2,000 names or fewer than two records.
    """
    refuse_other_kinds(content)
    body, before = cleaned(content, form.encoding, form.names.first)
    names, lines = _names(body, form.delimiter, form.names)
    columns: dict[str, list[Any]] = {name: [] for name in different(names)}
    quick = _by_arrow(body, lines, form.delimiter, [*columns])
    records = 0
    for part in _by_csv(body, lines, form.delimiter, [*columns], before) if quick is None else quick.to_batches():
        records += part.num_rows
        if records * len(columns) > MOST_VALUES:
            raise too_large(f"The table has more than {MOST_VALUES / 1e6:.0f} million values, empty ones included.")
        for name, chunks in columns.items():
            chunks.append(trimmed(part[name]))
    if records < 2:
        raise few_rows(records)
    return Cells(names, {name: pa.chunked_array(chunks) for name, chunks in columns.items()})


def _names(body: bytes, delimiter: str, at: HeaderLines) -> tuple[list[str], int]:
    """Return the names in the file, and the number of lines that they take. They are looked for in the first 128 kB."""
    head = body[:_MOST_OF_THE_NAMES].decode("utf-8", errors="ignore")
    reader = csv.reader(chain(io.StringIO(head, newline="\n"), [_END]), delimiter=delimiter)
    rows = [[name.strip() for name in row] for row in islice(reader, max(1, at.lines))]
    if len(body) > _MOST_OF_THE_NAMES and reader.line_num > head.count("\n"):
        raise TableError(f"The names of the columns take more than {_MOST_OF_THE_NAMES // 2**10} kB.", _SHORT)
    if rows[-1] == [_END]:
        raise no_such_line(at.first + at.lines - 1, at.first + reader.line_num - 2)
    if any(_END in cell for cell in chain(*rows)):
        raise _unclosed()
    refuse_many(max(map(len, rows)))
    names = joined(rows) if at.lines else different([""] * len(rows[0]))
    refuse_unusable(names, at)
    return names, reader.line_num if at.lines else 0


def _by_arrow(body: bytes, lines: int, delimiter: str, header: list[str]) -> Any:
    """Return the table that Arrow reads below so many lines, five times as fast as the csv module.

    Returns:
        None if there are quotation marks, or rows with more or fewer values than others.
    """
    if b'"' in body:
        return None
    several = len(header) > 1  # in a single column a blank line is a record without a value
    try:
        return pyarrow.csv.read_csv(
            pa.BufferReader(body),
            pyarrow.csv.ReadOptions(use_threads=False, block_size=_BYTES, column_names=header, skip_rows=lines),
            pyarrow.csv.ParseOptions(delimiter=delimiter, quote_char=False, ignore_empty_lines=several),
            pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(header, pa.string()), strings_can_be_null=False),
        )
    except pa.ArrowInvalid:
        return None


def _by_csv(body: bytes, lines: int, delimiter: str, header: list[str], before: int) -> Iterator[Any]:
    """Yield some records after others, with empty cells for missing ones.

    Args:
        body: The text.
        lines: Lines of names in it.
        delimiter: The separator of columns.
        header: The names.
        before: Lines of the file above the text.
    """
    text = io.TextIOWrapper(io.BytesIO(body), encoding="utf-8", newline="\n")
    reader = csv.reader(chain(islice(text, lines, None), [_END]), delimiter=delimiter, skipinitialspace=True)
    width, line, last = len(header), before + lines + 1, list[str]()
    while rows := list(islice(reader, max(_LEAST, _AT_ONCE // width))):
        _refuse_surplus(rows, width, line)
        line, last = before + lines + 1 + reader.line_num, rows[-1]
        if last == [_END]:
            rows.pop()
        if width > 1:  # in a single column a blank line is a record
            rows = [row for row in rows if len(row) > 1 or any(map(str.strip, row))]
        if rows:
            columns = [*zip_longest(*rows, fillvalue="")][:width]
            columns += [("",) * len(rows)] * (width - len(columns))
            yield pa.record_batch([pa.array(column, pa.string()) for column in columns], names=header)
    if last != [_END]:
        raise _unclosed()


def _refuse_surplus(rows: Sequence[list[str]], width: int, line: int) -> None:
    """Raise TableError for the first record with too many values. A separator may end each record.

    Args:
        rows: The records.
        width: The number of columns.
        line: The line of the file in which the first of them begins.
    """
    if max(map(len, rows)) <= width:
        return
    for place, row in enumerate(rows):
        if len(row) > width + (row[-1:] == [""]):
            line += place + sum(cell.count("\n") for cell in chain(*rows[:place]))
            what, named = f"{len(row):,} values", counted(width, " columns")
            raise TableError(f"Line {line:,} of the file holds {what}, but the header names {named}.", _REMEDY)


def _unclosed() -> TableError:
    close = "Close it where its value ends. Write a quotation mark inside a value twice."
    return TableError("A quotation mark is opened and never closed.", close)
