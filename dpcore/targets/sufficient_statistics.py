"""The sums that a regression is computed from, released as one answer (Dwork & Smith 2010; Vu & Slavković 2009)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.checks import whole
from dpcore.base.norms import L1, L2, LINF
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.linear_regressions import LinearRegression
from dpcore.targets.moments import farthest, matrices, means, products
from dpcore.targets.proved import N, proved

_MOST_FEATURES = 20  # 251 numbers


@final
@dataclass(frozen=True, slots=True)
class SufficientStatistics(LinearRegression):
    """f(D) = (1/n) Σ (u_i·u_j for i <= j, u_i; u_i·v, v): records (x_1, …, x_d, label) -> ((d² + 5d + 2)/2,).

    u and v are features and label, clipped to their public bounds and scaled so that they go from −1 to 1; a missing value is
    the middle. The line is computed from the noisy numbers, as ``coefficients`` has it, at no further cost (mathematics, section
    18.3): so one noise pays for all coefficients, and differential privacy itself is within reach.
    """

    title: ClassVar[str] = "Regression from sums"
    way: ClassVar[str] = "by regression from sums"
    moves: ClassVar[str] = "the means that the line is computed from"

    def __post_init__(self) -> None:
        LinearRegression.__post_init__(self)
        if self.dims > _MOST_FEATURES:
            raise InvalidValueError("x_bounds", f"of at most {_MOST_FEATURES} features", self.dims)

    def __call__(self, database: Database, /) -> FloatArray:
        return means(products(*self.scaled(database)))

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """(b, d+1) -> (b, (d² + 5d + 2)/2)"""
        return products(*self.scaled(records)) / n

    def coefficients(self, responses: FloatArray, scale: float, /) -> FloatArray:
        """The line of noisy means under noise of this scale, by public arithmetic alone: (k, q) -> (k, d+1).

        θ = (Z₊ + 2√(d+1)·scale·I)⁻¹c: Z₊ is the noisy matrix with its negative eigenvalues put to 0, for the real one has none,
        and 2√(d+1)·scale is about how far noise alone moves an eigenvalue. At a scale of 0 it is least squares, and of all
        lines that fit equally well the flattest.
        """
        square, right = matrices(responses, self.dims + 1)
        values, vectors = np.linalg.eigh(square)
        added = 2 * math.sqrt(self.dims + 1) * scale
        least = values[..., -1:] * (self.dims + 1) * 2.0**-50  # what rounding makes of a 0
        inverse = np.divide(1.0, values + added, out=np.zeros_like(values), where=values > least)
        if added > 0:
            inverse = 1 / (np.maximum(values, 0.0) + added)
        turned = np.einsum("...ij,...i->...j", vectors, right)
        return np.asarray(np.einsum("...ij,...j->...i", vectors, inverse * turned))

    def possible(self, responses: FloatArray, /) -> NDArray[np.bool_]:
        """Those whose matrix is positive definite, and whose line explains no more than the label's largest mean square, 1
        (mathematics, section 18.4): (k, q) -> (k,)"""
        square, right = matrices(responses, self.dims + 1)
        values, vectors = np.linalg.eigh(square)
        definite = values[:, 0] > 0
        turned = np.einsum("kij,ki->kj", vectors, right)
        explained = (turned**2 / np.where(definite[:, None], values, 1.0)).sum(axis=1)
        return np.asarray(definite & (explained <= 1))

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """(d+1)(d+4)/(2n) in L1, 2√(⌊(d+2)/2⌋·⌈(d+2)/2⌉)/n in L2, 2/n in L∞, 4/n in RANGE, all attained (mathematics, section
        18.2).

        In L1 a record with all features and the label at their upper bounds attains it against one with all features in the
        middle and the label at its lower bound.
        """
        n, d = whole("n", n), self.dims
        far = {L1: (d + 1) * (d + 4) / 2, L2: farthest(d + 2), LINF: 2.0}.get(norm, 4.0)
        proof = (
            "Written as half sums and half differences of the two records, each product moves by a sum of their products; the "
            "total is a concave function of how far each value moves, largest where every feature moves by half its width and "
            "the label by all of it."
        )
        return proved(self, far / n * (1 + 2.0**-48), [1.0] * self.numbers, norm, n, proof)

    @property
    def numbers(self) -> int:
        """How many numbers it answers with."""
        return (self.dims**2 + 5 * self.dims + 2) // 2
