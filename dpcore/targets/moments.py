"""Sums of products of features and a label: what a straight line is fitted from."""

from __future__ import annotations

import math

import numpy as np

from dpcore.base import features
from dpcore.base.bounds import Interval
from dpcore.base.features import Categories
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError

Scaled = tuple[FloatArray, FloatArray]
"""z = (u_1, …, u_d, 1) and v of records, each u and v from −1 at its lower bound to 1 at its upper: (..., d+1) and (...)."""


def scaled(databases: Database, x_bounds: tuple[Interval, ...], y_bounds: Interval, categories: Categories = ()) -> Scaled:
    """Records (..., columns) of features and a label, clipped to their bounds; a missing value, NaN, is the middle, 0."""
    if databases.ndim < 2 or databases.shape[-1] != len(x_bounds) + 1 or databases.dtype.kind != "f":
        raise InvalidValueError("database", f"of {len(x_bounds)} features and a label, all numbers", databases.shape)
    x = features.scaled(databases[..., :-1], x_bounds, categories)
    z = np.ones((*x.shape[:-1], x.shape[-1] + 1))
    z[..., :-1] = np.clip(2 * x - 1, -1.0, 1.0)
    v = features.scaled(databases[..., -1:], (y_bounds,))[..., 0]
    return z, np.clip(2 * v - 1, -1.0, 1.0)


def products(z: FloatArray, v: FloatArray) -> FloatArray:
    """Of each record the z_i·z_j for i <= j without the last, which is 1, then the z_i·v: (b, d+1), (b,) -> (b, q)."""
    i, j = _places(z.shape[-1])
    return np.concatenate([z[:, i] * z[:, j], z * v[:, None]], axis=1)


def means(z: FloatArray, v: FloatArray) -> FloatArray:
    """The products' means, each sum rounded once, so that their order does not matter: (n, d+1), (n,) -> (q,)."""
    return np.array([math.fsum(column) / len(z) for column in products(z, v).T.tolist()])


def matrices(averages: FloatArray, columns: int) -> tuple[FloatArray, FloatArray]:
    """The matrix of the mean of z·zᵀ and the vector of that of z·v, of such means: (..., q) -> (..., d+1, d+1), (..., d+1)."""
    i, j = _places(columns)
    square = np.ones((*averages.shape[:-1], columns, columns))
    square[..., i, j] = square[..., j, i] = averages[..., : len(i)]
    return square, averages[..., len(i) :]


def _places(columns: int) -> tuple[np.ndarray[tuple[int], np.dtype[np.intp]], ...]:
    """Row and column of the entries on and above the diagonal, the last of all left out."""
    i, j = np.triu_indices(columns)
    return i[:-1], j[:-1]
