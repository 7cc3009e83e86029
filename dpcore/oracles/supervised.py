"""Records of features and a number or a class to predict, as in the experiments of the papers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.bounds import Bounds, Interval, bounds_or_none, interval, intervals
from dpcore.base.checks import finite, positive, set_fields, whole
from dpcore.base.columns import FEATURES_AND_LABEL, NUMBERS, NUMBERS_AND_ONE, Column, Slots, stand_in
from dpcore.base.types import Oracle
from dpcore.errors import InvalidValueError
from dpcore.oracles.columns import MOST_COLUMNS

_SLOPED, _WAVED = 0.95, 0.5  # probabilities in diffpriv's prior


@final
@dataclass(frozen=True)
class RegressionPrior(Oracle):
    """Records (x_1, …, x_d, y) around a random curve: the prior P of the diffpriv paper (Rubinstein & Aldà).

    x_j is uniform on its bounds and y = low + (high − low)·(s(u) + noise·N(0, 1)), not clipped. With one feature, u in [0, 1]
    is x on the scale of its bounds. With several it is Σ w_j u_j, with weights that are uniform among those that sum to 1. The
    shape is s(u) = u or, with probability 0.05, 0; times sin(u) with probability ½; times cos(u) with probability ½. Shape and
    weights are drawn once for each *database*, so its records are exchangeable, but not independent.

    diffpriv draws the swapped records from other shapes than the rest, because it calls P for each group of records. This
    error is not repeated here.

    Args:
        noise: Standard deviation of the noise as a share of the width of ``y_bounds``, above 0.
        x_bounds: Bounds (low, high) of a single feature, or one interval for each feature.
        y_bounds: The range (low, high) of the curve.

    Raises:
        InvalidValueError: If an argument is out of range.

    Examples:
        >>> import numpy as np
        >>> from dpcore import oracles
        >>> oracles.RegressionPrior(noise=0.1).draw(3, 250, rng=np.random.default_rng(1)).shape
        (3, 250, 2)
    """

    noise: float = field(default=0.2, metadata={"label": "Noise"})
    x_bounds: Bounds = field(default=(0.0, 1.0), metadata={"label": "Range of x"})
    y_bounds: Interval = field(default=(0.0, 1.0), metadata={"label": "Range of y"})
    takes: ClassVar[Slots] = NUMBERS_AND_ONE

    def __post_init__(self) -> None:
        features = intervals(bounds_or_none("x_bounds", self.x_bounds) or interval("x_bounds", self.x_bounds))
        if len(features) >= MOST_COLUMNS:
            raise InvalidValueError("x_bounds", f"of at most {MOST_COLUMNS - 1:,} features", len(features))
        set_fields(
            self,
            noise=positive("noise", self.noise),
            x_bounds=features[0] if len(features) == 1 else features,
            y_bounds=interval("y_bounds", self.y_bounds),
        )

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> RegressionPrior | None:
        """Return the prior over the columns' bounds, [0, 1] if a column has none; None for several features and a category."""
        *features, y = columns
        if len(features) > 1 and y.categories is not None:
            return None
        return cls(x_bounds=tuple(x.bounds or (0.0, 1.0) for x in features), y_bounds=y.bounds or (0.0, 1.0))

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether the columns are numbers, one for each feature and one more."""
        return len(columns) == len(intervals(self.x_bounds)) + 1 and stand_in(NUMBERS_AND_ONE, columns)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        """Return simulated databases, shape (databases, records, d + 1)."""
        features = np.array(intervals(self.x_bounds), dtype=np.float64)
        sloped, sine, cosine = rng.random((3, databases, 1)) < np.reshape((_SLOPED, _WAVED, _WAVED), (3, 1, 1))
        scaled = rng.random((databases, records, len(features)))
        u = scaled[..., 0] if len(features) == 1 else _weighted_sums(scaled, rng)
        shape = np.where(sloped, u, 0.0)
        shape *= np.where(sine, np.sin(u), 1.0)
        shape *= np.where(cosine, np.cos(u), 1.0)
        shape += self.noise * rng.standard_normal((databases, records))
        (low, high), (y_low, y_high) = features.T, self.y_bounds
        x = np.clip(low + (high - low) * scaled, low, high)
        return np.concatenate([x, (y_low + (y_high - y_low) * shape)[..., None]], axis=-1)


def _weighted_sums(scaled: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Return Σ w_j u_j of each record, with random weights for each database: (b, n, d) -> (b, n)."""
    weights = rng.dirichlet(np.ones(scaled.shape[2]), size=len(scaled))
    return np.asarray(np.clip(np.einsum("bnd,bd->bn", scaled, weights), 0.0, 1.0))


@final
@dataclass(frozen=True)
class TwoClasses(Oracle):
    """Independent records (x_1, …, x_d, label) of two normal classes: label 1 or 0 with equal chance, x ~ N(centre·1, sd² I).

    The defaults are the data of the SVM experiments of Rubinstein & Aldà (2017), section 7.2. Centres and standard deviation
    are on the scale of ``x_bounds``, and x is not clipped.

    Args:
        dims: Number of features d.
        positive: Centre of class 1.
        negative: Centre of class 0.
        sd: Standard deviation of each feature, above 0.
        x_bounds: One interval for each feature; [0, 1] each if None.

    Raises:
        InvalidValueError: If an argument is out of range.

    Examples:
        >>> import numpy as np
        >>> from dpcore import oracles
        >>> rows = oracles.TwoClasses(dims=2).draw(1, 1000, rng=np.random.default_rng(1))[0]
        >>> rows[rows[:, 2] == 1, :2].mean(axis=0).round(1)
        array([0.2, 0.2])
    """

    dims: int = 2
    positive: float = field(default=0.2, metadata={"label": "Centre of class 1"})
    negative: float = field(default=0.8, metadata={"label": "Centre of class 0"})
    sd: float = field(default=0.1, metadata={"label": "Standard deviation"})
    x_bounds: tuple[Interval, ...] | None = None
    independent_records: ClassVar[bool] = True
    takes: ClassVar[Slots] = FEATURES_AND_LABEL

    def __post_init__(self) -> None:
        if whole("dims", self.dims) >= MOST_COLUMNS:
            raise InvalidValueError("dims", f"at most {MOST_COLUMNS - 1:,}", self.dims)
        centres = finite("positive", self.positive), finite("negative", self.negative)
        set_fields(self, dims=int(self.dims), positive=centres[0], negative=centres[1], sd=positive("sd", self.sd))
        if self.x_bounds is not None:
            if not isinstance(self.x_bounds, (list, tuple)) or len(self.x_bounds) != self.dims:
                raise InvalidValueError("x_bounds", f"{self.dims} intervals, one a feature", self.x_bounds)
            set_fields(self, x_bounds=tuple(interval("x_bounds", pair) for pair in self.x_bounds))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> TwoClasses | None:
        """Return the paper's classes on the scale of the features' bounds; None if a feature is a category."""
        features = columns[:-1]
        if any(column.categories is not None for column in features):
            return None
        bounds = tuple(column.bounds for column in features if column.bounds is not None)
        return cls(len(bounds), x_bounds=bounds)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether the columns are numbers, one for each feature and one for the label."""
        return len(columns) == self.dims + 1 and stand_in(NUMBERS, columns)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        """Return simulated databases, shape (databases, records, d + 1)."""
        drawn = np.empty((databases, records, self.dims + 1))
        labels = rng.integers(2, size=(databases, records))
        drawn[..., -1] = labels
        features = drawn[..., :-1]
        features[...] = self.sd * rng.standard_normal((databases, records, self.dims))
        features += np.where(labels == 1, self.positive, self.negative)[..., None]
        if self.x_bounds is not None:
            low, high = np.array(self.x_bounds).T
            features *= high - low
            features += low
        return drawn
