"""The form in which a file is read: proposed from its content, and a constant once its user has confirmed or changed it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

from dpcore.errors import InvalidValueError

LAST_LINE = 1_000  # in which a user can say that the names begin
MOST_LINES = 3  # of names, one below the other
ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "windows-1252": "Windows-1252",
    "windows-1250": "Windows-1250 (Central Europe)",
    "cp850": "DOS (code page 850)",
    "mac_roman": "Mac Roman",
    "latin-1": "Latin-1",
}
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
DECIMALS = {".": "decimal point", ",": "decimal comma"}
THOUSANDS = {"": "nothing", ",": "commas", ".": "points", " ": "spaces", "'": "apostrophes"}
_KNOWN = {"encoding": ENCODINGS, "delimiter": DELIMITERS, "decimal": DECIMALS, "thousands": THOUSANDS}
_SEPARATORS = {",": ",", ".": r"\.", " ": "[ \u00a0\u2009\u202f]", "'": "['\u2019]"}  # as patterns: narrow blanks are blanks too


@final
@dataclass(frozen=True, slots=True)
class HeaderLines:
    """The lines that name the columns.

    Attributes:
        first: Line in which the names begin, from 1.
        lines: Number of lines of names, one below the other. If 0, the columns have no names, and records begin in ``first``.
    """

    first: int = 1
    lines: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.first <= LAST_LINE:
            raise InvalidValueError("line of the names", f"a whole number from 1 to {LAST_LINE:,}", self.first)
        if not 0 <= self.lines <= MOST_LINES:
            raise InvalidValueError("lines of names", f"a whole number from 0 to {MOST_LINES}", self.lines)

    @property
    def words(self) -> str:
        """Names in line 3; names in lines 3 and 4, joined; no names, rows from line 3."""
        if self.lines == 0:
            return f"no names, rows from line {self.first}"
        if self.lines == 1:
            return f"names in line {self.first}"
        between = "and" if self.lines == 2 else "to"
        return f"names in lines {self.first} {between} {self.first + self.lines - 1}, joined"


@final
@dataclass(frozen=True, slots=True)
class Format:
    """The format of a text file.

    Attributes:
        encoding: One of ``ENCODINGS``.
        delimiter: The separator of columns, one of ``DELIMITERS``.
        decimal: The decimal mark, one of ``DECIMALS``.
        thousands: The mark that may separate groups of three digits, one of ``THOUSANDS``. It differs from ``decimal``.
        names: The lines that name the columns.

    Raises:
        InvalidValueError: If a value is not listed, or one mark is both the decimal mark and the thousands separator.
    """

    encoding: str = "utf-8"
    delimiter: str = ","
    decimal: str = "."
    thousands: str = ""
    names: HeaderLines = field(default_factory=HeaderLines)

    def __post_init__(self) -> None:
        given = {"encoding": self.encoding, "delimiter": self.delimiter, "decimal": self.decimal, "thousands": self.thousands}
        for name, got in given.items():
            if got not in (known := _KNOWN[name]):
                raise InvalidValueError(f"{name} of a file", f"one of {', '.join(map(repr, known))}", got)
        if self.thousands == self.decimal:
            raise InvalidValueError("thousands of a file", "another mark than the decimal one", self.thousands)

    @property
    def written(self) -> Format:
        """The format of numbers in its cells."""
        return self

    @property
    def words(self) -> str:
        """Semicolons between columns, decimal comma, Windows-1252, names in line 1."""
        written = f"{DELIMITERS[self.delimiter]} between columns, {self.numbers_in_words}"
        return f"{written}, {ENCODINGS[self.encoding]}, {self.names.words}"

    @property
    def numbers_in_words(self) -> str:
        """Decimal comma, points between thousands."""
        between = f", {THOUSANDS[self.thousands]} between thousands" if self.thousands else ""
        return f"{DECIMALS[self.decimal]}{between}"

    @property
    def number(self) -> str:
        """Regular expression of every finite number that is written this way, from its first character to its last."""
        mark, between = _SEPARATORS[self.decimal], f"(?:{self.separator}[0-9]{{3}})+"
        grouped = rf"[1-9][0-9]{{0,2}}{between}(?:{mark}[0-9]*)?|0{between}{mark}[0-9]*|" if self.thousands else ""  # no 0.123
        return rf"^[+-]?(?:{grouped}[0-9]+(?:{mark}[0-9]*)?|{mark}[0-9]+)(?:[eE][+-]?[0-9]+)?$"

    @property
    def separator(self) -> str:
        """Regular expression of the thousands separator; empty if there is none."""
        return _SEPARATORS[self.thousands] if self.thousands else ""


PLAIN = Format()  # numbers as in any CSV


@final
@dataclass(frozen=True, slots=True)
class Parquet:
    """A Parquet file, which states the types of its columns."""

    words: ClassVar[str] = "a Parquet file, with dates as text such as 2024-01-31"
    written: ClassVar[Format] = PLAIN  # how its cells write numbers


@final
@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet of a workbook.

    Attributes:
        name: Name of the sheet.
        names: The lines that name the columns.
        decimal: Decimal mark of numbers that are stored as text.
        thousands: Thousands separator of numbers that are stored as text.
    """

    name: str
    names: HeaderLines = field(default_factory=HeaderLines)
    decimal: str = "."
    thousands: str = ""

    def __post_init__(self) -> None:
        if not self.name:
            raise InvalidValueError("name of a sheet", "a text", self.name)
        Format(decimal=self.decimal, thousands=self.thousands)

    @property
    def written(self) -> Format:
        """The format of numbers in its cells."""
        return Format(decimal=self.decimal, thousands=self.thousands)

    @property
    def words(self) -> str:
        """The sheet, the lines of its names, what its dates become, and how numbers are written that are stored as text."""
        marks = "" if self.written == PLAIN else f", {self.written.numbers_in_words} where numbers are text"
        return f"the sheet “{self.name}” of a workbook, {self.names.words}, with dates as text such as 2024-01-31{marks}"


Form = Format | Parquet | Sheet


@final
@dataclass(frozen=True, slots=True)
class Seen:
    """A proposal for reading a file.

    Attributes:
        form: How the file is read.
        lines: The first rows of a sheet, with a bar between cells.
        rows: Number of rows of a sheet; 0 if unknown.
        columns: Number of columns of a sheet; 0 if unknown.
        in_doubt: Whether 1.234 could also be a whole number.
    """

    form: Form
    lines: tuple[str, ...] = ()
    rows: int = 0
    columns: int = 0
    in_doubt: bool = False
