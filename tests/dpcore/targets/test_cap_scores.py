"""How many rows of a person count: the scores by their definition, and the worst case by brute force."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from dpcore import L1, LINF, RANGE, Condition, Exponential, Groups, PureDP, targets
from dpcore.base.bounds import whole_steps
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.targets.cap_scores import rows_to_choose
from tests.dpcore.targets.test_capped import ADD, MEAN, MEDIAN, REPLACE, SUM, Person, database

FEW = Groups("ward", ("A", "B"))


def rows_of(target: Any = SUM, *, where: Any = (), by: Any = None, **how: Any) -> Any:
    return targets.CapScores(targets.On(target, ("x",), where, by), "who", **how)


def person(rows: int, value: float = 1.0, ward: str = "A") -> Person:
    return [(value, ward)] * rows


def test_public_numbers_lie_closer_where_they_are_small_and_end_where_they_should() -> None:
    steps = whole_steps(1_000)
    assert (steps[:8], steps[-1], len(set(steps))) == ((1, 2, 3, 4, 5, 6, 7, 8), 1_000, len(steps))
    assert max(b / a for a, b in pairwise(steps[20:])) < 1.12
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
        lambda: rows_of(most=1),
        lambda: rows_of(most=10_001),
        lambda: targets.CapScores(targets.On(SUM, ("x",)), "x"),
    ],
)
def test_what_cannot_be_chosen_is_refused(make: Any) -> None:
    with pytest.raises(InvalidValueError):
        make()


def test_the_largest_penalty_leaves_a_worst_case_and_no_usual_one_is_larger() -> None:
    question = targets.On(SUM, ("x",))
    rows: Any = rows_to_choose(question, "who", epsilon=1e-12, release_epsilon=1.0)
    assert rows.penalty == 1e9
    assert rows.global_sensitivity(RANGE, 5, ADD).value == pytest.approx(2, rel=1e-3)
    with pytest.raises(InvalidValueError, match="penalty must be from 0 to 1,000,000,000"):
        rows_of(penalty=1e300)


def test_the_usual_penalty_gives_what_is_larger_than_anybodys_the_weight_of_a_root() -> None:
    """The scores of nobody's rows differ by the penalty alone."""
    nobody = database([person(1, 0.001)])
    question = targets.On(SUM, ("x",))
    for epsilon in (0.05, 2.0):
        rows = rows_to_choose(question, "who", epsilon=epsilon, release_epsilon=1e9)
        assert rows.penalty == 1 / epsilon
        proof: Any = rows.global_sensitivity(RANGE, 5, ADD)
        law = Exponential(None).calibrate(proof, PureDP(epsilon)).law
        weights = law.probabilities(rows(nobody))
        sizes = np.array(rows.candidates)
        assert weights[-1] / weights[-9] == pytest.approx((sizes[-9] / sizes[-1]) ** 0.5, rel=1e-5)


def test_another_penalty_and_a_question_without_bounds_have_a_choice_too() -> None:
    question = targets.On(targets.Count(interval=(0.0, 1.0)), ("x",))
    assert rows_to_choose(question, "who", epsilon=0.1, release_epsilon=1.0, penalty=0.0, most=9).candidates[-1] == 9
    with pytest.raises(InvalidValueError, match="epsilon"):
        rows_to_choose(question, "who", epsilon=0.0, release_epsilon=1.0)


def test_a_choice_is_taken_up_as_the_question_with_it() -> None:
    where = (Condition("ward", "A"),)
    assert rows_of(where=where).taken_up(5) == targets.Capped(targets.On(SUM, ("x",), where), "who", 5)


def test_a_choice_stays_one_where_another_question_is_asked() -> None:
    other = targets.On(targets.Sum((0.0, 7.0)), ("x",), by=FEW)
    assert rows_of(penalty=3.0).about(other, "whose") == targets.CapScores(other, "whose", penalty=3.0)


def test_a_choice_is_asked_for_by_name_and_no_two_settings_read_alike() -> None:
    where = (Condition("ward", "A"),)
    assert rows_of(where=where).asks("Sum of x") == (
        "how many rows of a person should count, for this question: Sum of x, where ward is A"
    )
    several = (rows_of(), rows_of(penalty=3.0), rows_of(most=9), rows_of(release_epsilon=2.0))
    assert len({target.asks("Sum of x", full=True) for target in several}) == 4
