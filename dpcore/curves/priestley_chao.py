"""Priestley–Chao kernel regression (Priestley & Chao 1972), the example of the diffpriv paper."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.bounds import Interval, clip, interval
from dpcore.checks import positive
from dpcore.curves.gaussian_kernel import kernel, largest, largest_sum
from dpcore.errors import InvalidValueError
from dpcore.norms import L1, LINF, Norm
from dpcore.types import Database, FloatArray


@final
@dataclass(frozen=True, slots=True)
class PriestleyChao:
    """f(p) = Σ_{i>=2} (x_(i) − x_(i−1)) y_(i) K((p − x_(i))/h)/h over records (x, y) in rising order of x.

    K is the Gaussian kernel with its 1/√(2π), which diffpriv's vignette leaves out: its curves are √(2π) times these.
    ``x_bounds``, the curve's domain, and ``y_bounds`` (None: not clipped) are public. Equal x are ordered by y, so that
    f does not depend on the records' order.
    """

    bandwidth: float = field(default=0.1, metadata={"label": "Bandwidth"})
    x_bounds: Interval = (0.0, 1.0)
    y_bounds: Interval | None = None
    columns_needed: ClassVar[int] = 2
    relative_resolution: ClassVar[float] = 8 * 2.0**-52

    def __post_init__(self) -> None:
        object.__setattr__(self, "bandwidth", positive("bandwidth", self.bandwidth))
        object.__setattr__(self, "x_bounds", interval("x_bounds", self.x_bounds))
        object.__setattr__(self, "y_bounds", None if self.y_bounds is None else interval("y_bounds", self.y_bounds))

    @classmethod
    def suited(cls, bounds: tuple[Interval | None, ...]) -> PriestleyChao:
        """A tenth of the first column's bounds wide, the second column as the response."""
        low, high = bounds[0] or (0.0, 1.0)
        return cls((high - low) / 10, (low, high), bounds[1] if len(bounds) > 1 else None)

    @property
    def domain(self) -> tuple[Interval, ...]:
        return (self.x_bounds,)

    def values(self, database: Database, points: FloatArray, /) -> FloatArray:
        """Exactly rounded sums, so that the proved sensitivity holds for floats too."""
        x, y, _ = self._sorted(database[None])
        weights, x = np.diff(x[0]) * y[0, 1:], x[0, 1:]
        return np.array([math.fsum((weights * kernel(point - x, self.bandwidth)).tolist()) for point in points[:, 0]])

    def pair(self, extended: Database, points: FloatArray, /) -> tuple[FloatArray, FloatArray]:
        """Both neighbours from one sum over the n+1 records they share: a record's removal changes two of its terms."""
        x, y, order = self._sorted(extended)
        gaps = np.diff(x, axis=1, prepend=x[:, :1])  # the first record has no gap before it
        heights = kernel(points[:, 0] - x[..., None], self.bandwidth)
        total = np.einsum("bn,bnp->bp", gaps * y, heights)
        last = extended.shape[1] - 1
        first = total - self._loss(order == last, gaps, y, heights)
        return first, total - self._loss(order == last - 1, gaps, y, heights)

    def lattice_sensitivity(self, norm: Norm, n: int, degree: int) -> tuple[float, float, str] | None:
        """(value, largest |f|, proof) over the lattice, in L1 and L∞; None without bounds of y. It does not fall with n.

        Putting a record into the n−1 others adds a gap times y·K, and takes the same gap from the record after it: in L1
        at most 2·gap·Y·S/h, with S = max_x Σ_j K((p_j − x)/h) and Y = max |y|. The gaps of the two records are disjoint
        or nested, so that 2·W·Y·S/h bounds their difference, W the width of ``x_bounds``.
        """
        if self.y_bounds is None or norm not in (L1, LINF):
            return None
        width, size = self.x_bounds[1] - self.x_bounds[0], max(map(abs, self.y_bounds))
        height = largest() if norm == LINF else largest_sum(self.bandwidth, degree, self.x_bounds)
        value = 2 * width * size * height / self.bandwidth * (1 + 1e-12)
        proof = "A record adds its gap times y·K and takes that gap from its successor; two gaps are disjoint or nested."
        return value, width * size * largest() / self.bandwidth, proof

    def _loss(
        self, removed: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], gaps: FloatArray, y: FloatArray, heights: FloatArray
    ) -> FloatArray:
        """How much the sum falls when the marked record of each database (b, n+1) goes: -> (b, p)."""
        rows, at = np.arange(len(y)), removed.argmax(axis=1)
        after = np.minimum(at + 1, y.shape[1] - 1)
        own = (gaps[rows, at] * y[rows, at])[:, None] * heights[rows, at]
        # its successor takes over its gap; a new first record loses its own; after the last there is none
        taken = np.where(at == after, 0.0, np.where(at == 0, -gaps[rows, after], gaps[rows, at]))
        return np.asarray(own - (taken * y[rows, after])[:, None] * heights[rows, after])

    def _sorted(self, databases: Database) -> tuple[FloatArray, FloatArray, np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
        """(b, n, 2) -> x and y in rising order of x, then of y, and that order: each (b, n)."""
        if databases.ndim != 3 or databases.shape[2] != 2 or databases.dtype.kind != "f":
            raise InvalidValueError("records", "pairs of numbers (x, y)", f"{databases.dtype} of shape {databases.shape[1:]}")
        x, y = clip(databases[..., 0], self.x_bounds), clip(databases[..., 1], self.y_bounds)
        order = np.argsort(x, axis=1, kind="stable")
        if (np.diff(np.take_along_axis(x, order, axis=1), axis=1) == 0).any():
            order = np.lexsort((y, x), axis=1)
        return np.take_along_axis(x, order, axis=1), np.take_along_axis(y, order, axis=1), order
