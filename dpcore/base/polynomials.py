"""Iterated Bernstein polynomials, the responses of the Bernstein mechanism (Aldà & Rubinstein 2017).

A polynomial of degree k in ℓ dimensions has (k+1)^ℓ coefficients, the first dimension fastest, over the lattice
{0, 1/k, …, 1}^ℓ of its domain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self, final

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.bounds import Interval, interval
from dpcore.base.checks import set_fields, whole
from dpcore.errors import InvalidValueError

MOST_LATTICE = 10**6  # points
MOST_ITERATED_DEGREE = 2_000  # an order above 1 takes a (k+1)² matrix
_MOST_ORDER = 1_000
_MOST_KEPT_DEGREE = 255
_BLOCK = 2**21  # numbers of one block of points
_LEAST_LOG = -745.0  # exp of it is the least float above 0

Domain = tuple[Interval, ...]


@final
@dataclass(frozen=True, eq=False)
class BernsteinPolynomial:
    """p(x) = Σ_j c_j Π_d b_{j_d,k}(u_d), with u the point scaled to [0, 1]^ℓ and b_{j,k}(u) = C(k, j) u^j (1−u)^(k−j).

    Call it with points (p,) in one dimension, or (p, ℓ) -> (p,). A single point gives an array without axes. The response of a
    release that was saved as JSON is read by ``BernsteinPolynomial(**response)``.

    Args:
        coefficients: (k+1)^ℓ numbers, the first dimension fastest.
        degree: k.
        domain: One interval a dimension.
        clip: A public range that values are clipped to, or None.

    Raises:
        InvalidValueError: If an argument is not as described.

    Examples:
        >>> square = BernsteinPolynomial([0, 0, 1], degree=2, domain=[(0, 1)])
        >>> square(np.array([0.5, 1.0]))
        array([0.25, 1.  ])
    """

    coefficients: FloatArray
    degree: int
    domain: Domain
    clip: Interval | None = None

    def __post_init__(self) -> None:
        degree = whole("degree", self.degree)
        if not isinstance(self.domain, (list, tuple)) or not self.domain:
            raise InvalidValueError("domain", "one interval a dimension", self.domain)
        domain = tuple(interval("domain", pair) for pair in self.domain)
        clip = None if self.clip is None else interval("clip", self.clip)
        coefficients = _floats("coefficients", self.coefficients)
        size = (degree + 1) ** len(domain)
        if coefficients.shape != (size,) or not np.isfinite(coefficients).all():
            raise InvalidValueError("coefficients", f"{size:,} finite numbers", coefficients.shape)
        coefficients.flags.writeable = False
        set_fields(self, coefficients=coefficients, degree=degree, domain=domain, clip=clip)

    @classmethod
    def fit(
        cls,
        function: Callable[[FloatArray], Any],
        degree: int,
        *,
        domain: Domain = ((0.0, 1.0),),
        order: int = 1,
        clip: Interval | None = None,
    ) -> Self:
        """Return the iterated Bernstein polynomial of a function, without noise.

        Args:
            function: From points (p,) in one dimension, or (p, ℓ), to values (p,).
            degree: One less than the lattice points in each dimension.
            domain: One interval (low, high) for each dimension.
            order: How often the approximation is iterated; 1 for Bernstein's own.
            clip: The public range that values are clipped to.

        Raises:
            InvalidValueError: If the function does not return one number a point, or an argument is not as described.

        Examples:
            >>> BernsteinPolynomial.fit(lambda x: x, degree=4)(0.3).round(12)
            np.float64(0.3)
        """
        points, order = lattice(degree, domain), checked_order(order, degree)
        values = _floats("function", function(points[:, 0] if len(domain) == 1 else points))
        if values.shape != (len(points),):
            raise InvalidValueError("function", f"one that returns {len(points):,} numbers for as many points", values.shape)
        return cls(iterated(values[None], degree, len(domain), order)[0], degree, domain, clip)

    @property
    def dims(self) -> int:
        """The number of dimensions ℓ."""
        return len(self.domain)

    def __call__(self, points: FloatArray | float, /) -> FloatArray:
        """Return the values at points of the domain; InvalidValueError for a point outside, or NaN."""
        array = _floats("points", points)
        single = array.ndim == (0 if self.dims == 1 else 1)
        matrix = array.reshape(-1, 1) if self.dims == 1 and array.ndim < 2 else np.atleast_2d(array)
        values = evaluate(self.coefficients, unit(matrix, self.domain), self.degree)
        if self.clip is not None:
            values = np.clip(values, *self.clip)
        return np.asarray(values[0] if single else values)

    def __str__(self) -> str:
        """Return the degree and the domain, without the coefficients."""
        return f"a polynomial of degree {self.degree:,} on {' × '.join(f'[{low:g}, {high:g}]' for low, high in self.domain)}"


def _floats(name: str, value: object) -> FloatArray:
    """Return an array of floats; InvalidValueError for an array of anything but numbers."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        raise InvalidValueError(name, "numbers", value)
    return array.astype(np.float64)


def unit(points: FloatArray, domain: Domain) -> FloatArray:
    """Return points (p, ℓ) of the domain, scaled to [0, 1]^ℓ; InvalidValueError for a point outside."""
    low, high = np.array(domain).T
    if points.ndim != 2 or points.shape[1] != len(domain):
        raise InvalidValueError("points", f"rows of {len(domain):,} numbers each", points.shape)
    outside = ~((points >= low) & (points <= high)).all(axis=1)
    if outside.any():
        within = " × ".join(f"[{a:g}, {b:g}]" for a, b in domain)
        raise InvalidValueError("points", f"inside {within}", points[outside][0].tolist())
    return np.asarray(np.clip((points - low) / (high - low), 0, 1))


def lattice(degree: int, domain: Domain) -> FloatArray:
    """Return the points of the domain's lattice, ((k+1)^ℓ, ℓ), the first dimension fastest.

    Raises:
        InvalidValueError: If there are more than 10⁶ points.
    """
    degree = whole("degree", degree)
    if (degree + 1) ** len(domain) > MOST_LATTICE:
        raise InvalidValueError("degree", f"small enough for at most {MOST_LATTICE:,} lattice points", degree)
    steps = np.arange(degree + 1) / degree
    axes = [np.clip(low + (high - low) * steps, low, high) for low, high in domain]
    mesh = np.meshgrid(*reversed(axes), indexing="ij")
    return np.stack([axis.ravel() for axis in reversed(mesh)], axis=1)


def basis(degree: int, points: FloatArray) -> FloatArray:
    """Return b_{j,k}(u) = C(k, j) u^j (1−u)^(k−j), u (p,) in [0, 1] -> (p, k+1). Logarithms avoid overflow at every degree."""
    with np.errstate(divide="ignore"):
        log_u, log_v = np.maximum(np.log(points), _LEAST_LOG), np.maximum(np.log1p(-points), _LEAST_LOG)
    j = np.arange(degree + 1)
    return np.asarray(np.exp(_log_binomials(degree) + log_u[:, None] * j + log_v[:, None] * (degree - j)))


def evaluate(coefficients: FloatArray, points: FloatArray, degree: int) -> FloatArray:
    """Return the values at points (p, ℓ) in [0, 1]^ℓ of the polynomial with coefficients ((k+1)^ℓ,): -> (p,)."""
    step = max(1, _BLOCK // max(degree + 1, len(coefficients) // (degree + 1)))
    blocks = [_evaluate(coefficients, points[i : i + step], degree) for i in range(0, len(points), step)]
    return np.concatenate(blocks) if blocks else np.empty(0)


def iterated(values: FloatArray, degree: int, dims: int, order: int) -> FloatArray:
    """Return coefficients of order h over lattice values y (b, (k+1)^ℓ): c_h = Σ_{i<h} (I − M)^i y, M = b_{j,k}(i/k).

    It iterates c ← c + (y − M c) from c = y, h − 1 times (mathematics, section 6.2). M is a Kronecker power, applied axis by
    axis. In one dimension and up to degree 255, the sum of the powers is one matrix, which is kept.
    """
    if order == 1:
        return values
    if dims == 1 and degree <= _MOST_KEPT_DEGREE:
        return np.asarray(values @ _sum_of_powers(degree, order).T)
    matrix = _at_lattice(degree)
    tensor = values.reshape(-1, *(degree + 1,) * dims)
    current = tensor
    for _ in range(order - 1):
        smooth = current
        for axis in range(1, dims + 1):
            smooth = np.moveaxis(np.moveaxis(smooth, axis, -1) @ matrix.T, -1, axis)
        current = current + (tensor - smooth)
    return current.reshape(values.shape)


def checked_order(order: object, degree: int = 1) -> int:
    """Return an order h >= 1 that can be iterated at this degree; InvalidValueError for any other."""
    order = whole("order", order)
    if order > _MOST_ORDER:
        raise InvalidValueError("order", f"at most {_MOST_ORDER:,}", order)
    if order > 1 and degree > MOST_ITERATED_DEGREE:
        raise InvalidValueError("order", f"1 for a degree above {MOST_ITERATED_DEGREE:,}", order)
    return order


def _evaluate(coefficients: FloatArray, points: FloatArray, degree: int) -> FloatArray:
    dims = points.shape[1]
    values = basis(degree, points[:, 0]) @ coefficients.reshape(-1, degree + 1).T
    for d in range(1, dims):
        values = (values.reshape(len(points), -1, degree + 1) * basis(degree, points[:, d])[:, None, :]).sum(axis=-1)
    return np.asarray(values.reshape(len(points)))


@lru_cache(maxsize=16)
def _log_binomials(degree: int) -> FloatArray:
    from scipy.special import gammaln

    j = np.arange(degree + 1)
    return np.asarray(gammaln(degree + 1) - gammaln(j + 1) - gammaln(degree - j + 1))


@lru_cache(maxsize=16)
def _sum_of_powers(degree: int, order: int) -> FloatArray:
    """Σ_{i<h} R^i with R = I − M, from S_{a+b} = S_a + R^a S_b: as many products as h has binary digits."""
    total, power = np.zeros((degree + 1, degree + 1)), np.eye(degree + 1)  # S_0 and R^0
    some, ahead = np.eye(degree + 1), np.eye(degree + 1) - _at_lattice(degree)  # S_1 and R^1
    while order:
        if order % 2:
            total, power = total + power @ some, power @ ahead
        some, ahead, order = some + ahead @ some, ahead @ ahead, order // 2
    return total


@lru_cache(maxsize=16)
def _at_lattice(degree: int) -> FloatArray:
    return basis(degree, np.arange(degree + 1) / degree)
