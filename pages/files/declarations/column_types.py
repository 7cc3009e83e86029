"""Types of columns: how each one reads its cells, and which declarations it needs."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.arrays import Database
from dpcore.base.columns import CONSTANT, KNOWN, OTHER, TEXT, Column
from dpcore.errors import TableError
from pages.files.cells import Words, shown, texts, words_of
from pages.files.declarations.declaration import LONGEST, MOST_CATEGORIES, Declaration
from pages.files.form import PLAIN, Format

# Public bounds as a person types them.


_TWO_WAYS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")  # a mark between thousands, or before decimals
_LARGEST = 1e100  # of a bound: products of a few, and their sums over a table, stay finite
_NARROWEST = 1e-12  # the bounds' difference, as a share of the larger: bins between them have edges that differ


_POSSIBLE = "Enter what the quantity can be, not what the table has"


def _typed_number(text: str, what: str) -> float:
    """Return a typed number, with a point or a comma before its decimals. Raise TableError for anything else."""
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
        raise TableError(f"{what} is “{text}”, which cannot be read as a number.", "Write it as 1500 or 0.5, without a unit.")
    return value


def _refuse_missing(declared: Declaration, remedy: str) -> None:
    """Raise TableError if a bound is not given."""
    if not (declared.lowest.strip() and declared.highest.strip()):
        raise TableError(f"{declared.name} needs its lowest and its highest possible value.", f"{_POSSIBLE}{remedy}")


def _refuse_bounds(name: str, low: float, high: float) -> None:
    """Raise TableError for bounds that no column can have, or that cannot be computed with."""
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


class ColumnType(ABC):
    """A type of columns. Each cell is read by itself; a cell that does not fit is missing."""

    title: str  # as the user picks it, and as settings name it
    numbers: ClassVar[bool] = False  # whether the type takes cells that were read as numbers
    longest: ClassVar[int | None] = None  # characters of a cell that are read

    @abstractmethod
    def read(self, words: Sequence[str], declared: Declaration, form: Format, /) -> Database:
        """Return the value of each word, shape (words,): floats, NaN if it does not fit, or texts, '' if it does not fit."""

    @abstractmethod
    def bare_column(self, declared: Declaration, /) -> Column:
        """Return the public column without its rule for missing values. Raise TableError if its declaration is impossible."""

    def typed(self, constant: str, declared: Declaration, /) -> float | str:
        """Return what a typed constant is among values of ``read``. Raise TableError for anything else."""
        value: float | str = self.read([constant], declared, PLAIN)[0]
        return value

    def column(self, declared: Declaration, /) -> Column:
        """Return the public column. Raise TableError for a declaration that is missing or impossible."""
        column = self.bare_column(declared)
        if not declared.constant:
            return replace(column, missing=KNOWN)
        value = self.values(np.array([""]), declared)[0]
        low, high = column.bounds or (-math.inf, math.inf)
        if not (value == declared.constant if isinstance(value, str) else low <= value <= high):
            problem = f"A missing {declared.name} counts as “{declared.constant}”, which {declared.name} cannot be."
            raise TableError(problem, "Enter one within its bounds, or of its list.")
        return replace(column, missing=CONSTANT, stands=declared.constant)

    def values(self, cells: Any, declared: Declaration, form: Format = PLAIN, /) -> Database:
        """Return the values of the cells, shape (n,): floats, NaN if missing, or texts, '' if missing.

        Args:
            cells: The cells, as ``words_of`` takes them.
            declared: The declaration.
            form: How the file writes numbers.
        """
        words = words_of(cells, most=self.longest).without(declared.codes)
        read = self.read(words.different, declared, form)
        if declared.constant:
            read = np.where(is_missing(read), self.typed(declared.constant, declared), read)
        return words.mapped(read)

    def holds(self, words: Words, form: Format, /) -> Database:
        """Return which of the different words are cells of this type, a boolean array of shape (different,)."""
        return ~is_missing(self.read(words.different, Declaration(name="", type=self.title), form))

    def in_words(self, declared: Declaration, /) -> str:
        """Return how the cells are read, for receipts and downloads."""
        return declared.type

    def read_off(self, cells: Database, declared: Declaration, form: Format, /) -> Declaration:
        """Add the bounds or categories that the values of a *public* table suggest, if none are declared."""
        return declared


def is_missing(values: Database) -> Database:
    """Return which values are missing."""
    return np.asarray(np.isnan(values) if values.dtype.kind == "f" else values == "")


def share(fitting: Database, words: Words) -> float:
    """Return the share of the records with a filled cell whose word fits; 0 if all are blank."""
    counts = np.bincount(words.places, minlength=len(words.different))
    filled = counts * np.array([bool(word) for word in words.different], dtype=np.int64)
    return float(counts[np.asarray(fitting, dtype=bool)].sum() / max(1, filled.sum()))


# Numbers.


_UNKNOWN = ". If you are not sure, enter bounds that are certainly wide enough, such as 0 and 1000000000."
_TRUTHS = {"True": "1", "TRUE": "1", "true": "1", "False": "0", "FALSE": "0", "false": "0"}  # as ``values_of`` has them


@final
class Number(ColumnType):
    """A quantity, with the decimal mark of the file. A cell that is not a number is missing."""

    title = "number"
    numbers: ClassVar[bool] = True

    def bare_column(self, declared: Declaration, /) -> Column:
        _refuse_missing(declared, _UNKNOWN)
        low = _typed_number(declared.lowest, f"The lowest value of {declared.name}")
        high = _typed_number(declared.highest, f"The highest value of {declared.name}")
        _refuse_bounds(declared.name, low, high)
        return Column(declared.name, declared.label, next(iter(declared.units), ""), bounds=(low, high))

    def typed(self, constant: str, declared: Declaration, /) -> float:
        return _typed_number(constant, f"The constant of {declared.name}")

    def read(self, words: Sequence[str], declared: Declaration, form: Format, /) -> Database:
        found = floats([_TRUTHS.get(word, word) for word in words], form, declared.units)
        return self._known(found, declared, form)

    def values(self, cells: Any, declared: Declaration, form: Format = PLAIN, /) -> Database:
        if not isinstance(cells, np.ndarray) or cells.dtype.kind != "f":
            return super().values(cells, declared, form)
        found = self._known(cells, declared, form)
        return np.where(np.isnan(found), self.typed(declared.constant, declared), found) if declared.constant else found

    def _known(self, found: Database, declared: Declaration, form: Format) -> Database:
        """Return the numbers, NaN for one that is not finite, or is a code in any notation."""
        codes = floats([code.replace("\u2212", "-") for code in declared.codes], form, declared.units)
        known = np.isfinite(found) & ~np.isin(found, codes[np.isfinite(codes)])
        return found if known.all() else np.where(known, found, np.nan)

    def in_words(self, declared: Declaration, /) -> str:
        units = " or ".join(f"“{unit}”" for unit in declared.units)
        return f"{self.title}, with {units} beside it or without" if units else self.title

    def read_off(self, cells: Database, declared: Declaration, form: Format, /) -> Declaration:
        found = self.values(cells, replace(declared, constant=""), form)
        found = found[~np.isnan(found)]
        if declared.lowest or declared.highest or not found.size:
            return declared
        return replace(declared, lowest=shown(float(found.min())), highest=shown(float(found.max())))


def floats(words: Sequence[str], form: Format, units: Sequence[str] = ()) -> Database:
    """Return the numbers, shape (words,), NaN for a word that is too long or not a number, with or without a unit beside it."""
    number, separator = re.compile(form.number), re.compile(form.separator or "(?!)")
    either = "|".join(map(re.escape, sorted(units, key=len, reverse=True))) or "(?!)"
    beside = re.compile(rf"(?:{either})$|^(?:{either})")  # no blanks: those within a long cell would be looked at again and again
    found = []
    for word in words:
        bare = word if number.match(word) else beside.sub("", word, count=1).strip()
        is_number = len(bare) <= LONGEST and number.match(bare)
        found.append(separator.sub("", bare).replace(form.decimal, ".") if is_number else "nan")
    return np.array(found, dtype=np.float64)


# The unit of numbers that are written with one, as in "67,0 kg" or "€ 12".


_LONGEST_UNIT = 15
_UNIT = rf"[^\d\s.,;'’+-](?:[^\d;]{{0,{_LONGEST_UNIT - 2}}}[^\d\s;])?"
_BEFORE = r"[€$£¥]|[A-Z]{3}(?=\s)"  # other letters before a number make it a name
_FIRST_LETTERS = 2  # first letters of a unit and its singular


def unit_beside(words: Words, form: Format) -> str:
    """Return the most frequent unit beside the numbers, and after a semicolon its singular; empty if there is none.

    A singular is only beside 1, as in "1 day; 5 days".
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
    alike = [
        one
        for one in units
        if one != most and min(len(one), len(most)) > _FIRST_LETTERS and one[:_FIRST_LETTERS] == most[:_FIRST_LETTERS]
    ]
    return "; ".join([most, *(one for one in alike if one not in several)])


# Words.


_FEW = 30  # different words, of a column that seems to hold categories
_ALIKE = 0.95  # of its records have a word that another has too


@final
class Category(ColumnType):
    """One of a list of words, written as in the list."""

    title = "category"

    def holds(self, words: Words, form: Format, /) -> Database:
        few = 1 <= len(words.different) <= _FEW and share(np.bincount(words.places) > 1, words) >= _ALIKE
        return np.array([few and 0 < len(word) <= LONGEST for word in words.different], dtype=bool)

    def bare_column(self, declared: Declaration, /) -> Column:
        name, listed = declared.name, declared.categories
        if not listed:
            raise TableError(f"{name} needs the list of its categories.", "Enter those that there can be, as in: a; b; c.")
        if len(set(listed)) < len(listed):
            twice = next(one for one in listed if listed.count(one) > 1)
            raise TableError(f"The list of {name} has “{twice}” twice.", "Enter each category once.")
        for word, means in declared.spellings:
            if means not in (*listed, OTHER):
                remedy = "Enter it in the list, or let the pair end in a word of the list."
                raise TableError(f"“{word} → {means}” of {name} ends in a word that is not in its list.", remedy)
        return Column(name, declared.label, declared.unit, TEXT, categories=tuple(dict.fromkeys((*listed, OTHER))))

    def read(self, words: Sequence[str], declared: Declaration, form: Format, /) -> Database:
        means = {word: word for word in declared.categories} | dict(declared.spellings) | {"": ""}
        return np.array([means.get(word, OTHER) for word in words], dtype=str)

    def in_words(self, declared: Declaration, /) -> str:
        pairs = [f"“{word}” as “{means}”" for word, means in declared.spellings]
        return f"{self.title} with {', '.join(pairs)}" if pairs else self.title

    def read_off(self, cells: Database, declared: Declaration, form: Format, /) -> Declaration:
        words = words_of(cells).without(declared.codes).different
        found = sorted({word for word in words if 0 < len(word) <= LONGEST and word.isprintable()} - {OTHER})
        return declared if declared.categories else replace(declared, categories=tuple(found[:MOST_CATEGORIES]))


_YES = (
    *("yes", "y", "true", "1", "1.0", "x", "ja", "j", "oui", "si", "sí", "sì", "sim", "tak", "ano"),
    *("wahr", "vrai", "verdadero", "verdadeiro", "vero", "waar", "prawda"),  # as Excel writes truth values
)
_NO = (
    *("no", "n", "false", "0", "0.0", "nein", "non", "não", "nao", "nee", "nej", "nei", "nie", "ne"),
    *("falsch", "faux", "falso", "onwaar", "fałsz"),
)
_YES_OR_NO = dict.fromkeys(_YES, 1.0) | dict.fromkeys(_NO, 0.0)


@final
class YesNo(ColumnType):
    """Yes, true, 1 and the like are 1; no, false, 0 and the like are 0, in small or capital letters, in ten languages."""

    title = "yes or no"

    def holds(self, words: Words, form: Format, /) -> Database:
        holds = super().holds(words, form)
        truths = {_YES_OR_NO[word.lower()] for word, fits in zip(words.different, holds, strict=True) if fits}
        return holds & (len(truths) == 2)  # a column of nothing but N, or of zeros, says neither yes nor no

    def bare_column(self, declared: Declaration, /) -> Column:
        both, names = (0.0, 1.0), ("no", "yes")
        return Column(declared.name, declared.label, declared.unit, bounds=both, categories=both, category_names=names)

    def read(self, words: Sequence[str], declared: Declaration, form: Format, /) -> Database:
        return np.array([_YES_OR_NO.get(word.lower(), np.nan) for word in words], dtype=np.float64)


@final
class Text(ColumnType):
    """Any words, such as names and notes."""

    title = "text"

    def bare_column(self, declared: Declaration, /) -> Column:
        return Column(declared.name, declared.label, declared.unit, TEXT)

    def read(self, words: Sequence[str], declared: Declaration, form: Format, /) -> Database:
        return np.array(words, dtype=str)

    def values(self, cells: Any, declared: Declaration, form: Format = PLAIN, /) -> Database:
        as_written = not isinstance(cells, np.ndarray) and not declared.constant and not declared.codes
        return texts(cells) if as_written else super().values(cells, declared, form)


# Dates.


# Dates as they are written in one order, and as numbers of days.


YEAR_FIRST, DAY_FIRST, MONTH_FIRST = "year first", "day first", "month first"
_LONGEST_DATE = 11  # characters that say a date; behind them stands a time, which is not read
_TWO, _FOUR, _MARK, _TIME = "([0-9]{1,2})", "([0-9]{4})", "[-./]", "(?:[ T].*)?"
_ORDERS = {
    YEAR_FIRST: (re.compile(f"{_FOUR}{_MARK}{_TWO}{_MARK}{_TWO}{_TIME}"), (1, 2, 3)),
    DAY_FIRST: (re.compile(f"{_TWO}{_MARK}{_TWO}{_MARK}{_FOUR}{_TIME}"), (3, 2, 1)),
    MONTH_FIRST: (re.compile(f"{_TWO}{_MARK}{_TWO}{_MARK}{_FOUR}{_TIME}"), (3, 1, 2)),
}
ORDERS = tuple(_ORDERS)
EXAMPLES = {YEAR_FIRST: "2024-12-31", DAY_FIRST: "31.12.2024", MONTH_FIRST: "12/31/2024"}


def day(word: str, order: str) -> date | None:
    """Return the date of a word in this order, with a four-digit year; None for anything else."""
    pattern, places = _ORDERS[order]
    found = pattern.fullmatch(word)
    if found is None:
        return None
    try:
        return date(*(int(found[place]) for place in places))
    except ValueError:  # the 31st of June
        return None


@final
class Dated(ColumnType):
    """A date with a four-digit year in one order. A date in another order is missing or another date; the other cells stay."""

    longest: ClassVar[int | None] = _LONGEST_DATE

    def __init__(self, order: str) -> None:
        self.order = order
        self.title = f"date, as {EXAMPLES[order]}"  # with an example, so the order cannot be mistaken

    def bare_column(self, declared: Declaration, /) -> Column:
        first, last = self._ends(declared)
        if first >= last:
            raise TableError(
                f"The lowest value of {declared.name} is {first.isoformat()}, and its highest is {last.isoformat()}.",
                "Enter two different days, the earlier one first.",
            )
        since, days = first.isoformat(), float((last - first).days)
        return Column(declared.name, declared.label, f"days since {since}", bounds=(0.0, days), since=since)

    def typed(self, constant: str, declared: Declaration, /) -> float:
        return float(_typed_date(constant, f"The constant of {declared.name}").toordinal())

    def read(self, words: Sequence[str], declared: Declaration, form: Format, /) -> Database:
        """Return the days as ordinals."""
        nothing = {None, *(day(code, self.order) for code in declared.codes)}
        days = [None if on in nothing else on for on in (day(word, self.order) for word in words)]
        return np.array([np.nan if on is None else on.toordinal() for on in days], dtype=np.float64)

    def values(self, cells: Any, declared: Declaration, form: Format = PLAIN, /) -> Database:
        return super().values(cells, declared, form) - self._ends(declared)[0].toordinal()

    def in_words(self, declared: Declaration, /) -> str:
        return f"{declared.type}, in days since {self._ends(declared)[0].isoformat()}"

    def read_off(self, cells: Database, declared: Declaration, form: Format, /) -> Declaration:
        found = self.read(words_of(cells, most=self.longest).different, declared, form)
        days = [date.fromordinal(int(on)).isoformat() for on in found[~np.isnan(found)]]
        if declared.lowest or declared.highest or not days:
            return declared
        return replace(declared, lowest=min(days), highest=max(days))

    def _ends(self, declared: Declaration) -> tuple[date, date]:
        """Return the public first and last day."""
        _refuse_missing(declared, ", as 2024-12-31.")
        first = _typed_date(declared.lowest, f"The lowest value of {declared.name}")
        return first, _typed_date(declared.highest, f"The highest value of {declared.name}")


def _typed_date(text: str, what: str) -> date:
    """Return a typed date. The year comes first or last; if last, the day comes first."""
    found = day(text.strip(), YEAR_FIRST) or day(text.strip(), DAY_FIRST)
    if found is None:
        raise TableError(f"{what} is “{text}”, which cannot be read as a date.", "Write it as 2024-12-31.")
    return found


TYPES: dict[str, ColumnType] = {
    known.title: known for known in (Number(), YesNo(), Category(), *(Dated(order) for order in ORDERS), Text())
}
