"""Reading a CSV, or text like it, into the cells of its columns: once, part after part, as they are written."""

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.csv

from dpcore.base.counted import counted
from dpcore.base.plain import from_plain
from dpcore.errors import TableError
from pages.files.cells import Cells, trimmed
from pages.files.csv_columns.file_content import cleaned, few_rows, refuse_what_is_no_text, too_large, within_memory
from pages.files.csv_columns.format import Format
from pages.files.csv_columns.header import different, read_header
from pages.files.limits import MOST_VALUES, Answer

if TYPE_CHECKING:
    import pandas as pd

_TOGETHER, _BYTES = 2**18, 2**23  # values of a part for pandas, and bytes of one for Arrow,
_LEAST = 2_000  # but at least so many records, because each column of a part has a price of its own


@dataclass(frozen=True, slots=True)
class _Layout:
    """The text from its last line of names on, in UTF-8 with plain line ends; how it is written, its columns, and how many lines
    of the file stand before."""

    body: bytes
    delimiter: str
    header: list[str]
    lines_before: int


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
    layout, names = _laid_out(content, form)
    columns: dict[str, list[Any]] = {name: [] for name in layout.header}
    records = 0
    quick = _quickly(layout)
    for part in _parts(layout) if quick is None else quick.to_batches():
        records += len(part)
        if records * len(columns) > MOST_VALUES:
            raise too_large(f"The table has more than {MOST_VALUES / 1e6:.0f} million values, empty ones included.")
        for name, chunks in columns.items():
            chunks.append(trimmed(part[name]))
    if records < 2:
        raise few_rows(records)
    return Cells(names, {name: pa.chunked_array(chunks) for name, chunks in columns.items()})


def _laid_out(content: bytes, form: Format) -> tuple[_Layout, list[str]]:
    """And the names as the file has them."""
    refuse_what_is_no_text(content)
    body, before = cleaned(content, form.encoding, form.names.first)
    names, lines = read_header(body, form.delimiter, form.names)
    if form.names.lines != 1:  # a parser knows one line of names, and that this is as wide as they are
        below = body.split(b"\n", lines)[lines:]
        body = b"\n".join([form.delimiter.join("_" * len(names)).encode(), *below])
        before += lines - 1
    return _Layout(body, form.delimiter, different(names), before), names


def _quickly(layout: _Layout) -> Any:
    """Return the table that Arrow reads, five times as fast as pandas; None for what it does not read as pandas does: quotation
    marks, and rows with more or fewer values than others."""
    if b'"' in layout.body:
        return None
    several = len(layout.header) > 1  # in a single column a blank line is a record without a value
    try:
        return pyarrow.csv.read_csv(
            pa.BufferReader(layout.body),
            pyarrow.csv.ReadOptions(use_threads=False, block_size=_BYTES, column_names=layout.header, skip_rows=1),
            pyarrow.csv.ParseOptions(delimiter=layout.delimiter, quote_char=False, ignore_empty_lines=several),
            pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(layout.header, pa.string()), strings_can_be_null=False),
        )
    except pa.ArrowInvalid:
        return None


def _parts(layout: _Layout) -> Iterator[pd.DataFrame]:
    """Yield some records after others, all cells as text, and nothing missing."""
    import pandas as pd

    if (
        wrong := _surplus(layout, of_first=True)
    ) is not None:  # pandas makes a column of each, which takes a minute for a million
        raise wrong
    behind: Any = len(layout.header)  # a last separator ends each record in some files, and nothing may stand behind it
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)  # surplus values would be cut off with a warning
            with pd.read_csv(
                io.BytesIO(layout.body),
                sep=layout.delimiter,
                skipinitialspace=True,
                header=0,
                names=layout.header,
                index_col=False,
                skip_blank_lines=behind > 1,
                low_memory=False,
                encoding="utf-8",
                chunksize=max(_LEAST, _TOGETHER // len(layout.header)),
                dtype=dict.fromkeys(layout.header, "str"),
                na_values={behind: [""]},
                keep_default_na=False,
            ) as parts:
                yield from parts
    except (pd.errors.ParserError, pd.errors.EmptyDataError, pd.errors.ParserWarning, ValueError) as error:
        if "out of memory" in str(error):
            raise MemoryError from None
        raise _misfit(layout) from None


_REMEDY = "Give every row as many values as there are names, or say in which line of the file the names are."


def _misfit(layout: _Layout) -> TableError:
    """Why the parser could not take the records, as the text has them."""
    if (found := _surplus(layout)) is not None:
        return found
    if layout.body.count(b'"') % 2:
        close = "Close it where its value ends. Write a quotation mark inside a value twice."
        return TableError("A quotation mark is opened and never closed.", close)
    return TableError(f"The rows do not fit the header, which names {counted(len(layout.header), ' columns')}.", _REMEDY)


def _surplus(layout: _Layout, *, of_first: bool = False) -> TableError | None:
    """What is said of the first record with more values than the header; ``of_first``: no other is looked at."""
    text = io.TextIOWrapper(io.BytesIO(layout.body), encoding="utf-8", newline="\n")
    reader = csv.reader(text, delimiter=layout.delimiter, skipinitialspace=True)
    begins = layout.lines_before + 1
    with suppress(csv.Error):  # a value longer than this reader takes
        for place, values in enumerate(reader):
            if len(values) > len(layout.header) + (values[-1:] == [""]):
                what, named = f"{len(values):,} values", counted(len(layout.header), " columns")
                return TableError(f"Line {begins:,} of the file holds {what}, but the header names {named}.", _REMEDY)
            begins = layout.lines_before + 1 + reader.line_num
            if of_first and place and values:
                return None
    return None
