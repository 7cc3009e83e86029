"""The types that a column can be declared to have: how the cells are read, and what has to be declared."""

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
        raise TableError(f"{what} is “{text}”, and that is no number.", "Write it as 1500 or 0.5, without a unit.")
    return value


def _refuse_missing(lowest: str, highest: str, name: str, *, example: str = "", unknown: str = "") -> None:
    """Raise TableError if a bound is not given; ``unknown``: what to do if nobody knows it."""
    given = [bool(text.strip()) for text in (lowest, highest)]
    if not all(given):
        missing = "lowest" if given[1] else "highest" if given[0] else "lowest and its highest"
        remedy = f"Enter what the quantity can be, not what the table has{example}. {unknown}".rstrip()
        raise TableError(f"{name} needs its {missing} possible value.", remedy)


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


def _column(declared: Declaration, unit: str, **more: Any) -> Column:
    """Return the public column with the declared rule for missing values."""
    rule = CONSTANT if declared.constant else KNOWN
    return Column(declared.name, declared.label, unit, missing=rule, stands=declared.constant, **more)


class ColumnType(ABC):
    """A type of columns. Each cell is read by itself; a cell that does not fit is missing."""

    title: str  # as the user picks it, and as settings name it
    numbers: ClassVar[bool] = False  # whether the type takes cells that were read as numbers

    @abstractmethod
    def holds(self, words: Words, form: Format, /) -> Database:
        """Return which of the different words are cells of this type, a boolean array of shape (different,)."""

    @abstractmethod
    def column(self, declared: Declaration, /) -> Column:
        """Return the public column. Raise TableError for a declaration that is missing or impossible."""

    @abstractmethod
    def values(self, cells: Any, declared: Declaration, form: Format = PLAIN, /) -> Database:
        """Return the values of the cells, shape (n,): floats, NaN if missing, or texts, '' if missing.

        Args:
            cells: The cells, as ``words_of`` takes them.
            declared: The declaration.
            form: How the file writes numbers.
        """

    def in_words(self, declared: Declaration, /) -> str:
        """Return how the cells are read, for receipts and downloads."""
        return declared.type

    def read_off(self, cells: Database, declared: Declaration, form: Format, /) -> Declaration:
        """Add the bounds or categories that the values of a *public* table suggest, if none are declared."""
        return declared


def known_words(cells: Any, declared: Declaration, *, most: int | None = None) -> Words:
    """Return the different words of the cells, with "" in place of a code for a missing value."""
    return words_of(cells, most=most).without(declared.codes)


def share(fitting: Database, words: Words) -> float:
    """Return the share of the records with a filled cell whose word fits; 0 if all are blank."""
    counts = np.bincount(words.places, minlength=len(words.different))
    filled = counts * np.array([bool(word) for word in words.different], dtype=np.int64)
    return float(counts[np.asarray(fitting, dtype=bool)].sum() / max(1, filled.sum()))


# Numbers.


_UNKNOWN = (
    "If nobody can say, enter bounds that are wide enough for certain, such as 0 and 1000000000. Narrower bounds give less noise."
)

_TRUTHS = dict.fromkeys(("True", "TRUE", "true"), "1") | dict.fromkeys(
    ("False", "FALSE", "false"), "0"
)  # as ``values_of`` has them


@final
class Number(ColumnType):
    """A quantity, with the decimal mark of the file. A cell that is not a number is missing."""

    title = "number"
    numbers: ClassVar[bool] = True

    def holds(self, words: Words, form: Format, /) -> Database:
        return np.isfinite(floats(words.different, form))

    def column(self, declared: Declaration, /) -> Column:
        name = declared.name
        _refuse_missing(declared.lowest, declared.highest, name, unknown=_UNKNOWN)
        low = _typed_number(declared.lowest, f"The lowest value of {name}")
        high = _typed_number(declared.highest, f"The highest value of {name}")
        _refuse_bounds(name, low, high)
        if declared.constant and not low <= self._constant(declared) <= high:
            raise TableError(f"The constant of {name} is {declared.constant}, outside its bounds.", "Enter one between them.")
        return _column(declared, next(iter(declared.units), ""), bounds=(low, high))

    def values(self, cells: Any, declared: Declaration, form: Format = PLAIN, /) -> Database:
        found = _known(cells, declared, form)
        return np.where(np.isnan(found), self._constant(declared), found) if declared.constant else found

    def _constant(self, declared: Declaration) -> float:
        return _typed_number(declared.constant, f"The constant of {declared.name}")

    def in_words(self, declared: Declaration, /) -> str:
        units = " or ".join(f"“{unit}”" for unit in declared.units)
        return f"{self.title}, with {units} beside it or without" if units else self.title

    def read_off(self, cells: Database, declared: Declaration, form: Format, /) -> Declaration:
        found = _known(cells, declared, form)
        found = found[np.isfinite(found)]
        if declared.lowest or declared.highest or not found.size:
            return declared
        return replace(declared, lowest=shown(float(found.min())), highest=shown(float(found.max())))


def _known(cells: Any, declared: Declaration, form: Format) -> Database:
    """Return the numbers, shape (n,), NaN for a cell that is not a finite number, or is a code in any notation."""
    if isinstance(cells, np.ndarray) and cells.dtype.kind == "f":
        found = cells
    else:
        words = known_words(cells, declared)
        plain = [_TRUTHS.get(word, word) for word in words.different]
        found = words.mapped(floats(plain, form, declared.units))
    codes = floats([code.replace("\u2212", "-") for code in declared.codes], form, declared.units)
    known = np.isfinite(found) & ~np.isin(found, codes[np.isfinite(codes)])
    return found if known.all() else np.where(known, found, np.nan)


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

    def column(self, declared: Declaration, /) -> Column:
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
        if declared.constant and declared.constant not in (*listed, OTHER):
            problem = f"The constant of {name} is “{declared.constant}”, and that is not in its list."
            raise TableError(problem, "Enter one of the list.")
        return _column(declared, declared.unit, role=TEXT, categories=tuple(dict.fromkeys((*listed, OTHER))))

    def values(self, cells: Any, declared: Declaration, form: Format = PLAIN, /) -> Database:
        words, known, means = known_words(cells, declared), set(declared.categories), dict(declared.spellings)
        meant = [means.get(word, word) for word in words.different]
        read = [word if word in known else OTHER if word else declared.constant for word in meant]
        return words.mapped(np.array(read, dtype=str))

    def in_words(self, declared: Declaration, /) -> str:
        pairs = [f"“{word}” as “{means}”" for word, means in declared.spellings]
        return f"{self.title} with {', '.join(pairs)}" if pairs else self.title

    def read_off(self, cells: Database, declared: Declaration, form: Format, /) -> Declaration:
        words = known_words(cells, declared).different
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


@final
class YesNo(ColumnType):
    """Yes, true, 1 and the like are 1; no, false, 0 and the like are 0, in small or capital letters, in ten languages."""

    title = "yes or no"

    def holds(self, words: Words, form: Format, /) -> Database:
        truths = _truths(words)
        both = {0.0, 1.0} <= set(truths.tolist())  # a column of nothing but N, or of zeros, says neither yes nor no
        return ~np.isnan(truths) & both

    def column(self, declared: Declaration, /) -> Column:
        if declared.constant and declared.constant.lower() not in _YES + _NO:
            raise TableError(f"The constant of {declared.name} is “{declared.constant}”, neither yes nor no.", "Enter yes or no.")
        truths = (0.0, 1.0)
        return _column(declared, declared.unit, bounds=truths, categories=truths, category_names=("no", "yes"))

    def values(self, cells: Any, declared: Declaration, form: Format = PLAIN, /) -> Database:
        words = known_words(cells, declared)
        truths = _truths(words)
        if declared.constant:
            truths = np.where(np.isnan(truths), float(declared.constant.lower() in _YES), truths)
        return words.mapped(truths)


def _truths(words: Words) -> Database:
    known = dict.fromkeys(_YES, 1.0) | dict.fromkeys(_NO, 0.0)
    return np.array([known.get(word.lower(), np.nan) for word in words.different], dtype=np.float64)


@final
class Text(ColumnType):
    """Any words, such as names and notes."""

    title = "text"

    def holds(self, words: Words, form: Format, /) -> Database:
        return np.ones(len(words.different), dtype=bool)

    def column(self, declared: Declaration, /) -> Column:
        return _column(declared, declared.unit, role=TEXT)

    def values(self, cells: Any, declared: Declaration, form: Format = PLAIN, /) -> Database:
        if not isinstance(cells, np.ndarray) and not declared.constant and not declared.codes:
            return texts(cells)
        words = known_words(cells, declared)
        return words.mapped(np.array([word or declared.constant for word in words.different], dtype=str))


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

    def __init__(self, order: str) -> None:
        self.order = order
        self.title = f"date, as {EXAMPLES[order]}"  # with an example, so the order cannot be mistaken

    def holds(self, words: Words, form: Format, /) -> Database:
        return np.array([day(word, self.order) is not None for word in words.different], dtype=bool)

    def column(self, declared: Declaration, /) -> Column:
        name, (first, last) = declared.name, self._ends(declared)
        if declared.constant and not first <= self._constant(declared) <= last:
            raise TableError(f"The constant of {name} is {declared.constant}, outside its bounds.", "Enter a day between them.")
        since = first.isoformat()
        return _column(declared, f"days since {since}", bounds=(0.0, float((last - first).days)), since=since)

    def _constant(self, declared: Declaration) -> date:
        return _typed_date(declared.constant, f"The constant of {declared.name}")

    def in_words(self, declared: Declaration, /) -> str:
        return f"{declared.type}, in days since {self._ends(declared)[0].isoformat()}"

    def values(self, cells: Any, declared: Declaration, form: Format = PLAIN, /) -> Database:
        words = known_words(cells, declared, most=_LONGEST_DATE)
        blank = self._constant(declared) if declared.constant else None
        days = [on or blank for on in self._days(words, declared)]
        since = self._ends(declared)[0]
        return words.mapped(np.array([np.nan if on is None else (on - since).days for on in days], dtype=np.float64))

    def read_off(self, cells: Database, declared: Declaration, form: Format, /) -> Declaration:
        days = [on for on in self._days(words_of(cells, most=_LONGEST_DATE), declared) if on is not None]
        if declared.lowest or declared.highest or not days:
            return declared
        return replace(declared, lowest=min(days).isoformat(), highest=max(days).isoformat())

    def _days(self, words: Words, declared: Declaration) -> list[date | None]:
        """Return the day of each different word; None for a word that is not a date, or is a code for a missing value."""
        nothing = {None, *(day(code, self.order) for code in declared.codes)}
        return [None if on in nothing else on for on in (day(word, self.order) for word in words.different)]

    def _ends(self, declared: Declaration) -> tuple[date, date]:
        """Return the public first and last day."""
        name = declared.name
        _refuse_missing(declared.lowest, declared.highest, name, example=", as 2024-12-31")
        first = _typed_date(declared.lowest, f"The lowest value of {name}")
        last = _typed_date(declared.highest, f"The highest value of {name}")
        if first >= last:
            raise TableError(
                f"The lowest value of {name} is {first.isoformat()}, and its highest is {last.isoformat()}.",
                "Enter two different days, the earlier one first.",
            )
        return first, last


def _typed_date(text: str, what: str) -> date:
    """Return a typed date. The year comes first or last; if last, the day comes first."""
    found = day(text.strip(), YEAR_FIRST) or day(text.strip(), DAY_FIRST)
    if found is None:
        raise TableError(f"{what} is “{text}”, and that is no date.", "Write it as 2024-12-31.")
    return found


TYPES: dict[str, ColumnType] = {
    known.title: known for known in (Number(), YesNo(), Category(), *(Dated(order) for order in ORDERS), Text())
}
