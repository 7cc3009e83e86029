"""Which rows a public salt keeps: a loop over people in whole numbers, which nothing that is faster may differ from."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from dpcore.base import row_weights
from dpcore.base.people import CODE, KEY, MOST_ROWS, PERSON, mixed
from dpcore.base.row_weights import weights
from dpcore.errors import InvalidValueError

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


def _field(numbers: Any, keys: Any) -> Any:
    """The field of people with so many rows each, and these keys."""
    field = np.zeros(sum(numbers), dtype=PERSON)
    field[CODE] = np.repeat(np.arange(len(numbers)), numbers)
    field[KEY] = np.asarray(keys)[field[CODE]]
    return field


@pytest.mark.parametrize("groups", [None, 2])
@pytest.mark.parametrize("lost", [16, 30, 44, 52])
def test_which_rows_of_a_person_are_kept_is_the_same_whatever_other_people_there_are(
    groups: int | None, lost: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is drawn has few bits, as it has by chance where one person has a million rows: so many are nearly equal."""
    monkeypatch.setattr(row_weights, "mixed", lambda keys: mixed(keys) >> np.uint64(lost))
    rng = np.random.default_rng(8)
    rows, places = 200, rng.integers(0, 4, 200)
    alone = weights(_field([rows], np.array([5], dtype=np.uint64)), places, 9, groups, 3)
    for others in (1, 3, 40, 2_000, 70_000):
        keys = np.append(rng.integers(_WHOLE, size=others, dtype=np.uint64), np.uint64(5))
        beside = _field([1] * others + [rows], keys)
        found = weights(beside, np.append(rng.integers(0, 4, others), places), 9, groups, 3)
        assert found[others:].tolist() == alone.tolist()


def test_more_rows_than_a_database_of_people_has_are_refused() -> None:
    """A person's place among so many would not fit beside what is drawn."""
    field = np.broadcast_to(np.zeros((), dtype=PERSON), MOST_ROWS + 1)
    with pytest.raises(InvalidValueError) as caught:
        weights(field, np.broadcast_to(np.int64(-1), MOST_ROWS + 1), 1, None, 3)
    assert caught.value.name == "rows"
