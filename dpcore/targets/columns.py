"""What targets of a single column accept, and what those share that ask for a category, an interval, public bounds, a
number of rows or known values."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np

from dpcore.base.bounds import Interval, interval
from dpcore.base.checks import whole
from dpcore.base.condition import Category, Condition, Truths, chance, checked, holds, known, suited, suits
from dpcore.base.declared import Column
from dpcore.base.known_laws import CDF, chances, jump
from dpcore.base.norms import L2, LINF, RANGE, Norm
from dpcore.base.slots import ONE_NUMBER_OR_CATEGORY, Slots
from dpcore.base.types import Database, FloatArray, Oracle, Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.group_sums import Places, sums_rounded_once, whole_sums
from dpcore.targets.proved import N, proved, raised, removed

_LOST = {L2: math.nextafter(2**0.5, 2.0), LINF: 1.0}  # (u, 1) with |u| = 1: a known value that gets lost; 2 in the other norms


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
class CategoryOrInterval(Target):
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


class KnownValues(Target):
    """Asks of one column's known values alone; a missing one counts nowhere."""

    __slots__ = ()

    def rows_that_count(self, records: Database, /) -> Truths:
        """Which records a cap on a person's rows counts: those whose value is known. (b,) -> (b,)"""
        return known(single_column(records))

    def row_values(self, records: Database, /) -> FloatArray:
        """What each record adds before it is clipped, NaN where it does not count. (b,) -> (b,)"""
        return single_column(records)


class CountOfRows(Target):
    """f(D) = #{records that count}; (n,) -> (1,)."""

    __slots__ = ()
    regardless_of_n: ClassVar[bool] = True
    numbers: ClassVar[int] = 1
    whole_numbers: ClassVar[bool] = True
    predicted_as: ClassVar[str] = "count"
    from_a_part: ClassVar[str] = "in proportion"
    proof: ClassVar[str]

    @abstractmethod
    def rows_that_count(self, records: Database, /) -> Truths:
        """Which records it counts, and so does a cap on a person's rows: (b,) -> (b,)"""

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(self.contribution(database, len(database)).sum(axis=0))

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """(b,) -> (b, 1)"""
        return self.rows_that_count(records).astype(np.float64)[:, None]

    def by_group(self, database: Database, places: Places, groups: int, /) -> FloatArray:
        """The count of each group: (n,) -> (groups, 1)"""
        return whole_sums(self.contribution(database, len(database)), places, groups)

    def row_values(self, records: Database, /) -> FloatArray:
        """What each record that counts adds: 1. (b,) -> (b,)"""
        return np.ones(len(records))

    def answer_bounds(self, n: int, /) -> tuple[float, float]:
        """None of the rows, or all."""
        return 0.0, float(n)

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
    ) -> GlobalSensitivity[N] | None:
        """1 (mathematics, section 10.2); None in RANGE, where one number never moves against itself."""
        if adjacency is not Adjacency.REPLACE_ONE_RECORD:
            return removed(self, norm, n, adjacency)
        n = whole("n", n)
        return None if norm == RANGE else proved(self, 1.0, (0.0,), norm, n, self.proof)


class SumAndNumber(KnownValues):
    """f(D) = (Σ u(x), #known) of known values, u from −1 to 1, and 0 of a missing one; (n,) -> (2,).

    What is asked for, their mean, is computed from the two noisy numbers, as ``Ratio`` has it.
    """

    __slots__ = ()
    regardless_of_n: ClassVar[bool] = True
    numbers: ClassVar[int] = 2
    whole_sums: ClassVar[bool] = False  # whether u is a whole number, so that no sum is rounded
    proof: ClassVar[str]

    @abstractmethod
    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """(b,) -> (b, 2)"""

    def __call__(self, database: Database, /) -> FloatArray:
        parts = self.contribution(database, len(database))
        return np.array([math.fsum(parts[:, 0].tolist()), parts[:, 1].sum()])

    def by_group(self, database: Database, places: Places, groups: int, /) -> FloatArray:
        """Both numbers of each group: (n,) -> (groups, 2)"""
        parts = self.contribution(database, len(database))
        return np.hstack([sums_rounded_once(parts[:, :1], places, groups), whole_sums(parts[:, 1:], places, groups)])

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
    ) -> GlobalSensitivity[N] | None:
        """2 in every norm (mathematics, section 13.1)."""
        if adjacency is not Adjacency.REPLACE_ONE_RECORD:
            return removed(self, norm, n, adjacency)
        n = whole("n", n)
        return proved(self, 2.0, self._inexact(n), norm, n, self.proof)

    def lost(self, norm: Norm, n: int, /) -> float | None:
        """Where a value gets lost, or is found: 2 in L1 and RANGE, √2 in L2, 1 in L∞ (mathematics, section 13.1)."""
        return raised(_LOST.get(norm, 2.0), self._inexact(n), n)

    def _inexact(self, n: int) -> tuple[float]:
        """The largest sum that rounding moves."""
        return (0.0,) if self.whole_sums else (float(n),)


@dataclass(frozen=True, slots=True)
class BoundedColumn(Target):
    """Asks of a column of numbers with public bounds, to which they are clipped, and takes missing ones."""

    bounds: Interval = field(metadata={"label": "Bounds"})
    takes_missing: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "bounds", interval("bounds", self.bounds))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Self | None:
        """The one for a column with these public bounds."""
        return None if columns[0].bounds is None else cls(columns[0].bounds)
