"""The correlation of two columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.bounds import Bounds, Interval, bounds_or_none, clip
from dpcore.base.checks import whole
from dpcore.base.declared import Column
from dpcore.base.norms import RANGE
from dpcore.base.slots import TWO_NUMBERS, Slots
from dpcore.base.types import Database, FloatArray, Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.numbers import Numbers, label_of
from dpcore.targets.proved import N, proved


@final
@dataclass(frozen=True, slots=True)
class Correlation(Target):
    """f(D) = Σ(x − x̄)(y − ȳ)/√(Σ(x − x̄)²·Σ(y − ȳ)²) of clipped records (x, y); (n, 2) -> (1,), from −1 to 1, without a unit.

    Records with a missing value, NaN, are left out. Where a column is constant, or fewer than two records are known, the answer
    is 0, so that there always is one. Its worst case is all of 2: n − 1 equal records say nothing, and the last one decides.
    """

    bounds: tuple[Interval, Interval] = field(metadata={"label": "Bounds"})
    takes: ClassVar[Slots] = TWO_NUMBERS
    takes_missing: ClassVar[bool] = True
    from_a_part: ClassVar[str] = "alike"
    about_relations: ClassVar[bool] = True
    relative_resolution: ClassVar[float] = 8 * 2.0**-52

    def __post_init__(self) -> None:
        bounds: Bounds | None = bounds_or_none("bounds", self.bounds)
        if bounds is None or len(bounds) != 2 or not all(isinstance(one, tuple) for one in bounds):
            raise InvalidValueError("bounds", "two intervals, one a column", self.bounds)
        object.__setattr__(self, "bounds", bounds)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Correlation | None:
        """The one for two columns with these public bounds."""
        x, y = (column.bounds for column in columns)
        return None if x is None or y is None else cls((x, y))

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """One number without a unit."""
        return Numbers((" and ".join(label_of(columns)),))

    def seconds(self, n: int, /) -> float:
        """About how long a call takes, measured on 2 shared cores."""
        return 5e-5 + 2e-7 * n

    def __call__(self, database: Database, /) -> FloatArray:
        if database.ndim != 2:
            raise InvalidValueError("database", "of two columns", database.shape)
        return np.asarray(self.batch(database[None])[0])

    def batch(self, databases: Database, /) -> FloatArray:
        """(b, n, 2) -> (b, 1)"""
        if databases.ndim != 3 or databases.shape[2] != 2:
            raise InvalidValueError("databases", "of two columns", databases.shape[2:])
        known = np.asarray(~np.isnan(databases).any(axis=2, keepdims=True))
        low, high = np.array(self.bounds).T
        places = np.where(known, (clip(databases, self.bounds) - low) / (high - low), 0.0)  # in [0, 1], whatever the units
        x, y = np.moveaxis(_around_their_mean(places, known), 2, 0)
        both = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
        answers = np.divide((x * y).sum(axis=1), both, out=np.zeros(len(both)), where=both > 0)
        return np.asarray(np.clip(answers, -1.0, 1.0))[:, None]

    def answer_bounds(self, n: int, /) -> tuple[float, float]:
        """All correlations."""
        return -1.0, 1.0

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """2 (mathematics, section 10.11); None in RANGE, where one number never moves against itself, and for one record."""
        n = whole("n", n)
        if norm == RANGE or n < 2:
            return None
        return proved(self, 2.0, (1.0,), norm, n, "A correlation lies from −1 to 1, so it moves by at most 2.")


def _around_their_mean(places: FloatArray, known: NDArray[np.bool_]) -> FloatArray:
    """Each known number less its column's mean, in shares of the largest such distance, so that no square underflows;
    zeros for a constant column, and where nothing is known. (b, n, 2) -> (b, n, 2)"""
    mean = places.sum(axis=1, keepdims=True) / np.maximum(known.sum(axis=1, keepdims=True), 1)
    least = np.where(known, places, np.inf).min(axis=1, keepdims=True)
    varied = np.where(known, places, -np.inf).max(axis=1, keepdims=True) > least
    away = np.where(known & varied, places - mean, 0.0)
    largest = np.abs(away).max(axis=1, keepdims=True)
    return np.asarray(away / np.where(largest > 0, largest, 1.0))
