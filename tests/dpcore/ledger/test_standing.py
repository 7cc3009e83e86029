"""How a line stands: draws that were met before, parts of a table, and lines that the plan or the ledger must tell apart."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

from dpcore import (
    L1,
    Adjacency,
    ApproxDP,
    Bound,
    Gaussian,
    GlobalSensitivity,
    Laplace,
    Ledger,
    OperatingPoint,
    PureDP,
    RandomDP,
    sample_sensitivity,
)
from dpcore.base.norms import L2
from dpcore.base.types import Database, Target
from dpcore.errors import BudgetExceededError, IncompatibleReleasesError, InvalidValueError
from dpcore.ledger.accounting import Event, Planned, Standing
from dpcore.ledger.spending import Spent
from dpcore.mechanisms.base import Release
from dpcore.oracles import Uniform
from dpcore.targets import Mean, Quantile

N = 6
DATABASE = np.linspace(0, 1, N)
MEAN, MEDIAN = Mean(), Quantile(0.5)
POINT = OperatingPoint.for_gamma(0.05)


def _release(target: Target, at: OperatingPoint = POINT, *, seed: int = 1, epsilon: float = 1.0) -> Release[RandomDP]:
    sample = sample_sensitivity(target, Uniform(0, 1), norm=L1, n=N, at=at, seed=seed)
    return Laplace().calibrate(sample.sensitivity(), PureDP(epsilon)).release(DATABASE)


def _planned(target: Target, at: OperatingPoint = POINT, *, high: float = 1.0) -> Planned:
    return Planned(target, Uniform(0, high), L1, N, at)


def _proved(epsilon: float = 0.1) -> Release[PureDP]:
    proved = GlobalSensitivity(MEAN, 1.0, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", N)
    return Laplace().calibrate(proved, PureDP(epsilon)).release(DATABASE)


def _tolerant(confidence: float) -> OperatingPoint:
    return OperatingPoint.for_both(1_999, 0.3, bound=Bound.TOLERANCE, confidence=confidence)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (_tolerant(0.95), _tolerant(1e-6)),
        (OperatingPoint(1_999, 1_999, 0.3, Bound.RANK), OperatingPoint(1_999, 1_400, 0.3, Bound.RANK)),
    ],
)
def test_the_same_draws_at_a_smaller_sensitivity_are_another_event(first: OperatingPoint, second: OperatingPoint) -> None:
    """The same γ, and a lower order: pairs that the first line covers may be missed by the second."""
    assert second.k < first.k
    ledger = Ledger().add(_release(MEDIAN, first)).add(_release(MEDIAN, second))
    assert [line.standing for line in ledger.lines] == [Standing.FIXED, Standing.NONE]
    assert ledger.total() is None


def test_the_same_draws_at_a_larger_sensitivity_hold_what_the_first_line_promised_and_no_more() -> None:
    """Which of two orders is taken may hang on the response: each alone misses what the least of them misses."""
    points = [OperatingPoint.for_both(5_000, gamma, bound=Bound.DKW) for gamma in (0.3, 0.1)]
    ledger = Ledger()
    for point in points:
        ledger = ledger.add(_release(MEDIAN, point))
    assert [line.standing for line in ledger.lines] == [Standing.FIXED] * 2
    assert ledger.lines[1].guarantee == RandomDP(1.0, 0.0, 0.3)
    assert ledger.total() == RandomDP(2.0, 0.0, 0.3)


def test_draws_whose_response_was_seen_take_no_place_of_a_plan_and_get_no_larger_gamma() -> None:
    """They were not fixed before the first response, and are not fresh either: of ten such, the least Δ̂ could be picked."""
    other = OperatingPoint(199, 199, 0.05, Bound.RANK)
    planned = OperatingPoint(199, 190, 0.05, Bound.RANK)
    ledger = Ledger().planned([_planned(MEDIAN, planned)]).add(_proved()).add(_release(MEDIAN, other))
    assert ledger.add(_release(MEDIAN, planned)).lines[-1].standing is Standing.NONE
    assert ledger.add(_release(MEDIAN, planned, seed=2)).lines[-1].standing is Standing.FIXED
    sums = Ledger().add(_proved()).add(_release(MEAN, other))
    assert sums.lines[-1].standing is Standing.LARGER
    assert sums.add(_release(MEAN, planned)).lines[-1].standing is Standing.NONE
    again = sums.add(_release(MEAN, other)).lines[-1]
    assert (again.standing, again.gamma) == (Standing.LARGER, sums.lines[-1].gamma)


def test_lengths_of_a_run_that_was_not_fixed_are_no_more_fixed_than_it() -> None:
    lengths = [OperatingPoint.for_both(m, 0.05, bound=Bound.TIME_UNIFORM, confidence=0.95) for m in (500, 1_000)]
    before = Ledger().add(_proved()).add(_release(MEDIAN, lengths[1]))
    assert before.lines[-1].standing is Standing.NONE
    assert before.add(_release(MEDIAN, lengths[0])).lines[-1].standing is Standing.NONE
    fixed = Ledger().add(_release(MEDIAN, lengths[1])).add(_release(MEDIAN, lengths[0]))
    assert [line.standing for line in fixed.lines] == [Standing.FIXED] * 2
    ends = [OperatingPoint.for_both(m, 0.05, bound=Bound.TOLERANCE, confidence=0.95) for m in (500, 1_000)]
    other = Ledger().add(_release(MEDIAN, ends[1])).add(_release(MEDIAN, ends[0]))  # no bound holds for all lengths at once
    assert other.lines[-1].standing is Standing.NONE


def test_another_part_of_the_table_takes_no_place_of_a_plan_and_shares_no_gamma() -> None:
    """The same target on another column is another question: which column it is may hang on the first answer."""
    plan = Ledger().planned([replace(_planned(MEDIAN), part="x")]).add(_proved(), part="y")
    assert plan.add(_release(MEDIAN), part="y").lines[-1].standing is Standing.NONE
    assert plan.add(_release(MEDIAN)).lines[-1].standing is Standing.NONE
    assert plan.add(_release(MEDIAN), part="x").lines[-1].standing is Standing.FIXED
    assert plan.foresee(replace(_planned(MEDIAN), part="x")).standing is Standing.FIXED
    assert plan.foresee(replace(_planned(MEDIAN), part="y")).standing is Standing.NONE
    both = Ledger().add(_release(MEDIAN), part="x").add(_release(MEDIAN), part="y")
    assert [line.standing for line in both.lines] == [Standing.FIXED, Standing.NONE]
    sample = sample_sensitivity(MEDIAN, Uniform(0, 1), norm=L1, n=N, at=POINT, seed=1)
    two = Ledger().add(sample, part="x").add(sample, part="y").total()
    assert two == RandomDP(0.0, 0.0, 0.1)  # two events: a γ each


def test_draws_that_were_ended_and_failures_are_of_a_part_too() -> None:
    plan = Ledger().planned([replace(_planned(MEDIAN), part="x")]).add(_proved(), part="x")
    for part, standing in (("x", Standing.FIXED), ("y", Standing.NONE)):
        ended = plan.add_draws(MEDIAN, Uniform(0, 1), norm=L1, n=N, at=POINT, part=part, looked=False)
        assert ended.lines[-1].standing is standing
        assert len(ended.pending) == 1
        sample = sample_sensitivity(MEDIAN, Uniform(0, 1), norm=L1, n=N, at=POINT, seed=1)
        failed = plan.add_failed(Laplace().calibrate(sample.sensitivity(), PureDP(1.0)), n=N, part=part)
        assert failed.lines[-1].standing is standing
        assert failed.lines[-1].event is Event.FAILED


def test_a_plan_holds_one_oracle_whatever_its_first_line_is() -> None:
    """A proved line has no oracle: the two after it have."""
    proved = GlobalSensitivity(MEAN, 1.0, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", N)
    first = Laplace().calibrate(proved, PureDP(1.0))
    ledger = Ledger().planned([first, _planned(MEDIAN)])
    with pytest.raises(IncompatibleReleasesError) as caught:
        ledger.planned([_planned(MEDIAN, high=2.0)])
    assert caught.value.what == "oracle"
    with pytest.raises(IncompatibleReleasesError):
        Ledger().planned([first, _planned(MEDIAN), _planned(MEAN, high=2.0)])


def test_what_came_after_a_plan_is_of_its_size() -> None:
    """Else its number of records would keep out what was planned."""
    ledger = Ledger().planned([_planned(MEDIAN)])
    with pytest.raises(IncompatibleReleasesError):
        ledger.enter(PureDP(1.0), n=N + 1, made="", note="", first=False)
    assert ledger.enter(PureDP(1.0), n=N + 1, made="", note="").plan == ()  # it came first: there is no plan left


def test_sums_beyond_the_floats_are_no_guarantee_and_no_error() -> None:
    ledger = Ledger()
    for _ in range(2):
        ledger = ledger.enter(PureDP(1e308), n=N, made="", note="")
    assert ledger.total() is None
    assert ledger.total(delta=1e-6) is None
    assert Spent.by(ledger.lines).beyond(PureDP(1e308)) == "epsilon"
    assert ledger.add(_release(MEAN)).lines[-1].standing is Standing.NONE


def test_a_proved_delta_is_part_of_the_larger_gamma() -> None:
    proved = GlobalSensitivity(MEAN, 1.0, L2, Adjacency.REPLACE_ONE_RECORD, "By definition.", N)
    noisy = Gaussian().calibrate(proved, ApproxDP(0.5, 0.01)).release(DATABASE)
    line = Ledger().add(noisy).add(_release(MEAN)).lines[-1]
    assert line.gamma == math.ceil((math.exp(0.5) * 0.05 + 0.01) * 1e4) / 1e4


def test_a_repetition_on_the_same_draws_takes_one_place_of_the_plan() -> None:
    ledger = Ledger().planned([_planned(MEDIAN)] * 2).add(_proved())
    for _ in range(3):
        ledger = ledger.add(_release(MEDIAN))
    assert len(ledger.pending) == 1
    assert ledger.add(_release(MEDIAN, seed=2)).lines[-1].standing is Standing.FIXED
    total = ledger.total()
    assert isinstance(total, RandomDP)
    assert total.gamma == 0.1


LAX = OperatingPoint.for_gamma(0.05, bound=Bound.TOLERANCE, confidence=0.1)  # three draws: γ is 0.25 averaged over them


def test_the_larger_gamma_takes_each_line_averaged_over_its_draws() -> None:
    assert LAX.joint_gamma == 0.25
    assert Ledger().add(_proved()).add(_release(MEAN, LAX)).lines[-1].standing is Standing.NONE
    first = Ledger().add(_release(MEAN, LAX, epsilon=0.1))
    line = first.add(_release(MEAN, seed=2)).lines[-1]
    assert line.gamma == math.ceil((math.exp(0.1) * 0.25 + 0.25) * 1e3) / 1e3
    tolerant = OperatingPoint.for_gamma(0.05, bound=Bound.TOLERANCE, confidence=0.95)
    line = Ledger().add(_proved()).add(_release(MEAN, tolerant)).lines[-1]
    assert line.guarantee == RandomDP(1.0, 0.0, math.ceil(math.exp(0.1) * 0.05 * 1e4) / 1e4)  # its confidence is averaged out


def test_the_larger_gamma_takes_a_planned_line_at_any_number_of_draws() -> None:
    """Under TOLERANCE m may be chosen by a response, so 1 − c(1−γ) is on offer."""
    tolerant = OperatingPoint.for_gamma(0.05, bound=Bound.TOLERANCE, confidence=0.95)
    ledger = Ledger().planned([_planned(MEDIAN, tolerant)]).add(_proved())
    line = ledger.add(_release(MEAN, OperatingPoint.for_gamma(0.09))).lines[-1]
    assert line.gamma == math.ceil(math.exp(0.1) * (1 - 0.95 * 0.95) * 1e3) / 1e3


def test_another_confidence_is_another_point() -> None:
    """A lower one takes a lower order: it takes no place of the plan."""
    strict, lax = (OperatingPoint.for_both(1_000, 0.05, bound=Bound.TOLERANCE, confidence=c) for c in (0.95, 0.5))
    ledger = Ledger().planned([_planned(MEDIAN, strict)]).add(_proved())
    assert ledger.foresee(_planned(MEDIAN, lax)).standing is Standing.NONE
    assert ledger.foresee(_planned(MEDIAN, strict)).standing is Standing.FIXED
    uniform = OperatingPoint.for_both(1_000, 0.05, bound=Bound.TIME_UNIFORM, confidence=0.95)
    assert ledger.foresee(_planned(MEDIAN, uniform)).standing is Standing.NONE


@pytest.mark.parametrize("epsilon", [700.5, 800.0])
def test_an_earlier_epsilon_beyond_all_use_leaves_no_larger_gamma(epsilon: float) -> None:
    ledger = Ledger().enter(PureDP(epsilon), n=N, made="", note="")
    assert ledger.add(_release(MEAN)).lines[-1].standing is Standing.NONE


def test_draws_that_were_ended_and_looked_at_take_their_place_of_the_plan() -> None:
    """Else they could be drawn again until they are small, just where the response says that the table is unusual."""
    ledger = Ledger().planned([_planned(MEDIAN)]).add(_proved())
    ended = ledger.add_draws(MEDIAN, Uniform(0, 1), norm=L1, n=N, at=POINT)
    assert ended.lines[-1].standing is Standing.FIXED
    assert ended.pending == ()
    assert ended.add(_release(MEDIAN)).lines[-1].standing is Standing.NONE


@dataclass(frozen=True)
class _Shaped:
    """Says nothing of its records, which share a shape."""

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        return rng.random((databases, records)) * rng.random((databases, 1))


def test_a_receipt_knows_whether_records_are_independent() -> None:
    ledger = Ledger().add(_proved())
    assert ledger.foresee(_planned(MEAN)).standing is Standing.LARGER
    assert ledger.foresee(replace(_planned(MEAN), oracle=_Shaped())).standing is Standing.NONE
    assert ledger.foresee(_planned(MEDIAN)).standing is Standing.NONE


def test_a_failure_is_a_response() -> None:
    sample = sample_sensitivity(MEDIAN, Uniform(0, 1), norm=L1, n=N, at=POINT, seed=1)
    failed = Ledger().add_failed(Laplace().calibrate(sample.sensitivity(), PureDP(1.0)), n=N)
    assert failed.add(_release(MEDIAN, seed=2)).lines[-1].standing is Standing.NONE


def test_a_point_that_was_chosen_after_its_draws_is_not_planned() -> None:
    sample = sample_sensitivity(MEDIAN, Uniform(0, 1), norm=L1, n=N, at=OperatingPoint.for_both(199, 0.05), seed=1)
    explored = sample.at(OperatingPoint.for_both(199, 0.1))
    with pytest.raises(InvalidValueError) as caught:
        Ledger().planned([Laplace().calibrate(explored.sensitivity(), PureDP(1.0))])
    assert caught.value.name == "calibrated"


def test_what_is_still_to_come_counts_at_any_number_of_draws() -> None:
    tolerant = OperatingPoint.for_gamma(0.05, bound=Bound.TOLERANCE, confidence=0.95)
    total = Ledger().planned([_planned(MEDIAN), _planned(MEAN, tolerant)]).add(_release(MEDIAN)).total()
    assert isinstance(total, RandomDP)
    assert total.gamma == pytest.approx(0.05 + 1 - 0.95 * 0.95, rel=1e-12)


@pytest.mark.parametrize("first", [0, 1])
def test_draws_that_were_seen_at_two_orders_count_the_weaker_promise(first: int) -> None:
    points = [OperatingPoint.for_both(5_000, gamma, bound=Bound.DKW) for gamma in (0.3, 0.1)]
    tolerant = [_tolerant(confidence) for confidence in (0.95, 0.5)]
    samples = {point: sample_sensitivity(MEDIAN, Uniform(0, 1), norm=L1, n=N, at=point, seed=1) for point in (*points, *tolerant)}
    order = slice(None, None, -1 if first else 1)
    ledger = Ledger()
    for point in points[order]:
        ledger = ledger.add(samples[point])
    assert ledger.total() == RandomDP(0.0, 0.0, 0.3)
    ledger = Ledger()
    for point in tolerant[order]:
        ledger = ledger.add(samples[point])
    assert ledger.total() == RandomDP(0.0, 0.0, 0.3, 0.5)
    other = sample_sensitivity(MEAN, Uniform(0, 1), norm=L1, n=N, at=_tolerant(0.95), seed=2)
    total = ledger.add(other).total()
    assert isinstance(total, RandomDP)
    assert total.confidence == pytest.approx(0.45, rel=1e-12)


def test_deltas_that_sum_to_one_are_no_guarantee() -> None:
    ledger = Ledger()
    for _ in range(2):
        ledger = ledger.enter(ApproxDP(0.1, 0.6), n=N, made="", note="")
    assert ledger.total() is None


def test_a_budget_weighs_a_line_of_elsewhere_averaged_over_its_draws() -> None:
    ledger = Ledger(RandomDP(9.0, 0.0, 0.5)).enter(RandomDP(0.5, 0.0, 0.05, 0.5), n=N, made="", note="")
    with pytest.raises(BudgetExceededError) as caught:
        ledger.add(_proved())
    assert caught.value.what == "gamma"


def test_a_budget_with_a_confidence_weighs_gamma_as_certified() -> None:
    tolerant = OperatingPoint.for_gamma(0.05, bound=Bound.TOLERANCE, confidence=0.95)  # 1/60 averaged over the draws
    assert Ledger(RandomDP(1.0, 0.0, 0.05, 0.95)).add(_release(MEAN, tolerant)).lines
    with pytest.raises(BudgetExceededError) as caught:
        Ledger(RandomDP(1.0, 0.0, 0.02, 0.95)).add(_release(MEAN, tolerant))
    assert caught.value.what == "gamma"


def test_a_ledger_that_hears_late_of_responses_elsewhere_is_judged_again() -> None:
    late = Ledger().planned([_planned(MEAN)] * 2).add(_release(MEAN)).late()
    assert [line.standing for line in late.lines] == [Standing.NONE]
    assert late.foresee(_planned(MEAN)).standing is Standing.NONE
    assert (late.plan, late.responded) == ((), True)


def test_a_list_with_a_line_of_open_noise_is_not_fixed_for_a_tight_total() -> None:
    proved = GlobalSensitivity(MEAN, 1.0, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", N)
    first = Laplace().calibrate(proved, PureDP(0.5))
    assert Ledger().planned([first]).add(first.release(DATABASE)).fixed_beforehand
    assert not Ledger().planned([first, _planned(MEDIAN)]).add(first.release(DATABASE)).fixed_beforehand


def test_what_is_asked_before_drawing_leaves_room_for_the_plan() -> None:
    ledger = Ledger(RandomDP(9.0, 0.0, 0.12)).planned([_planned(MEDIAN)] * 2)
    with pytest.raises(BudgetExceededError):
        ledger.refuse_beyond(RandomDP(1.0, 0.0, 0.05))
    ledger.refuse_beyond(RandomDP(1.0, 0.0, 0.02))


def test_a_plan_is_made_before_responses_elsewhere_too_and_may_follow_draws() -> None:
    with pytest.raises(InvalidValueError) as caught:
        Ledger(after_responses=True).planned([_planned(MEDIAN)])
    assert caught.value.name == "plan"
    drawn = sample_sensitivity(MEAN, Uniform(0, 1), norm=L1, n=N, at=POINT, seed=1)
    assert len(Ledger().add(drawn).planned([_planned(MEDIAN)]).pending) == 1


def test_a_line_that_is_judged_again_is_judged_as_it_was_drawn() -> None:
    larger = Ledger().add(_proved()).add(_release(MEAN))
    late = larger.late().lines[-1]
    assert larger.lines[-1].gamma > late.gamma == 0.05
    assert late.without_earlier == RandomDP(1.0, 0.0, 0.05)


def test_draws_without_a_response_are_charged_under_a_budget_whenever_they_are_made() -> None:
    ledger = Ledger(RandomDP(9.0, 0.0, 0.1)).add(_release(MEDIAN))
    drawn = sample_sensitivity(MEDIAN, Uniform(0, 1), norm=L1, n=N, at=POINT, seed=2)
    assert ledger.add(drawn).lines[-1].event is Event.DRAWS
