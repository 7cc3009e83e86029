"""What targets of a single column share: its shape, its known values, and sums of them by group."""

from __future__ import annotations

import math
from abc import abstractmethod
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.checks import whole
from dpcore.base.filters import Truths, known
from dpcore.base.norms import L2, LINF, Norm
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.proved import N, proved, raised, removed

Places = NDArray[np.int64]  # the group of each record, -1 of one that is in no group

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


class KnownValues(Target):
    """Asks of one column's known values alone; a missing one counts nowhere."""

    __slots__ = ()

    def rows_that_count(self, records: Database, /) -> Truths:
        """Which records a cap on a person's rows counts: those whose value is known. (b,) -> (b,)"""
        return known(single_column(records))

    def row_values(self, records: Database, /) -> FloatArray:
        """What each record adds before it is clipped, NaN where it does not count. (b,) -> (b,)"""
        return single_column(records)


class SumAndNumber(KnownValues):
    """f(D) = (Σ u(x), #known) of known values, u from −1 to 1, and 0 of a missing one; (n,) -> (2,).

    What is asked for, their mean, is computed from the two noisy numbers, as ``Ratio`` has it.
    """

    __slots__ = ()
    accepts_missing: ClassVar[bool] = True
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


# Sums of all k groups in one pass: the work grows with n + k, and not with n·k. The sum of a group depends on its own records
# only: whole numbers add up exactly in any order, and other sums are rounded once, whatever their order (mathematics,
# section 13.2).


def whole_sums(parts: FloatArray, places: Places, groups: int) -> FloatArray:
    """Of whole numbers, below 2⁵³ together: (n, d) and (n,) -> (groups, d)"""
    inside = places >= 0
    at, some = places[inside], parts[inside]
    return np.stack([np.bincount(at, weights=column, minlength=groups) for column in some.T], axis=1)


def sums_rounded_once(parts: FloatArray, places: Places, groups: int) -> FloatArray:
    """Of any numbers, each sum rounded once: (n, d) and (n,) -> (groups, d)"""
    short = places.astype(np.int16 if groups < 2**15 else np.int64)  # which numpy sorts in one pass
    order = np.argsort(short, kind="stable")
    ends = np.cumsum(np.bincount(places + 1, minlength=groups + 1)).tolist()
    columns = (column[order].tolist() for column in parts.T)
    return np.array([[math.fsum(column[start:stop]) for start, stop in pairwise(ends)] for column in columns]).T
