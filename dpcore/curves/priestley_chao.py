"""Priestley–Chao kernel regression (Priestley & Chao 1972), the example of the diffpriv paper."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import Interval, clip, interval, leave_room
from dpcore.base.checks import positive
from dpcore.base.declared import Column
from dpcore.base.norms import L1, LINF, Norm
from dpcore.base.slots import TWO_NUMBERS, Slots
from dpcore.base.types import Curve, Database, FloatArray
from dpcore.curves.gaussian_kernel import LARGEST, kernel, largest_sum
from dpcore.errors import InvalidValueError


@final
@dataclass(frozen=True, slots=True)
class PriestleyChao(Curve):
    """f(p) = Σ_{i>=2} (x_(i) − x_(i−1)) y_(i) K((p − x_(i))/h)/h over records (x, y) in rising order of x.

    K is the Gaussian kernel with its 1/√(2π), which diffpriv's vignette leaves out: its curves are √(2π) times these.
    ``x_bounds``, the curve's domain, and ``y_bounds`` (None: not clipped) are public. Records with equal x count as one
    with the mean of their y, so that f does not depend on the records' order, nor on the y of one of them alone.
    """

    bandwidth: float = field(default=0.1, metadata={"label": "Bandwidth"})
    x_bounds: Interval = (0.0, 1.0)
    y_bounds: Interval | None = None
    takes: ClassVar[Slots] = TWO_NUMBERS
    title: ClassVar[str] = "Kernel regression"
    relative_resolution: ClassVar[float] = 8 * 2.0**-52

    def __post_init__(self) -> None:
        object.__setattr__(self, "bandwidth", positive("bandwidth", self.bandwidth))
        object.__setattr__(self, "x_bounds", interval("x_bounds", self.x_bounds))
        object.__setattr__(self, "y_bounds", None if self.y_bounds is None else interval("y_bounds", self.y_bounds))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> PriestleyChao:
        """A tenth of the first column's bounds wide, the second column as the response."""
        low, high = columns[0].bounds or (0.0, 1.0)
        return cls(max((high - low) / 10, math.ulp(0.0)), (low, high), columns[1].bounds if len(columns) > 1 else None)

    @property
    def domain(self) -> tuple[Interval, ...]:
        return (self.x_bounds,)

    def values(self, database: Database, points: FloatArray, /) -> FloatArray:
        """Exactly rounded sums, so that the proved sensitivity holds for floats too."""
        x, y, _ = self._sorted(database[None])
        places, starts, counts = np.unique(x[0], return_index=True, return_counts=True)
        means = y[0, starts]
        for group in np.flatnonzero(counts > 1):
            means[group] = math.fsum(y[0, starts[group] : starts[group] + counts[group]].tolist()) / counts[group]
        weights, x = np.diff(places) * means[1:], places[1:]
        return np.array([math.fsum((weights * kernel(point - x, self.bandwidth)).tolist()) for point in points[:, 0]])

    def pair(self, extended: Database, points: FloatArray, /) -> tuple[FloatArray, FloatArray]:
        """Both neighbours from one sum over the n+1 records they share: a record's removal changes two of its terms."""
        x, y, order = self._sorted(extended)
        groups = _Groups.of(x, y)
        heights = kernel(points[:, 0] - x[..., None], self.bandwidth)
        total = np.einsum("bn,bnp->bp", groups.gaps * groups.means, heights)
        last = extended.shape[1] - 1
        first = total - groups.loss((order == last).argmax(axis=1), y, heights)
        return first, total - groups.loss((order == last - 1).argmax(axis=1), y, heights)

    def lattice_sensitivity(self, norm: Norm, n: int, degree: int) -> tuple[float, float, str] | None:
        """(value, largest |f|, proof) over the lattice, in L1 and L∞; None without bounds of y. It does not fall with n.

        Putting a record into the n−1 others adds a gap times y·K, and takes the same gap from the records after it: in L1
        at most 2·gap·Y·S/h, with S = max_x Σ_j K((p_j − x)/h) and Y = max |y|. Among c with its x it moves their mean by
        at most 2Y/(c+1) <= Y over their gap. The gaps of the two records are disjoint, and then together at most W, the
        width of ``x_bounds``, or nested; 2·W·Y·S/h bounds their difference either way (mathematics, section 10.7). None too where
        n·Y, W·Y, K/h or their product leaves no room for arithmetic.
        """
        if self.y_bounds is None or norm not in (L1, LINF):
            return None
        width, size = self.x_bounds[1] - self.x_bounds[0], max(map(abs, self.y_bounds))
        height = LARGEST if norm == LINF else largest_sum(self.bandwidth, degree, self.x_bounds)
        top, weight = LARGEST / self.bandwidth, width * size
        if not leave_room(top, weight, top * weight, n * size):
            return None
        value = 2 * weight * height / self.bandwidth * (1 + 1e-12)
        proof = "A row adds its gap times y·K and takes that gap from its successor; two gaps are disjoint or nested."
        return value, top * weight, proof

    def _sorted(self, databases: Database) -> tuple[FloatArray, FloatArray, np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
        """(b, n, 2) -> x and y in rising order of x, and that order: each (b, n)."""
        if databases.ndim != 3 or databases.shape[2] != 2 or databases.dtype.kind != "f":
            raise InvalidValueError("records", "pairs of numbers, x and y", (str(databases.dtype), databases.shape[1:]))
        x, y = clip(databases[..., 0], self.x_bounds), clip(databases[..., 1], self.y_bounds)
        order = np.argsort(x, axis=1, kind="stable")
        return np.take_along_axis(x, order, axis=1), np.take_along_axis(y, order, axis=1), order


@final
@dataclass(frozen=True, eq=False)
class _Groups:
    """Sorted records (b, n), those of one x as one: a group's gap stands at its first record, its mean y at each."""

    gaps: FloatArray
    group_gaps: FloatArray
    means: FloatArray
    counts: FloatArray

    @classmethod
    def of(cls, x: FloatArray, y: FloatArray) -> _Groups:
        gaps = np.diff(x, axis=1, prepend=x[:, :1])  # the first record has no gap before it
        if (gaps[:, 1:] > 0).all():
            return cls(gaps, gaps, y, np.ones_like(y))
        fresh = np.concatenate([np.ones((len(x), 1), dtype=bool), gaps[:, 1:] > 0], axis=1)
        number = np.cumsum(fresh.ravel()) - 1
        counts = np.bincount(number).astype(np.float64)
        means = np.bincount(number, weights=y.ravel()) / counts
        group_gaps = np.bincount(number, weights=gaps.ravel())
        return cls(gaps, *(values[number].reshape(x.shape) for values in (group_gaps, means, counts)))

    def loss(self, at: np.ndarray[tuple[int], np.dtype[np.int64]], y: FloatArray, heights: FloatArray) -> FloatArray:
        """How much the sum falls when one record of each database goes: -> (b, p)."""
        rows = np.arange(len(y))
        count, mean, gap = self.counts[rows, at], self.means[rows, at], self.group_gaps[rows, at]
        alone = count == 1
        others = (count * mean - y[rows, at]) / np.maximum(count - 1, 1)  # the mean of those that share its x
        own = gap * np.where(alone, mean, mean - others)
        # the records after one that was alone take over its gap; a new first one loses its own; after the last is none
        after = np.minimum(at + 1, y.shape[1] - 1)
        taken = np.where(alone & (at != after), np.where(at == 0, -self.gaps[rows, after], gap), 0.0)
        kept = (taken * self.means[rows, after])[:, None] * heights[rows, after]
        return np.asarray(own[:, None] * heights[rows, at] - kept)
