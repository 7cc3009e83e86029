"""A person's total, clipped: the answer by a loop of fractions, and the worst case by every small person there can be."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE, Filter, GroupBy, targets
from dpcore.base.users import per_user
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.targets.user_limits import about_people
from tests.dpcore.targets.test_capped import ADD, BY, MEAN, MEDIAN, REPLACE, ROWS, SUM, Person, _random_people, database

TWO = GroupBy("ward", ("A", "B"))
LIMITS = ((0.0, 7.0), (-3.0, 7.0), (-5.0, 0.0), (-0.1, 1e9))


def clipped(totals: tuple[float, float], target: Any = SUM, *, by: Any = None, where: Any = ()) -> targets.ClippedTotals:
    return targets.ClippedTotals(targets.Query(target, ("x",), where, by), "who", totals)


def _by_hand(people: list[Person], totals: tuple[float, float], wards: tuple[str, ...], value: Any) -> list[float]:
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
def test_the_answer_is_that_of_a_loop_over_people(target: Any, totals: tuple[float, float], by: GroupBy | None) -> None:
    for seed in range(40):
        people = _random_people(seed)
        expected = _by_hand(
            people,
            totals,
            BY.labels if by else ("all",),
            lambda x: Fraction(1) if target is ROWS else min(max(Fraction(x), -4), 10),
        )
        question = clipped(totals, target, by=by)
        assert question(database(people)) == pytest.approx(expected, abs=1e-12)
        assert question.each(database(people)).sum(axis=0) == pytest.approx(expected, abs=1e-12)
        assert len(question.each(database(people))) == len(people)


def test_a_total_is_cut_and_not_the_rows_of_whoever_has_many() -> None:
    """Two people bring 6 each, one in a row and one in six; a third brings 30."""
    people: list[Person] = [[(6.0, "A")], [(1.0, "A")] * 6, [(10.0, "A")] * 3]
    assert clipped((0.0, 8.0))(database(people)).tolist() == [20.0]
    assert targets.ContributionBounded(targets.Query(SUM, ("x",)), "who", 1)(database(people)) == pytest.approx([6 + 1 + 10])


def test_a_clipped_number_of_rows_is_a_cap_on_rows() -> None:
    for seed in range(10):
        rows = database(_random_people(seed))
        for by in (None, BY):
            cap = targets.ContributionBounded(targets.Query(ROWS, ("x",), (), by), "who", 2)
            assert clipped((0.0, 2.0), ROWS, by=by)(rows) == pytest.approx(cap(rows), abs=1e-12)


def test_conditions_come_before_the_limit() -> None:
    people: list[Person] = [[(1.0, "A"), (2.0, "A"), (5.0, "B")], [(3.0, "B")]]
    assert clipped((0.0, 2.5), where=(Filter("ward", "A"),))(database(people)).tolist() == [2.5]
    assert clipped((0.0, 2.5))(database(people)).tolist() == [5.0]


def _everybody(most: int) -> list[Person]:
    """All people with up to so many rows of values at the ends, around the limits and 0, in two wards and in none."""
    rows = list(product((-4.0, -3.0, -0.5, 0.0, 0.5, 7.0, 10.0, np.nan), ("A", "B", ""))) if most < 2 else None
    rows = rows or list(product((-4.0, -3.0, 0.5, 10.0), ("A", "B")))
    return [list(person) for size in range(1, most + 1) for person in combinations_with_replacement(rows, size)]


@pytest.mark.parametrize("norm", [L1, L2, LINF], ids=str)
@pytest.mark.parametrize("by", [None, TWO])
@pytest.mark.parametrize("totals", LIMITS[:3])
def test_nobody_moves_the_answer_further_than_proved_and_somebody_as_far(totals: Any, by: Any, norm: Any) -> None:
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


def test_the_bounds_of_a_row_and_the_number_of_rows_are_no_part_of_the_worst_case() -> None:
    wide, narrow = (targets.ClippedTotals(targets.Query(targets.Sum((0.0, b)), ("x",)), "who", (0.0, 5.0)) for b in (9.0, 9e9))
    assert wide.global_sensitivity(L1, 9, ADD).value == narrow.global_sensitivity(L1, 10**9, ADD).value  # type: ignore[union-attr]


@pytest.mark.parametrize("by", [None, GroupBy("ward", tuple(f"w{i}" for i in range(200)))])
def test_rounding_stays_within_what_is_proved(by: Any) -> None:
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


def test_a_persons_part_hangs_on_that_persons_rows_alone() -> None:
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


BAD: list[tuple[Any, Any]] = [
    (MEAN, (0.0, 1.0)),
    (MEDIAN, (0.0, 1.0)),
    (targets.Variance((0.0, 1.0)), (0.0, 1.0)),
    (SUM, (1.0, 2.0)),
    (SUM, (-2.0, -1.0)),
    (SUM, (0.0, 0.0)),
    (SUM, (0.0, float("inf"))),
    (SUM, (0.0, 1e288)),
    (targets.Sum((0.0, 1e288)), (0.0, 1.0)),
    (SUM, (0.0, 1e-300)),
]


@pytest.mark.parametrize(("target", "totals"), BAD, ids=str)
def test_what_has_no_total_to_clip_is_refused(target: Any, totals: Any) -> None:
    with pytest.raises(InvalidValueError):
        clipped(totals, target)


def test_the_limit_goes_on_where_the_same_column_is_added_up() -> None:
    before = clipped((-3.0, 7.0))
    assert about_people(SUM, ("x",), "who", clipped((0.0, 7.0), where=(Filter("ward", "A"),))) == clipped((0.0, 7.0))
    assert about_people(targets.Sum((0.0, 10.0)), ("x",), "who", before) == clipped((0.0, 7.0), targets.Sum((0.0, 10.0)))
    for other, columns in ((MEAN, ("x",)), (SUM, ("y",)), (ROWS, ("x",))):
        after = about_people(other, columns, "who", before, cap=4)
        assert after == targets.ContributionBounded(targets.Query(other, columns), "who", 4)
