"""Points (x, y), or (x_1, …, x_d, y), around a curve that each database draws for itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import Bounds, Interval, bounds_or_none, interval, intervals
from dpcore.base.checks import positive, set_fields
from dpcore.base.declared import Column
from dpcore.base.slots import NUMBERS_AND_ONE, Slots, stand_in
from dpcore.base.types import FloatArray, Oracle
from dpcore.errors import InvalidValueError
from dpcore.oracles.product import MOST_COLUMNS

SLOPED, WAVED = 0.95, 0.5  # the chances of diffpriv's prior


@final
@dataclass(frozen=True, slots=True)
class RegressionPrior(Oracle):
    """Records (x_1, …, x_d, y), x_j uniform on its bounds and y = low + (high − low)·(s(u) + noise·N(0, 1)), not clipped.

    ``x_bounds`` are those of a single feature, or one interval a feature. u in [0, 1] is x on its bounds' scale; of several
    features it is Σ w_j u_j, with weights that are uniform among those that sum to 1. Low and high are ``y_bounds``, and the
    shape is s(u) = u or, with probability 0.05, 0; times sin(u) with probability ½; times cos(u) with probability ½. Shape and
    weights are drawn once a *database*, so that records are exchangeable and not independent.

    The prior P of Rubinstein & Aldà, "diffpriv: An R Package for Easy Differential Privacy". diffpriv calls it once for
    each group of records, and so takes the swapped records from other shapes than the rest: an error, not repeated here.
    """

    noise: float = field(default=0.2, metadata={"label": "Noise"})
    x_bounds: Bounds = field(default=(0.0, 1.0), metadata={"label": "Range of x"})
    y_bounds: Interval = field(default=(0.0, 1.0), metadata={"label": "Range of y"})
    takes: ClassVar[Slots] = NUMBERS_AND_ONE

    def __post_init__(self) -> None:
        set_fields(
            self,
            noise=positive("noise", self.noise),
            x_bounds=_of_features(self.x_bounds),
            y_bounds=interval("y_bounds", self.y_bounds),
        )

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> RegressionPrior | None:
        """Over the bounds of the columns, from 0 to 1 where one has none; None for categories up among several features."""
        *features, y = columns
        if len(features) > 1 and y.categories is not None:
            return None
        return cls(x_bounds=tuple(x.bounds or (0.0, 1.0) for x in features), y_bounds=y.bounds or (0.0, 1.0))

    @property
    def features(self) -> FloatArray:
        """Their bounds, (d, 2)."""
        return np.array(intervals(self.x_bounds), dtype=np.float64)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """As many columns of numbers as it has features, and one more."""
        return len(columns) == len(self.features) + 1 and stand_in(NUMBERS_AND_ONE, columns)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        """-> (databases, records, d + 1)"""
        sloped, sine, cosine = rng.random((3, databases, 1)) < np.reshape((SLOPED, WAVED, WAVED), (3, 1, 1))
        places = rng.random((databases, records, len(self.features)))
        u = places[..., 0] if places.shape[2] == 1 else _along(places, rng)
        shape = np.where(sloped, u, 0.0)
        shape *= np.where(sine, np.sin(u), 1.0)
        shape *= np.where(cosine, np.cos(u), 1.0)
        shape += self.noise * rng.standard_normal((databases, records))
        (low, high), (y_low, y_high) = self.features.T, self.y_bounds
        x = np.clip(low + (high - low) * places, low, high)
        return np.concatenate([x, (y_low + (y_high - y_low) * shape)[..., None]], axis=-1)


def _along(places: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Σ w_j u_j of each record, by weights of each database: (databases, records, d) -> (databases, records)"""
    weights = rng.dirichlet(np.ones(places.shape[2]), size=len(places))
    return np.asarray(np.clip(np.einsum("bnd,bd->bn", places, weights), 0.0, 1.0))


def _of_features(given: object) -> Bounds:
    """One interval, or several: one that stands alone in a list is the interval itself."""
    bounds = bounds_or_none("x_bounds", given)
    found = intervals(interval("x_bounds", given) if bounds is None else bounds)
    if len(found) >= MOST_COLUMNS:
        raise InvalidValueError("x_bounds", f"of at most {MOST_COLUMNS - 1:,} features", len(found))
    return found[0] if len(found) == 1 else found
