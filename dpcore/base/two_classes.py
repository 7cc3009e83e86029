"""Records of two classes, and lines that tell them apart: features between 0 and 1, a label, a direction and a threshold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcore.base.bounds import Interval
from dpcore.base.features import Categories, scaled
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError

THRESHOLDS = 401
_AT_ONCE = 2**18  # places, or counts, held at once
Truths = NDArray[np.bool_]


def prepared(
    database: Database, x_bounds: tuple[Interval, ...], categories: Categories = (), *, complete: bool = False
) -> tuple[FloatArray, Truths]:
    """Features as ``features.scaled`` has them, (n, d), and whether each record is of class 1, (n,).

    A label above 1/2 is class 1, and any other, a missing one too, class 0. ``complete``: only records without a missing value
    are returned. InvalidValueError for a database of other columns.
    """
    columns = len(x_bounds)
    if database.ndim != 2 or database.shape[1] != columns + 1 or database.dtype.kind != "f":
        raise InvalidValueError("database", f"of {columns} features and a label", database.shape)
    if complete:
        database = database[known(database)]
    return scaled(database[:, :-1], x_bounds, categories), np.asarray(database[:, -1] > 0.5)


def known(database: Database) -> Truths:
    """Which records have no missing value: (n, columns) -> (n,)."""
    return np.asarray(~np.isnan(database).any(axis=1))


def misclassified(answers: FloatArray, x: FloatArray, positive: Truths) -> FloatArray:
    """The share of the records that each (w, b) of the answers (k, d+1) puts into the other class: -> (k,).

    Class 1 is where w·x + b > 0. Of no records it is 0.
    """
    if not len(x):
        return np.zeros(len(answers))
    sides = answers[:, :-1] @ x.T + answers[:, -1:] > 0
    return np.asarray(np.mean(sides != positive, axis=1))


def thresholds(directions: FloatArray) -> FloatArray:
    """401 evenly spaced places, from the least to the largest w·x of features between 0 and 1: (k, d) -> (k, 401).

    They depend on the direction alone.
    """
    low, high = np.minimum(directions, 0).sum(axis=1), np.maximum(directions, 0).sum(axis=1)
    return np.asarray(low[:, None] + (high - low)[:, None] * (np.arange(THRESHOLDS) / (THRESHOLDS - 1)))


def errors_at_thresholds(directions: FloatArray, x: FloatArray, positive: Truths) -> FloatArray:
    """How many records lie on the wrong side of each threshold c, class 1 being where w·x > c: (k, d) -> (k, 401).

    w·x is added up feature by feature, so that it depends on its own record alone, to the last digit. One replaced record
    therefore changes each count by at most 1.
    """
    at_once = max(1, _AT_ONCE // max(len(x), THRESHOLDS))
    parts = [_errors(directions[i : i + at_once], x, positive) for i in range(0, len(directions), at_once)]
    return np.concatenate(parts).astype(np.float64)


def _errors(directions: FloatArray, x: FloatArray, positive: Truths) -> NDArray[np.int64]:
    places = np.zeros((len(directions), len(x)))
    for weight, column in zip(directions.T, x.T, strict=True):
        places += weight[:, None] * column
    below = _below(places, thresholds(directions))
    # a record of class 1 is wrong from the first threshold on that is not below it, and one of class 0 before that
    cells = below + (THRESHOLDS + 1) * np.arange(len(directions))[:, None]
    size = (THRESHOLDS + 1) * len(directions)
    steps = np.bincount(cells[:, positive].ravel(), minlength=size) - np.bincount(cells[:, ~positive].ravel(), minlength=size)
    return np.asarray(np.cumsum(steps.reshape(len(directions), -1)[:, :THRESHOLDS], axis=1) + np.count_nonzero(~positive))


def _below(places: FloatArray, cuts: FloatArray) -> NDArray[np.int64]:
    """How many of a row's increasing cuts lie below each of its places: a guess by division, put right by comparison."""
    low, span = cuts[:, :1], cuts[:, -1:] - cuts[:, :1]
    share = np.divide(places - low, span, out=np.zeros_like(places), where=span > 0)
    below = np.clip(np.ceil(share * (THRESHOLDS - 1)), 0, THRESHOLDS).astype(np.int64)
    while True:
        up = (below < THRESHOLDS) & (np.take_along_axis(cuts, np.minimum(below, THRESHOLDS - 1), axis=1) < places)
        down = (below > 0) & (np.take_along_axis(cuts, np.maximum(below - 1, 0), axis=1) >= places)
        if not (up.any() or down.any()):
            return np.asarray(below)
        below += up.astype(np.int64) - down
