"""What a holder declares of a whole file: cells that say that nothing is known, and which of its rows are left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.counted import counted
from dpcore.errors import InvalidValueError, TableError
from dpcore.guarantees.privacy import Unit
from pages.files.declarations.declaration import LONGEST, MOST_CODES, Declaration, few_texts, words_of
from pages.files.persons import Guesses, Persons
from pages.files.tables import Form, Table

MOST_LAST = 1_000
MOST_WORDS = 20
Rows = NDArray[np.bool_]


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


def records(draft: Table, whole: WholeFile) -> int:
    """How many of the file's rows are records: all but the last lines; TableError where fewer than 2 would be left."""
    left = len(draft) - whole.last
    if whole.last and left < 2:
        last = counted(whole.last, " lines")
        raise TableError(f"Without the last {last} fewer than 2 rows are left.", "Leave out fewer lines.")
    return left


def refuse_unknown(draft: Table, whole: WholeFile) -> None:
    """TableError where the column by which rows are left out is not in the file, or holds nothing at all."""
    if not whole.by or whole.by in draft.values:
        return
    if whole.by not in draft.unused:
        raise TableError(
            f"Rows are left out by {whole.by}, and the file has no such column.", "Choose another column, or leave no row out."
        )
    if not whole.words or (draft.cells is not None and whole.by not in draft.cells.columns):
        raise TableError(
            f"{whole.by} holds no value that is read, so no row or every row would be left out.",
            "Choose another column for that.",
        )


def rows_left_out(draft: Table, whole: WholeFile, declared: Sequence[Declaration]) -> Rows | None:
    """Of each row of the file whether it is; None where there is no such condition. Each cell is read by itself, as it is
    written, without the codes of its column and of the file."""
    if not whole.by:
        return None
    refuse_unknown(draft, whole)
    own = next((one for one in declared if one.name == whole.by), Declaration(name=whole.by, type="text"))
    words = words_of(written(draft, whole.by), most=LONGEST + 1).without(whole.of(own).codes)
    asked = whole.words or ("",)
    return np.asarray(words.mapped(np.array([float(word in asked) for word in words.different])) == 1)


def written(draft: Table, name: str) -> Any:
    """The cells of a column as they are written, a chunked array of Arrow; its values if the table is of no file, and empty texts
    if there is no such column."""
    found = draft.values if draft.cells is None else draft.cells.columns
    return found.get(name, np.full(len(draft), ""))


@final
@dataclass(frozen=True, slots=True)
class Settings:
    """How the file is read, what one row is, and a declaration a column. Nothing in it was computed from a record, but for
    bounds, categories and codes of a table that is ``public``."""

    form: Form
    public: bool
    unit: Unit
    columns: tuple[Declaration, ...]
    persons: Persons | None = None
    guesses: Guesses = field(default_factory=Guesses)
    stated: int | None = None
    whole: WholeFile = field(default_factory=WholeFile)

    def fitted(self, proposed: tuple[Declaration, ...]) -> tuple[Declaration, ...]:
        """The declarations of this file's columns, and the proposed ones of columns that are read now and were not then."""
        known = {one.name: one for one in self.columns}
        return tuple(known.get(one.name, one) for one in proposed)
