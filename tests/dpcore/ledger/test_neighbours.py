"""The first line fixes the unit and the neighbours. The one exception is proved (mathematics, section 4.7): pure DP of an added
or removed one counts at 2ε if one is replaced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpcore import (
    L1,
    L2,
    Adjacency,
    ApproxDP,
    GaussianMechanism,
    GlobalSensitivity,
    LaplaceMechanism,
    Ledger,
    OperatingPoint,
    PureDP,
    RandomDP,
    oracles,
    sample_sensitivity,
    targets,
)
from dpcore.errors import BudgetExceededError, IncompatibleReleasesError, InvalidValueError
from dpcore.ledger.accounting import Line
from dpcore.mechanisms.base import Calibrated

ROWS = Adjacency.REPLACE_ONE_RECORD, Adjacency.ADD_OR_REMOVE_ONE_RECORD
PEOPLE = Adjacency.REPLACE_ONE_USER, Adjacency.ADD_OR_REMOVE_ONE_USER
BOTH = pytest.mark.parametrize(("replace", "remove"), [ROWS, PEOPLE], ids=["rows", "people"])
TABLE = np.array([0.2, 0.7, 1.0])
SUM = targets.Sum((0.0, 1.0))


def _n(adjacency: Adjacency) -> int:
    """The stated number is not that of the table if one is added or removed."""
    return 40 if adjacency.removes else 3


def _calibrated(adjacency: Adjacency, epsilon: float) -> Calibrated[PureDP]:
    proved = GlobalSensitivity(SUM, 1.0, L1, adjacency, "By definition.", _n(adjacency))
    return LaplaceMechanism().calibrate(proved, PureDP(epsilon))


def _line(adjacency: Adjacency, epsilon: float) -> Line:
    return Ledger().foresee(_calibrated(adjacency, epsilon))


def _pure(adjacency: Adjacency, epsilon: float) -> Any:
    return _calibrated(adjacency, epsilon).release(TABLE) if adjacency.of_records else _line(adjacency, epsilon)


def _approximate(adjacency: Adjacency) -> Line:
    proved = GlobalSensitivity(SUM, 1.0, L2, adjacency, "By definition.", _n(adjacency))
    return Ledger().foresee(GaussianMechanism().calibrate(proved, ApproxDP(0.5, 1e-6)))


def _sampled(adjacency: Adjacency) -> Line:
    sample = sample_sensitivity(
        SUM, oracles.Uniform(0, 1), norm=L1, n=40, at=OperatingPoint.for_gamma(0.1), seed=1, adjacency=adjacency
    )
    return Ledger().foresee(LaplaceMechanism().calibrate(sample.sensitivity(), PureDP(0.5)))


def _with(ledger: Ledger, one: Any) -> Ledger:
    """People's tables have rows of their own: of them the lines are enough."""
    return ledger.holding(one) if isinstance(one, Line) else ledger.add(one)


@BOTH
def test_alone_they_add_up_as_they_are(replace: Adjacency, remove: Adjacency) -> None:
    for adjacency in (replace, remove):
        ledger = _with(_with(Ledger(), _pure(adjacency, 0.5)), _pure(adjacency, 0.25))
        assert ledger.total() == PureDP(0.75)
        assert _with(ledger, _approximate(adjacency)).total() == ApproxDP(1.25, 1e-6)
        assert not any(line.doubled for line in ledger.lines)


@BOTH
def test_a_budget_prints_what_was_spent_of_a_replaced_one(replace: Adjacency, remove: Adjacency) -> None:
    """ε = 1 for a replaced one and ε = 1 for an added or removed one are 3 for a replaced one, and not 2."""
    ledger = _with(_with(Ledger(), _pure(replace, 1.0)), _pure(remove, 1.0))
    assert ledger.total() == PureDP(3.0)
    assert [(line.adjacency, line.n, line.doubled) for line in ledger.lines] == [(replace, 3, False), (replace, 3, True)]
    assert ["counts twice" in line.words for line in ledger.lines] == [False, True]
    with pytest.raises(BudgetExceededError):
        Ledger(PureDP(2.0)).add(_pure(ROWS[0], 1.0)).add(_pure(ROWS[1], 1.0))
    assert Ledger(PureDP(3.0)).add(_pure(ROWS[0], 1.0)).add(_pure(ROWS[1], 1.0)).total() == PureDP(3.0)


@BOTH
def test_a_replaced_one_is_refused_after_an_added_or_removed_one(replace: Adjacency, remove: Adjacency) -> None:
    """A promise on tables of one size says nothing of two sizes."""
    ledger = _with(Ledger(), _pure(remove, 1.0))
    for later in (_pure(replace, 1.0), _approximate(replace), _sampled(replace)):
        with pytest.raises(IncompatibleReleasesError) as caught:
            _with(ledger, later)
        assert (caught.value.what, caught.value.expected, caught.value.got) == ("adjacency", remove.value, replace.value)
    assert ledger.total() == PureDP(1.0)


@BOTH
def test_approximate_and_random_dp_keep_their_neighbours_in_both_orders(replace: Adjacency, remove: Adjacency) -> None:
    """(ε, δ) would join at (2ε, (1 + e^ε)·δ), and is refused instead."""
    for made in (_approximate(remove), _sampled(remove)):
        with pytest.raises(IncompatibleReleasesError):
            _with(_with(Ledger(), _pure(replace, 1.0)), made)
        with pytest.raises(IncompatibleReleasesError):
            _with(_with(Ledger(), made), _pure(replace, 1.0))


@pytest.mark.parametrize("first", [*ROWS, *PEOPLE], ids=lambda one: one.value)
@pytest.mark.parametrize("made", [lambda one: _pure(one, 1.0), _approximate, _sampled], ids=["pure", "approximate", "sampled"])
def test_rows_and_people_never_mix(first: Adjacency, made: Callable[[Adjacency], Any]) -> None:
    others = PEOPLE if first.of_records else ROWS
    for ledger in (_with(Ledger(), _pure(first, 1.0)), Ledger().planned([_line(first, 1.0)])):
        for other in others:
            with pytest.raises(IncompatibleReleasesError) as caught:
                _with(ledger, made(other))
            assert caught.value.what == "adjacency"


def test_draws_fix_the_neighbours_too() -> None:
    ended = Ledger().add_draws(SUM, oracles.Uniform(0, 1), norm=L1, n=3, at=OperatingPoint.for_gamma(0.1), looked=False)
    with pytest.raises(IncompatibleReleasesError):
        ended.add_draws(
            SUM, oracles.Uniform(0, 1), norm=L1, n=40, at=OperatingPoint.for_gamma(0.1), looked=False, adjacency=ROWS[1]
        )
    assert ended.add(_pure(ROWS[1], 0.5)).total() == RandomDP(1.0, 0.0, 0.1)


@BOTH
def test_all_lines_have_one_n(replace: Adjacency, remove: Adjacency) -> None:
    for adjacency in (replace, remove):
        other = GlobalSensitivity(SUM, 1.0, L1, adjacency, "By definition.", 7)
        with pytest.raises(IncompatibleReleasesError) as caught:
            _with(Ledger(), _pure(adjacency, 1.0)).foresee(LaplaceMechanism().calibrate(other, PureDP(1.0)))
        assert caught.value.what == "number of rows"


def test_twice_is_what_a_replaced_record_can_cost() -> None:
    """Counts of two groups, each with noise for one removed record: 1 and 1 where a record changes its group, at loss 2ε."""
    law = LaplaceMechanism().law(targets.Histogram(edges=(0.0, 0.5, 1.0), counts=True), 1.0, PureDP(0.5))
    assert law.loss(np.array([1.0, 0.0]), np.array([0.0, 1.0])) == pytest.approx(2 * 0.5)


def test_a_tight_total_knows_of_such_a_line_only_twice_its_epsilon() -> None:
    line = Ledger().add(_pure(ROWS[0], 1.0)).add(_pure(ROWS[1], 0.5)).lines[-1]
    assert (line.epsilon, line.composes_as, line.noise_ratio) == (1.0, "", 0.0)


def test_a_budget_sees_twice_the_epsilon() -> None:
    ledger = Ledger(PureDP(2.0)).add(_pure(ROWS[0], 1.0))
    assert ledger.add(_pure(ROWS[1], 0.5)).total() == PureDP(2.0)
    with pytest.raises(BudgetExceededError):
        ledger.add(_pure(ROWS[1], 0.6))


def test_what_is_foreseen_is_what_is_charged() -> None:
    before = Ledger().add(_pure(ROWS[0], 0.5))
    made = before.add(_pure(ROWS[1], 0.5))
    assert before.holding(_line(ROWS[1], 0.5)).total() == made.total() == PureDP(1.5)
    assert before.foresee(_line(ROWS[1], 0.5)).epsilon == made.lines[1].epsilon


def test_what_counts_twice_is_none_of_the_releases_that_a_plan_of_replaced_records_lists() -> None:
    ledger = Ledger().planned([_calibrated(ROWS[0], 0.5)] * 2).add(_pure(ROWS[0], 0.5)).add(_pure(ROWS[1], 0.5))
    assert len(ledger.pending) == 1
    assert not ledger.fixed_beforehand


def test_what_is_read_again_keeps_it() -> None:
    ledger = Ledger().add(_pure(ROWS[0], 1.0)).add(_pure(ROWS[1], 0.5))
    again = Ledger.from_json(ledger.to_json())
    assert again.total() == PureDP(2.0)
    assert [line.doubled for line in again.lines] == [False, True]
    wrong: Any = ledger.to_json()
    wrong["lines"][1]["adjacency"] = ROWS[1].name
    with pytest.raises(InvalidValueError):
        Ledger.from_json(wrong)
    mixed: Any = ledger.to_json()
    mixed["lines"][1] |= {"doubled": False, "adjacency": ROWS[1].name}
    with pytest.raises((InvalidValueError, IncompatibleReleasesError)):
        Ledger.from_json(mixed)
