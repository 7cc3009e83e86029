"""How much each row of a person counts, so that nobody counts for more than a cap."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcore.base.checks import whole
from dpcore.base.people import CODE, KEY, MOST_ROWS, mixed
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError

Places = NDArray[np.int64]
Keys = NDArray[np.uint64]

_ODD = np.uint64(0x9E3779B97F4A7C15)
_MOST_SALTS = 2**63
_OF_UNITS = np.uint64((MOST_ROWS - 1).bit_length())
_OF_DRAWN = np.uint64(64) - _OF_UNITS


def checked(rows: object, groups: object, salt: object) -> tuple[int, int | None, int | None]:
    """A cap of s rows, or of s rows a group and g groups, and the public salt of which they are; InvalidValueError for others."""
    drawn = None if salt is None else whole("salt", salt, least=0)
    if drawn is not None and drawn >= _MOST_SALTS:
        raise InvalidValueError("salt", "below 2⁶³", salt)
    if whole("rows a person", rows) > MOST_ROWS:
        raise InvalidValueError("rows a person", f"at most {MOST_ROWS:,}", None)
    return whole("rows a person", rows), None if groups is None else whole("groups a person", groups), drawn


def weights(people: Database, places: Places, rows: int, groups: int | None = None, salt: int | None = None) -> FloatArray:
    """A weight for each row: those of one person add up to at most ``rows``, or to ``rows`` times ``groups``. (n,) -> (n,)

    ``places`` tells the group of each row, and −1 of one that does not count: its weight is 0. A person with N rows that count
    has min(1, rows/N) each, over all groups together; with ``groups``, min(1, rows/N_g) for N_g rows in a group, times
    min(1, groups/G) where these are in G groups. With a ``salt`` so many rows, and groups, are kept with weight 1 instead.
    Which they are is a function of the person's key, of the order of the person's own rows, and of the salt. InvalidValueError
    for more than 2²⁴ rows.
    """
    if len(places) > MOST_ROWS:
        raise InvalidValueError("rows", f"at most {MOST_ROWS:,}", len(places))
    found = np.zeros(len(places))
    counted = np.flatnonzero(places >= 0)
    codes, keys = people[CODE][counted], people[KEY][counted]
    if groups is None or not len(counted):
        found[counted] = _at_most(rows, codes, keys, salt)
        return found
    width = int(places.max()) + 1
    pairs, first, pair = np.unique(codes * width + places[counted], return_index=True, return_inverse=True)
    in_groups = _at_most(groups, pairs // width, _keys_by_group(keys[first], pairs % width), salt)
    found[counted] = _at_most(rows, pair, _keys_by_group(keys, places[counted]), salt) * in_groups[pair]
    return found


def _keys_by_group(keys: Keys, places: Places) -> Keys:
    """Other keys of the same person in each group."""
    return mixed(keys) + places.astype(np.uint64)


def _at_most(most: int, units: Places, keys: Keys, salt: int | None) -> FloatArray:
    """The weight of each item of a unit of which at most so many count: an equal share, or with a salt 1 or 0, chosen by the
    items' keys."""
    if salt is None:
        return most / np.maximum(np.bincount(units), most)[units] if len(units) else np.zeros(0)
    before = _within(units, np.argsort(units, kind="stable")).astype(np.uint64)
    drawn = mixed(mixed(keys ^ mixed(np.array([salt], dtype=np.uint64))) + before * _ODD)
    return np.asarray(_within(units, _by_unit(units, drawn)) < most, dtype=np.float64)


def _by_unit(units: Places, drawn: Keys) -> Places:
    """The order of items by their units, and in each by what was drawn: as one number, unit first, which is sorted fast. Of what
    was drawn it has the first 40 bits, and equal ones stay in the order that they had. So many it has however many units there
    are: else whose rows are kept would depend on other people, and one person could move more than that person's rows."""
    return np.argsort((units.astype(np.uint64) << _OF_DRAWN) | (drawn >> _OF_UNITS), kind="stable")


def _within(units: Places, order: Places) -> Places:
    """How many items of the same unit come before each one, in an order that has each unit's together."""
    ordered = units[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if len(ordered) else np.zeros(0, dtype=np.int64)
    ranks = np.empty(len(units), dtype=np.int64)
    ranks[order] = np.arange(len(units)) - np.repeat(starts, np.diff(np.append(starts, len(units))))
    return ranks
