"""The sums that a regression is computed from, released as one answer (Dwork & Smith 2010; Vu & Slavković 2009)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.checks import numbers, whole
from dpcore.base.norms import L1, L2, LINF, Norm
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.linear_regressions import LinearRegression
from dpcore.targets.moments import matrices, means, products
from dpcore.targets.proved import N, proved

_MOST_FEATURES = 20  # 251 numbers
_LEAST, _MOST = 1e-3, 1e3  # widths
_WIDTHS: dict[str, Any] = {
    "title": "Noise on the means",
    "words": "shares of the noise",
    "choices": {None: "less on those with the label", (1.0, 1.0): "the same on all"},
}


@final
@dataclass(frozen=True, slots=True)
class SufficientStatistics(LinearRegression):
    """f(D) = (1/n) Σ (u_i·u_j for i <= j, u_i; u_i·v, v)/b: records (x_1, …, x_d, label) -> ((d² + 5d + 2)/2,).

    u and v are features and label, clipped to their public bounds and scaled so that they go from −1 to 1; a missing value is
    the middle. The line is computed from the noisy numbers, as ``coefficients`` has it, at no further cost (mathematics, section
    18.3): so one noise pays for all coefficients, and differential privacy itself is within reach.

    b are public shares of the noise: each number is released divided by its own, and read times it. ``widths``: that of the
    products of features and of the features, and that of the products with the label and of the label. None is
    (1, √(2/(d+1))): the more features there are, the more the noise on the label's products would cost.
    """

    widths: tuple[float, ...] | None = field(default=None, kw_only=True, metadata=_WIDTHS)
    title: ClassVar[str] = "Regression from sums"
    way: ClassVar[str] = "by regression from sums"
    moves: ClassVar[str] = "the means that the line is computed from, each divided by its share,"

    def __post_init__(self) -> None:
        LinearRegression.__post_init__(self)
        if self.dims > _MOST_FEATURES:
            raise InvalidValueError("x_bounds", f"of at most {_MOST_FEATURES} features", self.dims)
        if self.widths is not None:
            widths = numbers("widths", self.widths)
            if len(widths) != 2 or not all(_LEAST <= width <= _MOST for width in widths):
                raise InvalidValueError("widths", f"2 numbers from {_LEAST:g} to {_MOST:,.0f}", self.widths)
            object.__setattr__(self, "widths", widths)

    def __call__(self, database: Database, /) -> FloatArray:
        return means(products(*self.scaled(database))) / self._each

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """(b, d+1) -> (b, (d² + 5d + 2)/2)"""
        return products(*self.scaled(records)) / n / self._each

    def restored(self, responses: FloatArray, /) -> FloatArray:
        """The noisy means themselves, whose noise is b_i times that of a response: (k, q) -> (k, q)"""
        return responses * self._each

    def coefficients(self, responses: FloatArray, scale: float, /) -> FloatArray:
        """The line of noisy means under noise of this scale, by public arithmetic alone: (k, q) -> (k, d+1).

        θ = (Z₊ + 2√(d+1)·b·scale·I)⁻¹c: Z₊ is the noisy matrix with its negative eigenvalues put to 0, for the real one has
        none, and 2√(d+1)·b·scale, b the share of the features, is about how far noise alone moves an eigenvalue. At a scale of
        0 it is least squares, and of all lines that fit equally well the flattest.
        """
        square, right = matrices(self.restored(responses), self.dims + 1)
        values, vectors = np.linalg.eigh(square)
        added = 2 * math.sqrt(self.dims + 1) * self.shares[0] * scale
        least = values[..., -1:] * (self.dims + 1) * 2.0**-50  # what rounding makes of a 0
        inverse = np.divide(1.0, values + added, out=np.zeros_like(values), where=values > least)
        if added > 0:
            inverse = 1 / (np.maximum(values, 0.0) + added)
        turned = np.einsum("...ij,...i->...j", vectors, right)
        return np.asarray(np.einsum("...ij,...j->...i", vectors, inverse * turned))

    def possible(self, responses: FloatArray, /) -> NDArray[np.bool_]:
        """Those whose matrix is positive definite, and whose line explains no more than the label's largest mean square, 1
        (mathematics, section 18.4): (k, q) -> (k,)"""
        square, right = matrices(self.restored(responses), self.dims + 1)
        values, vectors = np.linalg.eigh(square)
        definite = values[:, 0] > 0
        turned = np.einsum("kij,ki->kj", vectors, right)
        explained = (turned**2 / np.where(definite[:, None], values, 1.0)).sum(axis=1)
        return np.asarray(definite & (explained <= 1))

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """Of all numbers together, attained, but for one feature in RANGE (mathematics, section 18.2). With equal shares of 1
        (d+1)(d+4)/(2n) in L1, 2√(⌊(d+2)/2⌋·⌈(d+2)/2⌉)/n in L2, 2/n in L∞ and 4/n in RANGE.

        In L1 a record with all features and the label at their upper bounds attains it against one with all features at one
        height, the middle for equal shares, and the label at its lower bound.
        """
        n = whole("n", n)
        proof = (
            "Written as half sums and half differences of the two rows, each product moves by a sum of their products; the "
            "total is a concave function of how far each value moves, largest where all features move equally far and the label "
            "by all of its width."
        )
        # twice the largest, 1/b, for a quotient of a rounded answer errs by up to 3.5 ulp of it (mathematics, section 13.3)
        largest = 2 / self._each
        return proved(self, self._far(norm) / n * (1 + 2.0**-48), largest.tolist(), norm, n, proof)

    def _far(self, norm: Norm) -> float:
        """How far the n means move together at most, times n."""
        d, (of_features, of_label) = self.dims, (1 / width for width in self.shares)
        if norm == L1:
            rest = max(d + 2 - of_label / of_features, 0.0)
            return of_features * d * rest**2 / (2 * (d + 1)) + 2 * of_label * (d + 1)
        if norm == L2:
            signs = range(d + 1)  # how many features change theirs
            squared = [of_features**2 * k * (d + 1 - k) + of_label**2 * max(k, d + 1 - k) for k in signs]
            return 2 * math.sqrt(max(squared))
        return (2 if norm == LINF else 4) * max(of_features, of_label)

    @property
    def shares(self) -> tuple[float, ...]:
        """b of the products of features, and of those with the label."""
        return (1.0, math.sqrt(2 / (self.dims + 1))) if self.widths is None else self.widths

    @property
    def numbers(self) -> int:
        """How many numbers it answers with."""
        return (self.dims**2 + 5 * self.dims + 2) // 2

    @property
    def _each(self) -> FloatArray:
        """b of each number."""
        labelled = self.dims + 1
        return np.repeat(self.shares, (self.numbers - labelled, labelled))
