"""TIME_UNIFORM draws seen at another m, and what their releases cost in a ledger."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Bound, Ledger, OperatingPoint, RandomDP, SensitivitySample
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import L1Norm
from dpcore.base.types import Target
from dpcore.errors import BudgetExceededError, ExploredPointError, InfiniteSensitivityError
from dpcore.mechanisms.base import Release
from tests.dpcore.ledger.made import DATABASE, MEAN, MEDIAN, POINT, TOLERANT, calibrated, planned, release, sample


def _point(m: int, gamma: float = 0.05, confidence: float = 0.95) -> OperatingPoint:
    return OperatingPoint.for_both(m, gamma, bound=Bound.TIME_UNIFORM, confidence=confidence)


def _sample(target: Target = MEAN, *, seed: int = 1) -> SensitivitySample[L1Norm]:
    return sample(target, _point(1_000), seed=seed)


def _release(drawn: SensitivitySample[L1Norm]) -> Release[RandomDP]:
    return calibrated(drawn).release(DATABASE)


def test_any_m_may_be_chosen_after_the_draws_were_seen() -> None:
    drawn = _sample()
    for m in (88, 89, 500, 1_000):
        shorter = drawn.at(_point(m))
        assert not shorter.explored
        assert not shorter.at(_point(88)).explored
        assert shorter.sensitivity().value == np.sort(drawn.distances[:m])[_point(m).k - 1]
        assert _release(shorter).guarantee == RandomDP(1.0, 0.0, 0.05, 0.95)
    assert not drawn.at(OperatingPoint(500, 500, 0.05, Bound.TIME_UNIFORM, confidence=0.95)).explored  # a higher order


@pytest.mark.parametrize(
    "point",
    [
        _point(1_000, 0.06),
        _point(500, 0.06),
        _point(1_000, 0.05, 0.9),
        _point(500, 0.05, 0.99),
        OperatingPoint.for_both(1_000, 0.05, bound=Bound.TOLERANCE, confidence=0.95),
        OperatingPoint.for_both(1_000, 0.05),
    ],
)
def test_another_gamma_confidence_or_bound_is_explored_and_stays_so(point: OperatingPoint) -> None:
    looked = _sample().at(point)
    assert looked.explored
    assert looked.at(_point(500)).explored
    with pytest.raises(ExploredPointError):
        _release(looked)


@pytest.mark.parametrize("first", [TOLERANT, OperatingPoint.for_both(1_000, 0.05)])
def test_draws_made_for_another_bound_are_not_time_uniform_afterwards(first: OperatingPoint) -> None:
    assert sample(at=OperatingPoint(1_000, 1_000, 0.05, first.bound, confidence=first.confidence)).at(_point(500)).explored


def fails_high(database: Database, /) -> FloatArray:
    """Fails where any record is above 0.99: on about one pair in fifteen."""
    if database.max() > 0.99:
        raise ArithmeticError("too high")
    return np.array([database[0]])


def test_failed_pairs_count_as_infinite_at_every_m() -> None:
    drawn = _sample(fails_high)
    assert 0.03 < len(drawn.failures) / 1_000 < 0.12
    shorter = drawn.at(_point(200))
    assert set(shorter.failures) == {pair for pair in drawn.failures if pair < 200}
    with pytest.raises(InfiniteSensitivityError):
        shorter.sensitivity()


def test_lines_join_with_those_of_tolerance_by_the_sum_of_their_doubts() -> None:
    own = _sample(seed=1).at(_point(500))
    ledger = Ledger().planned([calibrated(own), planned(MEDIAN, TOLERANT)]).add(_release(own))
    total = ledger.add(release(MEDIAN, TOLERANT, seed=2)).total()
    assert isinstance(total, RandomDP)
    assert (total.gamma, total.confidence) == pytest.approx((0.1, 0.9))


def test_two_lengths_of_one_run_count_as_two_samples_and_one_length_as_one() -> None:
    drawn = _sample()
    one, other = (drawn.at(_point(m)) for m in (500, 600))
    plan = Ledger().planned([calibrated(one)] * 2).add(_release(one))
    assert plan.add(_release(one)).total() == RandomDP(2.0, 0.0, 0.05, 0.95)
    total = Ledger().planned([calibrated(one), calibrated(other)]).add(_release(one)).add(_release(other)).total()
    assert isinstance(total, RandomDP)
    assert (total.gamma, total.confidence) == pytest.approx((0.1, 0.9))


def test_beside_a_rank_line_it_counts_by_a_gamma_that_holds_for_any_m() -> None:
    rank = release(MEDIAN, seed=2)
    own = _sample()
    total = Ledger().planned([calibrated(own), planned(MEDIAN, POINT)]).add(_release(own)).add(rank).total()
    assert isinstance(total, RandomDP)
    assert (total.gamma, total.confidence) == (pytest.approx(0.05 + 0.0975), None)


def test_a_budget_averaged_over_the_draws_weighs_that_gamma() -> None:
    drawn = _sample()
    assert len(Ledger(RandomDP(1.0, 0.0, 0.0976)).add(_release(drawn)).lines) == 1
    assert len(Ledger(RandomDP(1.0, 0.0, 0.0976)).add(drawn).lines) == 1
    for charged in (_release(drawn), drawn):
        with pytest.raises(BudgetExceededError):
            Ledger(RandomDP(1.0, 0.0, 0.097)).add(charged)


def test_a_budget_with_its_confidence_takes_it_at_its_own_gamma() -> None:
    assert len(Ledger(RandomDP(1.0, 0.0, 0.05, 0.95)).add(_release(_sample())).lines) == 1
    with pytest.raises(BudgetExceededError):
        Ledger(RandomDP(1.0, 0.0, 0.05, 0.96)).add(_release(_sample()))
