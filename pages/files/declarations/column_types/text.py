"""Text as it is, without a list of what it can be."""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.declared import CONSTANT, TEXT, Column
from dpcore.base.types import Database
from pages.files.cells import texts
from pages.files.csv_columns.format import Format
from pages.files.declarations.column_types.column_type import PLAIN, ColumnType, known_words, rule_of
from pages.files.declarations.declaration import Declaration, Words


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
