"""The ledger: what adds up, and what a budget refuses."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import (
    L1,
    Adjacency,
    ApproxDP,
    Bound,
    LaplaceMechanism,
    Ledger,
    OperatingPoint,
    PureDP,
    RandomDP,
)
from dpcore.errors import BudgetExceededError, IncompatibleReleasesError, InvalidValueError, ReleaseFailedError
from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.accounting import Event
from dpcore.oracles import Exponential, Uniform
from tests.dpcore.ledger.made import (
    DATABASE,
    MEAN,
    MEDIAN,
    TOLERANT,
    N,
    approximate,
    calibrated,
    planned,
    proof,
    proved,
    release,
    sample,
)


def _assert_total(ledger: Ledger, *expected: float | None) -> None:
    """(ε, δ, γ, confidence) up to the rounding of sums."""
    total = ledger.total()
    assert isinstance(total, RandomDP)
    found = (total.epsilon, total.delta, total.gamma)
    assert found == pytest.approx(expected[:3], rel=1e-14)
    assert total.confidence == (None if expected[3] is None else pytest.approx(expected[3], rel=1e-14))


def test_pure_and_approximate_releases_add_up() -> None:
    assert Ledger().total() is None
    assert Ledger().add(proved(0.5)).add(proved(0.25)).total() == PureDP(0.75)
    assert Ledger().add(proved(0.5)).add(approximate(0.25, 1e-6)).total() == ApproxDP(0.75, 1e-6)


def test_proper_dp_joins_random_dp_with_no_gamma_of_its_own() -> None:
    ledger = Ledger().planned([planned()]).add(proved(0.5)).add(approximate(0.5, 1e-6)).add(release(MEAN, epsilon=1.0))
    assert ledger.total() == RandomDP(2.0, 1e-6, 0.05)


def test_planned_targets_on_draws_of_their_own_add_their_gammas() -> None:
    ledger = Ledger().planned([planned(), planned(MEDIAN)]).add(release(MEAN, epsilon=1.0, seed=1))
    assert ledger.total() == RandomDP(1.0, 0.0, 0.1)  # whether the second is made may hang on the first response
    assert ledger.add(release(MEDIAN, epsilon=0.5, seed=2)).total() == RandomDP(1.5, 0.0, 0.1)


def test_releases_that_share_their_draws_share_their_gamma() -> None:
    shared = calibrated(sample(), 0.25)
    ledger = Ledger().planned([shared] * 4)
    for _ in range(4):
        ledger = ledger.add(shared.release(DATABASE))
        total = ledger.total()
        assert isinstance(total, RandomDP)
        assert total.gamma == 0.05
    assert ledger.total() == RandomDP(1.0, 0.0, 0.05)


def test_releases_of_one_target_on_fresh_draws_do_not_share_it() -> None:
    ledger = Ledger().planned([planned()] * 2).add(release(seed=1)).add(release(seed=2))
    assert ledger.total() == RandomDP(2.0, 0.0, 0.1)


def test_two_orders_of_one_sample_count_the_larger_gamma_once() -> None:
    first = sample(at=OperatingPoint.for_both(1_000, 0.1, bound=Bound.DKW))
    later = first.at(OperatingPoint.for_both(1_000, 0.3, bound=Bound.DKW))
    ledger = Ledger().planned(planned(at=one.point) for one in (first, later))
    ledger = ledger.add(calibrated(later).release(DATABASE)).add(calibrated(first).release(DATABASE))
    assert ledger.total() == RandomDP(2.0, 0.0, 0.3)


def test_a_sample_alone_charges_its_gamma() -> None:
    ledger = Ledger().add(sample())
    assert ledger.total() == RandomDP(0.0, 0.0, 0.05)
    assert ledger.lines[0].event is Event.DRAWS


def test_a_release_that_failed_is_charged_in_full() -> None:
    def fails(database: Any) -> Any:
        if database.max() > 1:
            raise ValueError("too large")
        return database[:1]

    shared = calibrated(sample(fails))
    with pytest.raises(ReleaseFailedError):
        shared.release(np.full(N, 7.0))
    ledger = Ledger().add_failed(shared, n=N)
    assert ledger.total() == RandomDP(1.0, 0.0, 0.05)
    assert ledger.lines[0].event is Event.FAILED


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (lambda: proved(1.0, n=N + 1), "number of rows"),
        (lambda: release(n=N + 1), "number of rows"),
        (lambda: sample(n=N + 1), "number of rows"),
        (lambda: proved(1.0, adjacency=Adjacency.REPLACE_ONE_USER), "adjacency"),
        (lambda: release(adjacency=Adjacency.REPLACE_ONE_USER), "adjacency"),
        (lambda: release(oracle=Exponential(1.0)), "oracle"),
        (lambda: release(oracle=Uniform(0, 2)), "oracle"),
        (lambda: sample(adjacency=Adjacency.REPLACE_ONE_USER), "adjacency"),
        (lambda: sample(oracle=Uniform(0, 2)), "oracle"),
    ],
)
@pytest.mark.parametrize(
    "first",
    [
        lambda: Ledger().add(release()),
        lambda: Ledger().add(sample()),
        lambda: Ledger().add_failed(calibrated(sample()), n=N),
    ],
    ids=["after a release", "after draws", "after a failure"],
)
def test_what_speaks_of_other_neighbours_sizes_or_oracles_is_refused(
    first: Callable[[], Ledger], other: Callable[[], Any], what: str
) -> None:
    ledger = first()
    with pytest.raises(IncompatibleReleasesError) as caught:
        ledger.add(other())
    assert caught.value.what == what
    assert caught.value.expected != caught.value.got
    assert len(ledger.lines) == 1


def test_a_failure_on_another_number_of_records_is_refused() -> None:
    with pytest.raises(IncompatibleReleasesError) as caught:
        Ledger().add(proved(1.0)).add_failed(proof(1.0, n=None), n=N + 1)
    assert (caught.value.what, caught.value.expected, caught.value.got) == ("number of rows", N, N + 1)


def test_a_refusal_looks_behind_lines_of_proper_dp() -> None:
    ledger = Ledger().planned([planned()]).add(proved(1.0)).add(release())
    with pytest.raises(IncompatibleReleasesError):
        ledger.add(proved(1.0)).add(release(oracle=Exponential(1.0)))


@pytest.mark.parametrize(
    ("budget", "what"),
    [
        (RandomDP(0.5, 0.0, 0.5), "epsilon"),
        (RandomDP(1.0, 0.0, 0.04), "gamma"),
        (PureDP(1.0), "gamma"),
        (RandomDP(1.0, 0.0, 0.5, 0.9), "confidence"),
    ],
)
def test_a_refusal_names_the_number_that_ran_out(budget: Guarantee, what: str) -> None:
    with pytest.raises(BudgetExceededError) as caught:
        Ledger(budget).add(release())
    assert caught.value.what == what


def test_a_plan_beyond_the_budget_is_refused() -> None:
    with pytest.raises(BudgetExceededError):
        Ledger(RandomDP(1.0, 0.0, 0.09)).planned([planned()] * 2)
    fixed = replace(planned(), mechanism=LaplaceMechanism(), privacy=PureDP(0.6))
    with pytest.raises(BudgetExceededError):
        Ledger(RandomDP(1.0, 0.0, 0.5)).planned([fixed] * 2)


def test_a_plan_speaks_of_one_size_and_oracle_and_names_more_than_targets() -> None:
    for other in (planned(n=N + 1), planned(oracle=Uniform(0, 2))):
        with pytest.raises(IncompatibleReleasesError):
            Ledger().planned([planned(), other])
    alone: Any = [MEAN]
    with pytest.raises(InvalidValueError) as caught:
        Ledger().planned(alone)
    assert caught.value.name == "item"


def test_draws_that_were_ended_unseen_are_charged_and_leave_the_plan_as_it_was() -> None:
    ledger = Ledger().planned([planned(MEDIAN)]).add(proved(1.0))
    ended = ledger.add_draws(MEDIAN, Uniform(0, 1), norm=L1, n=N, at=OperatingPoint.for_gamma(0.05), looked=False)
    assert len(ended.pending) == 1
    _assert_total(ended.add(release(MEDIAN)), 2.0, 0.0, 0.1, None)


def test_draws_that_were_ended_unseen_may_be_made_again_and_each_is_charged() -> None:
    ended = Ledger().add_draws(MEDIAN, Uniform(0, 1), norm=L1, n=N, at=OperatingPoint.for_gamma(0.05), looked=False)
    again = ended.add_draws(MEDIAN, Uniform(0, 1), norm=L1, n=N, at=OperatingPoint.for_gamma(0.05), looked=False)
    _assert_total(again.add(release(MEDIAN)), 1.0, 0.0, 0.15, None)


def test_a_list_is_fixed_beforehand_where_number_mechanism_epsilon_and_delta_are() -> None:
    fixed = replace(planned(MEDIAN), mechanism=LaplaceMechanism(), privacy=PureDP(1.0))
    known = proof(0.5)
    ledger = Ledger().planned([fixed, known])
    assert ledger.add(known.release(DATABASE)).fixed_beforehand
    assert ledger.add(known.release(DATABASE)).add(release(MEDIAN, epsilon=1.0)).fixed_beforehand
    assert not ledger.add(release(MEDIAN, epsilon=0.9)).fixed_beforehand
    assert not ledger.add(known.release(DATABASE)).add(known.release(DATABASE)).fixed_beforehand
    assert not Ledger().add(known.release(DATABASE)).fixed_beforehand
    assert not Ledger().planned([planned(MEDIAN)]).add(release(MEDIAN, epsilon=1.0)).fixed_beforehand


def test_a_tight_total_holds_all_that_was_planned() -> None:
    known = proof(0.5)
    one = Ledger().planned([known] * 3).add(known.release(DATABASE))
    assert one.total(delta=1e-6) == ApproxDP(1.5, 1e-6)


def test_proper_dp_may_be_chosen_after_a_response() -> None:
    assert Ledger().add(release()).add(proved(1.0)).add(approximate(1.0, 1e-6)).total() == RandomDP(3.0, 1e-6, 0.05)


def test_a_plan_is_made_before_the_first_line() -> None:
    with pytest.raises(InvalidValueError) as caught:
        Ledger().add(proved(1.0)).planned([planned()])
    assert caught.value.name == "plan"


def test_tolerance_lines_join_with_the_sum_of_their_doubts() -> None:
    ledger = Ledger().planned([planned(at=TOLERANT), planned(MEDIAN, at=TOLERANT)])
    ledger = ledger.add(release(MEAN, seed=1, at=TOLERANT))
    _assert_total(ledger, 1.0, 0.0, 0.1, 0.9)
    ledger = ledger.add(release(MEDIAN, seed=2, at=TOLERANT))
    _assert_total(ledger, 2.0, 0.0, 0.1, 0.9)


def test_a_tolerance_line_beside_a_rank_line_counts_by_its_joint_gamma() -> None:
    first = Ledger().planned([planned(), planned(MEDIAN, at=TOLERANT)])
    first = first.add(release(MEDIAN, seed=2, at=TOLERANT)).add(release(MEAN, seed=1))
    _assert_total(first, 2.0, 0.0, 0.05 + 1 / 60, None)  # m was fixed before any response
    later = Ledger().planned([planned(), planned(MEDIAN, at=TOLERANT)])
    later = later.add(release(MEAN, seed=1)).add(release(MEDIAN, seed=2, at=TOLERANT))
    _assert_total(later, 2.0, 0.0, 0.05 + 1 - 0.95 * 0.95, None)  # m might have been chosen by the first response


def test_a_gamma_of_one_or_more_is_no_guarantee() -> None:
    at = OperatingPoint.for_gamma(0.4)
    ledger = Ledger().planned([planned(at=at)] * 3)
    for seed in range(3):
        ledger = ledger.add(release(seed=seed, at=at))
    assert ledger.total() is None


@pytest.mark.parametrize("budget", [1.0, 1.99, 3.3, 3.97, 0.1, 7.77, 1e-3, 20.0])
def test_five_hundred_equal_parts_of_a_budget_fit_and_one_more_does_not(budget: float) -> None:
    ledger, part = Ledger(PureDP(budget)), proved(budget / 500)
    for _ in range(500):
        ledger = ledger.add(part)
    total = ledger.total()
    assert isinstance(total, PureDP)
    assert total.epsilon == pytest.approx(budget, rel=1e-15)
    with pytest.raises(BudgetExceededError) as caught:
        ledger.add(part)
    assert caught.value.budget == PureDP(budget)
    assert len(ledger.lines) == 500


@pytest.mark.parametrize("delta", [1e-6, 3.3e-7, 7.77e-5, 0.1])
def test_five_hundred_equal_parts_of_a_delta_fit_and_one_more_does_not(delta: float) -> None:
    ledger, part = Ledger(ApproxDP(1.0, delta)), approximate(1 / 500, delta / 500)
    for _ in range(500):
        ledger = ledger.add(part)
    with pytest.raises(BudgetExceededError):
        ledger.add(part)


def test_many_releases_on_shared_draws_spend_their_gamma_once_and_on_fresh_ones_each() -> None:
    shared = calibrated(sample(), 2.0 / 100)
    ledger = Ledger(RandomDP(2.0, 0.0, 0.05)).planned([shared] * 100)
    for _ in range(100):
        ledger = ledger.add(shared.release(DATABASE))
    _assert_total(ledger, 2.0, 0.0, 0.05, None)
    at = OperatingPoint.for_gamma(0.04)
    fresh = Ledger(RandomDP(2.0, 0.0, 0.4)).planned([planned(at=at)] * 10)
    for seed in range(10):
        fresh = fresh.add(release(MEAN, epsilon=0.2, seed=seed, at=at))
    _assert_total(fresh, 2.0, 0.0, 0.4, None)


def test_sums_are_exact() -> None:
    ledger = Ledger()
    for _ in range(10):
        ledger = ledger.add(proved(0.1))
    assert ledger.total() == PureDP(math.fsum([0.1] * 10))


@pytest.mark.parametrize(
    ("budget", "item", "fits"),
    [
        (PureDP(1.0), lambda: proved(1.0), True),
        (PureDP(1.0), lambda: proved(1.000001), False),
        (PureDP(1.0), lambda: approximate(0.5, 1e-9), False),
        (PureDP(1.0), lambda: release(epsilon=0.5), False),
        (PureDP(1.0), lambda: sample(), False),
        (ApproxDP(1.0, 1e-6), lambda: proved(1.0), True),
        (ApproxDP(1.0, 1e-6), lambda: approximate(1.0, 1e-6), True),
        (ApproxDP(1.0, 1e-6), lambda: approximate(0.5, 2e-6), False),
        (ApproxDP(1.0, 1e-6), lambda: release(epsilon=0.5), False),
        (RandomDP(1.0, 0.0, 0.05), lambda: release(epsilon=1.0), True),
        (RandomDP(1.0, 0.0, 0.05), lambda: release(epsilon=1.1), False),
        (RandomDP(1.0, 0.0, 0.04), lambda: release(epsilon=0.5), False),
        (RandomDP(1.0, 0.0, 0.05), lambda: approximate(0.5, 1e-6), False),
        (RandomDP(1.0, 1e-6, 0.05), lambda: approximate(0.5, 1e-6), True),
    ],
)
def test_a_budget_admits_its_own_kind_and_stronger_ones(budget: Guarantee, item: Callable[[], Any], fits: bool) -> None:
    if fits:
        assert len(Ledger(budget).add(item()).lines) == 1
    else:
        with pytest.raises(BudgetExceededError) as caught:
            Ledger(budget).add(item())
        assert caught.value.budget == budget


LAX = OperatingPoint.for_gamma(0.05, bound=Bound.TOLERANCE, confidence=0.1)


def test_a_budget_averaged_over_the_draws_weighs_the_joint_gamma() -> None:
    """γ = 0.05 with confidence 0.1 is m = 3 draws: averaged over them γ is 0.25, beyond a budget of 0.1."""
    assert LAX.joint_gamma == 0.25
    with pytest.raises(BudgetExceededError):
        Ledger(RandomDP(1.0, 0.0, 0.1)).add(release(at=LAX))
    assert len(Ledger(RandomDP(1.0, 0.0, 0.25)).add(release(at=LAX)).lines) == 1


@pytest.mark.parametrize("point", [LAX, OperatingPoint.for_gamma(0.05)], ids=["less confident", "averaged"])
def test_a_budget_with_a_confidence_admits_no_line_with_less_of_it(point: OperatingPoint) -> None:
    with pytest.raises(BudgetExceededError):
        Ledger(RandomDP(1.0, 0.0, 0.1, 0.95)).add(release(at=point))


@pytest.mark.parametrize("item", [None, 1.0, PureDP(1.0), "a release"])
def test_only_releases_and_samples_are_charged(item: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        Ledger().add(item)
    assert caught.value.name == "item"


def test_a_budget_is_a_guarantee() -> None:
    budget: Any = 1.0
    with pytest.raises(InvalidValueError) as caught:
        Ledger(budget)
    assert (caught.value.name, caught.value.got) == ("budget", 1.0)


def test_adding_leaves_the_ledger_as_it_was() -> None:
    ledger = Ledger(PureDP(1.0))
    assert len(ledger.add(proved(0.5)).lines) == 1
    assert ledger.lines == ()


def test_guarantees_are_not_added_by_hand() -> None:
    first: Any = PureDP(1.0)
    with pytest.raises(TypeError):
        _ = first + PureDP(1.0)
