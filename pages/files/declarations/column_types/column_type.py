"""What a type of columns is: how its cells are read, and what its holder declares."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from dpcore.base.declared import CONSTANT, KNOWN, Column
from dpcore.base.types import Database
from dpcore.errors import TableError
from pages.files.csv_columns.format import Format
from pages.files.declarations.declaration import Declaration, Words, words_of

PLAIN = Format()  # numbers as in any CSV

# Public bounds as a person types them.


_TWO_WAYS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")  # a mark between thousands, or before decimals
_LARGEST = 1e100  # of a bound: products of a few, and their sums over a table, stay finite
_NARROWEST = 1e-12  # the bounds' difference, as a share of the larger: bins between them have edges that differ


def number(text: str, what: str) -> float:
    """The number that was typed, with a point or a comma before its decimals; TableError where it is none."""
    plain = text.strip().replace("−", "-").replace("\u00a0", "")
    if _TWO_WAYS.fullmatch(plain):
        raise TableError(f"{what} is “{text}”, which can be read in two ways.", "Write it without a comma, as 1500 or 1.5.")
    if plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    try:
        value = float(plain)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise TableError(f"{what} is “{text}”, and that is no number.", "Write it as 1500 or 0.5, without a unit.")
    return value


def both(lowest: str, highest: str, name: str, *, example: str = "", unknown: str = "") -> None:
    """TableError where one of them is not given; ``unknown``: what to do where nobody knows them."""
    given = [bool(text.strip()) for text in (lowest, highest)]
    if not all(given):
        missing = "lowest" if given[1] else "highest" if given[0] else "lowest and its highest"
        remedy = f"Enter what the quantity can be, not what the table has{example}. {unknown}".rstrip()
        raise TableError(f"{name} needs its {missing} possible value.", remedy)


def refuse(name: str, low: float, high: float) -> None:
    """TableError, in plain words, for bounds that no column can have or that cannot be computed with."""
    if low >= high:
        than = "not below" if low == high else "above"
        raise TableError(
            f"The lowest value of {name} is {low:.15g}, and that is {than} its highest, {high:.15g}.",
            "Enter two numbers, the lower one first.",
        )
    largest = max(abs(low), abs(high))
    if largest > _LARGEST:
        raise TableError(
            f"A bound of {name} is {largest:.3g} in size, and more than {_LARGEST:g} cannot be computed with.",
            "Enter what the quantity can be, or upload it in a larger unit.",
        )
    if high - low < max(_NARROWEST * largest, 1 / _LARGEST):
        raise TableError(f"The bounds of {name} are too close together to compute with.", "Enter what the quantity can be.")


# The rule for missing values that a column has: as declared, where its type knows such a rule.


def rule_of(declared: Declaration, known: tuple[str, ...], usual: str = "") -> tuple[str, str]:
    """The rule and the constant, empty where the rule needs none; TableError for a rule of another type, or no constant.

    ``usual``: the constant where none is given; where that is empty, one has to be.
    """
    if declared.missing not in known:
        offered = " or ".join(f"“{rule}”" for rule in known)
        raise TableError(f"A missing {declared.name} cannot have the rule “{declared.missing}”.", f"Choose {offered}.")
    if declared.missing != CONSTANT:
        return declared.missing, ""
    if not (declared.constant.strip() or usual):
        raise TableError(f"A missing {declared.name} counts as a constant, and none is given.", "Enter it under Constant.")
    return CONSTANT, declared.constant.strip() or usual


class ColumnType(ABC):
    """One type. A cell that does not fit is missing, and changes nothing else: each cell is read by itself."""

    numbers: ClassVar[bool] = False  # whether the type takes cells that were read as numbers
    rules: ClassVar[tuple[str, ...]] = (KNOWN, CONSTANT)  # for missing values

    @property
    @abstractmethod
    def title(self) -> str:
        """As its holder picks it, and as settings name it."""

    @abstractmethod
    def holds(self, words: Words, form: Format, /) -> Database:
        """Which of the different words are cells of this type, numbers written in this form: (different,) of truth values."""

    @abstractmethod
    def column(self, declared: Declaration, /) -> Column:
        """What is public of it; TableError, in plain words, for what is not given, or cannot be."""

    @abstractmethod
    def values(self, cells: Any, declared: Declaration, form: Format = PLAIN, /) -> Database:
        """What the cells are under these declarations: (n,) of floats, NaN where missing, or of text, '' where missing.

        ``cells``: as ``words_of`` takes them. ``form``: how the file writes numbers.
        """

    def in_words(self, declared: Declaration, /) -> str:
        """How its cells are read, for receipts and downloads."""
        return declared.type

    def read_off(self, cells: Database, declared: Declaration, form: Format, /) -> Declaration:
        """With the bounds or categories that a *public* table's own values suggest, where none are declared."""
        return declared


def known_words(cells: Any, declared: Declaration, *, most: int | None = None) -> Words:
    """The different words of the cells, with nothing in the place of one that says that nothing is known."""
    return words_of(cells, most=most).without(declared.codes)


def share(fitting: Database, words: Words) -> float:
    """Of the records that are not blank, those whose word fits; 0 where all are blank."""
    counts = np.bincount(words.places, minlength=len(words.different))
    filled = counts * np.array([bool(word) for word in words.different], dtype=np.int64)
    return float(counts[np.asarray(fitting, dtype=bool)].sum() / max(1, filled.sum()))
