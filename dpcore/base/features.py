"""Features as numbers from 0 to 1: bounded ones scaled, and categories as a column each that is 1 where a record is of it."""

from __future__ import annotations

import numpy as np

from dpcore.base.bounds import Interval, clip, interval
from dpcore.base.declared import Column
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError

Categories = tuple[int, ...]
"""How many categories each feature has, 0 of one that is a number; () where all are numbers. With two, their places 0 and 1 are
as good as a number."""
_MOST_CATEGORIES = 1_000


def checked(x_bounds: object, categories: object) -> tuple[tuple[Interval, ...], Categories]:
    """One interval a feature, and how many categories; InvalidValueError for others. The bounds of a feature with categories
    are those of their places, 0 and one less than they are."""
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
    """What is declared of columns of features; None where one has neither bounds nor categories."""
    coded = [column.coded for column in columns]
    bounds = tuple(column.bounds for column in coded if column.bounds is not None)
    counts = tuple(len(column.categories or ()) for column in coded)
    return (bounds, tuple(count if count > 2 else 0 for count in counts)) if len(bounds) == len(columns) else None


def suit(categories: Categories, columns: tuple[Column, ...]) -> bool:
    """Whether columns have the categories that were counted."""
    counts = [len(column.coded.categories or ()) for column in columns]
    return all(count == held for count, held in zip(categories, counts, strict=True) if count) if categories else True


def dimensions(x_bounds: tuple[Interval, ...], categories: Categories) -> int:
    """How many numbers a record's features become: one a number, and one a category but the first."""
    return sum(count - 1 if count else 1 for count in categories) if categories else len(x_bounds)


def ends(bounds: tuple[Interval, ...]) -> tuple[FloatArray, FloatArray]:
    """The lower ends and the upper ends."""
    low, high = np.array(bounds).T
    return low, high


def spans(x_bounds: tuple[Interval, ...], categories: Categories) -> tuple[Interval, ...]:
    """Between which values each of these numbers lies in its own unit: a number between its bounds, a category's from 0 to 1."""
    if not categories:
        return x_bounds
    found: list[Interval] = []
    for pair, count in zip(x_bounds, categories, strict=True):
        found += [(0.0, 1.0)] * (count - 1) if count else [pair]
    return tuple(found)


def names(labels: tuple[str, ...], columns: tuple[Column, ...], categories: Categories) -> tuple[str, ...]:
    """A name for each of these numbers: "age", "ward = Park"."""
    if not categories:
        return labels
    found: list[str] = []
    for label, column, count in zip(labels, columns, categories, strict=True):
        found += [f"{label} = {name}" for name in column.coded.category_names[1:]] if count else [label]
    return tuple(found)


def scaled(features: Database, x_bounds: tuple[Interval, ...], categories: Categories = ()) -> FloatArray:
    """(..., columns) -> (..., numbers), each from 0 to 1.

    A number is clipped to its public bounds; a missing one becomes the middle. Of a category that is missing, or none that
    was counted, all are ½.
    """
    low, high = ends(x_bounds)
    places = (clip(features, x_bounds if len(x_bounds) > 1 else x_bounds[0]) - low) / (high - low)
    numbers: FloatArray = np.clip(places, 0, 1)
    if not categories:
        return numbers
    parts = [_indicators(features[..., i], count) if count else numbers[..., i : i + 1] for i, count in enumerate(categories)]
    return np.concatenate(parts, axis=-1)


def _indicators(codes: FloatArray, count: int) -> FloatArray:
    """1 in the place of a record's category, and 0 elsewhere: (...) -> (..., count − 1), for the first has none."""
    found = (codes[..., None] == np.arange(1.0, count)).astype(np.float64)
    known = np.isin(codes, np.arange(float(count)))
    found[~known] = 0.5
    return np.asarray(found)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and (value == 0 or 3 <= value <= _MOST_CATEGORIES)
