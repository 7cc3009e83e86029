"""How a text file is read: a constant once its holder has confirmed what was detected."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import final

from dpcore.errors import InvalidValueError

ENCODINGS = {"utf-8": "UTF-8", "utf-16": "UTF-16", "windows-1252": "Windows-1252", "latin-1": "Latin-1"}
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
DECIMALS = {".": "decimal point", ",": "decimal comma"}
THOUSANDS = {"": "nothing", ",": "commas", ".": "points", " ": "spaces", "'": "apostrophes"}
_SEPARATORS = {",": ",", ".": r"\.", " ": "[ \u00a0\u202f]", "'": "['\u2019]"}  # as patterns: narrow blanks count as blanks


@final
@dataclass(frozen=True, slots=True)
class Format:
    """The encoding of a text file, what stands between its columns, and how its numbers are written.

    ``thousands`` is what may stand between groups of three digits, or the empty string. It says nothing of what a column holds.
    InvalidValueError for a value that is not listed above, and where one mark would be both decimal and thousands.
    """

    encoding: str = "utf-8"
    delimiter: str = ","
    decimal: str = "."
    thousands: str = ""

    def __post_init__(self) -> None:
        for name, known in _KNOWN.items():
            if not isinstance(got := getattr(self, name), str) or got not in known:
                raise InvalidValueError(f"{name} of a file", f"one of {', '.join(map(repr, known))}", got)
        if self.thousands == self.decimal:
            raise InvalidValueError("thousands of a file", "another mark than the decimal one", self.thousands)

    @property
    def words(self) -> str:
        """Semicolons between columns, decimal comma, Windows-1252."""
        between = f", {THOUSANDS[self.thousands]} between thousands" if self.thousands else ""
        return f"{DELIMITERS[self.delimiter]} between columns, {DECIMALS[self.decimal]}{between}, {ENCODINGS[self.encoding]}"

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

    def to_json(self) -> dict[str, str]:
        """Each field by its name."""
        return asdict(self)

    @classmethod
    def from_json(cls, said: object) -> Format:
        """What ``to_json`` gave; InvalidValueError for anything else."""
        names = {field.name for field in fields(cls)}
        if not isinstance(said, dict) or set(said) != names:
            raise InvalidValueError("format of a file", f"an object of {', '.join(sorted(names))}", said)
        return cls(**said)


_KNOWN = {"encoding": ENCODINGS, "delimiter": DELIMITERS, "decimal": DECIMALS, "thousands": THOUSANDS}
