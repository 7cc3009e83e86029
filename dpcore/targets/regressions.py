"""Ridge regression (Hoerl & Kennard 1970), and the sums that a straight line is computed from.

Both answer with a line (Dwork & Smith 2010; Vu & Slavković 2009).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base import features
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import MOST_RECORDS, Interval, clip, interval
from dpcore.base.checks import numbers, positive, whole
from dpcore.base.columns import FEATURES_AND_NUMBER, Column, Slots, bounded, stand_in
from dpcore.base.features import Categories
from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.fits import FittedLine
from dpcore.result_types.numbers import label_of
from dpcore.targets.moments import matrices, means, placed, products, with_one
from dpcore.targets.proved import N, proved


@dataclass(frozen=True, slots=True)
class LinearRegression(Target):
    """Records (x_1, …, x_d, label), clipped to their public bounds and scaled so that each goes from −1 to 1.

    ``categories``: how many a feature has, where it has more than two, 0 of a number. Such a feature holds their places, 0, 1,
    …, and becomes a number a category but the first: 1 where a record is of it, else −1. A missing value is the middle.
    """

    x_bounds: tuple[Interval, ...]
    y_bounds: Interval
    categories: Categories = field(default=(), kw_only=True)
    way: ClassVar[str]
    moves: ClassVar[str]
    takes: ClassVar[Slots] = FEATURES_AND_NUMBER
    accepts_codes: ClassVar[bool] = True
    place: ClassVar[int] = 2

    def __post_init__(self) -> None:
        bounds, counts = features.checked(self.x_bounds, self.categories)
        object.__setattr__(self, "x_bounds", bounds)
        object.__setattr__(self, "y_bounds", interval("y_bounds", self.y_bounds))
        object.__setattr__(self, "categories", counts)

    @abstractmethod
    def __call__(self, database: Database, /) -> FloatArray:
        """(n, columns) -> a line, or what it is computed from"""

    @abstractmethod
    def coefficients(self, responses: FloatArray, scale: float, /) -> FloatArray:
        """As ``LineTarget`` has it: (k, q) -> (k, d+1)"""

    @abstractmethod
    def possible(self, responses: FloatArray, /) -> NDArray[np.bool_]:
        """As ``LineTarget`` has it: (k, q) -> (k,)"""

    def restored(self, responses: FloatArray, /) -> FloatArray:
        """As ``LineTarget`` has it, of responses that no share of the noise divides: (k, q) -> (k, q)"""
        return responses

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Self | None:
        """The one for features and a label, the last column, with these public bounds or categories."""
        declared, label = features.of_columns(columns[:-1]), columns[-1].bounds
        return None if declared is None or label is None else cls(declared[0], label, categories=declared[1])

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """As many features as it has bounds, with their categories, and a label that is a number."""
        if len(columns) != len(self.x_bounds) + 1 or not features.suit(self.categories, columns[:-1]):
            return False
        return stand_in(self.takes[:1], columns[:-1]) and bounded(columns[-1])

    @property
    def dims(self) -> int:
        """How many slopes it has."""
        return features.dimensions(self.x_bounds, self.categories)

    @property
    def spans(self) -> tuple[Interval, ...]:
        """Between which values each of its features lies."""
        return features.spans(self.x_bounds, self.categories)

    def seen(self, database: Database, /) -> tuple[FloatArray, FloatArray]:
        """Features and label of records in their own units, clipped: (n, columns) -> (n, d), (n,)."""
        x = features.scaled(database[:, :-1], self.x_bounds, self.categories)
        low, high = features.ends(self.spans)
        return low + (high - low) * x, clip(database[:, -1], self.y_bounds)

    def asked_of(self, columns: tuple[Column, ...], /) -> str:
        """What is asked, in a few words."""
        *names, label = label_of(columns)
        return f"{label} predicted from {', '.join(names)}, {self.way}"

    def answer(self, columns: tuple[Column, ...], /) -> FittedLine:
        """A line in the columns' own units."""
        return FittedLine.of(self, columns)

    def scaled(self, databases: Database, /) -> tuple[FloatArray, FloatArray]:
        """z = (u_1, …, u_d, 1) and v, each u and v from −1 at its lower bound to 1 at its upper; a missing value is the middle:
        (..., columns) -> (..., d+1), (...)."""
        categories = (*self.categories, 0) if self.categories else ()
        what = f"{len(self.x_bounds)} features and a label"
        places = placed(databases, (*self.x_bounds, self.y_bounds), categories, what)
        return with_one(places[..., :-1]), places[..., -1]


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
