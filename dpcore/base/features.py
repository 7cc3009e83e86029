"""Features of records as numbers from 0 to 1, and directions and thresholds that separate two classes of records."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import Interval, clip, interval
from dpcore.base.columns import Column
from dpcore.errors import InvalidValueError

# The number of categories of each feature, 0 for a number; () if all are numbers. Two categories count as the number 0 or 1.
Categories = tuple[int, ...]
_MOST_CATEGORIES = 1_000


def checked(x_bounds: object, categories: object) -> tuple[tuple[Interval, ...], Categories]:
    """Return checked bounds, one interval a feature, and numbers of categories.

    Args:
        x_bounds: The bounds of each feature. Those of c categories are 0 and c − 1.
        categories: The number of categories of each feature, 0 or from 3 to 1,000; empty if all are numbers.

    Raises:
        InvalidValueError: If they are of another form.
    """
    if not isinstance(x_bounds, (list, tuple)) or not x_bounds:
        raise InvalidValueError("x_bounds", "one interval a feature", x_bounds)
    bounds = tuple(interval("x_bounds", pair) for pair in x_bounds)
    counts = tuple(categories) if isinstance(categories, (list, tuple)) else None
    expected = f"none, or one number a feature, 0 or from 3 to {_MOST_CATEGORIES:,}"
    if counts is None or (counts and len(counts) != len(bounds)) or not all(map(_is_count, counts)):
        raise InvalidValueError("categories", expected, categories)
    for count, pair in zip(counts, bounds, strict=False):
        if count and pair != (0, count - 1):
            raise InvalidValueError("x_bounds", f"0 and {count - 1} of a feature with {count} categories", pair)
    return bounds, counts if any(counts) else ()


def of_columns(columns: tuple[Column, ...]) -> tuple[tuple[Interval, ...], Categories] | None:
    """Return the bounds and the numbers of categories of columns; None if a column declares neither."""
    coded = [column.coded for column in columns]
    bounds = tuple(column.bounds for column in coded if column.bounds is not None)
    counts = tuple(len(column.categories or ()) for column in coded)
    return (bounds, tuple(count if count > 2 else 0 for count in counts)) if len(bounds) == len(columns) else None


def suit(categories: Categories, columns: tuple[Column, ...]) -> bool:
    """Return whether columns have these numbers of categories."""
    counts = [len(column.coded.categories or ()) for column in columns]
    return all(count == held for count, held in zip(categories, counts, strict=True) if count) if categories else True


def dimensions(x_bounds: tuple[Interval, ...], categories: Categories) -> int:
    """Return how many numbers a record's features become: one for a number, and c − 1 for c categories."""
    return sum(count - 1 if count else 1 for count in categories) if categories else len(x_bounds)


def ends(bounds: tuple[Interval, ...]) -> tuple[FloatArray, FloatArray]:
    """Return the lower ends and the upper ends of intervals."""
    low, high = np.array(bounds).T
    return low, high


def spans(x_bounds: tuple[Interval, ...], categories: Categories) -> tuple[Interval, ...]:
    """Return the range of each of these numbers in its own unit: its bounds, or from 0 to 1 for a category."""
    if not categories:
        return x_bounds
    found: list[Interval] = []
    for pair, count in zip(x_bounds, categories, strict=True):
        found += [(0.0, 1.0)] * (count - 1) if count else [pair]
    return tuple(found)


def names(labels: tuple[str, ...], columns: tuple[Column, ...], categories: Categories) -> tuple[str, ...]:
    """Return a name for each of these numbers: "age", "ward = Park"."""
    if not categories:
        return labels
    found: list[str] = []
    for label, column, count in zip(labels, columns, categories, strict=True):
        found += [f"{label} = {name}" for name in column.coded.category_names[1:]] if count else [label]
    return tuple(found)


def scaled(features: Database, x_bounds: tuple[Interval, ...], categories: Categories = ()) -> FloatArray:
    """Return features as numbers from 0 to 1: (..., columns) -> (..., dimensions).

    A number is clipped to its public bounds; a missing one becomes the middle. Categories become indicators of all but the
    first; for a missing or unknown category each is ½.
    """
    low, high = ends(x_bounds)
    places = (clip(features, x_bounds if len(x_bounds) > 1 else x_bounds[0]) - low) / (high - low)
    numbers: FloatArray = np.clip(places, 0, 1)
    if not categories:
        return numbers
    parts = [_indicators(features[..., i], count) if count else numbers[..., i : i + 1] for i, count in enumerate(categories)]
    return np.concatenate(parts, axis=-1)


def _indicators(codes: FloatArray, count: int) -> FloatArray:
    """Return 1 for a record's category, and 0 for the others but the first: (...) -> (..., count − 1)."""
    found = (codes[..., None] == np.arange(1.0, count)).astype(np.float64)
    known = np.isin(codes, np.arange(float(count)))
    found[~known] = 0.5
    return np.asarray(found)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and (value == 0 or 3 <= value <= _MOST_CATEGORIES)


# Records of two classes: features between 0 and 1 and a label. A direction w and a threshold c separate them.

THRESHOLDS = 401
Truths = NDArray[np.bool_]


def prepared(
    database: Database, x_bounds: tuple[Interval, ...], categories: Categories = (), *, complete: bool = False
) -> tuple[FloatArray, Truths]:
    """Return features from 0 to 1, (n, d), and whether each record is of class 1, (n,).

    Args:
        database: Features and a label, (n, columns + 1). A label above 1/2 is class 1; any other, or a missing one, is class 0.
        x_bounds: The bounds of each feature.
        categories: The number of categories of each feature.
        complete: Whether records with a missing value are left out.

    Raises:
        InvalidValueError: For a database of other columns.
    """
    columns = len(x_bounds)
    if database.ndim != 2 or database.shape[1] != columns + 1 or database.dtype.kind != "f":
        raise InvalidValueError("database", f"of {columns} features and a label", database.shape)
    if complete:
        database = database[known(database)]
    return scaled(database[:, :-1], x_bounds, categories), np.asarray(database[:, -1] > 0.5)


def known(database: Database) -> Truths:
    """Return which records have no missing value: (n, columns) -> (n,)."""
    return np.asarray(~np.isnan(database).any(axis=1))


def misclassified(answers: FloatArray, x: FloatArray, positive: Truths) -> FloatArray:
    """Return the share of records that each (w, b) puts into the wrong class: (k, d + 1) -> (k,); 0 without records.

    A record is put into class 1 if w·x + b > 0.
    """
    if not len(x):
        return np.zeros(len(answers))
    sides = answers[:, :-1] @ x.T + answers[:, -1:] > 0
    return np.asarray(np.mean(sides != positive, axis=1))


def thresholds(directions: FloatArray) -> FloatArray:
    """Return 401 evenly spaced thresholds, from the least to the largest w·x of features between 0 and 1: (k, d) -> (k, 401).

    They depend only on the direction.
    """
    low, high = np.minimum(directions, 0).sum(axis=1), np.maximum(directions, 0).sum(axis=1)
    return np.asarray(low[:, None] + (high - low)[:, None] * (np.arange(THRESHOLDS) / (THRESHOLDS - 1)))


def errors_at_thresholds(directions: FloatArray, x: FloatArray, positive: Truths) -> FloatArray:
    """Return how many records are on the wrong side of each threshold c: (k, d) -> (k, 401).

    A record is put into class 1 if w·x > c. w·x is added up feature by feature, so it depends only on its own record, to the
    last digit. One replaced record therefore changes each count by at most 1.
    """
    return np.stack([_errors(*pair, x, positive) for pair in zip(directions, thresholds(directions), strict=True)])


def _errors(direction: FloatArray, cuts: FloatArray, x: FloatArray, positive: Truths) -> FloatArray:
    places = np.zeros(len(x))
    for weight, column in zip(direction, x.T, strict=True):
        places += weight * column
    # Class 1 is wrong up to the threshold, and class 0 above it.
    ones, zeros = (np.searchsorted(np.sort(places[chosen]), cuts, side="right") for chosen in (positive, ~positive))
    return np.asarray(ones + (np.count_nonzero(~positive) - zeros), dtype=np.float64)
