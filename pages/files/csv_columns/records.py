"""Reading a CSV, or text like it, into the cells of its columns: once, part after part, as they are written."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import csv

from pages.files.cells import Cells, trimmed
from pages.files.csv_columns.file_content import cleaned, few_rows, refuse_what_is_no_text, too_large, within_memory
from pages.files.csv_columns.format import Format
from pages.files.csv_columns.header import Layout, different, misfit, read_header, surplus
from pages.files.limits import MOST_VALUES

if TYPE_CHECKING:
    import pandas as pd

_TOGETHER, _BYTES = 2**18, 2**23  # values of a part, and about how much of the file it is,
_HEAD = 2**21  # bytes in which the names are, where nothing else of a text is read
_LEAST = 2_000  # but at least so many records, because each column of a part has a price of its own


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


@within_memory()
def names_in(content: bytes, form: Format) -> list[str]:
    """Return the names of the columns of a text written in this form, by its beginning; TableError if it has none."""
    refuse_what_is_no_text(content)
    body, _ = cleaned(content[:_HEAD], form.encoding, form.names.first)
    return different(read_header(body, form.delimiter, form.names)[0])


def _laid_out(content: bytes, form: Format) -> tuple[Layout, list[str]]:
    """And the names as the file has them."""
    refuse_what_is_no_text(content)
    body, before = cleaned(content, form.encoding, form.names.first)
    names, lines = read_header(body, form.delimiter, form.names)
    if form.names.lines != 1:  # a parser knows one line of names, and that this is as wide as they are
        below = body.split(b"\n", lines)[lines:]
        body = b"\n".join([form.delimiter.join("_" * len(names)).encode(), *below])
        before += lines - 1
    return Layout(body, form, different(names), before), names


def _quickly(layout: Layout) -> Any:
    """Return the table that Arrow reads, five times as fast as pandas; None for what it does not read as pandas does: quotation
    marks, and rows with more or fewer values than others."""
    if b'"' in layout.body:
        return None
    several = len(layout.header) > 1  # in a single column a blank line is a record without a value
    try:
        return csv.read_csv(
            pa.BufferReader(layout.body),
            csv.ReadOptions(use_threads=False, block_size=_BYTES, column_names=layout.header, skip_rows=1),
            csv.ParseOptions(delimiter=layout.delimiter, quote_char=False, ignore_empty_lines=several),
            csv.ConvertOptions(column_types=dict.fromkeys(layout.header, pa.string()), strings_can_be_null=False),
        )
    except pa.ArrowInvalid:
        return None


def _parts(layout: Layout) -> Iterator[pd.DataFrame]:
    """Yield some records after others, all cells as text, and nothing missing."""
    import pandas as pd

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
                chunksize=_records_together(layout),
                dtype=dict.fromkeys(layout.header, "str"),
                na_values={behind: [""]},
                keep_default_na=False,
            ) as parts:
                yield from parts
    except (pd.errors.ParserError, pd.errors.EmptyDataError, pd.errors.ParserWarning, ValueError) as error:
        if "out of memory" in str(error):
            raise surplus(layout) or MemoryError() from None
        raise misfit(layout) from None


def _records_together(layout: Layout) -> int:
    lines = layout.body.count(b"\n") + 1
    return max(_LEAST, min(_TOGETHER // len(layout.header), _BYTES * lines // len(layout.body)))
