"""Numbers between public bounds."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import ClassVar, final

import numpy as np

from dpcore.base.declared import CONSTANT, Column
from dpcore.base.types import Database
from dpcore.errors import TableError
from pages.files.csv_columns.format import Format
from pages.files.declarations.column_types import column_type
from pages.files.declarations.column_types.column_type import ColumnType, rule_of
from pages.files.declarations.declaration import Declaration, Words, words_of


@final
class Number(ColumnType):
    """A quantity. Its decimal mark is the file's; a cell that is no number is missing."""

    title: ClassVar[str] = "number"
    numbers: ClassVar[bool] = True

    def holds(self, words: Words, form: Format, /) -> Database:
        return np.isfinite(_floats(words, form))

    def column(self, declared: Declaration, /) -> Column:
        name = declared.name
        column_type.both(declared.lowest, declared.highest, name)
        low = column_type.number(declared.lowest, f"The lowest value of {name}")
        high = column_type.number(declared.highest, f"The highest value of {name}")
        column_type.refuse(name, low, high)
        rule, stands = rule_of(declared, self.rules, f"{(low + high) / 2:.15g}")
        if rule == CONSTANT:
            constant = column_type.number(stands, f"The constant of {name}")
            if not low <= constant <= high:
                raise TableError(f"The constant of {name} is {stands}, outside its bounds.", "Enter one between them.")
            stands = _shown(constant)
        return Column(name, declared.label, declared.unit, bounds=(low, high), missing=rule, stands=stands)

    def values(self, cells: Database, declared: Declaration, /) -> Database:
        found = cells if cells.dtype.kind == "f" else _read(cells, Format())
        known = np.isfinite(found)
        if declared.missing != CONSTANT:
            return found if known.all() else np.where(known, found, np.nan)
        return np.where(known, found, float(self.column(declared).stands))

    def read_off(self, cells: Database, declared: Declaration, form: Format, /) -> Declaration:
        found = cells if cells.dtype.kind == "f" else _read(cells, form)
        found = found[np.isfinite(found)]
        if declared.lowest or declared.highest or not found.size:
            return declared
        return replace(declared, lowest=_shown(float(found.min())), highest=_shown(float(found.max())))


def _shown(number: float) -> str:
    """In as few digits as say it."""
    short = f"{number:.15g}"
    return short if float(short) == number else repr(number)


def _read(cells: Database, form: Format) -> Database:
    words = words_of(cells)
    return words.mapped(_floats(words, form))


def _floats(words: Words, form: Format) -> Database:
    """(different,); NaN for a word that is no number in this form."""
    number, separator = re.compile(form.number), re.compile(form.separator or "(?!)")
    plain = [separator.sub("", word).replace(form.decimal, ".") if number.match(word) else "nan" for word in words.different]
    return np.array(plain, dtype=np.float64)
