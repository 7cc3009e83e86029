"""Several columns, independent of one another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.declared import Column
from dpcore.base.slots import fits
from dpcore.base.types import FloatArray, Inverse, Oracle, draws_in_order, independent_records, inverse_of
from dpcore.errors import InvalidValueError
from dpcore.oracles.bernoulli import Bernoulli
from dpcore.oracles.categorical import Categorical

MOST_COLUMNS = 2_000  # of a record: as many as a table that is uploaded may have


@final
@dataclass(frozen=True, slots=True)
class Product:
    """Records of one column an oracle, each drawn alone: no correlation between columns."""

    columns: tuple[Oracle, ...]

    def __post_init__(self) -> None:
        columns = tuple(self.columns) if isinstance(self.columns, (list, tuple)) else ()
        if not 0 < len(columns) <= MOST_COLUMNS or not all(isinstance(column, Oracle) for column in columns):
            raise InvalidValueError("columns", f"one oracle a column, and from 1 to {MOST_COLUMNS:,} columns", self.columns)
        if any(isinstance(column, Product) for column in columns):
            raise InvalidValueError("columns", "oracles of a single column each", "a product in a product")
        object.__setattr__(self, "columns", columns)

    @property
    def independent_records(self) -> bool:
        """Where those of each column are."""
        return all(independent_records(column) for column in self.columns)

    @property
    def draws_in_order(self) -> bool:
        """Where a single column does: the generator comes to a second one after all of the first."""
        return len(self.columns) == 1 and draws_in_order(self.columns[0])

    @property
    def inverse(self) -> Inverse | None:
        """That of a single column; of several numbers there is none."""
        return inverse_of(self.columns[0]) if len(self.columns) == 1 else None

    @property
    def stands_for(self) -> Oracle:
        """Its first column's law that is of no category, whose name a picker has."""
        measures = [column for column in self.columns if not isinstance(column, (Bernoulli, Categorical))]
        return (*measures, *self.columns)[0]

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """An oracle a column, each for its own; a single column's records are no rows."""
        pairs = zip(self.columns, columns, strict=False)
        return 1 < len(self.columns) == len(columns) and all(fits(oracle, (column,)) for oracle, column in pairs)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        drawn = [column.draw(databases, records, rng=rng) for column in self.columns]
        if any(values.shape != (databases, records) for values in drawn):
            raise InvalidValueError("columns", "oracles of a single column each", [values.shape[2:] for values in drawn])
        return np.stack(drawn, axis=-1)


def of_columns(columns: tuple[Oracle, ...]) -> Oracle:
    """Their product; the one itself where there is a single one."""
    return columns[0] if len(columns) == 1 else Product(columns)
