"""How many values of each of several columns are known, at once: for records, and for people."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.base.norms import L1
from dpcore.base.people import per_user
from dpcore.base.types import Database
from dpcore.guarantees.privacy import Adjacency
from dpcore.targets.together import known_of_each


def _records(known: list[list[bool]]) -> Database:
    rows = np.empty(len(known), dtype=[("a", float), ("b", float), ("c", float)])
    for i, name in enumerate("abc"):
        rows[name] = np.where([row[i] for row in known], 1.0, np.nan)
    return rows


def test_the_worst_case_is_one_a_column_and_it_is_reached() -> None:
    target = known_of_each(("a", "b", "c"))
    rest = [[True, False, False]] * 4
    first, second = (target(_records([row, *rest])) for row in ([True] * 3, [False] * 3))
    assert first.tolist() == [5, 1, 1]
    proved = target.global_sensitivity(L1, 5)
    assert proved is not None
    assert np.abs(first - second).sum() == 3
    assert proved.value == pytest.approx(3, rel=1e-9)


@pytest.mark.parametrize("adjacency", [Adjacency.REPLACE_ONE_USER, Adjacency.ADD_OR_REMOVE_ONE_USER])
def test_a_person_with_many_rows_counts_with_their_cap_in_each_column(adjacency: Adjacency) -> None:
    target = known_of_each(("a", "b", "c"), "who", 2)
    whose = np.array(["u"] * 7 + ["v"])
    rest = [[True, False, False]]
    many = target(per_user(_records([[True, True, False]] * 7 + rest), whose, person="who"))
    none = target(per_user(_records([[False] * 3] * 7 + rest), whose, person="who"))
    assert many.tolist() == pytest.approx([3, 2, 0])
    proved = target.global_sensitivity(L1, 2, adjacency)
    assert proved is not None
    assert np.abs(many - none).sum() == pytest.approx(4)
    assert np.abs(many - none).sum() <= proved.value == pytest.approx(6, rel=1e-6)
