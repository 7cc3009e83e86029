"""What regressions share: features and a label with public bounds, and the line that they answer with."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dpcore.base import features
from dpcore.base.bounds import Interval, clip, interval
from dpcore.base.declared import Column
from dpcore.base.features import Categories
from dpcore.base.slots import FEATURES_AND_NUMBER, Slots, bounded, stand_in
from dpcore.base.types import Database, FloatArray, Target
from dpcore.result_types.fits import FittedLine
from dpcore.targets.moments import placed, with_one


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
    takes_codes: ClassVar[bool] = True
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
        return FittedLine.asked(columns, self.way)

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
