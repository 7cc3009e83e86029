"""Questions about people: the answer by a loop of fractions, and the worst case by brute force over people."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE, Filter, GroupBy, targets
from dpcore.base.users import CODE, PERSON, per_user
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency

REPLACE, ADD = Adjacency.REPLACE_ONE_USER, Adjacency.ADD_OR_REMOVE_ONE_USER
BY = GroupBy("ward", ("A", "B", "C"))
Person = list[tuple[float, str]]
COUNT, SUM = targets.Count(interval=(0.0, 10.0)), targets.Sum((-4.0, 10.0))
MEAN, SHARE = targets.Mean((-4.0, 10.0)), targets.Proportion(interval=(0.0, 3.0))
MEDIAN, LOW = targets.QuantileScores(0.5, (0.0, 8.0), 5), targets.QuantileScores(0.2, (0.0, 8.0), 5)
ROWS = targets.Count()
ADDED = (COUNT, ROWS, SUM, MEAN, SHARE)


def database(people: list[Person]) -> Any:
    flat = [(value, ward) for person in people for value, ward in person]
    rows = np.array(flat, dtype=[("x", float), ("ward", "U2")])
    return per_user(
        rows, np.repeat([f"id {i}" for i in range(len(people))] or [""], [len(p) for p in people] or [0]), person="who"
    )


def capped(target: Any, rows: int, *, by: GroupBy | None = None, where: tuple[Filter, ...] = (), **how: Any) -> Any:
    return targets.ContributionBounded(targets.Query(target, ("x",), where, by), "who", rows, **how)


def _tutorial() -> Any:
    scores = {"Cynthia": [7], "Frank": [5, 1], "Kobbi": [8, -8, -6, 1, -8], "Adam": [-1]}
    return database([[(float(score), "A") for score in scores[name]] for name in scores])


@pytest.mark.parametrize(("rows", "answer"), [(5, -1.0), (3, 4.2), (1, 6.4)])
def test_the_sums_of_the_published_tutorial(rows: int, answer: float) -> None:
    assert capped(targets.Sum((-10.0, 10.0)), rows)(_tutorial()) == pytest.approx([answer], abs=1e-12)


def _row(target: Any, value: float) -> list[Fraction]:
    """A row's own part, from its definition."""
    low, high = (Fraction(bound) for bound in (target.bounds or (0.0, 1.0)))
    inside = target.interval[0] <= value <= target.interval[1] if getattr(target, "interval", None) else False
    clipped = min(max(Fraction(value), low), high)
    return {
        targets.Count: [Fraction(inside or target.public_alone)],
        targets.Sum: [clipped],
        targets.Mean: [2 * (clipped - low) / (high - low) - 1, Fraction(1)],
        targets.Proportion: [Fraction(1 if inside else -1), Fraction(1)],
    }[type(target)]


def _by_hand(target: Any, people: list[Person], rows: int, groups_each: int | None, wards: tuple[str, ...]) -> list[float]:
    sums = {ward: [Fraction(0)] * target.of_known_values().numbers for ward in wards}
    for person in people:
        counting = [
            (value, ward if len(wards) > 1 else wards[0])
            for value, ward in person
            if not np.isnan(value) and (len(wards) == 1 or ward in wards) and (target != COUNT or 0 <= value <= 10)
        ]
        touched = {ward for _, ward in counting}
        for value, ward in counting:
            if groups_each is None:
                weight = min(Fraction(1), Fraction(rows, len(counting)))
            else:
                own = sum(other == ward for _, other in counting)
                weight = min(Fraction(1), Fraction(rows, own)) * min(Fraction(1), Fraction(groups_each, len(touched)))
            sums[ward] = [a + weight * b for a, b in zip(sums[ward], _row(target, value), strict=True)]
    return [float(number) for ward in wards for number in sums[ward]]


def _random_people(seed: int, people: int = 6) -> list[Person]:
    rng = np.random.default_rng(seed)
    values, wards = (-9.0, -4.0, 0.0, 1.0, 2.5, 8.0, 10.0, 11.0, np.nan), ("A", "B", "C", "", "D")
    return [[(float(rng.choice(values)), str(rng.choice(wards))) for _ in range(rng.integers(1, 8))] for _ in range(people)]


@pytest.mark.parametrize("target", ADDED, ids=repr)
@pytest.mark.parametrize(("by", "groups_each"), [(None, None), (BY, None), (BY, 1), (BY, 2)])
def test_the_answer_is_that_of_a_loop_over_people(target: Any, by: GroupBy | None, groups_each: int | None) -> None:
    for seed in range(3):
        people = _random_people(seed)
        table = database(people)
        for rows in (1, 3, 100):
            question = capped(target, rows, by=by, groups_each=groups_each)
            expected = _by_hand(target, people, rows, groups_each, BY.labels if by else ("all",))
            each = question.each(table)
            assert question(table) == pytest.approx(expected, abs=1e-12)
            assert each.sum(axis=0) == pytest.approx(expected, abs=1e-12)
            assert len(each) == len(people)


def test_conditions_come_before_the_cap() -> None:
    people: list[Person] = [[(1.0, "A"), (2.0, "A"), (5.0, "B")], [(3.0, "B")]]
    assert capped(SUM, 1, where=(Filter("ward", "A"),))(database(people)).tolist() == [1.5]
    assert capped(SUM, 1)(database(people)) == pytest.approx([8 / 3 + 3])


def test_rows_are_counted_of_people_by_group() -> None:
    people: list[Person] = [[(1.0, "A"), (np.nan, "A"), (5.0, "B")], [(3.0, "B")], [(np.nan, "C")]]
    assert capped(ROWS, 2, by=BY)(database(people)).tolist() == [1, 2, 0]
    assert capped(ROWS, 1, by=BY)(database(people)).tolist() == [0.5, 1.5, 0]
    assert capped(ROWS, 1, where=(Filter("ward", "B"),))(database(people)).tolist() == [2]


@pytest.mark.parametrize(("norm", "each"), [(L1, 1.0), (L2, 1.0), (LINF, 1.0)])
def test_a_number_of_rows_costs_s_for_both_kinds_of_neighbours(norm: Any, each: float) -> None:
    for way in (REPLACE, ADD):
        assert capped(ROWS, 3).global_sensitivity(norm, 9, way).value == pytest.approx(3 * each, rel=1e-6)
    two = {L1: 2.0, L2: 2**0.5, LINF: 1.0}[norm]
    assert capped(ROWS, 3, by=BY).global_sensitivity(norm, 9, REPLACE).value == pytest.approx(3 * two, rel=1e-6)
    assert capped(ROWS, 3, by=BY).global_sensitivity(norm, 9, ADD).value == pytest.approx(3, rel=1e-6)


@pytest.mark.parametrize("q", [0.5, 0.2])
def test_quantile_scores_are_of_weights(q: float) -> None:
    people = _random_people(3)
    question = capped(targets.QuantileScores(q, (0.0, 8.0), 5), 2)
    values, weights = [], []
    for person in people:
        known = [value for value, _ in person if not np.isnan(value)]
        values += known
        weights += [min(1.0, 2 / max(1, len(known)))] * len(known)
    below = [sum(w for v, w in zip(values, weights, strict=True) if min(max(v, 0), 8) <= place) for place in (0, 2, 4, 6, 8)]
    assert question(database(people)) == pytest.approx([-abs(b - q * sum(weights)) for b in below], abs=1e-6)
    assert question.ways == ()


def _kinds() -> Iterator[tuple[Any, Any, int | None, Any]]:
    for target, (by, groups_each) in product(ADDED, ((None, None), (BY, None), (BY, 1), (BY, 2), (BY, 3))):
        yield target, by, groups_each, (L1, L2, LINF)
    yield from ((target, None, None, (RANGE,)) for target in (MEDIAN, LOW))


def _worst_people() -> list[Person]:
    """Somebody without a row that counts, and people whose rows are the ends, in one group, in two, or many of them."""
    ends = (-4.0, 0.0, 10.0)
    one = [[(value, ward)] * n for value in ends for ward in ("A", "B") for n in (1, 9)]
    both = [[(a, "A")] * 4 + [(b, "B")] * 4 for a in ends for b in ends]
    every = [[(a, "A")] * 4 + [(b, "B")] * 4 + [(c, "C")] * 4 for a in ends for b in ends for c in ends]
    return [[(np.nan, "A")], *one, *both, *every]


@pytest.mark.parametrize(("target", "by", "groups_each", "norms"), list(_kinds()), ids=str)
def test_nobody_moves_the_answer_further_than_proved(target: Any, by: Any, groups_each: Any, norms: Any) -> None:
    question = capped(target, 2, by=by, groups_each=groups_each)
    others = _random_people(1, 3)
    worst = _worst_people() + _random_people(2, 6)
    answers = np.array([question(database([*others, person])) for person in worst])
    without = question(database(others))
    for norm in norms:
        proved = {way: question.global_sensitivity(norm, 4, way).value for way in (REPLACE, ADD)}
        added, replaced = norm(answers - without).max(), norm(answers[:, None] - answers[None]).max()
        assert added <= proved[ADD]
        assert replaced <= proved[REPLACE]
        if norm is L1 and by is None and target.weighted is None:  # and no less would do
            assert added == pytest.approx(proved[ADD], rel=1e-6)
            assert replaced == pytest.approx(proved[REPLACE], rel=1e-6)


def test_replacing_a_person_of_positive_values_costs_as_much_as_one_who_has_no_row_that_counts() -> None:
    question = capped(targets.Sum((10.0, 20.0)), 1)
    assert question.global_sensitivity(L1, 5, REPLACE).value == pytest.approx(20, rel=1e-6)
    assert question.global_sensitivity(L1, 5, ADD).value == pytest.approx(20, rel=1e-6)
    assert question.global_sensitivity(L1, 5, Adjacency.REPLACE_ONE_RECORD) is None


def test_a_field_of_people_of_an_oracles_own_works_too() -> None:
    rows = np.zeros(3, dtype=[("x", float), ("ward", "U1"), ("who", PERSON)])
    rows["x"], rows["who"][CODE] = (1, 2, 3), (0, 1, 1)
    assert capped(SUM, 1)(rows).tolist() == [3.5]
    assert capped(SUM, 1).each(rows).tolist() == [[1.0], [2.5]]
    assert capped(SUM, 1)(rows[:0]).tolist() == [0.0]
    assert capped(MEDIAN, 1)(rows[:0]).tolist() == [0.0] * 5


BAD: list[tuple[Any, dict[str, Any]]] = [
    (targets.Variance((0.0, 1.0)), {}),
    (SUM, {"rows": 0}),
    (SUM, {"rows": 1.5}),
    (SUM, {"person": "x"}),
    (SUM, {"person": "ward", "by": BY}),
    (SUM, {"groups_each": 2}),
    (SUM, {"groups_each": 4, "by": BY}),
    (SUM, {"groups_each": 0, "by": BY}),
]


@pytest.mark.parametrize(("target", "how"), BAD, ids=str)
def test_what_cannot_be_capped_is_refused(target: Any, how: dict[str, Any]) -> None:
    by = how.pop("by", None)
    with pytest.raises(InvalidValueError):
        targets.ContributionBounded(targets.Query(target, ("x",), (), by), **{"person": "who", "rows": 1} | how)


def test_a_target_is_no_question() -> None:
    plain: Any = SUM
    with pytest.raises(InvalidValueError):
        targets.ContributionBounded(plain, "who", 1)


@pytest.mark.parametrize("adjacency", [REPLACE, ADD])
def test_scores_have_a_worst_case_for_both_kinds_of_neighbours(adjacency: Adjacency) -> None:
    assert capped(LOW, 1).global_sensitivity(RANGE, 100, adjacency) is not None
