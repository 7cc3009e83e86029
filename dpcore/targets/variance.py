"""The variance of one column, and of its known values."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import MOST_RECORDS, Interval, clip, interval, leave_room
from dpcore.base.checks import whole
from dpcore.base.columns import Column
from dpcore.base.norms import RANGE
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.numbers import Numbers, label_of, shared_unit, squared
from dpcore.targets.columns import single_column, single_columns
from dpcore.targets.proved import N, proved


@final
@dataclass(frozen=True, slots=True)
class Variance(Target):
    """f(D) = Σ (x − mean)²/(n − ddof) of clipped records; (n,) -> (1,), in the square of the records' unit.

    ddof 0 is the population's variance, 1 the sample's (which fails on a single record). A question divides by the confidential
    number of known values: ``of_known_values``.
    """

    bounds: Interval | None = field(default=None, metadata={"label": "Bounds"})
    ddof: int = field(default=0, metadata={"label": "Divisor", "choices": {0: "n", 1: "n − 1"}})
    from_a_part: ClassVar[str] = "alike"
    relative_resolution: ClassVar[float] = 8 * 2.0**-52

    def __post_init__(self) -> None:
        object.__setattr__(self, "bounds", self.bounds if self.bounds is None else interval("bounds", self.bounds))
        if isinstance(self.ddof, bool) or self.ddof not in (0, 1):
            raise InvalidValueError("ddof", "0 or 1", self.ddof)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Variance:
        """The one for a column with these public bounds."""
        return cls(columns[0].bounds)

    def of_known_values(self) -> Target | None:
        """Return the variance of the known values, divided by how many they are; None without bounds, and for ddof 1."""
        return None if self.bounds is None or self.ddof else _VarianceOfKnown(self.bounds)

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """A number in the square of the column's unit."""
        return Numbers(label_of(columns[:1]), squared(shared_unit(columns)))

    def __call__(self, database: Database, /) -> FloatArray:
        values = clip(single_column(database), self.bounds)
        n = len(values)
        mean = math.fsum(values.tolist()) / n
        return np.array([math.fsum(((values - mean) ** 2).tolist()) / self._divisor(n)])

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        """The n−1 common records once, then one more by Welford's update: no difference of large squares."""
        values = clip(single_columns(extended), self.bounds)
        values = values - values[:, :1]  # the variance does not depend on it, and far from 0 the rounding would
        n = values.shape[1] - 1
        common = values[:, : n - 1]
        mean = common.mean(axis=1, keepdims=True) if n > 1 else np.zeros((len(values), 1))
        squares = np.einsum("bi,bi->b", common - mean, common - mean)[:, None]
        gained = squares + (values[:, n - 1 :] - mean) ** 2 * ((n - 1) / n)
        variances = gained / self._divisor(n)
        return variances[:, :1], variances[:, 1:]

    def answer_bounds(self, n: int, /) -> tuple[float, float] | None:
        """From 0 to (b − a)²/4, by Popoviciu, n/(n − 1) times that for ddof 1; None without bounds, or if that overflows."""
        if self.bounds is None or n <= self.ddof:
            return None
        half = (self.bounds[1] - self.bounds[0]) / 2
        largest = half * half * n / (n - self.ddof)
        return (0.0, largest) if math.isfinite(largest) else None

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """(b−a)²/n·(1−1/n) for ddof 0, (b−a)²/n for 1 (mathematics, section 10.4); None where it is 0, fails or overflows."""
        n = whole("n", n)
        if self.bounds is None or norm == RANGE or not 2 <= n <= MOST_RECORDS:
            return None
        low, high = self.bounds
        size, width = max(abs(low), abs(high)), math.nextafter(high - low, math.inf)
        if not leave_room(n * width * width):  # n·size then fits too: the bounds are apart by half an ulp of size at least
            return None
        real = width * width / n * (1 - 1 / n if self.ddof == 0 else 1)
        ulp = float(np.spacing(size))
        # the mean errs by up to 1.5 ulp and shifts the answer by that squared; each square has three roundings
        centring = (1.5 * ulp) ** 2 * n / self._divisor(n)
        proof = (
            "With the other n−1 rows fixed the variance is a parabola in the last one, with slope (n−1)/n on its "
            "square about their mean, so it moves by at most (b−a)²·(n−1)/n divided by n − ddof."
        )
        largest = (width + 2 * ulp) ** 2 * n / self._divisor(n)
        return proved(self, real * (1 + 2.0**-50) + centring, (largest, largest), norm, n, proof)

    def _divisor(self, n: int) -> int:
        if n <= self.ddof:
            raise InvalidValueError("database", f"of more than {self.ddof} rows", n)
        return n - self.ddof


@final
@dataclass(frozen=True, slots=True)
class _VarianceOfKnown(Target):
    """f(D) = Σ (x − mean)²/N over the N known values, clipped; (n,) -> (1,), in the square of the records' unit.

    A missing value is NaN. Where fewer than two values are known it is 0, so that there always is an answer. Its worst case is
    its whole range, (high − low)²/4: one of two known values can make all of it. Many known values move it far less, which the
    draws of an oracle show.
    """

    bounds: Interval
    title: ClassVar[str] = "Variance of known values"
    accepts_missing: ClassVar[bool] = True
    relative_resolution: ClassVar[float] = 8 * 2.0**-52

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """A number in the square of the column's unit."""
        return Numbers(label_of(columns[:1]), squared(columns[0].unit), amount=True)

    def seconds(self, n: int, /) -> float:
        """About how long a call takes, measured on 2 shared cores."""
        return 4e-5 + 5e-8 * n

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(self.batch(single_column(database)[None])[0])

    def batch(self, databases: Database, /) -> FloatArray:
        """(b, n) -> (b, 1)"""
        values = single_columns(databases)
        (low, high), known = self.bounds, ~np.isnan(values)
        places = np.where(known, (clip(values, self.bounds) - low) / (high - low), 0.0)  # in [0, 1], whatever the unit
        number = np.maximum(known.sum(axis=1, keepdims=True), 1)
        away = np.where(known, places - places.sum(axis=1, keepdims=True) / number, 0.0)
        shares = (away * away).sum(axis=1, keepdims=True) / number
        return np.asarray(
            (np.sqrt(np.clip(shares, 0.0, 0.25)) * self._width) ** 2
        )  # each step is monotone: no more than the worst

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """(high − low)²/4 (mathematics, section 10.12); None in RANGE, for one record, and where squares leave no room."""
        n, half = whole("n", n), self._width / 2
        largest = half * half
        if norm == RANGE or n < 2 or not leave_room(largest):
            return None
        proof = "A variance of values between two bounds is at least 0 and at most a quarter of their distance squared."
        return proved(self, largest, (largest,), norm, n, proof)

    @property
    def _width(self) -> float:
        low, high = self.bounds
        return math.nextafter(high - low, math.inf)
