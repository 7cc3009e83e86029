"""Base classes of targets of records, columns and features, and sums of one column's values by group."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcore.base import features
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import Interval
from dpcore.base.checks import set_fields
from dpcore.base.columns import Column
from dpcore.base.filters import Truths, known
from dpcore.base.norms import L2, LINF, Norm
from dpcore.errors import InvalidValueError
from dpcore.targets.proved import ProvedTarget, raised

Places = NDArray[np.int64]  # the group of each record, -1 of one that is in no group

_LOST = {L2: math.nextafter(2**0.5, 2.0), LINF: 1.0}  # (u, 1) with |u| = 1: a known value that gets lost; 2 in the other norms


def single_columns(databases: Database) -> Database:
    """Return databases of one column as (b, n), from (b, n) or (b, n, 1); InvalidValueError for more columns."""
    return _single("databases", databases, 2)


def single_column(database: Database) -> Database:
    """Return a database of one column as (n,), from (n,) or (n, 1); InvalidValueError for more columns."""
    return _single("database", database, 1)


def _single(name: str, values: Database, axes: int) -> Database:
    column: Database = values[..., 0] if values.ndim == axes + 1 and values.shape[-1] == 1 else values
    if column.ndim != axes:
        raise InvalidValueError(name, "of a single column", column.shape[axes:])
    return column


class SumOfRecords(ProvedTarget):
    """f(D) = Σ parts(x) over the records, divided by n unless the target is ``regardless_of_n``.

    Each sum is rounded once, so the order of the records does not matter.

    Attributes:
        whole_parts: Whether all parts are whole numbers, whose sums are exact anyway.
    """

    whole_parts: ClassVar[bool] = False

    @abstractmethod
    def parts(self, records: Database, /) -> FloatArray:
        """Return what each record adds, before the division: (b, ...) -> (b, d)."""

    def __call__(self, database: Database, /) -> FloatArray:
        parts = self.parts(database)
        sums = parts.sum(axis=0) if self.whole_parts else np.array([math.fsum(column) for column in parts.T.tolist()])
        return np.asarray(sums / self._divisor(len(database)))

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """Return each record's part of the answer on n records: (b, ...) -> (b, d)."""
        return self.parts(records) / self._divisor(n)

    def by_group(self, database: Database, places: Places, groups: int, /) -> FloatArray:
        """Return the answer of each group, if the target takes missing values: (n, ...) -> (groups, d)."""
        sums = whole_sums if self.whole_parts else sums_rounded_once
        return sums(self.parts(database), places, groups) / self._divisor(len(database))

    def _divisor(self, n: int) -> int:
        return 1 if self.regardless_of_n else n


class KnownValues(ProvedTarget):
    """A target of the known values of one column; a missing value never counts."""

    def rows_that_count(self, records: Database, /) -> Truths:
        """Return which records count toward the limit of a person's rows, those with a known value: (b,) -> (b,)."""
        return known(single_column(records))

    def row_values(self, records: Database, /) -> FloatArray:
        """Return what each record adds before it is clipped, NaN if it does not count: (b,) -> (b,)."""
        return single_column(records)


class SumAndNumber(KnownValues, SumOfRecords):
    """f(D) = (Σ u(x), #known) of known values, with u from −1 to 1, and 0 if the value is missing; (n,) -> (2,).

    The mean of the known values is computed from the two noisy numbers by ``Ratio``. ``parts`` gives u and whether the value is
    known.
    """

    accepts_missing: ClassVar[bool] = True
    regardless_of_n: ClassVar[bool] = True
    numbers: ClassVar[int] = 2
    whole_sums: ClassVar[bool] = False  # whether u is a whole number, so that no sum is rounded

    def by_group(self, database: Database, places: Places, groups: int, /) -> FloatArray:
        """Return both numbers of each group: (n,) -> (groups, 2)."""
        parts = self.parts(database)
        return np.hstack([sums_rounded_once(parts[:, :1], places, groups), whole_sums(parts[:, 1:], places, groups)])

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return 2, in every norm (mathematics, section 13.1)."""
        return raised(2.0, self._inexact(n), n)

    def lost(self, norm: Norm, n: int, /) -> float | None:
        """Return 2 in L1 and RANGE, √2 in L2, 1 in L∞ (mathematics, section 13.1)."""
        return raised(_LOST.get(norm, 2.0), self._inexact(n), n)

    def _inexact(self, n: int) -> tuple[float]:
        """Return the largest sum that rounding moves."""
        return (0.0,) if self.whole_sums else (float(n),)


@dataclass(frozen=True, slots=True)
class Features(ProvedTarget):
    """A target of features x_1, …, x_d and a label, the last column. Features are clipped to public bounds.

    Args:
        x_bounds: Bounds of each feature.
        categories: The number of categories of each feature, 0 for a number; () if all are numbers. A feature of c categories
            holds 0, 1, …, c − 1, and becomes c − 1 numbers: one for each category except the first.
    """

    x_bounds: tuple[Interval, ...]
    categories: features.Categories = field(default=(), kw_only=True)
    accepts_codes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        bounds, counts = features.checked(self.x_bounds, self.categories)
        set_fields(self, x_bounds=bounds, categories=counts)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether there are as many features as bounds, with these numbers of categories, and a label."""
        return len(columns) == len(self.x_bounds) + 1 and features.suit(self.categories, columns[:-1])

    @property
    def dims(self) -> int:
        """The number of numbers that the features become, d."""
        return features.dimensions(self.x_bounds, self.categories)


# Sums of all k groups in one pass: the work grows with n + k, and not with n·k. The sum of a group depends on its own records
# only: whole numbers add up exactly in any order, and other sums are rounded once, whatever their order (mathematics,
# section 13.2).


def whole_sums(parts: FloatArray, places: Places, groups: int) -> FloatArray:
    """Return the sums of whole numbers, below 2⁵³ together, in each group: (n, d) and (n,) -> (groups, d)."""
    inside = places >= 0
    at, some = places[inside], parts[inside]
    return np.stack([np.bincount(at, weights=column, minlength=groups) for column in some.T], axis=1)


def sums_rounded_once(parts: FloatArray, places: Places, groups: int) -> FloatArray:
    """Return the sums of any numbers in each group, each sum rounded once: (n, d) and (n,) -> (groups, d)."""
    short = places.astype(np.int16 if groups < 2**15 else np.int64)  # which numpy sorts in one pass
    order = np.argsort(short, kind="stable")
    ends = np.cumsum(np.bincount(places + 1, minlength=groups + 1)).tolist()
    columns = (column[order].tolist() for column in parts.T)
    return np.array([[math.fsum(column[start:stop]) for start, stop in pairwise(ends)] for column in columns]).T
