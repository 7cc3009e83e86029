"""Ridge regression: a straight line whose coefficients a penalty keeps finite (Hoerl & Kennard 1970)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.bounds import MOST_RECORDS
from dpcore.base.checks import positive, whole
from dpcore.base.norms import L1, RANGE
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.linear_regressions import LinearRegression
from dpcore.targets.moments import matrices, means, products
from dpcore.targets.proved import N, proved

LEAST, MOST = 1e-6, 1e3  # penalties: below, rounding could matter; above, the line is flat
_PENALTY = {
    "label": "Penalty",
    "title": "Penalty on the coefficients",
    "words": "penalty",
    "min": LEAST,
    "max": MOST,
    "format": "%g",
    "help": "It keeps one row from tilting the line. More of it needs less noise, and flattens the line.",
}


@final
@dataclass(frozen=True, slots=True)
class Ridge(LinearRegression):
    """f(D) = (w, a), the minimiser of (1/n) Σ (v_i − w·u_i − a)² + λ(‖w‖² + a²): records (x_1, …, x_d, label) -> (d+1,).

    u and v are features and label, clipped to their public bounds and scaled so that they go from −1 to 1; a missing value is
    the middle. λ is the ``penalty``. As it is above 0 there always is one minimiser, θ = (Z + λI)⁻¹c with Z the mean of z·zᵀ and
    c that of z·v, z = (u, 1): also where a column is constant, where columns tell the same, and for fewer records than columns.
    Coefficients have no unit; ``FittedLine`` has them in the columns' own.

    It is meant for a sampled sensitivity: the proved one is far larger for all but many records.
    """

    penalty: float = field(default=1e-3, metadata=_PENALTY)
    relative_resolution: ClassVar[float] = 1e-9  # a condition of up to 10⁷ in 53 bits
    title: ClassVar[str] = "Ridge regression"
    way: ClassVar[str] = "by ridge regression"
    moves: ClassVar[str] = "the coefficients, scaled by the bounds,"

    def __post_init__(self) -> None:
        LinearRegression.__post_init__(self)
        object.__setattr__(self, "penalty", positive("penalty", self.penalty))
        if not LEAST <= self.penalty <= MOST:
            raise InvalidValueError("penalty", f"from {LEAST:g} to {MOST:g}", self.penalty)

    def coefficients(self, responses: FloatArray, scale: float, /) -> FloatArray:
        """The responses themselves, (k, d+1) -> (k, d+1)."""
        return responses

    def possible(self, responses: FloatArray, /) -> NDArray[np.bool_]:
        """All: how long coefficients are at most says little of them. (k, d+1) -> (k,)"""
        return np.ones(len(responses), dtype=np.bool_)

    def seconds(self, n: int, /) -> float:
        """About how long one of a pair takes, measured on 2 shared cores."""
        return 1e-5 + 1e-8 * n * (self.dims + 1)

    def __call__(self, database: Database, /) -> FloatArray:
        from scipy.linalg import cho_factor, cho_solve

        square, right = matrices(means(products(*self.scaled(database))), self.dims + 1)
        return np.asarray(cho_solve(cho_factor(square + self.penalty * np.eye(len(square))), right))

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        """The sums of the n−1 common records once, then one record more; by elimination, many at a time."""
        z, v = self.scaled(extended)
        n = z.shape[1] - 1
        common = z[:, : n - 1]
        squares, right = np.swapaxes(common, 1, 2) @ common, np.einsum("bni,bn->bi", common, v[:, : n - 1])
        first, second = (
            self._solved((squares + one[:, :, None] * one[:, None]) / n, (right + one * v[:, at, None]) / n)
            for at in (n - 1, n)
            for one in (z[:, at],)
        )
        return first, second

    def _solved(self, square: FloatArray, products: FloatArray) -> FloatArray:
        """(Z + λI)⁻¹c: its eigenvalues are λ at least. (..., d+1, d+1), (..., d+1) -> (..., d+1)"""
        return np.asarray(np.linalg.solve(square + self.penalty * np.eye(square.shape[-1]), products[..., None])[..., 0])

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """By output perturbation (mathematics, section 18.1, with the same numbers), κ = √(d+1), R = 1 + κ/(2√λ):

            ‖θ − θ′‖₂ <= 2κR/(nλ + κ²) where nλ >= κ², else R/√(nλ)                                                   (2)
            ‖θ − θ′‖₂ <= ‖θ‖₂ + ‖θ′‖₂ <= 1/√λ                                                                        (3)

        whichever is less, and twice the solver's rounding; √(d+1) times that in L1. None in RANGE.
        """
        n = whole("n", n)
        columns = self.dims + 1
        rounding = 32 * columns**3 * 2.0**-53 * (columns + self.penalty) / self.penalty  # η/λ
        if norm == RANGE or n > MOST_RECORDS or rounding > 0.25:
            return None
        least = n * self.penalty
        longest = 1 / (2 * math.sqrt(self.penalty))  # ‖θ‖₂, by (1)
        misses = 1 + math.sqrt(columns) * longest
        value = 2 * math.sqrt(columns) * misses / (least + columns) if least >= columns else misses / math.sqrt(least)  # (2)
        value = min(value, 2 * longest) + 2 * rounding * (2 + 2 * longest)  # (3)
        proof = (
            "One row moves the minimiser by its residual times ‖(Z + λI)⁻¹z‖/n. The penalty bounds the coefficients by "
            "1/(2√λ), so the residual by 1 + κ/(2√λ) and their own distance by 1/√λ, and the eigenvalues from below by λ."
        )
        return proved(self, value * (math.sqrt(columns) if norm == L1 else 1.0), [2 * longest] * columns, norm, n, proof)
