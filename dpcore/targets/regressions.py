"""Ridge regression (Hoerl & Kennard 1970), and the means from which a straight line is computed.

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
from dpcore.base.checks import numbers, positive, set_fields
from dpcore.base.columns import FEATURES_AND_NUMBER, Column, Slots, bounded, stand_in
from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.errors import InvalidValueError
from dpcore.result_types.fits import FittedLine
from dpcore.result_types.numbers import label_of
from dpcore.targets.columns import Features
from dpcore.targets.moments import matrices, means, placed, products, with_one
from dpcore.targets.proved import raised


@dataclass(frozen=True, slots=True)
class LinearRegression(Features):
    """A target that answers with a line. Features and label are clipped to public bounds and scaled to [−1, 1].

    Each category of a feature except the first is 1 for its own records and −1 for others. A missing value is the middle.
    """

    y_bounds: Interval
    way: ClassVar[str]
    moves: ClassVar[str]
    takes: ClassVar[Slots] = FEATURES_AND_NUMBER
    place: ClassVar[int] = 2

    def __post_init__(self) -> None:
        Features.__post_init__(self)
        set_fields(self, y_bounds=interval("y_bounds", self.y_bounds))

    @abstractmethod
    def coefficients(self, responses: FloatArray, scale: float, /) -> FloatArray:
        """Return slopes and intercept, scaled (``LineTarget``): (k, q) -> (k, d+1)."""

    @abstractmethod
    def possible(self, responses: FloatArray, /) -> NDArray[np.bool_]:
        """Return which responses some table could have without noise (``LineTarget``): (k, q) -> (k,)."""

    def restored(self, responses: FloatArray, /) -> FloatArray:
        """Return the noisy numbers, if no shares of the noise divide them: (k, q) -> (k, q)."""
        return responses

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Self | None:
        """Return the member for features with public bounds or categories, and a label with bounds, the last column."""
        declared, label = features.of_columns(columns[:-1]), columns[-1].bounds
        return None if declared is None or label is None else cls(declared[0], label, categories=declared[1])

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether the features have these bounds or categories, and the label is a number with bounds."""
        return Features.fits(self, columns) and stand_in(self.takes[:1], columns[:-1]) and bounded(columns[-1])

    @property
    def spans(self) -> tuple[Interval, ...]:
        """The bounds of each slope's feature."""
        return features.spans(self.x_bounds, self.categories)

    def seen(self, database: Database, /) -> tuple[FloatArray, FloatArray]:
        """Return features and label in their own units, clipped: (n, columns) -> (n, d), (n,)."""
        x = features.scaled(database[:, :-1], self.x_bounds, self.categories)
        low, high = features.ends(self.spans)
        return low + (high - low) * x, clip(database[:, -1], self.y_bounds)

    def asked_of(self, columns: tuple[Column, ...], /) -> str:
        """Return what is asked, in a few words."""
        *names, label = label_of(columns)
        return f"{label} predicted from {', '.join(names)}, {self.way}"

    def answer(self, columns: tuple[Column, ...], /) -> FittedLine:
        """Return the kind of answer: a line in the columns' own units."""
        return FittedLine.of(self, columns)

    def scaled(self, databases: Database, /) -> tuple[FloatArray, FloatArray]:
        """Return z = (u_1, …, u_d, 1) and v, with each u and v in [−1, 1]: (..., columns) -> (..., d+1), (...)."""
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
    """The slopes and intercept of ridge regression: records (x_1, …, x_d, label) -> (d+1,).

    f(D) = (w, a) is the minimiser of (1/n) Σ (v_i − w·u_i − a)² + λ(‖w‖² + a²), for features u and a label v that are clipped to
    public bounds and scaled to [−1, 1]; a missing value is the middle. As λ is above 0, there always is one minimiser, θ =
    (Z + λI)⁻¹c, with Z the mean of z·zᵀ, c that of z·v, and z = (u, 1). That includes constant columns, columns that determine
    each other, and fewer records than columns. Coefficients have no unit; ``FittedLine`` gives them in the columns' units.

    Use a sampled sensitivity: the proved one is far larger, except for very many records.

    Args:
        x_bounds: The public bounds of each feature.
        y_bounds: The public bounds of the label.
        penalty: λ, from 1e-6 to 1,000.
        categories: The number of categories of each feature, 0 for a number; () if all are numbers.

    Raises:
        InvalidValueError: If an argument is out of range or of another form.

    Examples:
        >>> import numpy as np
        >>> Ridge(((0, 10),), (0, 10), penalty=1e-6)(np.array([[0.0, 10.0], [10.0, 0.0]])).round(3)
        array([-1.,  0.])
    """

    penalty: float = field(default=1e-3, metadata=_PENALTY)
    relative_resolution: ClassVar[float] = 1e-9  # a condition of up to 10⁷ in 53 bits
    title: ClassVar[str] = "Ridge regression"
    way: ClassVar[str] = "by ridge regression"
    moves: ClassVar[str] = "the coefficients, scaled by the bounds,"
    proof: ClassVar[str] = (
        "One row moves the minimiser by its residual times ‖(Z + λI)⁻¹z‖/n. The penalty bounds the coefficients by "
        "1/(2√λ), so the residual by 1 + κ/(2√λ) and their own distance by 1/√λ, and the eigenvalues from below by λ."
    )

    def __post_init__(self) -> None:
        LinearRegression.__post_init__(self)
        set_fields(self, penalty=positive("penalty", self.penalty))
        if not LEAST <= self.penalty <= MOST:
            raise InvalidValueError("penalty", f"from {LEAST:g} to {MOST:g}", self.penalty)

    def coefficients(self, responses: FloatArray, scale: float, /) -> FloatArray:
        """Return the responses themselves: (k, d+1) -> (k, d+1)."""
        return responses

    def possible(self, responses: FloatArray, /) -> NDArray[np.bool_]:
        """Return that all are possible, because a bound on the length of coefficients says little: (k, d+1) -> (k,)."""
        return np.ones(len(responses), dtype=np.bool_)

    def seconds(self, n: int, /) -> float:
        """Return the approximate seconds of one of a pair, measured on 2 shared cores."""
        return 1e-5 + 1e-8 * n * (self.dims + 1)

    def __call__(self, database: Database, /) -> FloatArray:
        from scipy.linalg import cho_factor, cho_solve

        square, right = matrices(means(products(*self.scaled(database))), self.dims + 1)
        return np.asarray(cho_solve(cho_factor(square + self.penalty * np.eye(len(square))), right))

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        """Return both neighbours' answers, from the sums of the n−1 common records: (b, n+1, d+1) -> two (b, d+1)."""
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
        """Return (Z + λI)⁻¹c. All eigenvalues are at least λ. (..., d+1, d+1), (..., d+1) -> (..., d+1)"""
        return np.asarray(np.linalg.solve(square + self.penalty * np.eye(square.shape[-1]), products[..., None])[..., 0])

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return the lesser of (2) and (3), with twice the solver's rounding; √(d+1) times that in L1. None in RANGE.

        By output perturbation (mathematics, section 18.1, with the same numbers), with κ = √(d+1) and R = 1 + κ/(2√λ):

            ‖θ − θ′‖₂ <= 2κR/(nλ + κ²) if nλ >= κ², R/√(nλ) otherwise                                                 (2)
            ‖θ − θ′‖₂ <= ‖θ‖₂ + ‖θ′‖₂ <= 1/√λ                                                                        (3)
        """
        columns = self.dims + 1
        rounding = 32 * columns**3 * 2.0**-53 * (columns + self.penalty) / self.penalty  # η/λ
        if norm == RANGE or n > MOST_RECORDS or rounding > 0.25:
            return None
        least = n * self.penalty
        longest = 1 / (2 * math.sqrt(self.penalty))  # ‖θ‖₂, by (1)
        misses = 1 + math.sqrt(columns) * longest
        value = 2 * math.sqrt(columns) * misses / (least + columns) if least >= columns else misses / math.sqrt(least)  # (2)
        value = min(value, 2 * longest) + 2 * rounding * (2 + 2 * longest)  # (3)
        return raised(value * (math.sqrt(columns) if norm == L1 else 1.0), [2 * longest] * columns, n)


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
    """The means from which a least-squares line is computed: records (x_1, …, x_d, label) -> ((d² + 5d + 2)/2,).

    f(D) = (1/n) Σ (u_i·u_j for i <= j, u_i; u_i·v, v)/b, for features u and a label v that are clipped to public bounds and
    scaled to [−1, 1]; a missing value is the middle. ``coefficients`` computes the line from the noisy means at no further cost
    (mathematics, section 18.3). One noise pays for all coefficients, and the worst case is small.

    b are public shares of the noise: each mean is released divided by its share, and multiplied by it afterwards (mathematics,
    section 13.3).

    Args:
        x_bounds: The public bounds of each feature, at most 20.
        y_bounds: The public bounds of the label.
        widths: The share of the features and their products, and that of the label and its products. None is (1, √(2/(d+1))),
            because noise on the label's products costs more if there are many features.
        categories: The number of categories of each feature, 0 for a number; () if all are numbers.

    Raises:
        InvalidValueError: If an argument is out of range or of another form.

    Examples:
        >>> import numpy as np
        >>> line = SufficientStatistics(((0, 10),), (0, 10))
        >>> means = line(np.array([[0.0, 10.0], [10.0, 0.0]]))
        >>> means, line.coefficients(means[None], 0.0)[0]
        (array([ 1.,  0., -1.,  0.]), array([-1.,  0.]))
    """

    widths: tuple[float, ...] | None = field(default=None, kw_only=True, metadata=_WIDTHS)
    title: ClassVar[str] = "Regression from sums"
    way: ClassVar[str] = "by regression from sums"
    moves: ClassVar[str] = "the means that the line is computed from, each divided by its share,"
    proof: ClassVar[str] = (
        "Written as half sums and half differences of the two rows, each product moves by a sum of their products; the "
        "total is a concave function of how far each value moves, largest if all features move equally far and the label "
        "by all of its width."
    )

    def __post_init__(self) -> None:
        LinearRegression.__post_init__(self)
        if self.dims > _MOST_FEATURES:
            raise InvalidValueError("x_bounds", f"of at most {_MOST_FEATURES} features", self.dims)
        if self.widths is not None:
            widths = numbers("widths", self.widths)
            if len(widths) != 2 or not all(_LEAST <= width <= _MOST for width in widths):
                raise InvalidValueError("widths", f"2 numbers from {_LEAST:g} to {_MOST:,.0f}", self.widths)
            set_fields(self, widths=widths)

    def __call__(self, database: Database, /) -> FloatArray:
        return means(products(*self.scaled(database))) / self._each

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """Return each record's part of the means: (b, d+1) -> (b, (d² + 5d + 2)/2)."""
        return products(*self.scaled(records)) / n / self._each

    def restored(self, responses: FloatArray, /) -> FloatArray:
        """Return the noisy means, whose noise is b_i times that of a response: (k, q) -> (k, q)."""
        return responses * self._each

    def coefficients(self, responses: FloatArray, scale: float, /) -> FloatArray:
        """Return the line of noisy means under noise of this scale: (k, q) -> (k, d+1).

        θ = (Z₊ + 2√(d+1)·b·scale·I)⁻¹c. Z₊ is the noisy matrix with its negative eigenvalues raised to 0, because the real one
        has none. 2√(d+1)·b·scale, with b the share of the features, is about how far noise moves an eigenvalue. At a scale of 0
        it is least squares, and the flattest of all lines that fit equally well.
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
        """Return which have a positive definite matrix, and a line that explains at most 1: (k, q) -> (k,).

        1 is the largest mean square of the label (mathematics, section 18.4).
        """
        square, right = matrices(self.restored(responses), self.dims + 1)
        values, vectors = np.linalg.eigh(square)
        definite = values[:, 0] > 0
        turned = np.einsum("kij,ki->kj", vectors, right)
        explained = (turned**2 / np.where(definite[:, None], values, 1.0)).sum(axis=1)
        return np.asarray(definite & (explained <= 1))

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return how far all means move together (mathematics, section 18.2); attained, except in RANGE for one feature.

        With equal shares of 1 it is (d+1)(d+4)/(2n) in L1, 2√(⌊(d+2)/2⌋·⌈(d+2)/2⌉)/n in L2, 2/n in L∞ and 4/n in RANGE.
        """
        # twice the largest, 1/b, because a quotient of a rounded answer errs by up to 3.5 ulp of it (mathematics, section 13.3)
        largest = 2 / self._each
        return raised(self._far(norm) / n * (1 + 2.0**-48), largest.tolist(), n)

    def _far(self, norm: Norm) -> float:
        """Return how far the means move together at most, times n."""
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
        """The share b of the products of features, and that of the products with the label."""
        return (1.0, math.sqrt(2 / (self.dims + 1))) if self.widths is None else self.widths

    @property
    def numbers(self) -> int:
        """The number of means."""
        return (self.dims**2 + 5 * self.dims + 2) // 2

    @property
    def _each(self) -> FloatArray:
        """The share b of each mean."""
        labelled = self.dims + 1
        return np.repeat(self.shares, (self.numbers - labelled, labelled))
