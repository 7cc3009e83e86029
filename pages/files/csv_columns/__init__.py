"""Reading a CSV, or text like it, into columns of numbers and of text, within limits of time and memory for any 50 MB."""

from __future__ import annotations

from collections.abc import Mapping

from dpcore.base.counted import counted
from dpcore.base.types import Database
from dpcore.errors import TableError
from pages.files.csv_columns.file_content import (
    MOST_BYTES,
    MOST_TEXT_BYTES,
    cleaned,
    detected,
    refuse_what_is_no_text,
    within_memory,
)
from pages.files.csv_columns.format import Format, Layout
from pages.files.csv_columns.header import MOST_COLUMNS, listed, quoted, read_header, refuse_surplus
from pages.files.csv_columns.records import MOST_VALUES, read_declared, read_records

__all__ = [
    "MOST_BYTES",
    "MOST_COLUMNS",
    "MOST_TEXT_BYTES",
    "MOST_VALUES",
    "Format",
    "detected",
    "names_in",
    "read_as_declared",
    "read_columns",
    "within_memory",
]


@within_memory()
def read_columns(content: bytes, form: Format, numbers: frozenset[str] = frozenset()) -> tuple[list[str], dict[str, Database]]:
    """The names in the header, and the values of each column that is not empty, from the bytes of a text written in this way.

    It has one header line of at most 2,000 names and at least two records. A column that is not all numbers is text: only
    the empty string is missing there, so that nobody named "NA" is lost. But each of ``numbers`` holds
    numbers: what is none there is missing, and changes no other value. TableError, in a sentence on what came and one on
    what to do, for anything else, memory that runs out included.
    """
    layout = _laid_out(content, form)
    refuse_surplus(layout)
    records, values = read_records(layout, numbers)
    header = layout.header
    if records < 2:
        raise TableError(
            f"The table has {counted(str(records), ' records')} below its header; at least 2 are needed.",
            "Upload a table with more records.",
        )
    if not values:
        raise TableError(
            f"No column holds numbers or short text (there {'are' if len(header) > 1 else 'is'} {listed(quoted(header))}).",
            "Upload a table with values in at least one column.",
        )
    return header, {column: values[column] for column in header if column in values}


@within_memory()
def read_as_declared(content: bytes, form: Format, numbers: frozenset[str], words: Mapping[str, int]) -> dict[str, Database]:
    """The columns of a text that was read before, each by itself: those of ``numbers`` hold numbers, and missing values; those of
    ``words`` text as it is written, up to so many characters of each value. A column without a value of its kind is left out.

    No other column is looked at, so that no value changes what is made of another. TableError as ``read_columns`` has it.
    """
    return read_declared(_laid_out(content, form), numbers, words)


def names_in(content: bytes, form: Format) -> list[str]:
    """The names in the header of a text written in this way; TableError where it has none."""
    refuse_what_is_no_text(content)
    return read_header(cleaned(content, form.encoding)[0], form.delimiter)


def _laid_out(content: bytes, form: Format) -> Layout:
    refuse_what_is_no_text(content)
    body, blank_lines = cleaned(content, form.encoding)
    return Layout(body, form, read_header(body, form.delimiter), blank_lines)
