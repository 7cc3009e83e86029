"""What is declared of one column, as its holder wrote it: the constants by which its cells are read."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, final

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpcore.base.declared import CATEGORY, CONSTANT, KNOWN
from dpcore.base.quoted import quoted
from dpcore.base.types import Database
from dpcore.errors import InvalidValueError
from pages.files.cells import trimmed

# Columns of text by their different values, of which there are few where there are many records.


_LONG_MINUS = "\u2212"  # as word processors write it
_WHOLE = 1e15  # below that a whole number is written without a point


@final
@dataclass(frozen=True, eq=False)
class Words:
    """``different``: the values that there are; ``places``: where in these each record's value stands, (n,)."""

    different: list[str]
    places: NDArray[np.int32]

    def without(self, codes: tuple[str, ...]) -> Words:
        """With nothing in the place of each of these words."""
        known = frozenset(codes) | {code.replace(_LONG_MINUS, "-") for code in codes}
        return Words(["" if word in known else word for word in self.different], self.places) if codes else self

    def mapped(self, values: NDArray[Any]) -> Database:
        """What each record has, from one value a different word: (different,) -> (n,)"""
        if not len(values):
            return np.full(len(self.places), np.nan if values.dtype.kind == "f" else "", dtype=values.dtype)
        return np.ascontiguousarray(values[self.places])


def words_of(cells: Any, *, most: int | None = None) -> Words:
    """The values of a column, trimmed, numbers as they are written by hand; ``most``: only the first characters of each.

    ``cells`` is a numpy array, or a chunked array of Arrow whose strings are trimmed.
    """
    if isinstance(cells, np.ndarray) and cells.dtype.kind != "U":
        different, places = np.unique(cells, return_inverse=True)
        return Words([_written(float(number)) for number in different], places.astype(np.int32))
    strings = trimmed(cells) if isinstance(cells, np.ndarray) else cells.combine_chunks()
    if most is not None:
        strings = pc.utf8_slice_codeunits(strings, 0, most)
    coded = pc.dictionary_encode(strings)
    return Words(coded.dictionary.to_pylist(), coded.indices.to_numpy())


def _written(number: float) -> str:
    if np.isnan(number):
        return ""
    return str(int(number)) if number.is_integer() and abs(number) < _WHOLE else repr(number)


MISSING = (KNOWN, CONSTANT, CATEGORY)
DAYS, YEAR, MONTH, WEEKDAY = "days", "year", "month", "weekday"
DATES_AS = (DAYS, YEAR, MONTH, WEEKDAY)
LONGEST = 200  # characters of a field
MOST_CATEGORIES = 100
MOST_SPELLINGS = 100
MOST_CODES = 50  # that its holder lists at once: a column has its own, and those of the file


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """Every field is text, for a person types it, and a column's type says what of it is needed and what that must be.

    ``type`` is the title of a type, ``lowest`` and ``highest`` are public bounds, ``constant`` is what a missing value counts as
    where ``missing`` says so. ``codes`` are cells that say that nothing is known, as -999 or k. A.; ``codes_count`` allows one
    that is also a value of the column. ``unit_behind`` is what stands beside its numbers, a singular behind a semicolon, and
    ``spellings`` are pairs of a word of the file and the category that it means. InvalidValueError for what is none of that, or
    too long.
    """

    name: str
    type: str
    used: bool = True
    lowest: str = ""
    highest: str = ""
    categories: tuple[str, ...] = ()
    unit: str = ""
    label: str = ""
    missing: str = KNOWN
    constant: str = ""
    dates_as: str = DAYS
    codes: tuple[str, ...] = ()
    codes_count: bool = False
    unit_behind: str = ""
    spellings: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for name in ("used", "codes_count"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidValueError(f"{name} of {quoted(self.name)}", "true or false", getattr(self, name))
        for name, most in (("categories", MOST_CATEGORIES), ("codes", 2 * MOST_CODES)):
            words = few_texts(f"{name} of {quoted(self.name)}", getattr(self, name), most)
            object.__setattr__(self, name, words)
        object.__setattr__(self, "spellings", self._pairs())
        for field in fields(self):
            value = getattr(self, field.name)
            whole_name = field.name == "name" and isinstance(value, str)  # which is as long as its file has it
            if field.name not in _NO_TEXT and not (whole_name or _short(value)):
                raise InvalidValueError(f"{field.name} of {quoted(self.name)}", f"a text of at most {LONGEST} characters", value)
        for name, known in (("missing", MISSING), ("dates_as", DATES_AS)):
            if getattr(self, name) not in known:
                raise InvalidValueError(f"{name} of {quoted(self.name)}", f"one of {', '.join(known)}", getattr(self, name))

    def _pairs(self) -> tuple[tuple[str, str], ...]:
        name, pairs = f"spellings of {quoted(self.name)}", self.spellings
        if not isinstance(pairs, (list, tuple)) or len(pairs) > MOST_SPELLINGS:
            raise InvalidValueError(name, f"at most {MOST_SPELLINGS} pairs", pairs)
        found = [few_texts(name, pair, 2) for pair in pairs]
        if any(len(pair) != 2 for pair in found) or len({word for word, *_ in found}) < len(found):
            raise InvalidValueError(name, "pairs of a word and the category that it means, no word twice", pairs)
        return tuple((word, means) for word, means in found)


_NO_TEXT = ("used", "categories", "codes", "codes_count", "spellings")


def few_texts(name: str, given: object, most: int) -> tuple[str, ...]:
    """At most so many short texts, none of them empty; InvalidValueError for anything else."""
    if not isinstance(given, (list, tuple)) or len(given) > most or not all(_short(one) and one for one in given):
        raise InvalidValueError(name, f"at most {most} texts, each of 1 to {LONGEST} characters", given)
    return tuple(given)


def _short(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST and (value.isprintable() or not value)
