"""How much each row of a person counts, so that nobody counts for more than a cap."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcore.base.checks import whole
from dpcore.base.people import CODE, MOST_ROWS
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError

Places = NDArray[np.int64]


def checked(rows: object, groups: object) -> tuple[int, int | None]:
    """Return a cap of s rows, or of s rows a group and g groups. Raise InvalidValueError for anything else."""
    if whole("rows a person", rows) > MOST_ROWS:
        raise InvalidValueError("rows a person", f"at most {MOST_ROWS:,}", None)
    return whole("rows a person", rows), None if groups is None else whole("groups a person", groups)


def weights(people: Database, places: Places, rows: int, groups: int | None = None) -> FloatArray:
    """Return a weight for each row: those of one person add up to at most ``rows``, or to ``rows`` times ``groups``.

    A person with N rows that count has min(1, rows/N) each, over all groups together; with ``groups``, min(1, rows/N_g) for N_g
    rows in a group, times min(1, groups/G) where these are in G groups.

    Args:
        people: The person of each row, shape (n,).
        places: The group of each row, and −1 of one that does not count: its weight is 0. Shape (n,).
        rows: The cap.
        groups: The most groups of a person; None for a cap over all groups together.

    Raises:
        InvalidValueError: For more than 2²⁴ rows.
    """
    if len(places) > MOST_ROWS:
        raise InvalidValueError("rows", f"at most {MOST_ROWS:,}", len(places))
    found = np.zeros(len(places))
    counted = np.flatnonzero(places >= 0)
    if not len(counted):
        return found
    codes = people[CODE][counted]
    if groups is None:
        found[counted] = _at_most(rows, codes)
        return found
    width = int(places.max()) + 1
    pairs, pair = np.unique(codes * width + places[counted], return_inverse=True)
    found[counted] = _at_most(rows, pair) * _at_most(groups, pairs // width)[pair]
    return found


def _at_most(most: int, units: Places) -> FloatArray:
    """Return an equal weight for the items of each unit, of which so many count at most."""
    return most / np.maximum(np.bincount(units), most)[units]
