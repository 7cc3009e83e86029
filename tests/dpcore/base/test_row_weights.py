"""How much the rows of a person count, beside a loop over people."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from dpcore.base.users import CODE, MOST_ROWS, PERSON, row_weights
from dpcore.errors import InvalidValueError


def _by_hand(people: Any, places: list[int], rows: int, groups: int | None) -> list[float]:
    of, touched = defaultdict[Any, int](int), defaultdict[int, set[int]](set)
    units = [(int(people[CODE][row]), 0 if groups is None else place) for row, place in enumerate(places)]
    for unit, place in zip(units, places, strict=True):
        if place >= 0:
            of[unit] += 1
            touched[unit[0]].add(unit[1])
    return [
        min(1, rows / of[unit]) * min(1, (groups or 1) / len(touched[unit[0]])) if place >= 0 else 0.0
        for unit, place in zip(units, places, strict=True)
    ]


@pytest.mark.parametrize("groups", [None, 1, 2])
@pytest.mark.parametrize("rows", [1, 3])
def test_rows_weigh_what_a_loop_says(rows: int, groups: int | None) -> None:
    rng = np.random.default_rng(4)
    for people in (1, 2, 40, 300):
        numbers = rng.integers(1, 15, people)
        field = np.zeros(numbers.sum(), dtype=PERSON)
        field[CODE] = np.repeat(np.arange(people), numbers)
        places = rng.integers(-1, 5, len(field))
        assert row_weights(field, places, rows, groups) == pytest.approx(_by_hand(field, places.tolist(), rows, groups))
        assert not row_weights(field, np.full(len(field), -1), rows, groups).any()


def test_row_weights_refuse_too_many_rows() -> None:
    field = np.broadcast_to(np.zeros((), dtype=PERSON), MOST_ROWS + 1)
    with pytest.raises(InvalidValueError) as caught:
        row_weights(field, np.broadcast_to(np.int64(-1), MOST_ROWS + 1), 1)
    assert caught.value.name == "rows"
