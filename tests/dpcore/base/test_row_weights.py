"""Which rows a public salt keeps: a loop over people in whole numbers, which nothing that is faster may differ from."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from dpcore.base.people import CODE, KEY, PERSON
from dpcore.base.row_weights import weights

_ODD, _WHOLE = 0x9E3779B97F4A7C15, 2**64


def _mixed(number: int) -> int:
    z = (number + _ODD) % _WHOLE
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % _WHOLE
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % _WHOLE
    return z ^ (z >> 31)


def _kept(keys: list[int], most: int, salt: int) -> list[bool]:
    """Of items of one unit, in their order: those whose numbers are the least."""
    drawn = [_mixed((_mixed(key ^ _mixed(salt)) + place * _ODD) % _WHOLE) for place, key in enumerate(keys)]
    return [number in sorted(drawn)[:most] for number in drawn]


def _by_hand(people: Any, places: list[int], rows: int, groups: int | None, salt: int) -> list[float]:
    found, of = [0.0] * len(places), defaultdict[Any, list[int]](list)
    for row, place in enumerate(places):
        if place >= 0:
            of[int(people[CODE][row]), 0 if groups is None else place].append(row)
    touched = defaultdict[int, list[tuple[int, int]]](list)
    keys = {unit: int(people[KEY][its[0]]) for unit, its in of.items()}
    if groups is not None:
        keys = {unit: (_mixed(key) + unit[1]) % _WHOLE for unit, key in keys.items()}
    for unit in sorted(of):
        touched[unit[0]].append(unit)
    for units in touched.values():
        chosen = [True] if groups is None else _kept([keys[unit] for unit in units], groups, salt)
        for unit, taken in zip(units, chosen, strict=True):
            its = of[unit]
            for row, kept in zip(its, _kept([keys[unit]] * len(its), rows, salt), strict=True):
                found[row] = float(kept and taken)
    return found


@pytest.mark.parametrize("groups", [None, 1, 2])
@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("salt", [0, 7, 2**63 - 1])
def test_a_salt_keeps_the_rows_that_a_loop_keeps(rows: int, groups: int | None, salt: int) -> None:
    rng = np.random.default_rng(4)
    for people in (1, 2, 40, 300):
        numbers = rng.integers(1, 15, people)
        field = np.zeros(numbers.sum(), dtype=PERSON)
        field[CODE] = np.repeat(np.arange(people), numbers)
        field[KEY] = rng.integers(_WHOLE, size=people, dtype=np.uint64)[field[CODE]]
        places = rng.integers(-1, 5, len(field))
        assert weights(field, places, rows, groups, salt).tolist() == _by_hand(field, places.tolist(), rows, groups, salt)
