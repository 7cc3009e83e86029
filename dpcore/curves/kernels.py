"""Curves with a Gaussian kernel: density estimation and regression."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import Interval, clip, interval, leave_room
from dpcore.base.checks import positive, set_fields
from dpcore.base.columns import TWO_NUMBERS, Column, Slots
from dpcore.base.norms import L1, LINF, Norm
from dpcore.base.polynomials import lattice
from dpcore.base.types import Curve
from dpcore.errors import InvalidValueError

_AT_ZERO = 1 / math.sqrt(2 * math.pi)
_ROUNDING = 1 + 1e-12  # a few products and quotients, each exact to an ulp
LARGEST = _AT_ZERO * _ROUNDING  # the largest value of the kernel, K(0), rounded up


def kernel(differences: FloatArray, bandwidth: float = 1.0) -> FloatArray:
    """Return the Gaussian kernel K(x/h)/h, K(u) = exp(−u²/2)/√(2π), at differences x of any shape, with bandwidth h."""
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.exp(np.square(differences / bandwidth) * -0.5) * (_AT_ZERO / bandwidth))


def largest_sum(bandwidth: float, degree: int, domain: Interval) -> float:
    """Return an upper bound of max_x Σ_j K((p_j − x)/h) over the lattice points p_0, …, p_k of a domain.

    The sum is at most that of an *endless* lattice with the smallest gap between two points. The latter is largest at a lattice
    point, because its Fourier coefficients are all positive by Poisson's formula. The sum is also at most (k+1)·K(0)
    (mathematics, section 10.6).

    Args:
        bandwidth: The bandwidth h, in the unit of the domain.
        degree: The degree k of the lattice.
        domain: The interval (low, high).

    Returns:
        The bound.
    """
    step = min(float(np.diff(lattice(degree, (domain,))[:, 0]).min()) / bandwidth, 1e9)
    if step <= 0:  # two points are the same float
        return (degree + 1) * _AT_ZERO * _ROUNDING
    # Poisson: Σ_j K(j·step) = (1 + 2 Σ_m exp(−2π²m²/step²))/step, and that sum is below 1e-30 for a fine lattice
    endless = 1 / step if step < 0.5 else float(kernel(step * np.arange(-80.0, 81.0)).sum())
    return min(endless, (degree + 1) * _AT_ZERO) * _ROUNDING


def _proposed_bandwidth(column: Column) -> tuple[float, Interval]:
    """Return a tenth of the width of a column's bounds, and the bounds; [0, 1] if it has none."""
    low, high = column.bounds or (0.0, 1.0)
    return max((high - low) / 10, math.ulp(0.0)), (low, high)


@final
@dataclass(frozen=True)
class KernelDensity(Curve):
    """Kernel density estimate f(p) = Σ_i K((p − x_i)/h)/(n h) (Rosenblatt 1956; Parzen 1962), K the Gaussian kernel.

    Records are numbers, shape (n,) or (n, 1). The unit of f is one over theirs.

    Args:
        bandwidth: The bandwidth h, above 0, in the unit of the records.
        bounds: Public bounds (low, high) that records are clipped to, and the curve's domain.

    Raises:
        InvalidValueError: If an argument is out of range.

    Examples:
        >>> import numpy as np
        >>> from dpcore import curves
        >>> density = curves.KernelDensity(bandwidth=0.1)
        >>> density.values(np.array([0.4, 0.5, 0.6]), np.array([[0.5], [1.0]])).round(3)
        array([2.943, 0.   ])
    """

    bandwidth: float = field(default=0.1, metadata={"label": "Bandwidth"})
    bounds: Interval = (0.0, 1.0)
    relative_resolution: ClassVar[float] = 8 * 2.0**-52

    def __post_init__(self) -> None:
        set_fields(self, bandwidth=positive("bandwidth", self.bandwidth), bounds=interval("bounds", self.bounds))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> KernelDensity:
        """Return the density over the column's bounds, with a tenth of their width as bandwidth."""
        return cls(*_proposed_bandwidth(columns[0]))

    @property
    def domain(self) -> tuple[Interval, ...]:
        """The bounds."""
        return (self.bounds,)

    def values(self, database: Database, points: FloatArray, /) -> FloatArray:
        """Return f at points (p, 1) -> (p,). Sums are exactly rounded, so the proved sensitivity holds for floats too."""
        records = self._column(database)
        sums = [math.fsum(kernel(point - records, self.bandwidth).tolist()) for point in points[:, 0]]
        return np.array(sums) / len(records)

    def contribution(self, records: Database, n: int, points: FloatArray, /) -> FloatArray:
        """Return what each record adds at each point: (b,) and (p, 1) -> (b, p)."""
        return kernel(points[:, 0] - self._column(records)[:, None], self.bandwidth) / n

    def lattice_sensitivity(self, norm: Norm, n: int, degree: int) -> tuple[float, float, str] | None:
        """Return the proved sensitivity over the lattice of a degree, in L1 and L∞ (mathematics, section 10.6).

        Args:
            norm: The norm.
            n: Number of records.
            degree: Degree of the lattice.

        Returns:
            The sensitivity, the largest |f|, and a proof in a sentence; None for other norms, or if n/h may overflow.
        """
        top = LARGEST / self.bandwidth
        if not leave_room(top, n * top):
            return None
        if norm == LINF:
            return top / n, top, "A row moves f(p) by |K − K'|/(nh), at most K(0)/(nh)."
        if norm == L1:
            total = 2 * largest_sum(self.bandwidth, degree, self.bounds) / self.bandwidth / n
            return total, top, "Taking a row out and putting one in move the lattice by at most Σ_j K((p_j − x)/h)/(nh) each."
        return None

    def _column(self, records: Database) -> FloatArray:
        if records.ndim == 2 and records.shape[1] == 1:
            records = records[:, 0]
        if records.ndim != 1 or records.dtype.kind != "f":
            raise InvalidValueError("records", "numbers of a single column", (str(records.dtype), records.shape))
        return clip(records, self.bounds)


@final
@dataclass(frozen=True)
class PriestleyChao(Curve):
    """Kernel regression f(p) = Σ_{i>=2} (x_(i) − x_(i−1)) y_(i) K((p − x_(i))/h)/h over records (x, y) (Priestley & Chao 1972).

    Records are in increasing order of x. K is the Gaussian kernel with its 1/√(2π), which diffpriv's vignette omits: its
    curves are √(2π) times these. Records with equal x count as one record with the mean of their y. So f depends neither on
    the order of the records, nor on y of only one of them.

    Args:
        bandwidth: The bandwidth h, above 0, in the unit of x.
        x_bounds: Public bounds of x, and the curve's domain.
        y_bounds: Public bounds of y; if None, y is not clipped and no sensitivity is proved.

    Raises:
        InvalidValueError: If an argument is out of range.

    Examples:
        >>> import numpy as np
        >>> from dpcore import curves
        >>> x = np.linspace(0, 1, 101)
        >>> rows = np.stack([x, x**2], axis=1)
        >>> curves.PriestleyChao(bandwidth=0.05).values(rows, np.array([[0.5]])).round(2)
        array([0.25])
    """

    bandwidth: float = field(default=0.1, metadata={"label": "Bandwidth"})
    x_bounds: Interval = (0.0, 1.0)
    y_bounds: Interval | None = None
    takes: ClassVar[Slots] = TWO_NUMBERS
    title: ClassVar[str] = "Kernel regression"
    relative_resolution: ClassVar[float] = 8 * 2.0**-52

    def __post_init__(self) -> None:
        y_bounds = None if self.y_bounds is None else interval("y_bounds", self.y_bounds)
        bandwidth, x_bounds = positive("bandwidth", self.bandwidth), interval("x_bounds", self.x_bounds)
        set_fields(self, bandwidth=bandwidth, x_bounds=x_bounds, y_bounds=y_bounds)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> PriestleyChao:
        """Return the curve of the second column over the first one's bounds, with a tenth of their width as bandwidth."""
        return cls(*_proposed_bandwidth(columns[0]), columns[1].bounds if len(columns) > 1 else None)

    @property
    def domain(self) -> tuple[Interval, ...]:
        """The bounds of x."""
        return (self.x_bounds,)

    def values(self, database: Database, points: FloatArray, /) -> FloatArray:
        """Return f at points (p, 1) -> (p,). Sums are exactly rounded, so the proved sensitivity holds for floats too."""
        x, y, _ = self._sorted(database[None])
        places, starts, counts = np.unique(x[0], return_index=True, return_counts=True)
        means = y[0, starts]
        for group in np.flatnonzero(counts > 1):
            means[group] = math.fsum(y[0, starts[group] : starts[group] + counts[group]].tolist()) / counts[group]
        weights, x = np.diff(places) * means[1:], places[1:]
        return np.array([math.fsum((weights * kernel(point - x, self.bandwidth)).tolist()) for point in points[:, 0]])

    def pair(self, extended: Database, points: FloatArray, /) -> tuple[FloatArray, FloatArray]:
        """Return f of both neighbours: (b, n + 1, 2) and (p, 1) -> two (b, p).

        Both come from one sum over all n + 1 records, because the removal of a record changes two of its terms.
        """
        x, y, order = self._sorted(extended)
        groups = _EqualX.of(x, y)
        heights = kernel(points[:, 0] - x[..., None], self.bandwidth)
        total = np.einsum("bn,bnp->bp", groups.gaps * groups.means, heights)
        last = extended.shape[1] - 1
        first = total - groups.loss((order == last).argmax(axis=1), y, heights)
        return first, total - groups.loss((order == last - 1).argmax(axis=1), y, heights)

    def lattice_sensitivity(self, norm: Norm, n: int, degree: int) -> tuple[float, float, str] | None:
        """Return the proved sensitivity over the lattice of a degree, in L1 and L∞ (mathematics, section 10.7).

        It does not fall with n. Putting a record into the n−1 others adds a gap times y·K, and takes the same gap from the
        records after it: in L1 at most 2·gap·Y·S/h, with S = max_x Σ_j K((p_j − x)/h) and Y = max |y|. Among c records with the
        same x it moves their mean by at most 2Y/(c+1) <= Y over their gap. The gaps of the two records are disjoint, and then
        together at most W, the width of ``x_bounds``, or nested. In both cases 2·W·Y·S/h bounds their difference.

        Args:
            norm: The norm.
            n: Number of records.
            degree: Degree of the lattice.

        Returns:
            The sensitivity, the largest |f|, and a proof in a sentence; None for other norms, without bounds of y, or if n·Y,
            W·Y, K/h or their product leaves no room for arithmetic.
        """
        if self.y_bounds is None or norm not in (L1, LINF):
            return None
        width, size = self.x_bounds[1] - self.x_bounds[0], max(map(abs, self.y_bounds))
        height = LARGEST if norm == LINF else largest_sum(self.bandwidth, degree, self.x_bounds)
        top, weight = LARGEST / self.bandwidth, width * size
        if not leave_room(top, weight, top * weight, n * size):
            return None
        value = 2 * weight * height / self.bandwidth * _ROUNDING
        proof = "A row adds its gap times y·K and takes that gap from its successor; two gaps are disjoint or nested."
        return value, top * weight, proof

    def _sorted(self, databases: Database) -> tuple[FloatArray, FloatArray, NDArray[np.int64]]:
        """Return x and y in increasing order of x, and that order: (b, n, 2) -> three (b, n)."""
        if databases.ndim != 3 or databases.shape[2] != 2 or databases.dtype.kind != "f":
            raise InvalidValueError("records", "pairs of numbers, x and y", (str(databases.dtype), databases.shape[1:]))
        x, y = clip(databases[..., 0], self.x_bounds), clip(databases[..., 1], self.y_bounds)
        order = np.argsort(x, axis=1, kind="stable")
        return np.take_along_axis(x, order, axis=1), np.take_along_axis(y, order, axis=1), order


@final
@dataclass(frozen=True, eq=False)
class _EqualX:
    """Sorted records with those of equal x as a group, all (b, n).

    Attributes:
        gaps: The gap before each group, at its first record; 0 at the others.
        group_gaps: The gap before each record's group.
        means: The mean y of each record's group.
        counts: The size of each record's group.
    """

    gaps: FloatArray
    group_gaps: FloatArray
    means: FloatArray
    counts: FloatArray

    @classmethod
    def of(cls, x: FloatArray, y: FloatArray) -> _EqualX:
        """Group sorted records, each (b, n)."""
        gaps = np.diff(x, axis=1, prepend=x[:, :1])  # the first record has no gap before it
        if (gaps[:, 1:] > 0).all():
            return cls(gaps, gaps, y, np.ones_like(y))
        fresh = np.concatenate([np.ones((len(x), 1), dtype=bool), gaps[:, 1:] > 0], axis=1)
        number = np.cumsum(fresh.ravel()) - 1
        counts = np.bincount(number).astype(np.float64)
        means = np.bincount(number, weights=y.ravel()) / counts
        group_gaps = np.bincount(number, weights=gaps.ravel())
        return cls(gaps, *(values[number].reshape(x.shape) for values in (group_gaps, means, counts)))

    def loss(self, removed: NDArray[np.int64], y: FloatArray, heights: FloatArray) -> FloatArray:
        """Return how much the sum falls if one record of each database is removed: indices (b,) -> (b, p)."""
        rows = np.arange(len(y))
        count, mean, gap = self.counts[rows, removed], self.means[rows, removed], self.group_gaps[rows, removed]
        alone = count == 1
        others = (count * mean - y[rows, removed]) / np.maximum(count - 1, 1)  # mean y of the rest of its group
        own = gap * np.where(alone, mean, mean - others)
        # The group after a removed group takes over its gap; a new first group loses its own gap. The last has none after it.
        after = np.minimum(removed + 1, y.shape[1] - 1)
        taken = np.where(alone & (removed != after), np.where(removed == 0, -self.gaps[rows, after], gap), 0.0)
        kept = (taken * self.means[rows, after])[:, None] * heights[rows, after]
        return np.asarray(own[:, None] * heights[rows, removed] - kept)
