"""How many rows of a person count, and up to which value: the scores by their definition, and the worst case by brute force."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from dpcore import L1, LINF, RANGE, Condition, Exponential, Groups, PureDP, targets
from dpcore.base.bounds import steps_below, whole_steps
from dpcore.base.types import settles
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.targets.bound_scores import bound_to_choose
from dpcore.targets.cap_scores import rows_to_choose
from dpcore.targets.capped import about_people
from dpcore.targets.total_scores import total_to_choose
from tests.dpcore.targets.test_capped import ADD, MEAN, MEDIAN, REPLACE, SUM, Person, database

FEW = Groups("ward", ("A", "B"))


def rows_of(target: Any = SUM, *, where: Any = (), by: Any = None, **how: Any) -> Any:
    return targets.CapScores(targets.On(target, ("x",), where, by), "who", **how)


def bound_of(rows: int = 1, target: Any = SUM, highest: float = 10.0, **how: Any) -> Any:
    return targets.BoundScores(targets.On(target, ("x",)), "who", highest, rows, **how)


def total_of(target: Any = SUM, highest: float = 1_000.0, *, by: Any = None, **how: Any) -> Any:
    return targets.TotalScores(targets.On(target, ("x",), (), by), "who", highest, **how)


def person(rows: int, value: float = 1.0, ward: str = "A") -> Person:
    return [(value, ward)] * rows


def test_public_numbers_lie_closer_where_they_are_small_and_end_where_they_should() -> None:
    steps = whole_steps(1_000)
    assert (steps[:8], steps[-1], len(set(steps))) == ((1, 2, 3, 4, 5, 6, 7, 8), 1_000, len(steps))
    assert max(b / a for a, b in pairwise(steps[20:])) < 1.12
    bounds = steps_below(250.0)
    assert (bounds[0], bounds[-1]) == (0.025, 250.0)
    assert sorted(set(bounds)) == [*bounds]
    assert whole_steps(2) == (1, 2)


@pytest.mark.parametrize("release_epsilon", [0.3, 1.0, 5.0])
def test_the_scores_count_the_people_with_more_rows(release_epsilon: float) -> None:
    counts = [1, 1, 2, 3, 7, 7, 40]
    scores = rows_of(release_epsilon=release_epsilon, penalty=2.0, most=30)
    expected = [-abs(sum(n > r for n in counts) - 1 / release_epsilon) - 2.0 * math.log(r) for r in scores.candidates]
    assert scores(database([person(n) for n in counts])) == pytest.approx(expected)


def test_only_rows_that_the_question_counts_are_counted() -> None:
    people = [[(1.0, "A"), (np.nan, "A"), (2.0, "B"), (3.0, "C")], person(1)]
    at_one: dict[str, Any] = {
        "all": rows_of(penalty=0.0),
        "A": rows_of(where=(Condition("ward", "A"),), penalty=0.0),
        "groups": rows_of(by=FEW, penalty=0.0),
    }
    more_than = {
        name: [float(-abs(target(database(people))[place])) + 1 for place in (0, 1, 2)] for name, target in at_one.items()
    }
    assert more_than == {"all": [1, 1, 0], "A": [0, 0, 0], "groups": [1, 0, 0]}


def test_without_noise_the_choice_is_where_so_many_people_have_more_rows() -> None:
    rng = np.random.default_rng(3)
    counts = np.minimum(np.ceil(rng.lognormal(1.5, 1, 400)), 60).astype(int)
    for epsilon in (0.1, 0.5):
        target = rows_of(release_epsilon=epsilon, penalty=0.0, most=100)
        best = target.candidates[int(np.argmax(target(database([person(int(n)) for n in counts]))))]
        cost = {r: np.maximum(counts - r, 0).sum() + r / epsilon for r in target.candidates}
        assert cost[best] <= 1.05 * min(cost.values())


@pytest.mark.parametrize(("rows", "release_epsilon"), [(1, 1.0), (3, 0.5)])
def test_the_scores_weigh_the_rows_above_a_bound(rows: int, release_epsilon: float) -> None:
    people: list[Person] = [[(9.0, "A"), (0.2, "A")], [(5.0, "B")] * 5, [(-3.0, "A"), (50.0, "A"), (np.nan, "A")]]
    scores = bound_of(rows, release_epsilon=release_epsilon, penalty=0.5)
    expected = []
    for bound in scores.candidates:
        weight = 0.0
        for one in people:
            known = [value for value, _ in one if not np.isnan(value)]
            weight += sum(value > bound for value in known) * min(1, rows / len(known))
        expected.append(-abs(weight - rows / release_epsilon) - 0.5 * math.log(bound / scores.candidates[0]))
    assert scores(database(people)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("release_epsilon", [0.3, 1.0])
def test_the_scores_count_the_people_with_a_larger_total(release_epsilon: float) -> None:
    """Of one who has 9 in one ward and -3 in another the larger side counts, over wards."""
    people: list[Person] = [
        [(9.0, "A"), (-3.0, "B"), (5.0, "C")],
        person(5, 2.0),
        [(-3.0, "A")] * 4,
        [(np.nan, "A")],
        person(1, 0.2),
    ]
    for by, sizes in ((None, [11.0, 10.0, 12.0, 0.2]), (FEW, [9.0, 10.0, 12.0, 0.2])):
        scores = total_of(by=by, release_epsilon=release_epsilon, penalty=2.0)
        first = scores.candidates[0]
        expected = [
            -abs(sum(size > b for size in sizes) - 1 / release_epsilon) - 2.0 * math.log(b / first) for b in scores.candidates
        ]
        assert scores(database(people)) == pytest.approx(expected)


def test_without_noise_the_limit_is_where_so_many_people_have_a_larger_total() -> None:
    rng = np.random.default_rng(3)
    people = [person(int(n), float(x)) for n, x in zip(rng.integers(1, 30, 400), rng.lognormal(0, 0.7, 400), strict=True)]
    sizes = np.array([sum(min(value, 10.0) for value, _ in one) for one in people])
    for epsilon in (0.1, 0.5):
        target = total_of(release_epsilon=epsilon, penalty=0.0)
        best = target.candidates[int(np.argmax(target(database(people))))]
        cost = {b: np.maximum(sizes - b, 0).sum() + b / epsilon for b in target.candidates}
        assert cost[best] <= 1.05 * min(cost.values())


PEOPLE: list[Person] = [
    [(np.nan, "A")],
    *(person(n, value) for n in (1, 2, 5, 9, 2_000) for value in (-4.0, 0.003, 0.5, 10.0, 99.0)),
]
MIXED: list[Person] = [[(0.003, "A")] * 3 + [(9.0, "B")] * 3, [(0.5, "A"), (99.0, "A")]]
OTHERS: list[list[Person]] = [[], [person(3, 0.1), person(6, 2.0)], [person(1_000, 10.0)] * 8]


@pytest.mark.parametrize(
    ("target", "most"),
    [
        (rows_of(), 2.0),
        (rows_of(MEAN, release_epsilon=0.25, by=FEW), 2.0),
        (rows_of(MEDIAN, penalty=0.0, most=9), 2.0),
        (bound_of(1), 2.0),
        (bound_of(4, release_epsilon=3.0, penalty=7.0), 8.0),
        (bound_of(4, MEAN, 200.0), 8.0),
        (total_of(), 2.0),
        (total_of(release_epsilon=0.25, by=FEW, penalty=0.0), 2.0),
    ],
    ids=str,
)
def test_nobody_moves_a_score_further_than_proved(target: Any, most: float) -> None:
    reached: dict[Any, float] = dict.fromkeys((RANGE, LINF), 0.0)
    for others in OTHERS:
        without = target(database(others)) if others else None
        answers = np.array([target(database([*others, one])) for one in PEOPLE + MIXED])
        for norm in reached:
            moved = norm(answers[:, None] - answers[None]).max()
            assert moved <= target.global_sensitivity(norm, 5, REPLACE).value
            if without is not None:
                added = norm(answers - without).max()
                assert added <= target.global_sensitivity(norm, 5, ADD).value
                reached[norm] = max(reached[norm], moved, added)
    assert target.global_sensitivity(RANGE, 5, ADD).value == pytest.approx(most, rel=1e-6)
    assert reached[LINF] == pytest.approx(most / 2, rel=1e-5)  # and no less would do
    assert target.global_sensitivity(L1, 5) is None
    assert target.global_sensitivity(RANGE, 5, Adjacency.REPLACE_ONE_RECORD) is None


def test_more_and_fewer_people_move_the_scores_up_and_down_at_once() -> None:
    target = rows_of(penalty=0.0)
    people = [person(2)] * 3
    moved = target(database([*people, person(9)])) - target(database(people))
    assert (moved.min(), moved.max()) == (-1.0, 1.0)


def test_a_choice_is_differential_privacy_itself_about_people() -> None:
    target = rows_of()
    proof = target.global_sensitivity(RANGE, 500, ADD)
    release = Exponential.suited(target).calibrate(proof, PureDP(1.0))
    assert release.guarantee == PureDP(1.0)
    assert release.sensitivity.adjacency is ADD


@pytest.mark.parametrize(
    "make",
    [
        lambda: rows_of(targets.KnownVariance((0.0, 1.0))),
        lambda: rows_of(release_epsilon=0.0),
        lambda: rows_of(penalty=-1.0),
        lambda: rows_of(penalty=math.inf),
        lambda: rows_of(penalty=1.01e9),
        lambda: rows_of(penalty=1e300),
        lambda: bound_of(penalty=1.01e9),
        lambda: rows_of(most=1),
        lambda: rows_of(most=10_001),
        lambda: bound_of(0),
        lambda: bound_of(target=targets.Count(interval=(0.0, 1.0))),
        lambda: bound_of(highest=0.0),
        lambda: bound_of(highest=1e300),
        lambda: bound_of(penalty=-1.0),
        lambda: bound_of(target=targets.Sum((9.99, 10.0))),
        lambda: bound_of(target=targets.Sum((10.0, 20.0))),
        lambda: targets.CapScores(targets.On(SUM, ("x",)), "x"),
        lambda: total_of(MEAN),
        lambda: total_of(MEDIAN),
        lambda: total_of(targets.KnownCount()),
        lambda: total_of(highest=0.0),
        lambda: total_of(highest=1e289),
        lambda: total_of(targets.Sum((0.0, 1e289))),
    ],
)
def test_what_cannot_be_chosen_is_refused(make: Any) -> None:
    with pytest.raises(InvalidValueError):
        make()


def test_the_largest_penalty_leaves_a_worst_case_and_no_usual_one_is_larger() -> None:
    question = targets.On(SUM, ("x",))
    rows = rows_to_choose(question, "who", epsilon=1e-12, release_epsilon=1.0)
    bound = bound_to_choose(question, "who", rows=7, epsilon=1e-9, release_epsilon=1.0)
    for target, moved in ((rows, 2), (bound, 14)):
        assert target.penalty == 1e9
        assert target.global_sensitivity(RANGE, 5, ADD).value == pytest.approx(moved, rel=1e-3)
    with pytest.raises(InvalidValueError, match="penalty must be from 0 to 1,000,000,000"):
        rows_of(penalty=1e300)


def test_bounds_that_may_be_chosen_lie_above_the_lower_one() -> None:
    assert bound_of(target=targets.Sum((-5.0, 10.0))).candidates == steps_below(10.0)
    few = bound_of(target=targets.Sum((5.0, 10.0))).candidates
    assert few == tuple(step for step in steps_below(10.0) if step > 5)


def test_the_usual_penalty_gives_what_is_larger_than_anybodys_the_weight_of_a_root() -> None:
    """The scores of nobody's rows differ by the penalty alone."""
    nobody = database([person(1, 0.001)])
    question = targets.On(SUM, ("x",))
    for epsilon in (0.05, 2.0):
        rows = rows_to_choose(question, "who", epsilon=epsilon, release_epsilon=1e9)
        bound = bound_to_choose(question, "who", rows=7, epsilon=epsilon, release_epsilon=1e9)
        total = total_to_choose(question, "who", epsilon=epsilon, release_epsilon=1e9)
        assert (rows.penalty, bound.penalty, total.penalty) == (1 / epsilon, 7 / epsilon, 1 / epsilon)
        assert total.highest == 10_000  # a thousand rows of the largest size
        for target in (rows, bound, total):
            proof = target.global_sensitivity(RANGE, 5, ADD)
            law = Exponential(None).calibrate(proof, PureDP(epsilon)).law
            weights = law.probabilities(target(nobody))
            sizes = np.array(target.candidates)
            assert weights[-1] / weights[-9] == pytest.approx((sizes[-9] / sizes[-1]) ** 0.5, rel=1e-5)


def test_another_penalty_and_a_question_without_bounds() -> None:
    question = targets.On(targets.Count(interval=(0.0, 1.0)), ("x",))
    assert rows_to_choose(question, "who", epsilon=0.1, release_epsilon=1.0, penalty=0.0, most=9).candidates[-1] == 9
    with pytest.raises(InvalidValueError, match="bounds") as refused:
        bound_to_choose(question, "who", rows=1, epsilon=0.1, release_epsilon=1.0)
    assert refused.value.name == "question"
    with pytest.raises(InvalidValueError, match="epsilon"):
        rows_to_choose(question, "who", epsilon=0.0, release_epsilon=1.0)


def test_a_choice_is_taken_up_as_the_question_with_it() -> None:
    where = (Condition("ward", "A"),)
    assert rows_of(where=where).taken_up(5) == targets.Capped(targets.On(SUM, ("x",), where), "who", 5)
    found = bound_of(4, targets.Sum((-5.0, 10.0))).taken_up(2.5)
    assert found == targets.Capped(targets.On(targets.Sum((-5.0, 2.5)), ("x",)), "who", 4)
    sums = {(-5.0, 10.0): (-2.5, 2.5), (0.0, 10.0): (0.0, 2.5), (-5.0, -1.0): (-2.5, 0.0)}
    for bounds, totals in sums.items():
        question = targets.On(targets.Sum(bounds), ("x",))
        assert targets.TotalScores(question, "who", 9.0).taken_up(2.5) == targets.ClippedTotals(question, "who", totals)
    assert total_of().offer("9 €") == "Clip each person's total at 9 € from now on"
    assert rows_of().offer("5 rows") == "Count at most 5 rows a person from now on"
    assert bound_of().offer("9 €") == "Count values up to 9 € from now on"


def test_a_choice_stays_one_where_another_question_is_asked() -> None:
    other = targets.On(targets.Sum((0.0, 7.0)), ("x",), by=FEW)
    assert rows_of(penalty=3.0).about(other, "whose") == targets.CapScores(other, "whose", penalty=3.0)
    assert bound_of(4, highest=8.0).about(targets.On(SUM, ("x",), by=FEW), "who").highest == 8.0
    assert bound_of(4, highest=8.0).about(other, "who").highest == 7.0
    with pytest.raises(InvalidValueError, match="bounds"):
        bound_of().about(targets.On(targets.Count(interval=(0.0, 1.0)), ("x",)), "who")
    assert total_of().about(other, "whose") == targets.TotalScores(other, "whose", 1_000.0)
    assert total_of().about(targets.On(SUM, ("y",)), "who") is None
    assert total_of().about(targets.On(targets.KnownCount(), ("x",)), "who") is None
    capped = about_people(other, ("x",), "who", rows_of())
    assert (settles(capped), settles(about_people(other, ("x",), "who", SUM))) == ("s", "")


def test_a_choice_is_asked_for_by_name_and_no_two_settings_read_alike() -> None:
    where = (Condition("ward", "A"),)
    assert rows_of(where=where).asks("Sum of x") == (
        "how many rows of a person should count, for this question: Sum of x, where ward is A"
    )
    assert bound_of().asks("Sum of x") == "up to which value rows should count, for this question: Sum of x"
    full = {target.asks("Sum of x", full=True) for target in (rows_of(), rows_of(penalty=3.0), rows_of(most=9), bound_of(2))}
    assert len(full | {bound_of(penalty=1.0).asks("Sum of x", full=True), bound_of(highest=3.0).asks("", full=True)}) == 6
