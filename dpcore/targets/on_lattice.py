"""Curves on a lattice, which the Bernstein mechanism releases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import MOST_RECORDS, interval
from dpcore.base.checks import whole
from dpcore.base.columns import Column
from dpcore.base.polynomials import lattice
from dpcore.base.types import Curve, LatticeTarget
from dpcore.errors import InvalidValueError
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.fits import FittedCurve
from dpcore.targets.proved import N, proved


@final
@dataclass(frozen=True)
class FunctionCurve(Curve):
    """A plain function of a database and points as a curve."""

    function: Callable[[Database, FloatArray], Any]
    domain: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise InvalidValueError("function", "a function of a database and points", self.function)

    def values(self, database: Database, points: FloatArray, /) -> FloatArray:
        """Return the function's values: points (p, dims) -> (p,)"""
        values: FloatArray = self.function(database, points)
        return values


@final
@dataclass(frozen=True, slots=True)
class OnLattice(LatticeTarget):
    """f(D) = the curve's values on the (degree + 1)^dims points of its domain's lattice, the first dimension fastest.

    Args:
        curve: The curve. Its ``domain`` is that of the lattice, of one to three dimensions; [0, 1] if it states none.
        degree: One less than the points in each dimension; at most 10⁶ points in all.

    Raises:
        InvalidValueError: If ``curve`` is a plain function, or the lattice has too many points or dimensions.

    Examples:
        >>> import numpy as np
        >>> from dpcore.targets import OnLattice
        >>> share_below = OnLattice.of(lambda database, points: (database[:, None] <= points[:, 0]).mean(axis=0), degree=4)
        >>> share_below(np.array([0.1, 0.3, 0.6, 0.9]))
        array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """

    curve: Curve
    degree: int = field(metadata={"label": "Degree", "min": 1})

    def __post_init__(self) -> None:
        curve: object = self.curve
        if not isinstance(curve, Curve):
            expected = "a curve; of a function, OnLattice.of(function, degree=…) makes one"
            raise InvalidValueError("curve", expected, self.curve)
        if len(self.domain) > 3:
            raise InvalidValueError("domain", "of one, two or three dimensions", self.domain)
        object.__setattr__(self, "degree", whole("degree", self.degree))
        lattice(self.degree, self.domain)

    @classmethod
    def of(
        cls, function: Callable[[Database, FloatArray], Any], degree: int, *, domain: tuple[tuple[float, float], ...] = ()
    ) -> OnLattice:
        """Return the target of a plain function.

        Args:
            function: From a database and points (p, dims) to values (p,).
            degree: One less than the points in each dimension.
            domain: One interval (low, high) for each dimension; [0, 1] by default.
        """
        return cls(FunctionCurve(function, domain), degree)

    @property
    def dims(self) -> int:
        """The number of dimensions of the domain."""
        return len(self.domain)

    @property
    def domain(self) -> tuple[tuple[float, float], ...]:
        """One interval for each dimension."""
        stated = self.curve.domain or ((0.0, 1.0),)
        if not isinstance(stated, (list, tuple)):
            raise InvalidValueError("domain", "one interval a dimension", stated)
        return tuple(interval("domain", pair) for pair in stated)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether the curve can work on these columns."""
        return self.curve.fits(columns)

    def answer(self, columns: tuple[Column, ...], /) -> FittedCurve:
        """Return the kind of answer: a curve over these columns."""
        axes = tuple(column.words for column in columns)
        return FittedCurve(axes if len(axes) > 1 else (*axes, "density"))

    @property
    def stands_for(self) -> Curve:
        """The curve, which a picker shows."""
        return self.curve

    @property
    def points(self) -> FloatArray:
        """The lattice, shape ((degree + 1)^dims, dims)."""
        return lattice(self.degree, self.domain)

    @property
    def ways(self) -> tuple[str, ...]:
        """The sampling methods that the curve makes possible."""
        own = {"additive": self.curve.contribution, "pair": self.curve.pair, "batch": self.curve.values_batch}
        return tuple(way for way, method in own.items() if method is not None)

    @property
    def relative_resolution(self) -> float:
        """The relative size of a change that rounding can make, as the curve states it (mathematics, section 11)."""
        return float(self.curve.relative_resolution)

    def __call__(self, database: Database, /) -> FloatArray:
        values = np.asarray(self.curve.values(database, self.points), dtype=np.float64)
        if values.shape != ((self.degree + 1) ** self.dims,):
            raise ValueError(f"the curve returned an array of shape {values.shape} on {len(self.points):,} points")
        return values

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        return np.asarray(self.curve.contribution(records, n, self.points))

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        first, second = self.curve.pair(extended, self.points)
        return first, second

    def batch(self, databases: Database, /) -> FloatArray:
        return np.asarray(self.curve.values_batch(databases, self.points))

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """Return the curve's bound over this lattice, raised for rounding.

        Args:
            norm: The norm that measures how far the values move.
            n: The number of records.

        Returns:
            The sensitivity; None if the curve proves nothing, and near the ends of the floats.
        """
        n, known = whole("n", n), self.curve.lattice_sensitivity
        bound = None if known is None or n > MOST_RECORDS else known(norm, n, self.degree)
        if bound is None:
            return None
        value, largest, proof = bound
        return proved(self, value, [largest] * len(self.points), norm, n, proof)


def of_curve(curve: Curve, *, degree: int, most: int) -> OnLattice:
    """Return a curve on its lattice.

    Args:
        curve: The curve.
        degree: The degree, or the largest below it with at most ``most`` points.
        most: The number of points.
    """
    dims = len(curve.domain or (None,))
    return OnLattice(curve, min(degree, int(most ** (1 / dims) + 1e-9) - 1))
