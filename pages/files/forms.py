"""How a file is read, of any kind: what is proposed to its holder, and a constant once that is confirmed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, final

from dpcore.errors import InvalidValueError
from pages.files.csv_columns import detection
from pages.files.csv_columns.file_content import refuse_sizes
from pages.files.csv_columns.format import Format
from pages.files.csv_columns.header_lines import HeaderLines
from pages.files.parquet import ENCRYPTED, PLAIN
from pages.files.parser_process import parsed

_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")


@final
@dataclass(frozen=True, slots=True)
class Parquet:
    """A Parquet file, which says itself how each of its columns is written."""

    words: ClassVar[str] = "a Parquet file, with dates as text such as 2024-01-31"
    written: ClassVar[Format] = Format()  # how its cells have numbers


@final
@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet of a workbook. ``decimal`` and ``thousands``: the marks in numbers that its cells hold as text, as in a CSV."""

    name: str
    names: HeaderLines = field(default_factory=HeaderLines)  # of its columns
    decimal: str = "."
    thousands: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise InvalidValueError("name of a sheet", "a text", self.name)
        Format(decimal=self.decimal, thousands=self.thousands)

    @property
    def written(self) -> Format:
        """How the CSV is written that the sheet is read as."""
        return Format(decimal=self.decimal, thousands=self.thousands)

    @property
    def words(self) -> str:
        """The sheet with its name, where its names are, what its dates become, and how numbers are written that are text."""
        marks = "" if self.written == Format() else f", {self.written.numbers_in_words} where numbers are text"
        return f"the sheet “{self.name}” of a workbook, {self.names.words}, with dates as text such as 2024-01-31{marks}"


Form = Format | Parquet | Sheet


# What is proposed to a file's holder.


@final
@dataclass(frozen=True, slots=True)
class Seen:
    """A way to read a file, and the rows and columns of a sheet; 0 of what is not known.

    ``in_doubt``: whether 1.234 could as well be a whole number.
    """

    form: Form
    rows: int = 0
    columns: int = 0
    in_doubt: bool = False


def proposed(content: bytes) -> tuple[Seen, ...]:
    """The ways to read a file, by its first bytes and whatever its name; TableError, in a sentence, where there is none."""
    refuse_sizes(content)
    if content.startswith((PLAIN, ENCRYPTED)):
        return (Seen(Parquet()),)
    if content.startswith(_WORKBOOKS):
        return tuple(_sheet(**one) for one in parsed(content, "sheets")[0]["sheets"])
    form, doubt = detection.detected_with_doubt(content)
    return (Seen(form, in_doubt=doubt),)


def _sheet(name: str, rows: int, columns: int, first: int, lines: int, marks: list[str]) -> Seen:
    return Seen(Sheet(name, HeaderLines(first, lines), *marks), rows, columns)


def first_lines(content: bytes, form: Form, most: int) -> list[str]:
    """The first lines of a text, or of a sheet with a bar between its cells, as they are; none of a Parquet file."""
    if isinstance(form, Format):
        return detection.first_lines(content, form, most)
    if isinstance(form, Parquet):
        return []
    return [" | ".join(row) for row in parsed(content, "first rows", form.name)[0]["rows"][:most]]


_RECORDS = 2  # below a name, which a table has at least


def best(ways: Sequence[Seen]) -> Seen:
    """The sheet with most columns, of those that have records; of equally many the one with most rows."""
    return max(ways, key=lambda way: (way.rows > _RECORDS, way.columns, way.rows))
