"""Means of products of bounded columns: what a straight line, or a covariance matrix, is computed from."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np

from dpcore.base import features
from dpcore.base.bounds import Interval, interval
from dpcore.base.declared import Column
from dpcore.base.features import Categories
from dpcore.base.slots import BOUNDED_NUMBERS, NUMBERS, Slots, stand_in
from dpcore.base.types import Database, FloatArray, Target
from dpcore.errors import InvalidValueError


@dataclass(frozen=True, slots=True)
class SeveralColumns(Target):
    """Asks of two columns of numbers or more, each with public bounds, to which they are clipped."""

    bounds: tuple[Interval, ...] = field(metadata={"label": "Bounds"})
    takes: ClassVar[Slots] = BOUNDED_NUMBERS
    place: ClassVar[int] = 2
    most_columns: ClassVar[int]

    def __post_init__(self) -> None:
        given: object = self.bounds
        if not isinstance(given, (list, tuple)) or not 2 <= len(given) <= self.most_columns:
            raise InvalidValueError("bounds", f"2 to {self.most_columns} intervals, one a column", given)
        object.__setattr__(self, "bounds", tuple(interval("bounds", pair) for pair in given))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Self | None:
        """The one for columns with these public bounds, two at least."""
        bounds = tuple(column.bounds for column in columns if column.bounds is not None)
        return cls(bounds) if 1 < len(bounds) == len(columns) else None

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """As many columns of numbers as it has bounds."""
        return len(columns) == len(self.bounds) and stand_in(NUMBERS, columns)


def placed(databases: Database, bounds: tuple[Interval, ...], categories: Categories = (), what: str = "") -> FloatArray:
    """Records (..., columns), clipped to their bounds, each number from −1 to 1; a missing value, NaN, is the middle, 0."""
    if databases.ndim < 2 or databases.shape[-1] != len(bounds) or databases.dtype.kind != "f":
        raise InvalidValueError("database", f"of {what or f'{len(bounds)} columns'}, all numbers", databases.shape)
    return np.clip(2 * features.scaled(databases, bounds, categories) - 1, -1.0, 1.0)


def with_one(places: FloatArray) -> FloatArray:
    """z = (u, 1): (..., d) -> (..., d+1)"""
    return np.concatenate([places, np.ones((*places.shape[:-1], 1))], axis=-1)


def squares(z: FloatArray) -> FloatArray:
    """Of each record the z_i·z_j for i <= j without the last, which is 1: (b, d+1) -> (b, (d² + 3d)/2)."""
    i, j = _places(z.shape[-1])
    return np.asarray(z[:, i] * z[:, j])


def products(z: FloatArray, v: FloatArray) -> FloatArray:
    """Of each record the ``squares``, then the z_i·v: (b, d+1), (b,) -> (b, q)."""
    return np.concatenate([squares(z), z * v[:, None]], axis=1)


def means(parts: FloatArray) -> FloatArray:
    """The means of the records' parts, each sum rounded once, so that their order does not matter: (n, q) -> (q,)."""
    return np.array([math.fsum(column) / len(parts) for column in parts.T.tolist()])


def square(averages: FloatArray, columns: int) -> FloatArray:
    """The matrix of the mean of z·zᵀ, of the means of ``squares``: (..., q) -> (..., d+1, d+1)."""
    i, j = _places(columns)
    made = np.ones((*averages.shape[:-1], columns, columns))
    made[..., i, j] = made[..., j, i] = averages[..., : len(i)]
    return made


def matrices(averages: FloatArray, columns: int) -> tuple[FloatArray, FloatArray]:
    """The same, and the vector of the mean of z·v, of the means of ``products``: -> (..., d+1, d+1), (..., d+1)."""
    return square(averages, columns), averages[..., len(_places(columns)[0]) :]


def _places(columns: int) -> tuple[np.ndarray[tuple[int], np.dtype[np.intp]], ...]:
    """Row and column of the entries on and above the diagonal, the last of all left out."""
    i, j = np.triu_indices(columns)
    return i[:-1], j[:-1]
