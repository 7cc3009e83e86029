"""Declarations of a file: of each column, of the whole file, and of its rows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import chain
from typing import final

from dpcore.base.text import counted, quoted
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Unit
from pages.files.form import Form
from pages.files.persons import Guesses, Persons

LONGEST = 200  # characters of a field
MOST_CATEGORIES = 100
MOST_SPELLINGS = 100
MOST_LAST = 1_000  # lines at the end that are not records
MOST_WORDS = 20  # by which rows are left out
MOST_CODES = 50  # of the file; a column has its own beside them


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """The declaration of a column. Fields are text as typed by the user; the type of the column checks them.

    Attributes:
        name: The column.
        type: Title of its type.
        used: Whether it is used.
        lowest: Public lower bound.
        highest: Public upper bound.
        categories: The possible categories.
        unit: Unit of its numbers, and other spellings of it after semicolons. Cells may have it beside the number.
        label: Its name on screens.
        constant: What a missing value counts as; if empty, only known values count.
        codes: Cells for a missing value, such as -999 or k. A.
        spellings: Pairs of a word in the file and its category.

    Raises:
        InvalidValueError: If a field has another type, or is too long.
    """

    name: str
    type: str
    used: bool = True
    lowest: str = ""
    highest: str = ""
    categories: tuple[str, ...] = ()
    unit: str = ""
    label: str = ""
    constant: str = ""
    codes: tuple[str, ...] = ()
    spellings: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        name = quoted(self.name)
        texts = {"type": self.type, "lowest": self.lowest, "highest": self.highest}
        texts |= {"unit": self.unit, "label": self.label, "constant": self.constant}
        for what, text in texts.items():
            _refuse_long(f"{what} of {name}", (text,), 1)
        _refuse_long(f"categories of {name}", self.categories, MOST_CATEGORIES)
        _refuse_long(f"codes of {name}", self.codes, 2 * MOST_CODES)
        _refuse_long(f"spellings of {name}", tuple(chain(*self.spellings)), 2 * MOST_SPELLINGS)
        if any(len(pair) != 2 for pair in self.spellings) or len(dict(self.spellings)) < len(self.spellings):
            wanted = "pairs of a word and the category that it means, no word twice"
            raise InvalidValueError(f"spellings of {name}", wanted, self.spellings)

    @property
    def units(self) -> list[str]:
        """The unit and its other spellings."""
        return [unit for part in self.unit.split(";") if (unit := part.strip())]


def _refuse_long(name: str, texts: tuple[str, ...], most: int) -> None:
    """Raise InvalidValueError for too many texts, and for one that is too long or cannot be shown."""
    if len(texts) > most or not all(len(text) <= LONGEST and text.isprintable() for text in texts):
        expected = f"at most {most} texts, each" if most > 1 else "a text"
        raise InvalidValueError(name, f"{expected} of at most {LONGEST} characters", texts)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class WholeFile:
    """The declaration of a whole file.

    Attributes:
        codes: Cells of any column for a missing value.
        last: Number of lines at the end that are not records.
        by: The column by which rows are omitted. Such a row stays a record, whose values are all missing (mathematics, section
            13.4).
        words: Rows with one of these words in ``by`` are omitted; if empty, rows without a value there.
    """

    codes: tuple[str, ...] = ()
    last: int = 0
    by: str = ""
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _refuse_long("codes of the file", self.codes, MOST_CODES)
        _refuse_long("words of rows that are left out", self.words, MOST_WORDS)
        if not 0 <= self.last <= MOST_LAST:
            raise InvalidValueError("last lines", f"a whole number from 0 to {MOST_LAST:,}", self.last)
        if self.words and not self.by:
            raise InvalidValueError("column by which rows are left out", "the name of a column", self.by)

    def of(self, declared: Declaration) -> Declaration:
        """Return the declaration of a column, with the codes of the whole file."""
        return replace(declared, codes=tuple(dict.fromkeys((*declared.codes, *self.codes)))) if self.codes else declared

    @property
    def said(self) -> str:
        """The lines that are not records, and the omitted rows, for receipts and downloads; empty without such lines and rows."""
        last = "The last line of the file is left out." if self.last == 1 else ""
        if self.last > 1:
            last = f"The last {counted(self.last, ' lines')} of the file are left out."
        what = " or ".join(f"“{word}”" for word in self.words)
        rows = f"A row whose {self.by} is {what}" if self.words else f"A row without a value in {self.by}"
        return " ".join(filter(None, [last, f"{rows} counts as one whose values are all missing." if self.by else ""]))


@final
@dataclass(frozen=True, slots=True)
class Settings:
    """All declarations of a file. Nothing in it is computed from a record of a confidential table.

    Attributes:
        form: How the file is read.
        public: Whether the table is public.
        unit: The unit of one row.
        columns: The declarations of its columns.
        persons: The person of each row.
        guesses: The user's guesses.
        stated: Stated number of records.
        whole: The declaration of the whole file.
    """

    form: Form
    public: bool
    unit: Unit
    columns: tuple[Declaration, ...]
    persons: Persons | None = None
    guesses: Guesses = field(default_factory=Guesses)
    stated: int | None = None
    whole: WholeFile = field(default_factory=WholeFile)

    def fitted(self, proposed: tuple[Declaration, ...]) -> tuple[Declaration, ...]:
        """Return the declarations of a file's columns: these, or the proposed ones for columns that are new."""
        known = {one.name: one for one in self.columns}
        return tuple(known.get(one.name, one) for one in proposed)
