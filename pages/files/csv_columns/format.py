"""How a text file is read: a constant once its holder has confirmed what was detected."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, final

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.types import Database
from dpcore.errors import InvalidValueError
from pages.files.csv_columns.header_lines import HeaderLines
from pages.files.csv_columns.identifiers import has_identifiers

if TYPE_CHECKING:
    import pandas as pd


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
        grouped = rf"|[0-9]{{1,3}}(?:{self.separator}[0-9]{{3}})+" if self.thousands else ""
        mark = _SEPARATORS[self.decimal]
        return rf"^[+-]?(?:(?:[0-9]+{grouped})(?:{mark}[0-9]*)?|{mark}[0-9]+)(?:[eE][+-]?[0-9]+)?$"

    @property
    def separator(self) -> str:
        """A regular expression of what may stand between thousands; empty where nothing may."""
        return _SEPARATORS[self.thousands] if self.thousands else ""


_KNOWN = {"encoding": ENCODINGS, "delimiter": DELIMITERS, "decimal": DECIMALS, "thousands": THOUSANDS}


# What is known of a CSV once its header is read.


@final
@dataclass(frozen=True, slots=True)
class Layout:
    """The text from its last line of names on, in UTF-8 with plain line ends; how it is written, its columns, and how many lines
    of the file stand before."""

    body: bytes
    form: Format
    header: list[str]
    lines_before: int

    @property
    def delimiter(self) -> str:
        """What stands between its columns."""
        return self.form.delimiter

    @property
    def columns_in_words(self) -> str:
        """1 column, 2 columns."""
        return counted(len(self.header), " columns")


# Columns of numbers that no parser takes as they are: with a mark between thousands, or declared and with strays among them.


_TRUE, _FALSE, _INFINITE = "^(?:True|TRUE|true)$", "^(?:False|FALSE|false)$", "^[+-]?(?i:inf|infinity)$"


@final
class WrittenNumbers:
    """Columns that were read as text, gathered as numbers for as long as each value of theirs is one, or is missing.

    In a column that is declared to hold numbers, what is none is missing, and the column stays.
    """

    def __init__(self, names: list[str], form: Format, missing: list[str], declared: frozenset[str] = frozenset()) -> None:
        self._form, self._missing, self._declared = form, missing, declared
        self.read: list[str] = []  # those that ``arrays`` gave, or would have if they held a number
        self._parts: dict[str, list[Database]] = {name: [] for name in names}

    @property
    def names(self) -> list[str]:
        """The columns that are numbers so far."""
        return list(self._parts)

    def add(self, part: pd.DataFrame) -> None:
        """Add the records of a part; a column with an identifier or a value that is no number is let go."""
        for name in self.names:
            numbers = self._numbers(part[name], name in self._declared)
            if numbers is None:
                del self._parts[name]
            else:
                self._parts[name].append(numbers)

    def arrays(self) -> dict[str, Database]:
        """Those that hold a number at all. The parts are used up."""
        self.read = self.names
        whole = {name: np.concatenate(self._parts.pop(name)) for name in self.read}
        return {name: array for name, array in whole.items() if name in self._declared or not np.isnan(array).all()}

    def _numbers(self, values: pd.Series[str], declared: bool) -> Database | None:
        arrow, pc = import_module("pyarrow"), import_module("pyarrow.compute")
        words = pc.utf8_trim_whitespace(pc.fill_null(arrow.array(values, type=arrow.string()), ""))
        missing = pc.is_in(words, value_set=arrow.array(self._missing, type=arrow.string()))
        if declared:
            words = _truths_as_numbers(words)
            missing = pc.invert(pc.match_substring_regex(words, f"{self._form.number}|{_INFINITE}"))
        else:
            numbers = pc.match_substring_regex(words, self._form.number)
            if not pc.all(pc.or_(missing, numbers), min_count=0).as_py() or has_identifiers(
                words, self._form.separator, self._form.decimal
            ):
                return None
        return _parsed(pc.replace_substring_regex(pc.if_else(missing, "", words), self._form.separator, ""), self._form.decimal)


def _truths_as_numbers(words: Any) -> Any:
    """As the parser has them where a column holds nothing else."""
    pc = import_module("pyarrow.compute")
    return pc.replace_substring_regex(pc.replace_substring_regex(words, _TRUE, "1"), _FALSE, "0")


def _parsed(words: Any, decimal: str) -> Database:
    """By the parser of all other numbers, so that a number is the same to its last bit however it is written."""
    import pandas as pd

    arrow, pc = import_module("pyarrow"), import_module("pyarrow.compute")
    lines = arrow.ListArray.from_arrays([0, len(words)], words)
    text = pc.binary_join(lines, "\n")[0].as_py() + "\n"  # the last value may be missing: its line would be none
    columns = pd.read_csv(io.StringIO(text), sep="\t", names=["_"], decimal=decimal, skip_blank_lines=False, dtype="float64")
    return columns["_"].to_numpy()
