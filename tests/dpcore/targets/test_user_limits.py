"""Limits on users: answers by a loop of fractions, and worst cases by brute force over people."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE, Filter, GroupBy, targets
from dpcore.base.users import CODE, PERSON, per_user
from dpcore.guarantees.privacy import Adjacency
from dpcore.targets.user_limits import about_people

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
def test_sums_are_those_of_the_published_tutorial(rows: int, answer: float) -> None:
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
def test_bounded_answer_is_that_of_a_loop(target: Any, by: GroupBy | None, groups_each: int | None) -> None:
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


def test_conditions_come_before_the_limit() -> None:
    people: list[Person] = [[(1.0, "A"), (2.0, "A"), (5.0, "B")], [(3.0, "B")]]
    assert capped(SUM, 1, where=(Filter("ward", "A"),))(database(people)).tolist() == [1.5]
    assert capped(SUM, 1)(database(people)) == pytest.approx([8 / 3 + 3])


def test_rows_are_counted_by_group() -> None:
    people: list[Person] = [[(1.0, "A"), (np.nan, "A"), (5.0, "B")], [(3.0, "B")], [(np.nan, "C")]]
    assert capped(ROWS, 2, by=BY)(database(people)).tolist() == [1, 2, 0]
    assert capped(ROWS, 1, by=BY)(database(people)).tolist() == [0.5, 1.5, 0]
    assert capped(ROWS, 1, where=(Filter("ward", "B"),))(database(people)).tolist() == [2]


@pytest.mark.parametrize("q", [0.5, 0.2])
def test_quantile_scores_count_weights(q: float) -> None:
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
def test_nobody_moves_bounded_answer_beyond_proof(target: Any, by: Any, groups_each: Any, norms: Any) -> None:
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


def test_person_without_rows_counts_in_replacement() -> None:
    question = capped(targets.Sum((10.0, 20.0)), 1)
    assert question.global_sensitivity(L1, 5, REPLACE).value == pytest.approx(20, rel=1e-6)
    assert question.global_sensitivity(L1, 5, ADD).value == pytest.approx(20, rel=1e-6)
    assert question.global_sensitivity(L1, 5, Adjacency.REPLACE_ONE_RECORD) is None


def test_field_of_people_may_be_an_oracles() -> None:
    rows = np.zeros(3, dtype=[("x", float), ("ward", "U1"), ("who", PERSON)])
    rows["x"], rows["who"][CODE] = (1, 2, 3), (0, 1, 1)
    assert capped(SUM, 1)(rows).tolist() == [3.5]
    assert capped(SUM, 1).each(rows).tolist() == [[1.0], [2.5]]
    assert capped(SUM, 1)(rows[:0]).tolist() == [0.0]
    assert capped(MEDIAN, 1)(rows[:0]).tolist() == [0.0] * 5


# The number of people with a row that counts.

WARDS = ("A", "B", "C")
NUMBER_ROWS = [(value, ward) for value in (np.nan, 1.0) for ward in (*WARDS, "")]
EVERYBODY: list[Person] = [list(rows) for size in range(4) for rows in itertools.combinations_with_replacement(NUMBER_ROWS, size)]


def _number(where: tuple[Filter, ...] = (), wards: tuple[str, ...] = (), each: int | None = None) -> Any:
    by = GroupBy("ward", wards) if wards else None
    return targets.ContributionBounded(targets.Query(targets.Count(), ("x",), where, by), "who", 1, each)


def _counts(people: list[Person], wards: tuple[str, ...]) -> list[int]:
    known = [{ward for value, ward in person if not math.isnan(value)} for person in people]
    return [sum(ward in own for own in known) for ward in wards] if wards else [sum(map(bool, known))]


@pytest.mark.parametrize("wards", [(), WARDS[:2]])
def test_each_person_counts_once_in_each_group(wards: tuple[str, ...]) -> None:
    question = _number(wards=wards, each=len(wards) or None)
    for pair in itertools.product(EVERYBODY, EVERYBODY[::31]):
        assert question(database(list(pair))).tolist() == _counts(list(pair), wards)
    assert question(database(EVERYBODY)).tolist() == _counts(EVERYBODY, wards)
    assert question.each(database(EVERYBODY)).sum(axis=0).tolist() == _counts(EVERYBODY, wards)
    assert question.whole_numbers is True


def test_people_with_many_rows_are_whole_numbers() -> None:
    """49 times 1/49 is less than 1 as it is rounded."""
    many: list[Person] = [[(1.0, "A")] * rows for rows in range(1, 400)]
    assert 49 * (1 / 49) < 1
    assert _number()(database(many)).tolist() == [399.0]
    assert set(_number().each(database(many)).ravel().tolist()) == {1.0}


@pytest.mark.parametrize("adjacency", [REPLACE, ADD])
@pytest.mark.parametrize("norm", [L1, L2, LINF])
@pytest.mark.parametrize(("wards", "each"), [((), None), (WARDS[:1], 1), (WARDS[:2], 1), (WARDS, 2)], ids=str)
def test_number_of_people_attains_its_proof(wards: tuple[str, ...], each: int | None, norm: Any, adjacency: Adjacency) -> None:
    question = _number(wards=wards, each=each)
    parts = [question(database([person])) for person in EVERYBODY]
    others = parts if adjacency is REPLACE else [question(database([]))]
    most = max(float(norm(one - other)) for one in parts for other in others)
    assert most <= question.global_sensitivity(norm, 9, adjacency).value <= most * (1 + 1e-6)


# Clipped totals.

TWO = GroupBy("ward", ("A", "B"))
LIMITS = ((0.0, 7.0), (-3.0, 7.0), (-5.0, 0.0), (-0.1, 1e9))


def clipped(totals: tuple[float, float], target: Any = SUM, *, by: Any = None, where: Any = ()) -> targets.ClippedTotals:
    return targets.ClippedTotals(targets.Query(target, ("x",), where, by), "who", totals)


def _clipped_by_hand(people: list[Person], totals: tuple[float, float], wards: tuple[str, ...], value: Any) -> list[float]:
    low, high = map(Fraction, totals)
    sums = dict.fromkeys(wards, Fraction(0))
    for person in people:
        parts = dict.fromkeys(wards, Fraction(0))
        for x, ward in person:
            place = ward if len(wards) > 1 else wards[0]
            if not np.isnan(x) and place in parts:
                parts[place] += value(x)
        above, below = sum(max(p, Fraction(0)) for p in parts.values()), sum(min(p, Fraction(0)) for p in parts.values())
        for ward, part in parts.items():
            share = min(Fraction(1), high / above) if part > 0 else min(Fraction(1), low / below) if part < 0 else 1
            sums[ward] += part * share
    return [float(total) for total in sums.values()]


@pytest.mark.parametrize("by", [None, BY])
@pytest.mark.parametrize("totals", LIMITS)
@pytest.mark.parametrize("target", [SUM, ROWS], ids=repr)
def test_clipped_answer_is_that_of_a_loop(target: Any, totals: tuple[float, float], by: GroupBy | None) -> None:
    for seed in range(40):
        people = _random_people(seed)
        expected = _clipped_by_hand(
            people,
            totals,
            BY.labels if by else ("all",),
            lambda x: Fraction(1) if target is ROWS else min(max(Fraction(x), -4), 10),
        )
        question = clipped(totals, target, by=by)
        assert question(database(people)) == pytest.approx(expected, abs=1e-12)
        assert question.each(database(people)).sum(axis=0) == pytest.approx(expected, abs=1e-12)
        assert len(question.each(database(people))) == len(people)


def test_total_is_clipped_and_not_the_rows() -> None:
    """Two people bring 6 each, one in a row and one in six; a third brings 30."""
    people: list[Person] = [[(6.0, "A")], [(1.0, "A")] * 6, [(10.0, "A")] * 3]
    assert clipped((0.0, 8.0))(database(people)).tolist() == [20.0]
    assert targets.ContributionBounded(targets.Query(SUM, ("x",)), "who", 1)(database(people)) == pytest.approx([6 + 1 + 10])


def test_clipped_number_of_rows_is_a_limit_on_rows() -> None:
    for seed in range(10):
        rows = database(_random_people(seed))
        for by in (None, BY):
            cap = targets.ContributionBounded(targets.Query(ROWS, ("x",), (), by), "who", 2)
            assert clipped((0.0, 2.0), ROWS, by=by)(rows) == pytest.approx(cap(rows), abs=1e-12)


def _everybody(most: int) -> list[Person]:
    """All people with up to so many rows of values at the ends, around the limits and 0, in two wards and in none."""
    rows = list(product((-4.0, -3.0, -0.5, 0.0, 0.5, 7.0, 10.0, np.nan), ("A", "B", ""))) if most < 2 else None
    rows = rows or list(product((-4.0, -3.0, 0.5, 10.0), ("A", "B")))
    return [list(person) for size in range(1, most + 1) for person in combinations_with_replacement(rows, size)]


@pytest.mark.parametrize("norm", [L1, L2, LINF], ids=str)
@pytest.mark.parametrize("by", [None, TWO])
@pytest.mark.parametrize("totals", LIMITS[:3])
def test_clipped_totals_attain_their_proof(totals: Any, by: Any, norm: Any) -> None:
    """Every person with up to two rows beside a few others: 164 parts, all pairs of them; each bound is reached."""
    question, others = clipped(totals, by=by), _random_people(1, 3)
    everybody = [*_everybody(1), *_everybody(2)]
    answers = np.array([question(database([*others, person])) for person in everybody])
    without = question(database(others))
    proved = {way: question.global_sensitivity(norm, 4, way) for way in (REPLACE, ADD)}
    added, replaced = norm(answers - without).max(), norm(answers[:, None] - answers[None]).max()
    for way, moved in ((ADD, added), (REPLACE, replaced)):
        found = proved[way]
        assert found is not None
        assert moved <= found.value
        assert moved == pytest.approx(found.value, rel=1e-6)
    assert question.global_sensitivity(RANGE, 4, ADD) is None
    assert question.global_sensitivity(norm, 4, Adjacency.REPLACE_ONE_RECORD) is None


@pytest.mark.parametrize("by", [None, GroupBy("ward", tuple(f"w{i}" for i in range(200)))])
def test_rounding_of_totals_is_counted(by: Any) -> None:
    """400 people whose parts do not add up exactly: some add more than the limit where there are groups, and the proof holds
    that beside the rounding of the sum over people."""
    rng, most = np.random.default_rng(5), 0.1
    rows = np.zeros(40_000, dtype=[("x", float), ("ward", "U4")])
    rows["x"], rows["ward"] = rng.uniform(0, 1, len(rows)), np.char.add("w", rng.integers(0, 200, len(rows)).astype("U3"))
    question = clipped((0.0, most), by=by)
    parts = question.each(per_user(rows, rng.integers(0, 400, len(rows)), person="who"))
    exact = [sum(map(Fraction, person), Fraction(0)) for person in parts.tolist()]
    proved = question.global_sensitivity(L1, 20, ADD)
    assert proved is not None
    over_people = 4 * Fraction(np.spacing(2.0**24 * most)) * parts.shape[1]
    assert max(exact) <= (Fraction(most) if by is None else Fraction(proved.value) - over_people)
    assert (max(exact) > Fraction(most)) == (by is not None)


def test_persons_part_depends_on_own_rows_only() -> None:
    """To the last bit: else the others' rounding would be a part of what one person moves."""
    rng = np.random.default_rng(2)
    wards = rng.choice(["A", "B", "C"], 50)
    people: list[Person] = [[(float(x), str(ward)) for x, ward in zip(rng.normal(0, 3, 50), wards, strict=True)]]
    crowd: list[Person] = [[(float(x), "B")] * 3 for x in rng.normal(0, 3, 40)]
    for by in (None, BY):
        question = clipped((-5.0, 6.0), by=by)
        alone = question.each(database(people))
        for others in (crowd, crowd[:7]):
            assert (question.each(database([*others, *people])) == alone).all(axis=1).any()


def test_limit_goes_on_for_the_same_column() -> None:
    before = clipped((-3.0, 7.0))
    assert about_people(SUM, ("x",), "who", clipped((0.0, 7.0), where=(Filter("ward", "A"),))) == clipped((0.0, 7.0))
    assert about_people(targets.Sum((0.0, 10.0)), ("x",), "who", before) == clipped((0.0, 7.0), targets.Sum((0.0, 10.0)))
    for other, columns in ((MEAN, ("x",)), (SUM, ("y",)), (ROWS, ("x",))):
        after = about_people(other, columns, "who", before, cap=4)
        assert after == targets.ContributionBounded(targets.Query(other, columns), "who", 4)
