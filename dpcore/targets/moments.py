"""Correlations, covariance matrices and principal components (Pearson 1901) of bounded columns, from means of products."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base import features
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import Interval, clip, interval
from dpcore.base.checks import set_fields
from dpcore.base.columns import BOUNDED_NUMBERS, NUMBERS, TWO_NUMBERS, Column, Slots, stand_in
from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError
from dpcore.result_types.matrix import Loadings, Matrix
from dpcore.result_types.numbers import Numbers, label_of
from dpcore.targets.columns import SumOfRecords
from dpcore.targets.proved import ProvedTarget, raised


@dataclass(frozen=True, slots=True)
class SeveralColumns(Target):
    """A target of two or more columns of numbers, clipped to public bounds."""

    bounds: tuple[Interval, ...] = field(metadata={"label": "Bounds"})
    takes: ClassVar[Slots] = BOUNDED_NUMBERS
    place: ClassVar[int] = 2
    most_columns: ClassVar[int]

    def __post_init__(self) -> None:
        given: object = self.bounds
        if not isinstance(given, (list, tuple)) or not 2 <= len(given) <= self.most_columns:
            raise InvalidValueError("bounds", f"2 to {self.most_columns} intervals, one a column", given)
        set_fields(self, bounds=tuple(interval("bounds", pair) for pair in given))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Self | None:
        """Return the member for two or more columns with public bounds."""
        bounds = tuple(column.bounds for column in columns if column.bounds is not None)
        return cls(bounds) if 1 < len(bounds) == len(columns) else None

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether there are as many columns of numbers as bounds."""
        return len(columns) == len(self.bounds) and stand_in(NUMBERS, columns)


# Means of products, of which covariances and lines are computed.


def placed(databases: Database, bounds: tuple[Interval, ...], categories: features.Categories = (), what: str = "") -> FloatArray:
    """Return records (..., columns) clipped to bounds and scaled to [−1, 1]; a missing value, NaN, is the middle, 0."""
    if databases.ndim < 2 or databases.shape[-1] != len(bounds) or databases.dtype.kind != "f":
        raise InvalidValueError("database", f"of {what or f'{len(bounds)} columns'}, all numbers", databases.shape)
    return np.clip(2 * features.scaled(databases, bounds, categories) - 1, -1.0, 1.0)


def with_one(places: FloatArray) -> FloatArray:
    """Return z = (u, 1): (..., d) -> (..., d+1)."""
    return np.concatenate([places, np.ones((*places.shape[:-1], 1))], axis=-1)


def squares(z: FloatArray) -> FloatArray:
    """Return each record's z_i·z_j for i <= j without the last, which is 1: (b, d+1) -> (b, (d² + 3d)/2)."""
    i, j = _places(z.shape[-1])
    return np.asarray(z[:, i] * z[:, j])


def products(z: FloatArray, v: FloatArray) -> FloatArray:
    """Return each record's ``squares``, then the z_i·v: (b, d+1), (b,) -> (b, q)."""
    return np.concatenate([squares(z), z * v[:, None]], axis=1)


def means(parts: FloatArray) -> FloatArray:
    """Return the means of the records' parts, each sum rounded once, so that their order does not matter: (n, q) -> (q,)."""
    return np.array([math.fsum(column) / len(parts) for column in parts.T.tolist()])


def square(averages: FloatArray, columns: int) -> FloatArray:
    """Return the mean of z·zᵀ from the means of ``squares``: (..., q) -> (..., d+1, d+1)."""
    i, j = _places(columns)
    made = np.ones((*averages.shape[:-1], columns, columns))
    made[..., i, j] = made[..., j, i] = averages[..., : len(i)]
    return made


def matrices(averages: FloatArray, columns: int) -> tuple[FloatArray, FloatArray]:
    """Return the means of z·zᵀ and of z·v from the means of ``products``: -> (..., d+1, d+1), (..., d+1)."""
    return square(averages, columns), averages[..., len(_places(columns)[0]) :]


def _places(columns: int) -> tuple[np.ndarray[tuple[int], np.dtype[np.intp]], ...]:
    """Return row and column of the entries on and above the diagonal, without the last entry."""
    i, j = np.triu_indices(columns)
    return i[:-1], j[:-1]


@final
@dataclass(frozen=True, slots=True)
class Correlation(SeveralColumns, ProvedTarget):
    """The correlation of two columns, clipped to public bounds: (n, 2) -> (1,), from −1 to 1.

    f(D) = Σ(x − x̄)(y − ȳ)/√(Σ(x − x̄)²·Σ(y − ȳ)²). Records with a missing value, NaN, are omitted. If a column is constant, or
    fewer than two records are known, the answer is 0, so there always is one. Its worst case is 2: n − 1 equal records determine
    no correlation, and the last one decides.

    Args:
        bounds: Two intervals (low, high), one for each column.

    Raises:
        InvalidValueError: If the bounds are of another form.

    Examples:
        >>> import numpy as np
        >>> Correlation(((0, 10), (0, 10)))(np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])).round(9)
        array([1.])
    """

    takes: ClassVar[Slots] = TWO_NUMBERS
    accepts_missing: ClassVar[bool] = True
    place: ClassVar[int] = 1
    most_columns: ClassVar[int] = 2
    from_a_part: ClassVar[str] = "alike"
    about_relations: ClassVar[bool] = True
    relative_resolution: ClassVar[float] = 8 * 2.0**-52
    proof: ClassVar[str] = "A correlation lies from −1 to 1, so it moves by at most 2."

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """Return the kind of answer: one number without a unit."""
        return Numbers((" and ".join(label_of(columns)),))

    def seconds(self, n: int, /) -> float:
        """Return the approximate seconds of a call, measured on 2 shared cores."""
        return 5e-5 + 2e-7 * n

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(self.batch(database[None])[0])

    def batch(self, databases: Database, /) -> FloatArray:
        """Return the answers on many databases: (b, n, 2) -> (b, 1)."""
        if databases.ndim != 3 or databases.shape[2] != 2:
            raise InvalidValueError("databases", "of two columns", databases.shape[2:])
        known = np.asarray(~np.isnan(databases).any(axis=2, keepdims=True))
        low, high = np.array(self.bounds).T
        places = np.where(known, (clip(databases, self.bounds) - low) / (high - low), 0.0)  # in [0, 1], whatever the units
        x, y = np.moveaxis(_around_their_mean(places, known), 2, 0)
        both = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
        answers = np.divide((x * y).sum(axis=1), both, out=np.zeros(len(both)), where=both > 0)
        return np.asarray(np.clip(answers, -1.0, 1.0))[:, None]

    def answer_bounds(self, n: int, /) -> tuple[float, float]:
        """Return −1 and 1."""
        return -1.0, 1.0

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return 2 (mathematics, section 10.11); None in RANGE, and for a single record."""
        return None if norm == RANGE or n < 2 else raised(2.0, (1.0,), n)


def _around_their_mean(places: FloatArray, known: NDArray[np.bool_]) -> FloatArray:
    """Return each known number less its column's mean, in shares of the largest such distance: (b, n, 2) -> (b, n, 2).

    So no square underflows. A constant column, and one without known numbers, becomes zeros.
    """
    mean = places.sum(axis=1, keepdims=True) / np.maximum(known.sum(axis=1, keepdims=True), 1)
    least = np.where(known, places, np.inf).min(axis=1, keepdims=True)
    varied = np.where(known, places, -np.inf).max(axis=1, keepdims=True) > least
    away = np.where(known & varied, places - mean, 0.0)
    largest = np.abs(away).max(axis=1, keepdims=True)
    return np.asarray(away / np.where(largest > 0, largest, 1.0))


_READ: dict[str, Any] = {
    "title": "Shown as",
    "words": "shown as correlations",
    "choices": {True: "correlations", False: "covariances"},
}


@final
@dataclass(frozen=True, slots=True)
class CovarianceMatrix(SeveralColumns, SumOfRecords):
    """The means from which covariances and correlations of columns are computed: (n, d) -> ((d² + 3d)/2,).

    f(D) = (1/n) Σ (u_i·u_j for i <= j, u_i). u are the columns, clipped to public bounds and scaled to [−1, 1]; a missing value
    is the middle. Both matrices are computed from the noisy means at no further cost (mathematics, section 18.6).

    Args:
        bounds: Two to 20 intervals (low, high), one for each column.
        correlations: Whether people see correlations. The release is the same for both.

    Raises:
        InvalidValueError: If an argument is of another form.

    Examples:
        >>> import numpy as np
        >>> CovarianceMatrix(((0, 2), (0, 2)))(np.array([[0.0, 1.0], [2.0, 2.0]]))
        array([1. , 0.5, 0. , 0.5, 0.5])
    """

    correlations: bool = field(default=True, metadata=_READ)
    most_columns: ClassVar[int] = 20  # 230 numbers
    title: ClassVar[str] = "Correlation or covariance matrix"
    moves: ClassVar[str] = "the means that the matrix is computed from"
    proof: ClassVar[str] = (
        "Written as half sums and half differences of the two rows, each product moves by a sum of their products; the "
        "total is a concave function of how far each column moves, largest if all move equally far."
    )

    def __post_init__(self) -> None:
        SeveralColumns.__post_init__(self)
        if not isinstance(self.correlations, bool):
            raise InvalidValueError("correlations", "true or false", self.correlations)

    @property
    def numbers(self) -> int:
        """The number of means, (d² + 3d)/2: one for each pair of columns, one for each square, and one for each column."""
        return len(self.bounds) * (len(self.bounds) + 3) // 2

    @property
    def named(self) -> str:
        """The name of the answer in a sentence."""
        return "correlations" if self.correlations else "covariances"

    def asked_of(self, columns: tuple[Column, ...], /) -> str:
        """Return what is asked, in a few words: "Correlations of Age, Sex"."""
        return f"{self.named.capitalize()} of {', '.join(label_of(columns))}"

    def answer(self, columns: tuple[Column, ...], /) -> Matrix:
        """Return the kind of answer: correlations without a unit, or covariances in the columns' own units."""
        return Matrix(label_of(columns), units=tuple(column.unit for column in columns), target=self)

    def parts(self, records: Database, /) -> FloatArray:
        """Return each record's products: (b, d) -> (b, (d² + 3d)/2)."""
        return squares(with_one(placed(records, self.bounds)))

    def covariances(self, responses: FloatArray, /) -> FloatArray:
        """Return covariances of the scaled columns, with divisor n, from noisy means: (k, q) -> (k, d, d).

        They are the mean of u·uᵀ less the product of means. Negative eigenvalues, which no covariances have, become 0, and so
        does a column of which only rounding is left.
        """
        second = square(responses, len(self.bounds) + 1)
        center = second[:, :-1, -1]
        values, vectors = np.linalg.eigh(second[:, :-1, :-1] - center[:, :, None] * center[:, None])
        found = (vectors * np.maximum(values, 0.0)[:, None]) @ np.swapaxes(vectors, 1, 2)
        varied = np.einsum("kii->ki", found) > len(self.bounds) * 2.0**-49
        return np.where(varied[:, :, None] & varied[:, None], found, 0.0)

    def numbers_of(self, covariances: FloatArray, responses: FloatArray, /) -> FloatArray:
        """Return the means of tables with these covariances and with the responses' column means: (k, d, d), (k, q) -> (k, q)."""
        made = square(responses, len(self.bounds) + 1)
        center = np.clip(made[:, :-1, -1], -1.0, 1.0)
        made[:, :-1, :-1] = covariances + center[:, :, None] * center[:, None]
        made[:, :-1, -1] = center
        i, j = _places(len(self.bounds) + 1)
        return np.asarray(made[:, i, j])

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return d(d+2)²/(2(d+1)n) in L1, 2√(⌊(d+1)/2⌋·⌈(d+1)/2⌉)/n in L2, 2/n in L∞ and 4/n in RANGE.

        (Mathematics, section 18.5.) All are attained, in L1 by a record at all upper bounds and one with each column at −1/(d+1).
        """
        d = len(self.bounds)
        in_l2 = 2 * math.sqrt((d + 1) // 2 * ((d + 2) // 2))
        far = {L1: d * (d + 2) ** 2 / (2 * (d + 1)), L2: in_l2, LINF: 2.0, RANGE: 4.0}[norm]
        return raised(far / n * (1 + 2.0**-48), [1.0] * self.numbers, n)


_TIED = 1e-8  # of the whole variance: two eigenvalues that are closer leave the direction open, and rounding could turn it
_NOTHING = 1e-28  # the variance that rounding leaves of constant columns


@final
@dataclass(frozen=True, slots=True)
class PrincipalComponent(SeveralColumns):
    """The first principal component of columns, and its share of the variance: (n, d) -> (d+1,).

    f(D) = (v, s): v of length 1 maximises vᵀCv, and s = vᵀCv/trace C. C is the covariance matrix of the columns, clipped to
    public bounds and scaled to [−1, 1]; a missing value is the middle. Of v and −v, v is the one whose loadings add up to more
    than 0; if they add up to 0, it is the one whose first loading is positive. If the two largest eigenvalues are equal, as for
    constant columns and for one record, all loadings are 1/√d. So there always is an answer, and it jumps at these two places
    (mathematics, section 18.7).

    Nothing is proved, because the worst case would be the whole range: near a tie one record turns v by a right angle, and if the
    loadings add up to about 0 it reverses v. So v is for a sampled sensitivity, and an oracle whose columns are correlated: a
    simulated table of independent columns is nearly a tie.

    Args:
        bounds: Two to 50 intervals (low, high), one for each column.

    Raises:
        InvalidValueError: If the bounds are of another form.

    Examples:
        >>> import numpy as np
        >>> PrincipalComponent(((0, 2), (0, 2)))(np.array([[0.0, 0.0], [2.0, 2.0], [1.0, 1.0]])).round(3)
        array([0.707, 0.707, 1.   ])
    """

    most_columns: ClassVar[int] = 50
    title: ClassVar[str] = "Principal component"
    named: ClassVar[str] = "first principal component"
    relative_resolution: ClassVar[float] = 1e-7  # a gap of 1e-8 in 53 bits

    @property
    def numbers(self) -> int:
        """The number of loadings, and 1 for the share of the variance."""
        return len(self.bounds) + 1

    def asked_of(self, columns: tuple[Column, ...], /) -> str:
        """Return what is asked, in a few words."""
        return f"First principal component of {', '.join(label_of(columns))}"

    def answer(self, columns: tuple[Column, ...], /) -> Loadings:
        """Return the kind of answer: a loading for each column, and a share of the variance."""
        return Loadings(label_of(columns))

    def seconds(self, n: int, /) -> float:
        """Return the approximate seconds of one of a pair, measured on 2 shared cores."""
        d = len(self.bounds)
        return 3e-5 + 1e-6 * d * d + 1.5e-8 * n * d

    def __call__(self, database: Database, /) -> FloatArray:
        u = placed(database, self.bounds)
        u = u - u.mean(axis=0)
        left = u.mean(axis=0)  # of a long sum's rounding
        found: FloatArray = _first((u.T @ u / len(u) - left[:, None] * left)[None])[0]
        return found

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        """Return both neighbours' answers, from the sums of the n−1 common records: (b, n+1, d) -> two (b, d+1)."""
        u = placed(extended, self.bounds)
        n = u.shape[1] - 1
        u = u - u[:, : max(n - 1, 1)].mean(axis=1, keepdims=True)
        common = u[:, : n - 1]
        squares, sums = np.swapaxes(common, 1, 2) @ common, common.sum(axis=1)
        first, second = (_covariances(squares, sums, u[:, at], n) for at in (n - 1, n))
        return _first(first), _first(second)


def _covariances(squares: FloatArray, sums: FloatArray, one: FloatArray, n: int) -> FloatArray:
    """Return the covariances of n records, from sums over n−1 and one more: (b, d, d), (b, d), (b, d) -> (b, d, d)."""
    center = (sums + one) / n
    return np.asarray((squares + one[:, :, None] * one[:, None]) / n - center[:, :, None] * center[:, None])


def _first(covariances: FloatArray) -> FloatArray:
    """Return the aligned eigenvector of the largest eigenvalue, and its share: (b, d, d) -> (b, d+1)."""
    whole = np.einsum("bii->b", covariances)
    values, vectors = np.linalg.eigh(covariances)
    size = values.shape[1]
    varied = whole > _NOTHING * size
    safe = np.where(varied, whole, 1.0)
    turned = np.where((varied & (values[:, -1] - values[:, -2] > _TIED * safe))[:, None], vectors[:, :, -1], size**-0.5)
    share = np.where(varied, np.clip(values[:, -1] / safe, 0.0, 1.0), 1 / size)
    return np.column_stack([aligned(turned), share])


def aligned(directions: FloatArray) -> FloatArray:
    """Return each direction or its opposite, by the sign of the sum of its loadings: (k, d) -> (k, d).

    If the sum is 0, the sign of the first loading that is not 0 decides.
    """
    total = directions.sum(axis=1)
    first = directions[np.arange(len(directions)), (np.abs(directions) > _TIED).argmax(axis=1)]
    sign = np.where(np.abs(total) > _TIED, total, first)
    return np.asarray(np.where(sign[:, None] < 0, -directions, directions))
