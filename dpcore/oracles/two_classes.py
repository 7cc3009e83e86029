"""Two normal classes: the data of the SVM experiments of Rubinstein & Aldà (2017), section 7.2."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import Interval, interval
from dpcore.base.checks import finite, positive, set_fields, whole
from dpcore.base.declared import Column
from dpcore.base.slots import FEATURES_AND_LABEL, NUMBERS, Slots, stand_in
from dpcore.base.types import FloatArray, Oracle
from dpcore.errors import InvalidValueError
from dpcore.oracles.product import MOST_COLUMNS


@final
@dataclass(frozen=True, slots=True)
class TwoClasses(Oracle):
    """Records (x_1, …, x_d, label): label 1 or 0 with equal chance, x ~ N(centre·1, sd² I) of the label's centre.

    The paper's: centres 0.2 (label 1) and 0.8 (label 0), variance 0.01. Centres and sd are in units of ``x_bounds``, one
    interval a feature ([0, 1] each where None), and x is not clipped.
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
            object.__setattr__(self, "x_bounds", tuple(interval("x_bounds", pair) for pair in self.x_bounds))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> TwoClasses | None:
        """The paper's, scaled to the bounds of the features, which are no categories."""
        features = columns[:-1]
        if any(column.categories is not None for column in features):
            return None
        bounds = tuple(column.bounds for column in features if column.bounds is not None)
        return cls(len(bounds), x_bounds=bounds)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """As many features as it has dimensions, and one more, whatever that is, for the label."""
        return len(columns) == self.dims + 1 and stand_in(NUMBERS, columns)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
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
