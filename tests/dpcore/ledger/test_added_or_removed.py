"""A record that is added or removed beside one that is replaced: pure DP joins at twice its ε, and never the other way round."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from dpcore.ledger.of_one_table import charged

from dpcore import (
    L1,
    L2,
    Adjacency,
    ApproxDP,
    Gaussian,
    Laplace,
    Ledger,
    OperatingPoint,
    PureDP,
    RandomDP,
    oracles,
    sample_sensitivity,
    targets,
)
from dpcore.errors import BudgetExceededError, IncompatibleReleasesError, InvalidValueError

REMOVE, REPLACE = Adjacency.ADD_OR_REMOVE_ONE_RECORD, Adjacency.REPLACE_ONE_RECORD
TABLE = np.array([0.2, 0.7, 1.0])
SUM = targets.Sum((0.0, 1.0))


def _released(adjacency: Adjacency, epsilon: float, n: int = 3) -> Any:
    """The stated number, 40, is not that of the table where a record is added or removed."""
    n = 40 if adjacency is REMOVE else n
    proved = SUM.global_sensitivity(L1, n, adjacency)
    assert proved is not None
    return Laplace().calibrate(proved, PureDP(epsilon)).release(TABLE)


def _approximate() -> Any:
    proved = SUM.global_sensitivity(L2, 40, REMOVE)
    assert proved is not None
    return Gaussian().calibrate(proved, ApproxDP(0.5, 1e-6)).release(TABLE)


def _sampled() -> Any:
    at = OperatingPoint.for_gamma(0.1)
    sample = sample_sensitivity(SUM, oracles.Uniform(0, 1), norm=L1, n=40, at=at, seed=1, adjacency=REMOVE)
    return Laplace().calibrate(sample.sensitivity(), PureDP(0.5)).release(TABLE)


def test_alone_they_add_up_as_they_are() -> None:
    assert Ledger().add(_released(REMOVE, 0.5)).add(_released(REMOVE, 0.25)).total() == PureDP(0.75)
    assert Ledger().add(_approximate()).add(_released(REMOVE, 0.25)).total() == ApproxDP(0.75, 1e-6)


@pytest.mark.parametrize("order", list(permutations([(REPLACE, 1.0), (REMOVE, 0.5), (REMOVE, 0.25)])), ids=repr)
def test_beside_a_replaced_record_they_count_twice_in_any_order(order: Any) -> None:
    ledger = Ledger()
    for adjacency, epsilon in order:
        ledger = ledger.add(_released(adjacency, epsilon))
    assert ledger.total() == PureDP(1.0 + 2 * 0.75)
    assert {(line.adjacency, line.n) for line in ledger.lines} == {(REPLACE, 3)}
    assert [line.doubled for line in ledger.lines] == [adjacency is REMOVE for adjacency, _ in order]
    assert [("counts twice" in line.words) for line in ledger.lines] == [line.doubled for line in ledger.lines]


def test_twice_is_what_a_replaced_record_can_cost() -> None:
    """Counts of two groups, each with noise for one removed record: 1 and 1 where a record changes its group, at loss 2ε."""
    law = Laplace().law(targets.Histogram(edges=(0.0, 0.5, 1.0), counts=True), 1.0, PureDP(0.5))
    assert law.loss(np.array([1.0, 0.0]), np.array([0.0, 1.0])) == pytest.approx(2 * 0.5)


def test_a_tight_total_knows_of_such_a_line_nothing_but_twice_its_epsilon() -> None:
    line = Ledger().add(_released(REPLACE, 1.0)).add(_released(REMOVE, 0.5)).lines[-1]
    assert (line.epsilon, line.composes_as, line.noise_ratio) == (1.0, "", 0.0)


@pytest.mark.parametrize("made", [_approximate, _sampled])
def test_what_is_not_pure_stands_apart_in_either_order(made: Any) -> None:
    for first, second in ((_released(REPLACE, 1.0), made()), (made(), _released(REPLACE, 1.0))):
        with pytest.raises(IncompatibleReleasesError):
            Ledger().add(first).add(second)
    ledgers, _ = charged([Ledger().add(_released(REPLACE, 1.0))], Ledger().add(made()).lines[0])
    assert len(ledgers) == 2
    assert ledgers[0].total() == PureDP(1.0)


def test_a_line_of_a_replaced_record_never_counts_among_added_or_removed_ones() -> None:
    """The total is one of replaced records, whichever came first: a promise on tables of one size says nothing of two."""
    ledger = Ledger().add(_released(REMOVE, 0.5)).add(_released(REPLACE, 1.0))
    assert ledger.lines[0].adjacency is REPLACE
    with pytest.raises(IncompatibleReleasesError):
        ledger.add(_approximate())


def test_people_and_rows_do_not_join() -> None:
    for adjacency in (Adjacency.ADD_OR_REMOVE_ONE_USER, Adjacency.REPLACE_ONE_USER):
        people = Ledger().enter(PureDP(0.5), n=40, adjacency=adjacency, made="today", note="")
        with pytest.raises(IncompatibleReleasesError):
            people.add(_released(REMOVE, 0.5))


def test_a_budget_sees_twice_the_epsilon_before_and_after() -> None:
    ledger = Ledger(PureDP(2.0)).add(_released(REPLACE, 1.0))
    ledger.refuse_beyond(PureDP(0.5), adjacency=REMOVE)
    with pytest.raises(BudgetExceededError):
        ledger.refuse_beyond(PureDP(0.6), adjacency=REMOVE)
    with pytest.raises(BudgetExceededError):
        ledger.add(_released(REMOVE, 0.6))
    full = Ledger(PureDP(1.0)).add(_released(REMOVE, 0.9))
    with pytest.raises(BudgetExceededError):  # the line that is there would come to 1.8
        full.add(_released(REPLACE, 0.1))


@pytest.mark.parametrize("order", [(REPLACE, REMOVE), (REMOVE, REPLACE)], ids=["replaced first", "removed first"])
def test_what_is_foreseen_is_what_is_charged(order: tuple[Adjacency, Adjacency]) -> None:
    first, second = (_released(adjacency, 0.5) for adjacency in order)
    before, made = Ledger().add(first), Ledger().add(first).add(second)
    line = Ledger().add(second).lines[0]
    assert before.holding(line).total() == made.total() == PureDP(1.5)
    assert before.foresee(line).epsilon == made.lines[1].epsilon
    tight = replace(before, budget=PureDP(1.2))
    with pytest.raises(BudgetExceededError):
        tight.refuse_beyond(PureDP(0.5), adjacency=order[1])


def test_what_counts_twice_is_none_of_the_releases_that_a_plan_of_replaced_records_lists() -> None:
    proved = SUM.global_sensitivity(L1, 3)
    assert proved is not None
    listed = [Laplace().calibrate(proved, PureDP(0.5))] * 2
    ledger = Ledger().planned(listed).add(_released(REPLACE, 0.5)).add(_released(REMOVE, 0.5))
    assert len(ledger.pending) == 1
    assert not ledger.fixed_beforehand


def test_an_entered_line_counts_so_too_and_what_was_sampled_is_judged_with_it() -> None:
    ledger = Ledger().add(_released(REPLACE, 1.0)).enter(PureDP(0.25), n=9, adjacency=REMOVE, made="before", note="")
    assert ledger.total() == PureDP(1.5)
    assert ledger.lines[0].doubled


def test_a_plan_of_replaced_records_takes_it_too() -> None:
    proved = SUM.global_sensitivity(L1, 3)
    assert proved is not None
    planned = Ledger().planned([Laplace().calibrate(proved, PureDP(1.0))])
    assert planned.add(_released(REMOVE, 0.5)).total() == PureDP(1.0)


def test_ledgers_that_are_joined_or_read_again_keep_it() -> None:
    one, other = Ledger().add(_released(REPLACE, 1.0)), Ledger().add(_released(REMOVE, 0.5))
    assert one.joined(other).total() == other.joined(one).total() == PureDP(2.0)
    again = Ledger.from_json(one.joined(other).to_json())
    assert again.total() == PureDP(2.0)
    assert [line.doubled for line in again.lines] == [False, True]
    wrong = one.joined(other).to_json()
    wrong["lines"][1]["adjacency"] = REMOVE.name if "ADD" in str(wrong["lines"][1]["adjacency"]) else "ADD_OR_REMOVE_ONE_RECORD"
    with pytest.raises(InvalidValueError):
        Ledger.from_json(wrong)


def test_random_dp_chosen_after_it_charges_twice_its_epsilon_in_the_larger_gamma() -> None:
    """(5) adds the earlier lines as they hold for a replaced record: e^(2ε)·γ₂."""
    at = OperatingPoint.for_gamma(0.02)
    sample = sample_sensitivity(SUM, oracles.Uniform(0, 1), norm=L1, n=3, at=at, seed=1)
    release = Laplace().calibrate(sample.sensitivity(), PureDP(0.1)).release(TABLE)
    ledger = Ledger().add(_released(REPLACE, 0.1)).add(_released(REMOVE, 0.1)).add(release)
    (line,) = (one for one in ledger.lines if one.drawn is not None)
    assert line.gamma == pytest.approx(np.exp(0.1 + 2 * 0.1) * 0.05, rel=1e-2)
    assert isinstance(line.guarantee, RandomDP)
