"""What a holder declares of a whole file: cells that say that nothing is known, and lines that are no rows of the table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from dpcore.base.counted import counted
from dpcore.errors import InvalidValueError
from pages.files.declarations.declaration import MOST_CODES, Declaration, few_texts

MOST_LAST = 1_000
MOST_WORDS = 20


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class WholeFile:
    """``codes``: cells of every column that say that nothing is known. ``last``: so many lines at the end are no records.

    ``by``: a column by which rows are left out. A row is where its cell there is one of ``words`` or, without words, where
    nothing is known there. It stays a record, whose values are all missing (mathematics, section 13.4).
    """

    codes: tuple[str, ...] = ()
    last: int = 0
    by: str = ""
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "codes", few_texts("codes of the file", self.codes, MOST_CODES))
        object.__setattr__(self, "words", few_texts("words of rows that are left out", self.words, MOST_WORDS))
        if isinstance(self.last, bool) or not isinstance(self.last, int) or not 0 <= self.last <= MOST_LAST:
            raise InvalidValueError("last lines", f"a whole number from 0 to {MOST_LAST:,}", self.last)
        if not isinstance(self.by, str) or (self.words and not self.by):
            raise InvalidValueError("column by which rows are left out", "the name of a column", self.by)

    def of(self, declared: Declaration) -> Declaration:
        """A column's declaration, with the codes of the whole file."""
        return replace(declared, codes=tuple(dict.fromkeys((*declared.codes, *self.codes)))) if self.codes else declared

    @property
    def said(self) -> str:
        """Which lines are no records, and which rows are left out, for receipts and downloads; empty where there are none."""
        last = "The last line of the file is no row." if self.last == 1 else ""
        if self.last > 1:
            last = f"The last {counted(self.last, ' lines')} of the file are no rows."
        what = " or ".join(f"“{word}”" for word in self.words)
        rows = f"A row whose {self.by} is {what}" if self.words else f"A row without a value in {self.by}"
        return " ".join(filter(None, [last, f"{rows} counts as one whose values are all missing." if self.by else ""]))
