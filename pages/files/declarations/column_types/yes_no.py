"""Yes or no, as the numbers 1 and 0."""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.declared import CONSTANT, Column
from dpcore.base.slots import TWO
from dpcore.base.types import Database
from dpcore.errors import TableError
from pages.files.csv_columns.format import Format
from pages.files.declarations.column_types.column_type import PLAIN, ColumnType, known_words, rule_of
from pages.files.declarations.declaration import Declaration, Words

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
