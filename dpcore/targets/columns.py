"""What targets of a single column accept, and what those share that ask for a category, an interval or public bounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Self

from dpcore.base.bounds import Interval, interval
from dpcore.base.condition import Category, Condition, Truths, chance, checked, holds, known, suited, suits
from dpcore.base.declared import Column
from dpcore.base.known_laws import CDF, chances, jump
from dpcore.base.norms import RANGE, Norm
from dpcore.base.slots import ONE_NUMBER_OR_CATEGORY, Slots
from dpcore.base.types import Database, FloatArray, Oracle
from dpcore.errors import InvalidValueError


def single_columns(databases: Database) -> Database:
    """(b, n) or (b, n, 1) -> (b, n); InvalidValueError for more columns."""
    return _single("databases", databases, 2)


def single_column(database: Database) -> Database:
    """(n,) or (n, 1) -> (n,); InvalidValueError for more columns."""
    return _single("database", database, 1)


def _single(name: str, values: Database, axes: int) -> Database:
    """With so many axes, and without one more behind them that holds a single column."""
    column: Database = values[..., 0] if values.ndim == axes + 1 and values.shape[-1] == 1 else values
    if column.ndim != axes:
        raise InvalidValueError(name, "of a single column", column.shape[axes:])
    return column


@dataclass(frozen=True, slots=True)
class CategoryOrInterval:
    """Asks which records are of a category, or in an interval with both its ends. A missing value is in none."""

    category: Category = field(default=None, metadata={"label": "Category", "declared": True})
    interval: Interval | None = field(default=None, metadata={"label": "Interval", "declared": True, "ends": ("From", "To")})
    takes: ClassVar[Slots] = ONE_NUMBER_OR_CATEGORY
    takes_missing: ClassVar[bool] = True
    asks_for: ClassVar[str] = "Share"

    def __post_init__(self) -> None:
        category, inside = checked(self.category, self.interval)
        object.__setattr__(self, "category", category)
        object.__setattr__(self, "interval", inside)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Self:
        """The last category of a column that holds some, else the lower half of its bounds."""
        return cls(*suited(columns[0]))

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """A single column, of texts where the category is one."""
        return len(columns) == 1 and suits(self.category, columns[0])

    def asked_of(self, columns: tuple[Column, ...], /) -> str:
        """What is asked, in a few words: "Share where sex is F"."""
        return f"{self.asks_for} where {Condition(columns[0].name, self.category, self.interval).words(columns)}"

    def inside(self, records: Database, /) -> Truths:
        """Which records are in the category or the interval: (b,) -> (b,)"""
        return holds(single_column(records), self.category, self.interval)

    def cdf_of_steps(self, oracle: Oracle, norm: Norm, step: float) -> CDF | None:
        """Of an answer that moves by a step where one of two records is inside, which each is with some chance p: no move with
        chance 1 − 2p(1 − p). None in RANGE, and where p is not known."""
        law = chances(oracle)
        if law is None or norm == RANGE:
            return None
        p = chance(law, self.category, self.interval)
        return jump(1 - 2 * p * (1 - p), step) if p is not None and 0 < p < 1 else None


class KnownValues:
    """Asks of one column's known values alone; a missing one counts nowhere."""

    __slots__ = ()

    def rows_that_count(self, records: Database, /) -> Truths:
        """Which records a cap on a person's rows counts: those whose value is known. (b,) -> (b,)"""
        return known(single_column(records))

    def row_values(self, records: Database, /) -> FloatArray:
        """What each record adds before it is clipped, NaN where it does not count. (b,) -> (b,)"""
        return single_column(records)


@dataclass(frozen=True, slots=True)
class BoundedColumn:
    """Asks of a column of numbers with public bounds, to which they are clipped, and takes missing ones."""

    bounds: Interval = field(metadata={"label": "Bounds"})
    takes_missing: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "bounds", interval("bounds", self.bounds))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Self | None:
        """The one for a column with these public bounds."""
        return None if columns[0].bounds is None else cls(columns[0].bounds)
