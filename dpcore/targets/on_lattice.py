"""A curve on a lattice: what the Bernstein mechanism is calibrated to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import final

import numpy as np

from dpcore.answers.fitted_curve import FittedCurve
from dpcore.base.bounds import MOST_RECORDS, interval
from dpcore.base.checks import whole
from dpcore.base.declared import Column
from dpcore.base.facts import facts, ways_by
from dpcore.base.polynomials import lattice
from dpcore.base.slots import fits
from dpcore.base.types import Curve, Database, FloatArray, LatticeTarget
from dpcore.errors import InvalidValueError
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.proved import N, proved


@final
@dataclass(frozen=True, slots=True)
class OnLattice(LatticeTarget):
    """f(D) = the curve's values on the (degree + 1)^dims points of its domain's lattice, the first dimension fastest.

    The domain is the curve's own ``domain``, [0, 1]^dims where it states none. At most 10⁶ points. It has the ways that
    the curve has.
    """

    curve: Curve
    degree: int = field(metadata={"label": "Degree", "min": 1})
    dims: int = 1

    def __post_init__(self) -> None:
        curve: object = self.curve
        if isinstance(curve, Mapping) or not isinstance(curve, Curve):
            raise InvalidValueError("curve", "a curve, which has values at points", self.curve)
        if whole("dims", self.dims) > 3:
            raise InvalidValueError("dims", "1, 2 or 3", self.dims)
        if len(self.domain) != self.dims:
            raise InvalidValueError("dims", f"{len(self.domain)}, as many as the curve's domain has", self.dims)
        object.__setattr__(self, "degree", whole("degree", self.degree))
        lattice(self.degree, self.domain)

    @property
    def domain(self) -> tuple[tuple[float, float], ...]:
        """One interval a dimension."""
        stated = facts(self.curve).domain or ((0.0, 1.0),) * self.dims
        if not isinstance(stated, (list, tuple)):
            raise InvalidValueError("domain", "one interval a dimension", stated)
        return tuple(interval("domain", pair) for pair in stated)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """As its curve does."""
        return fits(self.curve, columns)

    def answer(self, columns: tuple[Column, ...], /) -> FittedCurve:
        """The axes of the curve."""
        axes = tuple(column.words for column in columns)
        return FittedCurve(axes if len(axes) > 1 else (*axes, "density"))

    @property
    def stands_for(self) -> Curve:
        """What is on the lattice: a picker has its name."""
        return self.curve

    @property
    def points(self) -> FloatArray:
        """The lattice, shape ((degree + 1)^dims, dims)."""
        return lattice(self.degree, self.domain)

    @property
    def ways(self) -> tuple[str, ...]:
        """Which of the methods below the curve makes possible."""
        return ways_by(self.curve, {"additive": "contribution", "pair": "pair", "batch": "values_batch"})

    @property
    def relative_resolution(self) -> float:
        """The curve's own, or that of code which states none (mathematics, section 11)."""
        return float(facts(self.curve).relative_resolution)

    def __call__(self, database: Database, /) -> FloatArray:
        values = np.asarray(self.curve.values(database, self.points), dtype=np.float64)
        if values.shape != ((self.degree + 1) ** self.dims,):
            raise ValueError(f"the curve returned an array of shape {values.shape} on {len(self.points):,} points")
        return values

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        return np.asarray(facts(self.curve).contribution(records, n, self.points))

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        first, second = facts(self.curve).pair(extended, self.points)
        return first, second

    def batch(self, databases: Database, /) -> FloatArray:
        return np.asarray(facts(self.curve).values_batch(databases, self.points))

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """The curve's own bound over this lattice, raised for rounding; None where it has none, or near the floats' ends."""
        n, known = whole("n", n), facts(self.curve).lattice_sensitivity
        bound = None if known is None or n > MOST_RECORDS else known(norm, n, self.degree)
        if bound is None:
            return None
        value, largest, proof = bound
        return proved(self, value, [largest] * len(self.points), norm, n, proof)


def of_curve(curve: Curve, *, degree: int, most: int) -> OnLattice:
    """The target that a curve is released as: on its lattice of this degree, or the largest below it with ``most`` points."""
    dims = len(facts(curve).domain or (None,))
    return OnLattice(curve, min(degree, int(most ** (1 / dims) + 1e-9) - 1), dims)
