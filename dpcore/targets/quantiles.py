"""Quantiles of one column: with added noise, and by choosing a place of a public grid."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, final

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import MOST_RECORDS, Interval, clip, even_edges, interval
from dpcore.base.checks import share, whole
from dpcore.base.columns import Column
from dpcore.base.norms import L1, L2, RANGE, Norm
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.numbers import Place, label_of
from dpcore.targets.columns import KnownValues, single_column, single_columns
from dpcore.targets.proved import N, proved, raised, removed


@final
@dataclass(frozen=True, slots=True)
class Quantile(Target):
    """f(D) = (1−g)·x_(j) + g·x_(j+1), j + g = (n−1)·q, of clipped sorted records; (n,) -> (1,). q = 0.5 is the median."""

    q: float = field(default=0.5, metadata={"label": "Quantile", "title": "Quantile q, from 0 to 1", "step": 0.05})
    bounds: Interval | None = field(default=None, metadata={"label": "Bounds"})
    from_a_part: ClassVar[str] = "alike"
    relative_resolution: ClassVar[float] = 8 * 2.0**-52

    def __post_init__(self) -> None:
        object.__setattr__(self, "q", share("q", self.q, closed=True))
        object.__setattr__(self, "bounds", self.bounds if self.bounds is None else interval("bounds", self.bounds))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Quantile:
        """The median of a column with these public bounds."""
        return cls(0.5, columns[0].bounds)

    @property
    def named_by(self) -> float:
        """The number that belongs to its name."""
        return self.q

    def __call__(self, database: Database, /) -> FloatArray:
        values = clip(single_column(database), self.bounds)
        if len(values) == 1:
            return values.copy()
        j, g = self._place(len(values))
        ordered = np.partition(values, (j, j + 1))
        return np.array([_between(ordered[j], ordered[j + 1], g)])

    def places(self, n: int, /) -> tuple[int, ...]:
        """j and j + 1."""
        j = self._place(n)[0]
        return (j, j + 1) if n > 1 else (0,)

    def from_places(self, records: FloatArray, n: int, /) -> FloatArray:
        """(b, 2) -> (b, 1), or of a single record (b, 1) -> (b, 1)."""
        values = clip(records, self.bounds)
        return _between(values[:, :1], values[:, 1:], self._place(n)[1]) if n > 1 else values

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        """Both neighbours from three order statistics of the n+1 records (mathematics, section 14.1)."""
        values = clip(single_columns(extended), self.bounds)
        n = values.shape[1] - 1
        if n == 1:
            return values[:, :1].copy(), values[:, 1:].copy()
        j, g = self._place(n)
        parted = np.partition(values, j + 1, axis=1)  # one pivot and two passes: faster than three pivots
        ordered = np.stack([parted[:, : j + 1].max(axis=1), parted[:, j + 1], parted[:, j + 2 :].min(axis=1)], axis=1)
        return self._without(ordered, values[:, n], g), self._without(ordered, values[:, n - 1], g)

    def answer_bounds(self, n: int, /) -> tuple[float, float] | None:
        """Those of the values; None without bounds."""
        return self.bounds

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """max(g, 1−g)·(b−a), g the interpolation fraction (mathematics, section 10.5); None without bounds or room for them."""
        n = whole("n", n)
        if self.bounds is None or norm == RANGE or n > MOST_RECORDS:
            return None
        low, high = self.bounds
        g = self._place(n)[1] if n > 1 else 0.0
        value = max(g, 1 - g) * math.nextafter(high - low, math.inf)
        proof = (
            "One row moves x_(j) and x_(j+1) one way, and neither past the other's old place, so the answer by at most "
            "the larger of its two weights times b − a."
        )
        return proved(self, math.nextafter(value, math.inf), [max(abs(low), abs(high))] * 2, norm, n, proof)

    def _place(self, n: int) -> tuple[int, float]:
        j = min(math.floor((n - 1) * self.q), n - 2)
        return j, (n - 1) * self.q - j

    @staticmethod
    def _without(ordered: FloatArray, removed: FloatArray, g: float) -> FloatArray:
        lower = np.where(removed <= ordered[:, 0], ordered[:, 1], ordered[:, 0])
        upper = np.where(removed <= ordered[:, 1], ordered[:, 2], ordered[:, 1])
        return np.asarray(_between(lower, upper, g))[:, None]


def _between(lower: FloatArray, upper: FloatArray, g: float) -> FloatArray:
    return np.asarray((1 - g) * lower + g * upper)


_POINTS, _MOST_POINTS = 10_001, 100_001
_PARTS = 2.0**24
_GRID = {"label": "Places on the scale", "min": 2, "max": _MOST_POINTS, "step": 1_000}


@final
@dataclass(frozen=True, slots=True)
class QuantileScores(KnownValues):
    """s(D)_r = −|#{x <= r} − q·N| for each place r of a public grid over the bounds; (n,) -> (places,), in records.

    N is how many values are known; a missing one is NaN, and counted nowhere.

    ``q`` = 0.5 is the median. The records are clipped to ``bounds``, which are public; the grid has ``points`` places of equal
    distance, both bounds among them, or as many as are different floats. The place with the largest score is the quantile, and
    a mechanism that chooses picks one: no noise is added, and no answer is a record's own value. Proved (mathematics, section
    14.3), so its release is differential privacy itself.
    """

    q: float = field(metadata={"label": "Quantile", "title": "Quantile q, above 0 and below 1", "step": 0.05})
    bounds: Interval = field(metadata={"label": "Bounds"})
    points: int = field(default=_POINTS, metadata=_GRID)
    title: ClassVar[str] = "Median and quantiles"
    everyday: ClassVar[str] = "Median"
    scores: ClassVar[bool] = True  # of the places, one of which is to be picked
    chooses: ClassVar[bool] = True  # ten thousand scores are nothing that people read
    regardless_of_n: ClassVar[bool] = True
    accepts_missing: ClassVar[bool] = True
    relative_resolution: ClassVar[float] = 8 * 2.0**-52
    place: ClassVar[int] = 0  # before the quantile with added noise, which needs far more of it

    def __post_init__(self) -> None:
        object.__setattr__(self, "q", share("q", self.q))
        object.__setattr__(self, "bounds", interval("bounds", self.bounds))
        if whole("points", self.points, least=2) > _MOST_POINTS:
            raise InvalidValueError("points", f"at most {_MOST_POINTS:,}", self.points)
        object.__setattr__(self, "points", int(self.points))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> QuantileScores | None:
        """The median of a column with public bounds that holds no categories."""
        column = columns[0]
        return None if column.bounds is None or column.categories is not None else cls(0.5, column.bounds)

    @property
    def named(self) -> str:
        """What it is called with its options: the median, or which quantile."""
        return "Median" if self.q == 0.5 else f"Quantile {self.q:g}"

    @property
    def numbers(self) -> int:
        """How many scores there are."""
        return len(self.candidates)

    @property
    def candidates(self) -> tuple[float, ...]:
        """The places of the grid, from the lower bound to the upper."""
        return _places(self.bounds, self.points)

    def answer(self, columns: tuple[Column, ...], /) -> Place:
        """A place on the column's scale."""
        return Place(tuple(f"{self.named} of {label}" for label in label_of(columns[:1])), columns[0].unit)

    def seconds(self, n: int, /) -> float:
        """About how long a call takes, measured on 2 shared cores."""
        return 4e-5 + 1e-8 * self.points + 1.2e-7 * n

    def __call__(self, database: Database, /) -> FloatArray:
        values, grid = single_column(database), _grid(self.bounds, self.points)
        first = np.searchsorted(grid, clip(values[~np.isnan(values)], self.bounds))  # the first place not below the record
        counts = np.cumsum(np.bincount(first, minlength=len(grid)))
        return np.asarray(-np.abs(counts - self.q * counts[-1]))

    def weighted(self, values: FloatArray, weights: FloatArray, /) -> FloatArray:
        """The scores of records that are all known and have these weights, from 0 to 1, down to whole shares of 2⁻²⁴: so the
        weights of up to 2²⁴ records add up exactly, in any order (mathematics, section 15.2). (b,), (b,) -> (places,)"""
        grid, parts = _grid(self.bounds, self.points), np.floor(weights * _PARTS)
        first = np.searchsorted(grid, clip(values, self.bounds))
        sums = np.cumsum(np.bincount(first, weights=parts, minlength=len(grid)))
        return np.asarray(-np.abs(sums - self.q * parts.sum()) / _PARTS)

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
    ) -> GlobalSensitivity[N] | None:
        """2 in RANGE and 1 in L∞ (mathematics, section 14.3); in L1 and L2 as if all places moved by 1."""
        if adjacency is not Adjacency.REPLACE_ONE_RECORD:
            return removed(self, norm, n, adjacency)
        n = whole("n", n)
        if n > MOST_RECORDS:
            return None
        value = self._over_places(1.0, norm)
        proof = (
            "A replaced row changes how many rows are not above a place by one, on one interval of places, so each score "
            "by at most 1: up on places up to the quantile, down beyond it. One that gets lost moves no score by more than that."
        )
        return proved(self, value, (float(n),) * self._entries(norm), norm, n, proof)

    def lost(self, norm: Norm, n: int, /) -> float | None:
        """Where a value gets lost, or is found: 2·max(q, 1 − q) in RANGE and half of it in L∞ (mathematics, section 14.3)."""
        return raised(self._over_places(max(self.q, 1 - self.q), norm), (float(n),) * self._entries(norm), n)

    def _over_places(self, most: float, norm: Norm) -> float:
        """Scores that move by at most so much each, in a norm; rounded up."""
        places = len(self.candidates)
        factor = {L1: float(places), L2: places**0.5, RANGE: 2.0}.get(norm, 1.0)
        return float(np.nextafter(most * factor, np.inf))

    def _entries(self, norm: Norm) -> int:
        return len(self.candidates) if norm in (L1, L2) else 2


@lru_cache(maxsize=8)
def _places(bounds: Interval, points: int) -> tuple[float, ...]:
    return even_edges(bounds, points - 1)


@lru_cache(maxsize=8)
def _grid(bounds: Interval, points: int) -> FloatArray:
    grid = np.array(_places(bounds, points))
    grid.flags.writeable = False
    return grid
