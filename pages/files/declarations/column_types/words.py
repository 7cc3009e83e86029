"""Types whose cells are words: categories of a public list, yes or no, and text without a list."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.declared import CATEGORY, CONSTANT, KNOWN, OTHER, TEXT, Column
from dpcore.base.slots import TWO
from dpcore.base.types import Database
from dpcore.errors import TableError
from pages.files.cells import texts
from pages.files.csv_columns.format import Format
from pages.files.declarations.column_types.column_type import PLAIN, ColumnType, known_words, rule_of, share
from pages.files.declarations.declaration import LONGEST, MOST_CATEGORIES, Declaration, Words

BLANK = "missing"  # the category of no cell at all
_FEW = 30  # different words, of a column that seems to hold categories
_ALIKE = 0.95  # of its records have a word that another has too


@final
class Category(ColumnType):
    """One of a few words, each written as in the list."""

    title: ClassVar[str] = "category"
    rules: ClassVar[tuple[str, ...]] = (KNOWN, CONSTANT, CATEGORY)

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
        rule, stands = rule_of(declared, self.rules)
        if rule == CONSTANT and stands not in (*listed, OTHER):
            raise TableError(f"The constant of {name} is “{stands}”, and that is not in its list.", "Enter one of the list.")
        own = (BLANK,) if rule == CATEGORY else ()
        categories = tuple(dict.fromkeys((*listed, OTHER, *own)))
        return Column(name, declared.label, declared.unit, TEXT, categories=categories, missing=rule, stands=stands)

    def values(self, cells: Any, declared: Declaration, form: Format = PLAIN, /) -> Database:
        words, known, means = known_words(cells, declared), set(declared.categories), dict(declared.spellings)
        blank = {CATEGORY: BLANK, CONSTANT: declared.constant.strip()}.get(declared.missing, "")
        meant = [means.get(word, word) for word in words.different]
        read = [word if word in known else OTHER if word else blank for word in meant]
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
    """Yes, true, 1 and the like are 1, and no, false, 0 and the like are 0, in small letters or capitals, in ten languages."""

    title: ClassVar[str] = "yes or no"

    def holds(self, words: Words, form: Format, /) -> Database:
        truths = _truths(words)
        both = {0.0, 1.0} <= set(truths.tolist())  # a column of nothing but N, or of zeros, says neither yes nor no
        return ~np.isnan(truths) & both

    def column(self, declared: Declaration, /) -> Column:
        rule, stands = rule_of(declared, self.rules)
        if rule == CONSTANT and stands.lower() not in _YES + _NO:
            raise TableError(f"The constant of {declared.name} is “{stands}”, neither yes nor no.", "Enter yes or no.")
        return Column(
            declared.name,
            declared.label,
            declared.unit,
            bounds=(0.0, 1.0),
            categories=TWO,
            missing=rule,
            stands=stands,
            category_names=("no", "yes"),
        )

    def values(self, cells: Any, declared: Declaration, form: Format = PLAIN, /) -> Database:
        words = known_words(cells, declared)
        truths = _truths(words)
        if declared.missing == CONSTANT:
            truths = np.where(np.isnan(truths), float(declared.constant.strip().lower() in _YES), truths)
        return words.mapped(truths)


def _truths(words: Words) -> Database:
    known = dict.fromkeys(_YES, 1.0) | dict.fromkeys(_NO, 0.0)
    return np.array([known.get(word.lower(), np.nan) for word in words.different], dtype=np.float64)


@final
class Text(ColumnType):
    """Names, notes: any words."""

    title: ClassVar[str] = "text"

    def holds(self, words: Words, form: Format, /) -> Database:
        return np.ones(len(words.different), dtype=bool)

    def column(self, declared: Declaration, /) -> Column:
        rule, stands = rule_of(declared, self.rules)
        return Column(declared.name, declared.label, declared.unit, TEXT, missing=rule, stands=stands)

    def values(self, cells: Any, declared: Declaration, form: Format = PLAIN, /) -> Database:
        blank = declared.constant.strip() if declared.missing == CONSTANT else ""
        if not isinstance(cells, np.ndarray) and not blank and not declared.codes:
            return texts(cells)
        words = known_words(cells, declared)
        return words.mapped(np.array([word or blank for word in words.different], dtype=str))
