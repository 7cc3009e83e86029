"""Reading a CSV into columns of numbers and of text."""

from __future__ import annotations

import csv
import io
import warnings
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.errors import TableError
from dpcore.types import Database

if TYPE_CHECKING:
    import pandas as pd

MOST_BYTES = 50 * 2**20
MOST_TEXT_BYTES = 4 * MOST_BYTES  # all columns of text: an array of fixed width takes 4 bytes a character, short value or long
_MAGIC = {
    b"PAR1": "a Parquet file",
    b"PK\x03\x04": "a ZIP archive or an Excel workbook",
    b"\xd0\xcf\x11\xe0": "an old or password-protected Excel workbook",
    b"\x1f\x8b": "a gzip archive",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
}


def read_columns(content: bytes) -> tuple[list[str], dict[str, Database]]:
    """The names in the header, and the values of each column that is not empty, from the bytes of a CSV.

    UTF-8 with one header line and at least two records. A column that is not all numbers is text: only the empty string is
    missing there, so that nobody named "NA" is lost. TableError, in a sentence on what came and one on what to do, for
    anything else.
    """
    import pandas as pd

    text = _decoded(content)
    delimiter, header = _header(text)
    frame = _frame(text, delimiter, header)
    if len(frame) < 2:
        raise TableError(
            f"The table has {len(frame)} record{'s' * (len(frame) != 1)} below its header; at least 2 are needed.",
            "Upload a table with more records.",
        )
    numeric = [column for column in header if pd.api.types.is_numeric_dtype(frame[column])]
    values: dict[str, Database] = {column: frame[column].to_numpy(dtype=np.float64, na_value=np.nan) for column in numeric}
    values = {column: array for column, array in values.items() if not np.isnan(array).all()}
    if words := [column for column in header if column not in numeric]:
        frame = _frame(text, delimiter, header, usecols=words, dtype=str, na_filter=False)
        values.update(_texts({column: frame[column].tolist() for column in words}))
    if not values:
        raise TableError(
            f"No column holds numbers or short text (there are {', '.join(map(_quoted, header[:8]))}).",
            "Upload a table with values in at least one column; write decimals with a point.",
        )
    return header, {column: values[column] for column in header if column in values}


def _frame(text: str, delimiter: str, header: list[str], **how: Any) -> pd.DataFrame:
    import pandas as pd

    blank = len(header) > 1  # in a single column a blank line is a record without a value
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)  # surplus values would be cut off with a warning
            warnings.simplefilter("ignore", pd.errors.DtypeWarning)  # a column of numbers and text: it is read again as text
            frame: pd.DataFrame = pd.read_csv(
                io.StringIO(text.lstrip("\n")), sep=delimiter, skipinitialspace=True, header=0, names=header, index_col=False,
                skip_blank_lines=blank, **how,
            )  # fmt: skip
    except (pd.errors.ParserError, pd.errors.EmptyDataError, pd.errors.ParserWarning, ValueError):
        raise _misfit(text, delimiter, header) from None
    return frame


def _misfit(text: str, delimiter: str, header: list[str]) -> TableError:
    """Why the records do not fit the header, in words of our own: looked for in the text, not in the parser's message."""
    remedy = "Give every record as many values as the header has names."
    columns = f"{len(header)} column{'s' * (len(header) != 1)}"
    if (found := _too_long(text, delimiter, len(header))) is not None:
        line, values = found
        return TableError(f"Line {line:,} of the file holds {values:,} values, but the header names {columns}.", remedy)
    if text.count('"') % 2:
        close = "Close it where its value ends. Write a quotation mark inside a value twice."
        return TableError("A quotation mark is opened and never closed.", close)
    return TableError(f"The records do not fit the header, which names {columns}.", remedy)


def _too_long(text: str, delimiter: str, columns: int) -> tuple[int, int] | None:
    """The first record with more values than the header: the line where it begins, from 1, and how many it has."""
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True)
    begins = 1
    try:
        for values in reader:
            if len(values) > columns:
                return begins, len(values)
            begins = reader.line_num + 1
    except csv.Error:  # a value longer than this reader takes
        return None
    return None


def _texts(columns: dict[str, list[str]]) -> dict[str, Database]:
    """Each column that holds text as an array of fixed width, in order, as long as they fit ``MOST_TEXT_BYTES`` together."""
    arrays: dict[str, Database] = {}
    left = MOST_TEXT_BYTES
    for name, values in columns.items():
        stripped = [value.strip() for value in values]
        width = max(map(len, stripped))
        if width and 4 * width * len(stripped) <= left:
            arrays[name] = np.array(stripped, dtype=f"U{width}")
            left -= arrays[name].nbytes
    return arrays


def _decoded(content: bytes) -> str:
    if len(content) > MOST_BYTES:
        raise TableError(
            f"The file has {len(content) / 2**20:.0f} MB; at most {MOST_BYTES // 2**20} MB are read.",
            "Leave out columns or records that are not needed.",
        )
    if not content.strip():
        raise TableError("The file is empty.", "Upload a CSV with a header line and at least 2 records.")
    for magic, what in _MAGIC.items():
        if content.startswith(magic):
            raise TableError(f"The file is {what}, whatever its name says.", "Open it and save it as CSV (UTF-8).")
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise TableError("The file is in UTF-16.", "Save it as “CSV UTF-8”.")
    if b"\0" in content:
        raise TableError("The file holds binary data, not text.", "Save the table as CSV (UTF-8).")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise TableError(
            f"Line {line:,} of the file is not in UTF-8.", "Save it as “CSV UTF-8”; it may be in Latin-1 or Windows-1252 now."
        ) from None


def _header(text: str) -> tuple[str, list[str]]:
    if text.lstrip().startswith(("<", "{", "[")):
        raise TableError("The file is not a CSV: it begins like a web page or JSON.", "Save the table as CSV (UTF-8).")
    first = text.lstrip("\n").split("\n", 1)[0]
    delimiter = max(",;\t|", key=lambda mark: first.count(mark) * 10 + (mark == ","))
    try:
        header = [name.strip() for name in next(csv.reader(io.StringIO(text.lstrip("\n")), delimiter=delimiter))]
    except csv.Error:  # all that is left: a carriage return and a zero byte were seen to before
        problem = f"A name in the header has more than {csv.field_size_limit():,} characters."
        raise TableError(problem, "Put short names of columns in the first line.") from None
    missing = [str(i + 1) for i, name in enumerate(header) if not name]
    if missing:
        of = f"Columns {_listed(missing)} of the header have" if len(missing) > 1 else f"Column {missing[0]} of the header has"
        raise TableError(f"{of} no name.", "Give every column a name in the first line.")
    twice = [_quoted(name) for name, count in Counter(header).items() if count > 1]
    if twice:
        raise TableError(f"The header names {_listed(twice)} more than once.", "Give each column its own name.")
    if all(_is_number(name) for name in header):
        problem = "The first line holds numbers, not names of columns."
        raise TableError(problem, "Put a line with the columns' names before the records.")
    return delimiter, header


def _quoted(name: str) -> str:
    """A name in quotation marks, shortened where it would fill the screen."""
    return f"“{name}”" if len(name) <= 40 else f"“{name[:39]}…”"


def _listed(names: list[str]) -> str:
    """2; 2 and 4; 2, 4 and 5; of a long list the first eight."""
    if len(names) > 8:
        return f"{', '.join(names[:8])} and {len(names) - 8:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
