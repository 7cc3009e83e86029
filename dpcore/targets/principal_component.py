"""The first principal component of several columns (Pearson 1901): the direction in which records vary most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from dpcore.base.declared import Column
from dpcore.base.types import Database, FloatArray
from dpcore.result_types.matrix import Loadings
from dpcore.result_types.numbers import label_of
from dpcore.targets.moments import SeveralColumns, placed

_TIED = 1e-8  # of the whole variance: two eigenvalues that are closer leave the direction open, and rounding could turn it
_NOTHING = 1e-28  # the variance that rounding leaves of constant columns


@final
@dataclass(frozen=True, slots=True)
class PrincipalComponent(SeveralColumns):
    """f(D) = (v, s): v of length 1 maximises vᵀCv, s = vᵀCv/trace C is its share of the variance; (n, d) -> (d+1,).

    C is the covariance matrix of the columns, clipped to their public bounds and scaled to go from −1 to 1; a missing value is
    the middle. Of v and −v it is the one whose loadings add up to more than 0, and where they add up to 0 the one whose first
    loading is positive: that asks one database alone. Where the two largest eigenvalues are equal, as for constant columns and
    for one record, all loadings are 1/√d. So there always is an answer, and it jumps at these two places (mathematics, section
    18.7).

    No worst case is proved, for it would be all of the range: near a tie one record turns v by a right angle, and where the
    loadings add up to about 0 it turns it round. So v is for a sampled sensitivity, and an oracle whose columns hang together: a
    made-up table of independent columns is nearly a tie.
    """

    most_columns: ClassVar[int] = 50
    title: ClassVar[str] = "Principal component"
    named: ClassVar[str] = "first principal component"
    relative_resolution: ClassVar[float] = 1e-7  # a gap of 1e-8 in 53 bits

    @property
    def numbers(self) -> int:
        """A loading a column, and a share of the variance."""
        return len(self.bounds) + 1

    def asked_of(self, columns: tuple[Column, ...], /) -> str:
        """What is asked, in a few words."""
        return f"First principal component of {', '.join(label_of(columns))}"

    def answer(self, columns: tuple[Column, ...], /) -> Loadings:
        """A loading a column, and a share of the variance."""
        return Loadings(label_of(columns))

    def seconds(self, n: int, /) -> float:
        """About how long one of a pair takes, measured on 2 shared cores."""
        d = len(self.bounds)
        return 3e-5 + 1e-6 * d * d + 1.5e-8 * n * d

    def __call__(self, database: Database, /) -> FloatArray:
        u = placed(database, self.bounds)
        u = u - u.mean(axis=0)
        left = u.mean(axis=0)  # of a long sum's rounding
        found: FloatArray = _first((u.T @ u / len(u) - left[:, None] * left)[None])[0]
        return found

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        """The sums of the n−1 common records once, about their own mean, then one record more: (b, n+1, d) -> two (b, d+1)."""
        u = placed(extended, self.bounds)
        n = u.shape[1] - 1
        u = u - u[:, : max(n - 1, 1)].mean(axis=1, keepdims=True)
        common = u[:, : n - 1]
        squares, sums = np.swapaxes(common, 1, 2) @ common, common.sum(axis=1)
        first, second = (_covariances(squares, sums, u[:, at], n) for at in (n - 1, n))
        return _first(first), _first(second)


def _covariances(squares: FloatArray, sums: FloatArray, one: FloatArray, n: int) -> FloatArray:
    """Of n records, of sums over n−1 and one more: (b, d, d), (b, d), (b, d) -> (b, d, d)."""
    center = (sums + one) / n
    return np.asarray((squares + one[:, :, None] * one[:, None]) / n - center[:, :, None] * center[:, None])


def _first(covariances: FloatArray) -> FloatArray:
    """The aligned eigenvector of the largest eigenvalue, and its share: (b, d, d) -> (b, d+1)."""
    whole = np.einsum("bii->b", covariances)
    values, vectors = np.linalg.eigh(covariances)
    size = values.shape[1]
    varied = whole > _NOTHING * size
    safe = np.where(varied, whole, 1.0)
    turned = np.where((varied & (values[:, -1] - values[:, -2] > _TIED * safe))[:, None], vectors[:, :, -1], size**-0.5)
    share = np.where(varied, np.clip(values[:, -1] / safe, 0.0, 1.0), 1 / size)
    return np.column_stack([aligned(turned), share])


def aligned(directions: FloatArray) -> FloatArray:
    """Each direction or its opposite: that whose loadings add up to more than 0; else that whose first loading, but for those
    of 0, is positive. (k, d) -> (k, d)"""
    total = directions.sum(axis=1)
    first = directions[np.arange(len(directions)), (np.abs(directions) > _TIED).argmax(axis=1)]
    sign = np.where(np.abs(total) > _TIED, total, first)
    return np.asarray(np.where(sign[:, None] < 0, -directions, directions))
