"""Public groups of records: the categories of one column."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.checks import categories, named
from dpcore.base.condition import of_one_kind, suits
from dpcore.base.declared import Column
from dpcore.base.types import Database


@final
@dataclass(frozen=True, slots=True)
class Groups:
    """One group of records for each of these categories of a column, which are public, and all different.

    A record whose value is missing, or is none of them, is in no group; so each record is in one at most.
    """

    column: str
    categories: tuple[float, ...] | tuple[str, ...]

    def __post_init__(self) -> None:
        named("column", self.column)
        object.__setattr__(self, "categories", categories("categories", self.categories))

    @property
    def labels(self) -> tuple[str, ...]:
        """The groups' names, in order."""
        return self.labels_in(())

    def labels_in(self, columns: Iterable[Column]) -> tuple[str, ...]:
        """The groups' names as people know them, where their column is among these."""
        column = next((column for column in columns if column.name == self.column), Column(self.column))
        return tuple(map(column.shown, self.categories))

    def places(self, values: Database, /) -> NDArray[np.int64]:
        """Which group each of the column's values is in, from 0; −1 for none. Of the values' shape."""
        known = np.array(self.categories)
        of_one_kind(values, texts=known.dtype.kind == "U")
        order = np.argsort(known)
        found = order[np.searchsorted(known, values, sorter=order).clip(max=len(known) - 1)]
        return np.where(known[found] == values, found, -1)

    def suits(self, column: Column) -> bool:
        """Whether the column holds what the categories are, texts or numbers."""
        return suits(self.categories[0], column)

    def words(self, columns: Iterable[Column] = ()) -> str:
        """As people read it, ``by ward``; by the labels of the columns where these are given."""
        return f"by {next((column.label or column.name for column in columns if column.name == self.column), self.column)}"
