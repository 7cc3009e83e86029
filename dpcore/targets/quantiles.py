"""Quantiles of one column: computed and released with noise, or selected from a public grid."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, final

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import Interval, clip, even_edges, interval
from dpcore.base.checks import set_fields, share, whole
from dpcore.base.columns import Column
from dpcore.base.norms import L1, L2, RANGE, Norm
from dpcore.errors import InvalidValueError
from dpcore.result_types.numbers import Place, label_of
from dpcore.targets.columns import KnownValues, single_column, single_columns
from dpcore.targets.proved import ProvedTarget, raised


@final
@dataclass(frozen=True, slots=True)
class Quantile(ProvedTarget):
    """A quantile of one column, clipped to public bounds, for a mechanism that adds noise: (n,) -> (1,).

    f(D) = (1−g)·x_(j) + g·x_(j+1) of the sorted records, with j + g = (n−1)·q.

    Args:
        q: Which quantile, from 0 to 1; 0.5 is the median.
        bounds: The public bounds (low, high). None clips nothing, and then nothing is proved.

    Raises:
        InvalidValueError: If ``q`` is out of range, or the bounds are of another form.

    Examples:
        >>> import numpy as np
        >>> Quantile(0.5, (0, 10))(np.array([1.0, 7.0, 3.0, 30.0]))
        array([5.])
    """

    q: float = field(default=0.5, metadata={"label": "Quantile", "title": "Quantile q, from 0 to 1", "step": 0.05})
    bounds: Interval | None = field(default=None, metadata={"label": "Bounds"})
    from_a_part: ClassVar[str] = "alike"
    relative_resolution: ClassVar[float] = 8 * 2.0**-52
    proof: ClassVar[str] = (
        "One row moves x_(j) and x_(j+1) one way, and neither past the other's old place, so the answer by at most "
        "the larger of its two weights times b − a."
    )

    def __post_init__(self) -> None:
        bounds = self.bounds if self.bounds is None else interval("bounds", self.bounds)
        set_fields(self, q=share("q", self.q, closed=True), bounds=bounds)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Quantile:
        """Return the median of a column, clipped to its public bounds if it has any."""
        return cls(0.5, columns[0].bounds)

    @property
    def named(self) -> str:
        """The name with its option."""
        return f"Quantile {self.q:g}"

    def __call__(self, database: Database, /) -> FloatArray:
        values = clip(single_column(database), self.bounds)
        if len(values) == 1:
            return values.copy()
        j, g = self._place(len(values))
        ordered = np.partition(values, (j, j + 1))
        return np.array([_between(ordered[j], ordered[j + 1], g)])

    def places(self, n: int, /) -> tuple[int, ...]:
        """Return the places of the sorted records that the answer depends on: j and j + 1."""
        j = self._place(n)[0]
        return (j, j + 1) if n > 1 else (0,)

    def from_places(self, records: FloatArray, n: int, /) -> FloatArray:
        """Return the answer from the records at these places: (b, 2) -> (b, 1), or (b, 1) -> (b, 1) if n is 1."""
        values = clip(records, self.bounds)
        return _between(values[:, :1], values[:, 1:], self._place(n)[1]) if n > 1 else values

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        """Return both neighbours' answers from three order statistics of the n+1 records (mathematics, section 14.1)."""
        values = clip(single_columns(extended), self.bounds)
        n = values.shape[1] - 1
        if n == 1:
            return values[:, :1].copy(), values[:, 1:].copy()
        j, g = self._place(n)
        parted = np.partition(values, j + 1, axis=1)  # one pivot and two passes: faster than three pivots
        ordered = np.stack([parted[:, : j + 1].max(axis=1), parted[:, j + 1], parted[:, j + 2 :].min(axis=1)], axis=1)
        return _without(ordered, values[:, n], g), _without(ordered, values[:, n - 1], g)

    def answer_bounds(self, n: int, /) -> tuple[float, float] | None:
        """Return the bounds of the values."""
        return self.bounds

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return max(g, 1−g)·(b−a), with g the interpolation fraction (mathematics, section 10.5).

        None without bounds, in RANGE, and if the bounds leave no room.
        """
        if self.bounds is None or norm == RANGE:
            return None
        low, high = self.bounds
        g = self._place(n)[1] if n > 1 else 0.0
        value = max(g, 1 - g) * math.nextafter(high - low, math.inf)
        return raised(math.nextafter(value, math.inf), [max(abs(low), abs(high))] * 2, n)

    def _place(self, n: int) -> tuple[int, float]:
        j = min(math.floor((n - 1) * self.q), n - 2)
        return j, (n - 1) * self.q - j


def _without(ordered: FloatArray, left_out: FloatArray, g: float) -> FloatArray:
    """Return the quantile without one record, from the order statistics j, j + 1 and j + 2 of all: (b, 3), (b,) -> (b, 1)."""
    lower = np.where(left_out <= ordered[:, 0], ordered[:, 1], ordered[:, 0])
    upper = np.where(left_out <= ordered[:, 1], ordered[:, 2], ordered[:, 1])
    return np.asarray(_between(lower, upper, g))[:, None]


def _between(lower: FloatArray, upper: FloatArray, g: float) -> FloatArray:
    return np.asarray((1 - g) * lower + g * upper)


_POINTS, _MOST_POINTS = 10_001, 100_001
_PARTS = 2.0**24
_GRID = {"label": "Places on the scale", "min": 2, "max": _MOST_POINTS, "step": 1_000}


@final
@dataclass(frozen=True, slots=True)
class QuantileScores(KnownValues):
    """Scores of the places of a public grid for being a quantile of one column: (n,) -> (places,), in records.

    s(D)_r = −|#{x <= r} − q·N| for each place r, with N the number of known values. A missing value is NaN. The place with the
    largest score is the quantile. A mechanism that selects a place adds no noise, and its response is a place of the grid. The
    sensitivity is proved (mathematics, section 14.3).

    Args:
        q: Which quantile, above 0 and below 1; 0.5 is the median.
        bounds: The public bounds (low, high) that records are clipped to.
        points: The number of places, evenly spaced and with both bounds among them; fewer if there are fewer floats.

    Raises:
        InvalidValueError: If an argument is out of range.

    Examples:
        >>> import numpy as np
        >>> QuantileScores(0.5, (0, 4), points=5)(np.array([1.0, 1.0, 3.0, 4.0]))
        array([-2., -0., -0., -1., -2.])
    """

    q: float = field(metadata={"label": "Quantile", "title": "Quantile q, above 0 and below 1", "step": 0.05})
    bounds: Interval = field(metadata={"label": "Bounds"})
    points: int = field(default=_POINTS, metadata=_GRID)
    title: ClassVar[str] = "Median and quantiles"
    everyday: ClassVar[str] = "Median"
    scores: ClassVar[bool] = True  # of the places, one of which is selected
    chooses: ClassVar[bool] = True  # ten thousand scores are not read
    regardless_of_n: ClassVar[bool] = True
    accepts_missing: ClassVar[bool] = True
    relative_resolution: ClassVar[float] = 8 * 2.0**-52
    place: ClassVar[int] = 0  # before the quantile with added noise, which needs far more of it
    proof: ClassVar[str] = (
        "A replaced row changes how many rows are not above a place by one, on one interval of places, so each score "
        "by at most 1: up on places up to the quantile, down beyond it. One that gets lost moves no score by more than that."
    )

    def __post_init__(self) -> None:
        points = whole("points", self.points, least=2)
        if points > _MOST_POINTS:
            raise InvalidValueError("points", f"at most {_MOST_POINTS:,}", self.points)
        set_fields(self, q=share("q", self.q), bounds=interval("bounds", self.bounds), points=points)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> QuantileScores | None:
        """Return the median of a column with public bounds and without categories."""
        column = columns[0]
        return None if column.bounds is None or column.categories is not None else cls(0.5, column.bounds)

    @property
    def named(self) -> str:
        """The name with its options: the median, or which quantile."""
        return "Median" if self.q == 0.5 else f"Quantile {self.q:g}"

    @property
    def numbers(self) -> int:
        """The number of scores."""
        return len(self.candidates)

    @property
    def candidates(self) -> tuple[float, ...]:
        """The places of the grid, from the lower bound to the upper."""
        return _places(self.bounds, self.points)

    def answer(self, columns: tuple[Column, ...], /) -> Place:
        """Return the kind of answer: a place on the column's scale."""
        return Place(tuple(f"{self.named} of {label}" for label in label_of(columns[:1])), columns[0].unit)

    def seconds(self, n: int, /) -> float:
        """Return the approximate seconds of a call, measured on 2 shared cores."""
        return 4e-5 + 1e-8 * self.points + 1.2e-7 * n

    def __call__(self, database: Database, /) -> FloatArray:
        values, grid = single_column(database), _grid(self.bounds, self.points)
        first = np.searchsorted(grid, clip(values[~np.isnan(values)], self.bounds))  # the first place not below the record
        counts = np.cumsum(np.bincount(first, minlength=len(grid)))
        return np.asarray(-np.abs(counts - self.q * counts[-1]))

    def weighted(self, values: FloatArray, weights: FloatArray, /) -> FloatArray:
        """Return the scores of known values with weights from 0 to 1: (b,), (b,) -> (places,).

        Weights are rounded down to whole multiples of 2⁻²⁴. So the weights of up to 2²⁴ records add up exactly, in any order
        (mathematics, section 15.2).
        """
        grid, parts = _grid(self.bounds, self.points), np.floor(weights * _PARTS)
        first = np.searchsorted(grid, clip(values, self.bounds))
        sums = np.cumsum(np.bincount(first, weights=parts, minlength=len(grid)))
        return np.asarray(-np.abs(sums - self.q * parts.sum()) / _PARTS)

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return 2 in RANGE and 1 in L∞ (mathematics, section 14.3); in L1 and L2 as if all scores moved by 1."""
        return self._of_scores(1.0, norm, n)

    def lost(self, norm: Norm, n: int, /) -> float | None:
        """Return 2·max(q, 1 − q) in RANGE, and half of it in L∞ (mathematics, section 14.3)."""
        return self._of_scores(max(self.q, 1 - self.q), norm, n)

    def _of_scores(self, most: float, norm: Norm, n: int) -> float | None:
        """Return how far the scores move together, rounded up, if each moves by at most ``most``."""
        scores = self.numbers
        factor = {L1: float(scores), L2: scores**0.5, RANGE: 2.0}.get(norm, 1.0)
        moving = scores if norm in (L1, L2) else 2
        return raised(math.nextafter(most * factor, math.inf), (float(n),) * moving, n)


@lru_cache(maxsize=8)
def _places(bounds: Interval, points: int) -> tuple[float, ...]:
    return even_edges(bounds, points - 1)


@lru_cache(maxsize=8)
def _grid(bounds: Interval, points: int) -> FloatArray:
    grid = np.array(_places(bounds, points))
    grid.flags.writeable = False
    return grid
