"""Features in [0, 1] and the class of each record, as every classifier takes them from a database."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcore.base.bounds import Interval, clip
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError


def scaled(database: Database, x_bounds: tuple[Interval, ...]) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Records (x_1, …, x_d, label) -> x in [0, 1] of shape (n, d), and whether each is of class 1, (n,).

    Features are clipped to their public bounds; a missing one is their middle. A label above 1/2 is class 1. So this is total,
    and each record's x depends on that record alone. InvalidValueError for a database of another shape.
    """
    dims = len(x_bounds)
    if database.ndim != 2 or database.shape[1] != dims + 1 or database.dtype.kind != "f":
        raise InvalidValueError("database", f"of {dims} features and a label", database.shape)
    low, high = np.array(x_bounds).T
    x = (clip(database[:, :-1], x_bounds if dims > 1 else x_bounds[0]) - low) / (high - low)
    return np.clip(x, 0, 1), database[:, -1] > 0.5
