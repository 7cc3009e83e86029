"""Bounds of records' values, chosen privately: the scores by their definition, and the worst case by brute force."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from dpcore import L1, LINF, RANGE, Condition, Exponential, Groups, PureDP, targets
from dpcore.base.bounds import round_steps
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.targets.record_bound_scores import bounds_to_choose

REPLACE, ADD = Adjacency.REPLACE_ONE_RECORD, Adjacency.ADD_OR_REMOVE_ONE_RECORD
WARDS = Groups("ward", ("A", "B"))
FROM_0, BOTH, BELOW, FAR = (0.0, 100.0), (-30.0, 100.0), (-100.0, 0.0), (1_900.0, 2_000.0)


def of(bounds: Any = FROM_0, *, least: float = 1.0, where: Any = (), by: Any = None, kind: Any = targets.Sum, **how: Any) -> Any:
    return targets.RecordBoundScores(targets.On(kind(bounds), ("x",), where, by), least, **how)


def records(*of_each: tuple[float, str] | float) -> Any:
    pairs = [one if isinstance(one, tuple) else (one, "A") for one in of_each]
    return np.array(pairs, dtype=[("x", np.float64), ("ward", "U1")])


def test_the_grid_is_1_2_5_10_up_to_the_outer_bound() -> None:
    assert of().candidates == (1, 2, 5, 10, 20, 50, 100)
    assert of(least=0.03, bounds=(0.0, 1.5)).candidates == (0.05, 0.1, 0.2, 0.5, 1.0, 1.5)
    assert of(FAR).candidates == (1_901, 1_902, 1_905, 1_910, 1_920, 1_950, 2_000)
    assert of(BELOW).candidates == of(BOTH).candidates == of().candidates
    assert round_steps(1e-3, 1e9)[:3] == (0.001, 0.002, 0.005)
    assert len(round_steps(1.0, 1e9)) == 28
    assert bounds_to_choose(targets.On(targets.Sum((0.0, 1e9)), ("x",)), epsilon=0.1, release_epsilon=1.0).candidates[0] == 1_000


@pytest.mark.parametrize("bounds", [FROM_0, BOTH, BELOW, FAR])
@pytest.mark.parametrize("by", [None, WARDS])
def test_the_scores_count_the_known_values_beyond_a_bound(bounds: Any, by: Any) -> None:
    """Of each ward that is asked for, as many as its answer's noise costs; a value outside the declared bounds is at them."""
    values = (-500.0, -20.0, -3.0, 0.5, 4.0, 30.0, 70.0, 1_903.0, 1_960.0, 9_999.0, math.nan)
    target = of(bounds, by=by, release_epsilon=0.5, penalty=3.0)
    database = records(*((value, ward) for value in values for ward in "AC"))
    low, high = bounds
    near = max(low, -high, 0.0)
    counted = [min(max(value, low), high) for value in values if not math.isnan(value)] * (1 if by else 2)
    expected = [
        -abs(sum(abs(x) > u for x in counted) - (2 if by else 1) / 0.5)
        - 3.0 * math.log((u - near) / (target.candidates[0] - near))
        for u in target.candidates
    ]
    assert target(database) == pytest.approx(expected)


def test_records_of_which_a_condition_does_not_hold_count_nowhere() -> None:
    target = of(where=(Condition("ward", "A"),), penalty=0.0)
    both, one = records((70.0, "A"), (80.0, "B")), records((70.0, "A"), (0.0, "B"))
    assert target(both).tolist() == target(one).tolist()


@pytest.mark.parametrize(
    "target",
    [of(penalty=0.0), of(BOTH, release_epsilon=0.4), of(FAR), of(by=WARDS, penalty=0.0)],
    ids=["from 0", "both signs", "far from 0", "by ward"],
)
def test_no_record_moves_a_score_further_than_proved(target: Any) -> None:
    """Every table of up to four of some records, and every neighbour of it; 2 is reached, so no less would do."""
    few = [(x, ward) for x in (-40.0, 3.0, 60.0, 1_901.5, 1_960.0, math.nan) for ward in "AC"]
    reached = {REPLACE: 0.0, ADD: 0.0}
    for size in range(4):
        for others in combinations_with_replacement(few, size):
            answers = np.array([target(records(*others, one)) for one in few])
            moved = {REPLACE: answers[:, None] - answers[None], ADD: answers - target(records(*others))}
            for adjacency, differences in moved.items():
                n = size + 1
                assert RANGE(differences).max() <= target.global_sensitivity(RANGE, n, adjacency).value
                assert LINF(differences).max() <= target.global_sensitivity(LINF, n, adjacency).value
                reached[adjacency] = max(reached[adjacency], float(RANGE(differences).max()))
    for adjacency, largest in reached.items():
        assert largest == pytest.approx(2.0)
        assert target.global_sensitivity(RANGE, 5, adjacency).value == pytest.approx(2.0, rel=1e-6)
    assert target.global_sensitivity(L1, 5) is None
    assert target.global_sensitivity(RANGE, 5, Adjacency.REPLACE_ONE_USER) is None


def test_without_noise_the_bound_is_about_as_good_as_any() -> None:
    values = np.random.default_rng(3).lognormal(5, 1, 2_000)
    for epsilon in (0.05, 0.5):
        target = of((0.0, 1e6), release_epsilon=epsilon, penalty=0.0)
        chosen = target.candidates[int(np.argmax(target(records(*values.tolist()))))]
        cost = {u: np.maximum(values - u, 0).sum() + u / epsilon for u in target.candidates}
        assert cost[chosen] <= 1.3 * min(cost.values())


def test_the_usual_penalty_gives_a_bound_beyond_all_values_one_over_its_size_of_the_weight() -> None:
    question = targets.On(targets.Sum((0.0, 1e9)), ("x",))
    for epsilon in (0.05, 2.0):
        target = bounds_to_choose(question, epsilon=epsilon, release_epsilon=1e9, least=1.0)
        law = Exponential(None).calibrate(target.global_sensitivity(RANGE, 5, ADD), PureDP(epsilon)).law
        weights = law.probabilities(target(records(0.5)))
        assert weights[-1] / weights[-4] == pytest.approx(1e8 / 1e9, rel=1e-5)


def test_a_choice_is_taken_up_as_the_question_between_the_bounds() -> None:
    where = (Condition("ward", "A"),)
    assert of(where=where).taken_up(20.0) == targets.On(targets.Sum((0.0, 20.0)), ("x",), where)
    expected = {FROM_0: (0.0, 50.0), BOTH: (-30.0, 50.0), BELOW: (-50.0, 0.0)}
    assert {bounds: of(bounds).taken_up(50.0).bounds for bounds in expected} == expected
    assert of(BOTH).taken_up(5.0).bounds == (-5.0, 5.0)
    assert of(FAR).taken_up(1_920.0).bounds == (1_900.0, 1_920.0)
    assert of(BOTH).taken_up(100.0).bounds == BOTH
    assert of().offer("50 €") == "Count values up to 50 € from now on"
    assert of(BOTH).offer("50 €") == "Count values up to 50 €, and down to minus that, from now on"
    assert of(BELOW).offer("50 €") == "Count values down to minus 50 € from now on"


def test_values_around_a_scale_lie_within_the_bounds_and_on_both_sides_where_they_can() -> None:
    assert of(FAR).scales == (1.0, 10.0)
    beyond = np.array([1.0, 2.0, 3.0, 4.0])
    assert [of(bounds).value_at(beyond).tolist() for bounds in (FROM_0, BOTH, BELOW, FAR)] == [
        [1.0, 2.0, 3.0, 4.0],
        [-1.0, 2.0, -3.0, 4.0],
        [-1.0, -2.0, -3.0, -4.0],
        [1_901.0, 1_902.0, 1_903.0, 1_904.0],
    ]


@pytest.mark.parametrize(
    "make",
    [
        lambda: of(least=0.0),
        lambda: of(least=100.0),
        lambda: of(FAR, least=100.0),
        lambda: of((0.0, 1e260)),
        lambda: of(penalty=-1.0),
        lambda: of(penalty=1.01e9),
        lambda: of(release_epsilon=0.0),
        lambda: targets.RecordBoundScores(targets.On(targets.KnownCount(), ("x",)), 1.0),
        lambda: targets.RecordBoundScores(targets.Sum(FROM_0), 1.0),  # type: ignore[arg-type]
        lambda: bounds_to_choose(targets.On(targets.KnownCount(), ("x",)), epsilon=0.1, release_epsilon=1.0),
    ],
)
def test_what_cannot_be_chosen_is_refused(make: Any) -> None:
    with pytest.raises(InvalidValueError):
        make()


def test_the_choice_is_differential_privacy_itself_for_whichever_neighbours() -> None:
    for adjacency in (REPLACE, ADD):
        made = Exponential.suited(of()).calibrate(of().global_sensitivity(RANGE, 500, adjacency), PureDP(1.0))
        assert (made.guarantee, made.sensitivity.adjacency) == (PureDP(1.0), adjacency)
