"""Several columns, independent of one another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.checks import named, set_fields
from dpcore.base.declared import Column
from dpcore.base.slots import fits, of_text
from dpcore.base.types import Database, Inverse, Oracle, inverse_of
from dpcore.errors import InvalidValueError
from dpcore.oracles.bernoulli import Bernoulli
from dpcore.oracles.categorical import Categorical

MOST_COLUMNS = 2_000  # of a record: as many as a table that is uploaded may have


@final
@dataclass(frozen=True, slots=True)
class Product(Oracle):
    """Records of one column an oracle, each drawn alone: no correlation between columns.

    With ``names``, one a column, records have fields of these names, which may be texts; without, they are rows of numbers.
    """

    columns: tuple[Oracle, ...]
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        columns = checked_columns(self.columns)
        if any(isinstance(column, Product) for column in columns):
            raise InvalidValueError("columns", "oracles of a single column each", "a product in a product")
        names = tuple(self.names) if isinstance(self.names, (list, tuple)) else None
        if names is None or (names and len(names) != len(columns)) or len(set(map(str, names))) < len(names):
            raise InvalidValueError("names", "none, or one a column, all different", self.names)
        set_fields(self, columns=columns, names=tuple(named("names", name) for name in names))

    @property
    def independent_records(self) -> bool:
        """Where those of each column are."""
        return all(column.independent_records for column in self.columns)

    @property
    def draws_missing(self) -> bool:
        """Where a column does."""
        return any(column.draws_missing is True for column in self.columns)

    @property
    def draws_fields(self) -> bool:
        """Where its columns have names."""
        return bool(self.names)

    @property
    def draws_in_order(self) -> bool:
        """Where a single column does: the generator comes to a second one after all of the first."""
        return len(self.columns) == 1 and self.columns[0].draws_in_order

    @property
    def inverse(self) -> Inverse | None:
        """That of a single column; of several numbers there is none, and of named ones neither."""
        return inverse_of(self.columns[0]) if len(self.columns) == 1 and not self.names else None

    @property
    def stands_for(self) -> Oracle:
        """Its first column's law that is of no category, whose name a picker has."""
        laws: list[Oracle] = [column.stands_for or column for column in self.columns]
        return ([law for law in laws if not isinstance(law, (Bernoulli, Categorical))] or laws)[0]

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """An oracle a column, each for its own, under its name where they are named; else of numbers, and a single column's
        records are no rows."""
        if len(self.columns) != len(columns) or not self._like(columns):
            return False
        return all(fits(oracle, (column,)) for oracle, column in zip(self.columns, columns, strict=True))

    def _like(self, columns: tuple[Column, ...]) -> bool:
        """Whether its records are fields of these columns' names, or rows of as many numbers as a row has."""
        if self.names:
            return self.names == tuple(column.name for column in columns)
        return len(columns) > 1 and not any(map(of_text, columns))

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        drawn = [column.draw(databases, records, rng=rng) for column in self.columns]
        if any(values.shape != (databases, records) for values in drawn):
            raise InvalidValueError("columns", "oracles of a single column each", [values.shape[2:] for values in drawn])
        if not self.names:
            if any(values.dtype.kind == "U" for values in drawn):
                raise InvalidValueError("columns", "oracles of numbers, or columns with names", [str(one.dtype) for one in drawn])
            return np.stack(drawn, axis=-1)
        fields = np.empty(drawn[0].shape, dtype=[(name, one.dtype) for name, one in zip(self.names, drawn, strict=True)])
        for name, values in zip(self.names, drawn, strict=True):
            fields[name] = values
        return fields


def checked_columns(given: object) -> tuple[Oracle, ...]:
    """One oracle a column; InvalidValueError for what is none, and for too many."""
    columns = tuple(given) if isinstance(given, (list, tuple)) else ()
    if not 0 < len(columns) <= MOST_COLUMNS or not all(isinstance(column, Oracle) for column in columns):
        raise InvalidValueError("columns", f"one oracle a column, and from 1 to {MOST_COLUMNS:,} columns", given)
    return columns


def of_columns(columns: tuple[Oracle, ...]) -> Oracle:
    """Their product; the one itself where there is a single one."""
    return columns[0] if len(columns) == 1 else Product(columns)


def of_fields(laws: Mapping[str, Oracle]) -> Oracle:
    """The product of these laws, each under its column's name."""
    return Product(tuple(laws.values()), tuple(laws))


def laws_of(oracle: Oracle, names: tuple[str, ...]) -> dict[str, Oracle]:
    """The law of each column by its name: ``names`` are those of a product that has none, or of a single column's law. Empty
    where the columns are not drawn alone."""
    columns: tuple[Oracle, ...] = oracle.columns
    if columns:
        return dict(zip(oracle.names or names, columns, strict=False))
    return {names[0]: oracle} if len(names) == 1 else {}
