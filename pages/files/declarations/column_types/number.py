"""Numbers between public bounds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.declared import CONSTANT, Column
from dpcore.base.types import Database
from dpcore.errors import TableError
from pages.files.csv_columns.format import Format
from pages.files.declarations.column_types import column_type
from pages.files.declarations.column_types.column_type import PLAIN, ColumnType, known_words, rule_of
from pages.files.declarations.declaration import LONGEST, Declaration, Words

_UNKNOWN = (
    "If nobody can say, enter bounds that are wide enough for certain, such as 0 and 1000000000. Narrower bounds give less noise."
)

_TRUTHS = dict.fromkeys(("True", "TRUE", "true"), "1") | dict.fromkeys(
    ("False", "FALSE", "false"), "0"
)  # as ``values_of`` has them


@final
class Number(ColumnType):
    """A quantity. Its decimal mark is the file's; a cell that is no number is missing."""

    title: ClassVar[str] = "number"
    numbers: ClassVar[bool] = True

    def holds(self, words: Words, form: Format, /) -> Database:
        return np.isfinite(floats(words.different, form))

    def column(self, declared: Declaration, /) -> Column:
        name = declared.name
        column_type.both(declared.lowest, declared.highest, name, unknown=_UNKNOWN)
        low = column_type.number(declared.lowest, f"The lowest value of {name}")
        high = column_type.number(declared.highest, f"The highest value of {name}")
        column_type.refuse(name, low, high)
        rule, stands = rule_of(declared, self.rules, f"{(low + high) / 2:.15g}")
        if rule == CONSTANT:
            constant = column_type.number(stands, f"The constant of {name}")
            if not low <= constant <= high:
                raise TableError(f"The constant of {name} is {stands}, outside its bounds.", "Enter one between them.")
            stands = _shown(constant)
        unit = declared.unit or next(iter(_spelt(declared.unit_behind)), "")
        return Column(name, declared.label, unit, bounds=(low, high), missing=rule, stands=stands)

    def values(self, cells: Any, declared: Declaration, form: Format = PLAIN, /) -> Database:
        found = _known(cells, declared, form)
        if declared.missing != CONSTANT:
            return found
        return np.where(np.isnan(found), float(self.column(declared).stands), found)

    def in_words(self, declared: Declaration, /) -> str:
        units = " or ".join(f"“{unit}”" for unit in _spelt(declared.unit_behind))
        return f"{self.title} with {units} behind it or nothing" if units else self.title

    def read_off(self, cells: Database, declared: Declaration, form: Format, /) -> Declaration:
        found = _known(cells, declared, form)
        found = found[np.isfinite(found)]
        if declared.lowest or declared.highest or not found.size:
            return declared
        return replace(declared, lowest=_shown(float(found.min())), highest=_shown(float(found.max())))


def _shown(number: float) -> str:
    """In as few digits as say it."""
    short = f"{number:.15g}"
    return short if float(short) == number else repr(number)


def _known(cells: Any, declared: Declaration, form: Format) -> Database:
    """(n,); NaN where a cell is no finite number, or says that nothing is known, however that number is written."""
    if isinstance(cells, np.ndarray) and cells.dtype.kind == "f":
        found = cells
    else:
        words = known_words(cells, declared)
        plain = [_TRUTHS.get(word, word) for word in words.different]
        found = words.mapped(floats(plain, form, declared.unit_behind))
    codes = floats([code.replace("\u2212", "-") for code in declared.codes], form, declared.unit_behind)
    known = np.isfinite(found) & ~np.isin(found, codes[np.isfinite(codes)])
    return found if known.all() else np.where(known, found, np.nan)


def floats(words: Sequence[str], form: Format, unit_behind: str = "") -> Database:
    """(words,); NaN for a word that is no number in this form, with one of these units beside it or nothing, or is too long."""
    number, separator = re.compile(form.number), re.compile(form.separator or "(?!)")
    bare = _without(words, _spelt(unit_behind)) if unit_behind else words
    fits = [len(word) <= LONGEST and number.match(word) for word in bare]
    plain = [separator.sub("", word).replace(form.decimal, ".") if fit else "nan" for word, fit in zip(bare, fits, strict=True)]
    return np.array(plain, dtype=np.float64)


# The unit of numbers that are written with one, as in "67,0 kg" or "€ 12".


_LONGEST_UNIT = 15
_UNIT = rf"[^\d\s.,;'’+-](?:[^\d;]{{0,{_LONGEST_UNIT - 2}}}[^\d\s;])?"
_BEFORE = r"[€$£¥]|[A-Z]{3}(?=\s)"  # other letters before a number make it a name
_ALIKE = 2  # first letters of a unit and its singular
_LISTED = "; "


def _spelt(units: str) -> list[str]:
    return [unit for part in units.split(_LISTED.strip()) if (unit := part.strip())]


def _without(words: Sequence[str], units: Sequence[str]) -> list[str]:
    either = "|".join(map(re.escape, sorted(units, key=len, reverse=True)))
    beside = re.compile(rf"(?:{either})$|^(?:{either})")  # no blanks: those within a long cell would be looked at again and again
    return [beside.sub("", word, count=1).strip() for word in words]


def unit_behind(words: Words, form: Format) -> str:
    """What stands beside the numbers of more records than anything else does, and its singular; empty where nothing does.

    A singular stands beside 1 alone, as in "1 day; 5 days".
    """
    number = form.number.removeprefix("^").removesuffix("$")
    beside = re.compile(rf"^(?:({number})\s*({_UNIT})|({_BEFORE})\s*({number}))$")
    counts = np.bincount(words.places, minlength=len(words.different))
    units: Counter[str] = Counter()
    several = set[str]()
    for word, count in zip(words.different, counts.tolist(), strict=True):
        if found := beside.match(word):
            unit = found[2] or found[3]
            units[unit] += count
            several |= set() if floats([found[1] or found[4]], form)[0] == 1 else {unit}
    if not units:
        return ""
    most = max(units, key=lambda unit: (unit in several, units[unit]))
    alike = [one for one in units if one != most and min(len(one), len(most)) > _ALIKE and one[:_ALIKE] == most[:_ALIKE]]
    return _LISTED.join([most, *(one for one in alike if one not in several)])
