"""How a text file is read: a constant once its holder has confirmed what was detected."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from dpcore.errors import InvalidValueError
from pages.files.csv_columns.header_lines import HeaderLines

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
_SEPARATORS = {",": ",", ".": r"\.", " ": "[ \u00a0\u2009\u202f]", "'": "['\u2019]"}  # as patterns: narrow blanks are blanks too


@final
@dataclass(frozen=True, slots=True)
class Format:
    """The encoding of a text file, what stands between its columns, how its numbers are written, and where its names are.

    ``thousands`` is what may stand between groups of three digits, or the empty string. It says nothing of what a column holds.
    InvalidValueError for a value that is not listed above, and where one mark would be both decimal and thousands.
    """

    encoding: str = "utf-8"
    delimiter: str = ","
    decimal: str = "."
    thousands: str = ""
    names: HeaderLines = field(default_factory=HeaderLines)

    def __post_init__(self) -> None:
        for name, known in _KNOWN.items():
            if not isinstance(got := getattr(self, name), str) or got not in known:
                raise InvalidValueError(f"{name} of a file", f"one of {', '.join(map(repr, known))}", got)
        if self.thousands == self.decimal:
            raise InvalidValueError("thousands of a file", "another mark than the decimal one", self.thousands)

    @property
    def written(self) -> Format:
        """How its cells have numbers."""
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
        """A regular expression of every finite number that is written this way, from its first character to its last."""
        mark, between = _SEPARATORS[self.decimal], f"(?:{self.separator}[0-9]{{3}})+"
        grouped = rf"[1-9][0-9]{{0,2}}{between}(?:{mark}[0-9]*)?|0{between}{mark}[0-9]*|" if self.thousands else ""  # no 0.123
        return rf"^[+-]?(?:{grouped}[0-9]+(?:{mark}[0-9]*)?|{mark}[0-9]+)(?:[eE][+-]?[0-9]+)?$"

    @property
    def separator(self) -> str:
        """A regular expression of what may stand between thousands; empty where nothing may."""
        return _SEPARATORS[self.thousands] if self.thousands else ""


_KNOWN = {"encoding": ENCODINGS, "delimiter": DELIMITERS, "decimal": DECIMALS, "thousands": THOUSANDS}
