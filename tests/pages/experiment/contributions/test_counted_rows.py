"""Which rows count, and what is refused in a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import Adjacency, PureDP
from dpcore.errors import InvalidValueError
from pages.old.experiment.contributions.asked import COUNT, MEAN, SUM, Terms
from pages.old.experiment.contributions.cap import Cap, counted_rows
from pages.old.experiment.contributions.noise import LaplaceNoise
from pages.old.experiment.contributions.predict import predict
from tests.pages.experiment.contributions.naive import field

PEOPLE = field([0, 0, 1, 2, 2, 2])
VALUES = np.array([1.0, np.nan, 3.0, -4.0, 5.0, 6.0])
TERMS = Terms(LaplaceNoise(PureDP(1.0)), Adjacency.ADD_OR_REMOVE_ONE_USER)


def test_rows_without_a_value_outside_the_conditions_and_in_no_group_do_not_count() -> None:
    where, group = np.array([True, True, False, True, True, True]), np.array([0, 0, 0, 1, -1, 0])
    found = counted_rows(PEOPLE, VALUES, where=where, group=group, groups=2)
    assert found.value.tolist() == [1.0, -4.0, 6.0]
    assert found.person.tolist() == [0, 1, 1]
    assert found.group.tolist() == [0, 1, 0]
    assert found.people == 2


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"where": np.zeros(6, dtype=bool)}, "rows"),
        ({"values": np.full(6, np.nan)}, "rows"),
        ({"values": np.ones(5)}, "values"),
        ({"values": np.array([1.0, np.inf, 1, 1, 1, 1])}, "values"),
        ({"values": np.array([1.0, -1e200, 1, 1, 1, 1])}, "values"),
        ({"group": np.full(6, 2), "groups": 2}, "group"),
        ({"groups": 0}, "groups"),
        ({"persons": PEOPLE[::-1]}, "database"),
        ({"persons": PEOPLE[:0], "values": None}, "rows"),
    ],
    ids=["nobody", "all missing", "too few", "infinite", "huge", "no such group", "no groups", "mixed up", "no people"],
)
def test_other_rows_are_refused(change: dict[str, Any], name: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        counted_rows(**{"persons": PEOPLE, "values": np.ones(6), **change})
    assert refused.value.name == name


@pytest.mark.parametrize("s", [0, -1, 1.5, True, "2", 2**27 + 1, 10**400])
def test_a_cap_is_a_whole_number_from_one_to_the_most_rows(s: Any) -> None:
    for make in (lambda: Cap(s), lambda: Cap(1, s)):
        with pytest.raises(InvalidValueError, match="kept of each person"):
            make()


@pytest.mark.parametrize("bounds", [None, [], [(2.0, 1.0)], [(1.0, 1.0)], [(0.0, np.inf)], [(0.0, 1e200)]], ids=str)
def test_bounds_the_wrong_way_are_refused(bounds: Any) -> None:
    with pytest.raises(InvalidValueError, match="bounds of the values"):
        predict(counted_rows(PEOPLE, VALUES), SUM, TERMS, [Cap(1)], bounds)


def test_no_cap_bounds_of_a_count_a_records_adjacency_and_no_noise_are_refused() -> None:
    rows = counted_rows(PEOPLE)
    for ask in (
        lambda: predict(rows, COUNT, TERMS, []),
        lambda: predict(rows, COUNT, TERMS, [Cap(1)], [(0.0, 1.0)]),
        lambda: predict(rows, COUNT, TERMS, (Cap(1),), None, 0.0),
        lambda: Terms(TERMS.noise, Adjacency.REPLACE_ONE_RECORD),
    ):
        with pytest.raises(InvalidValueError):
            ask()


def test_the_largest_values_with_the_largest_cap_have_a_finite_error() -> None:
    rows = counted_rows(PEOPLE, np.array([1e100, -1e100, 0.0, 1.0, 2.0, 1e100]))
    for asked in (SUM, MEAN):
        errors = predict(rows, asked, TERMS, [Cap(1), Cap(2**24)], [(-1e100, 1e100), (0.0, 1e-3)]).totals
        assert np.isfinite(errors).all()
