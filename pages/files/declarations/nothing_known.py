"""Cells that are likely to say that nothing is known: proposed of public tables alone, for they are values of the table."""

from __future__ import annotations

import numpy as np

from dpcore.base.types import Database
from pages.files.csv_columns.format import Format
from pages.files.csv_columns.missing import AMONG_WORDS
from pages.files.declarations.column_types import TYPES
from pages.files.declarations.column_types.category import Category
from pages.files.declarations.column_types.number import Number
from pages.files.declarations.declaration import LONGEST, MOST_CODES, Declaration, Words, words_of

_NUMBERS = (-9.0, -99.0, -999.0, -9999.0, -99999.0, 99.0, 999.0, 9999.0, 99999.0, 999999.0)


def without_blanks(words: Words) -> Words:
    """With nothing in the place of words by which people say that nothing is known: they tell of no column's type."""
    return Words(["" if word.casefold() in AMONG_WORDS else word for word in words.different], words.places)


def likely_codes(cells: Database, declared: Declaration, form: Format) -> tuple[str, ...]:
    """Those of a *public* column, under its type: numbers such as -999 that lie apart from the others, and words such as k. A."""
    if declared.type == Number.title:
        return _numbers(TYPES[declared.type].values(cells, declared, form))
    if declared.type != Category.title:
        return ()
    found = [word for word in words_of(cells).different if word.casefold() in AMONG_WORDS and len(word) <= LONGEST]
    return tuple(sorted(found)[:MOST_CODES])


def _numbers(values: Database) -> tuple[str, ...]:
    """Further from all other numbers than these from one another, or the only ones below 0."""
    rest = values[np.isfinite(values) & ~np.isin(values, _NUMBERS)]
    if not rest.size:
        return ()
    low, high = float(rest.min()), float(rest.max())
    there = [code for code in _NUMBERS if (values == code).any()]
    apart = [code for code in there if code < 0 <= low or max(code - high, low - code) > high - low]
    return tuple(f"{code:.0f}" for code in apart)
