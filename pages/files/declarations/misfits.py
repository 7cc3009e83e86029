"""Which cells of a file do not fit what is declared of their columns: for its holder alone, or for a private count of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.declared import KNOWN, OTHER, Column
from dpcore.base.types import Database
from pages.files.declarations.column_types import TYPES
from pages.files.declarations.column_types.category import Category
from pages.files.declarations.declaration import LONGEST, Declaration, Words, words_of
from pages.files.declarations.declared_table import declared_table, numbers_written, ready
from pages.files.declarations.left_out import Rows, records, rows_left_out, written_cells
from pages.files.declarations.whole_file import WholeFile
from pages.files.tables import Table

_MOST_EXAMPLES = 4


@final
@dataclass(frozen=True, eq=False)
class Misfits:
    """Of one column: which records' cells do not fit, (n,), and what the most frequent ones of these cells are."""

    rows: NDArray[np.bool_]
    examples: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many they are."""
        return int(self.rows.sum())


def misfits(
    draft: Table, content: bytes, declared: tuple[Declaration, ...], whole: WholeFile, whose: str = ""
) -> dict[str, Misfits]:
    """Of the columns that are ready, but for the people's. A cell fits that is empty, says that nothing is known, or is a value
    of its type within its bounds or its list; so does every cell of a row that is left out. Each is judged by itself."""
    chosen = tuple(
        replace(one, missing=KNOWN, constant="") for one in ready(declared, whole, numbers_written(draft)) if one.name != whose
    )
    if not chosen:
        return {}
    rows, out = records(draft, whole), rows_left_out(draft, content, whole, declared)
    every = WholeFile(last=whole.last)
    plain = tuple(replace(one, codes=()) for one in chosen)
    uncoded = declared_table(draft, content, plain, public=False, whole=every)
    coded = declared_table(draft, content, tuple(whole.of(one) for one in chosen), public=False, whole=every)
    written = written_cells(draft, content, tuple(one.name for one in chosen))
    found = {}
    for one in chosen:
        words = words_of(written[one.name][:rows], most=LONGEST + 1).without(whole.of(one).codes)
        counts = _of(words, one, uncoded.column(one.name), uncoded.values[one.name], coded.values[one.name])
        found[one.name] = _found(counts if out is None else counts & ~out[:rows], words)
    return found


def _of(words: Words, one: Declaration, column: Column, values: Database, coded: Database) -> Rows:
    """``values``: what the cells are where no code is declared, and with the codes."""
    filled = _where(words, [bool(word) for word in words.different])
    if TYPES[one.type].title == Category.title:
        fits = {*one.categories, OTHER, *(word for word, _ in one.spellings)}
        return _where(words, [bool(word) and word not in fits for word in words.different])
    if values.dtype.kind == "U":
        misses: Rows = (values == "") & (coded == values)
    else:
        low, high = column.bounds or (-np.inf, np.inf)
        misses = ~((values >= low) & (values <= high)) & ~(np.isfinite(values) & np.isnan(coded))
    return filled & misses


def _where(words: Words, holds: list[bool]) -> Rows:
    return np.asarray(words.mapped(np.array(holds, dtype=np.float64)) == 1)


def _found(rows: Rows, words: Words) -> Misfits:
    places = Counter(words.places[rows].tolist()).most_common(_MOST_EXAMPLES)
    return Misfits(rows, tuple(words.different[place] for place, _ in places))
