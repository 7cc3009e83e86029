"""What a type of columns is: how its cells are read, and what its holder declares."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from dpcore.base.declared import Column
from dpcore.base.types import Database
from dpcore.workbench.csv_columns.format import Format
from pages.files.declarations.declaration import LONGEST, Declaration
from pages.files.declarations.words import Words


class ColumnType(ABC):
    """One type. A cell that does not fit is missing, and changes nothing else: each cell is read by itself."""

    numbers: ClassVar[bool] = False  # whether a file's cells are read as numbers first, else as they are written
    most_characters: ClassVar[int] = LONGEST + 1  # of a cell that is read as text: one that is longer is none of the type
    rules: ClassVar[tuple[str, ...]]  # for missing values

    @property
    @abstractmethod
    def title(self) -> str:
        """As its holder picks it, and as settings name it."""

    @abstractmethod
    def holds(self, words: Words, form: Format, /) -> Database:
        """Which of the different words are cells of this type, numbers written in this form: (different,) of truth values."""

    @abstractmethod
    def column(self, declared: Declaration, /) -> Column:
        """What is public of it; TableError, in plain words, for what is not given, or cannot be."""

    @abstractmethod
    def values(self, cells: Database, declared: Declaration, /) -> Database:
        """What the cells are under these declarations: (n,) of floats, NaN where missing, or of text, '' where missing."""

    def in_words(self, declared: Declaration, /) -> str:
        """How its cells are read, for receipts and downloads."""
        return declared.type

    def read_off(self, cells: Database, declared: Declaration, form: Format, /) -> Declaration:
        """With the bounds or categories that a *public* table's own values suggest, where none are declared."""
        return declared


def share(fitting: Database, words: Words) -> float:
    """Of the records that are not blank, those whose word fits; 0 where all are blank."""
    counts = np.bincount(words.places, minlength=len(words.different))
    filled = counts * np.array([bool(word) for word in words.different], dtype=np.int64)
    return float(counts[np.asarray(fitting, dtype=bool)].sum() / max(1, filled.sum()))
