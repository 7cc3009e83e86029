"""How many people have a row that counts, in all and by group: exact on every small table, and its worst case by enumeration."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, Filter, GroupBy, targets
from dpcore.guarantees.privacy import Adjacency
from tests.dpcore.targets.test_capped import Person, database

REPLACE, ADD = Adjacency.REPLACE_ONE_USER, Adjacency.ADD_OR_REMOVE_ONE_USER
WARDS = ("A", "B", "C")
ROWS = [(value, ward) for value in (np.nan, 1.0) for ward in (*WARDS, "")]
PEOPLE: list[Person] = [list(rows) for size in range(4) for rows in itertools.combinations_with_replacement(ROWS, size)]


def _people(where: tuple[Filter, ...] = (), wards: tuple[str, ...] = (), each: int | None = None) -> Any:
    by = GroupBy("ward", wards) if wards else None
    return targets.ContributionBounded(targets.Query(targets.Count(), ("x",), where, by), "who", 1, each)


def _counts(people: list[Person], wards: tuple[str, ...]) -> list[int]:
    known = [{ward for value, ward in person if not math.isnan(value)} for person in people]
    return [sum(ward in own for own in known) for ward in wards] if wards else [sum(map(bool, known))]


@pytest.mark.parametrize("wards", [(), WARDS[:2]])
def test_each_person_counts_once_in_each_group_of_every_table_of_two(wards: tuple[str, ...]) -> None:
    question = _people(wards=wards, each=len(wards) or None)
    for pair in itertools.product(PEOPLE, PEOPLE[::31]):
        assert question(database(list(pair))).tolist() == _counts(list(pair), wards)
    assert question(database(PEOPLE)).tolist() == question.each(database(PEOPLE)).sum(axis=0).tolist() == _counts(PEOPLE, wards)
    assert question.whole_numbers is True


def test_people_with_many_rows_are_whole_numbers_to_the_last_bit() -> None:
    """49 times 1/49 is less than 1 as it is rounded."""
    many: list[Person] = [[(1.0, "A")] * rows for rows in range(1, 400)]
    assert 49 * (1 / 49) < 1
    assert _people()(database(many)).tolist() == [399.0]
    assert set(_people().each(database(many)).ravel().tolist()) == {1.0}


def test_under_a_condition_those_count_who_have_a_row_that_meets_it() -> None:
    question = _people((Filter("ward", "B"),))
    assert question(database(PEOPLE)).tolist() == [sum((1.0, "B") in person for person in PEOPLE)]


@pytest.mark.parametrize("adjacency", [REPLACE, ADD])
@pytest.mark.parametrize("norm", [L1, L2, LINF])
@pytest.mark.parametrize(("wards", "each"), [((), None), (WARDS[:1], 1), (WARDS[:2], 1), (WARDS, 2)], ids=str)
def test_its_worst_case_is_the_most_that_a_person_moves_it(
    wards: tuple[str, ...], each: int | None, norm: Any, adjacency: Adjacency
) -> None:
    question = _people(wards=wards, each=each)
    parts = [question(database([person])) for person in PEOPLE]
    others = parts if adjacency is REPLACE else [question(database([]))]
    most = max(float(norm(one - other)) for one in parts for other in others)
    assert most <= question.global_sensitivity(norm, 9, adjacency).value <= most * (1 + 1e-6)


def test_the_worst_case_by_group_is_as_many_groups_as_two_people_can_be_in() -> None:
    def proved(groups: int, each: int, adjacency: Adjacency) -> float:
        asked = _people(wards=tuple(map(str, range(groups))), each=each)
        return float(asked.global_sensitivity(L1, 9, adjacency).value)

    for groups, each in [(2, 2), (6, 6), (6, 3), (6, 4), (6, 1)]:
        assert proved(groups, each, ADD) == pytest.approx(each, rel=1e-6)
        assert proved(groups, each, REPLACE) == pytest.approx(min(2 * each, groups), rel=1e-6)
