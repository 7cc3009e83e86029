"""What a ledger refuses after a response, what its plan still lets in, and what the two tell apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from dpcore import (
    L1,
    L2,
    ApproxDP,
    Bound,
    GaussianMechanism,
    LaplaceMechanism,
    Ledger,
    OperatingPoint,
    PureDP,
    RandomDP,
    sample_sensitivity,
)
from dpcore.errors import BudgetExceededError, IncompatibleReleasesError, InexactNoiseError, InvalidValueError, SampledLaterError
from dpcore.ledger.accounting import Event, Line, Planned
from dpcore.ledger.spending import Spent
from dpcore.mechanisms.base import Release
from dpcore.mechanisms.exponential import ExponentialMechanism as Choosing
from dpcore.mechanisms.laplace import LaplaceLaw
from dpcore.mechanisms.response_law import Sampling
from dpcore.oracles import Uniform
from dpcore.targets import Quantile, SampleAndAggregate
from tests.dpcore.ledger.made import (
    DATABASE,
    MEAN,
    MEDIAN,
    POINT,
    TOLERANT,
    N,
    calibrated,
    planned,
    proof,
    proved,
    release,
    sample,
)


def _blocks() -> Release[PureDP]:
    target = SampleAndAggregate(MEAN, k=3, bounds=(0.0, 1.0))
    return Choosing.suited(target).calibrate(target.proved(N), PureDP(1.0)).release(DATABASE)


FIRST: dict[str, Callable[[], Ledger]] = {
    "a proved answer": lambda: Ledger().add(proved()),
    "a sampled answer": lambda: Ledger().add(release(MEDIAN, seed=9)),
    "an answer of blocks": lambda: Ledger().add(_blocks()),
    "a proved failure": lambda: Ledger().add_failed(proof(), n=N),
    "a sampled failure": lambda: Ledger().add_failed(calibrated(sample(MEDIAN, seed=9)), n=N),
    "draws that were seen": lambda: Ledger().add(sample(MEDIAN, seed=9)),
    "draws that were seen and ended": lambda: _ended(Ledger(), looked=True),
    "answers elsewhere": lambda: Ledger(after_responses=True),
    "a file": lambda: Ledger.from_json(Ledger().add(proved()).to_json()),
    "a file of draws": lambda: Ledger.from_json(_ended(Ledger(), looked=False).to_json()),
    "a plan that was made": lambda: Ledger().planned([planned(MEAN)]).add(release(MEAN)),
}
LATER: dict[str, Callable[[Ledger], object]] = {
    "a median": lambda ledger: ledger.add(release(MEDIAN)),
    "a sum over independent records": lambda ledger: ledger.add(release(MEAN, seed=2)),
    "a smaller γ": lambda ledger: ledger.add(release(MEDIAN, at=OperatingPoint.for_gamma(0.001))),
    "a failure": lambda ledger: ledger.add_failed(calibrated(sample(MEDIAN)), n=N),
    "draws": lambda ledger: ledger.add(sample(MEDIAN)),
    "draws that were ended": lambda ledger: _ended(ledger, looked=True),
    "draws that were ended unseen": lambda ledger: _ended(ledger, looked=False),
    "a question before its draws": lambda ledger: ledger.foresee(planned(MEDIAN)),
    "a look ahead": lambda ledger: ledger.holding(planned(MEDIAN)),
    "a calibrated one": lambda ledger: ledger.foresee(calibrated(sample(MEDIAN))),
}


def _ended(ledger: Ledger, *, looked: bool) -> Ledger:
    return ledger.add_draws(MEDIAN, Uniform(0, 1), norm=L1, n=N, at=POINT, looked=looked)


@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("later", LATER)
def test_nothing_sampled_is_accepted_later(first: str, later: str) -> None:
    """Mathematics, section 4.5: an answer, or draws that were seen, may have led to it."""
    ledger = FIRST[first]()
    assert ledger.sampling_ended_by
    if "draws" in later and not ledger.responded and "before" not in later:
        drawn: Any = LATER[later](ledger)
        assert drawn.lines[-1].event is Event.DRAWS  # they are charged, and lead to no release
        ledger, later = drawn, "a median"
    with pytest.raises(SampledLaterError) as caught:
        LATER[later](ledger)
    assert caught.value.after == ledger.sampling_ended_by
    for word in ("no guarantee", ledger.sampling_ended_by, "global_sensitivity", "Ledger.planned"):
        assert word in str(caught.value)


@pytest.mark.parametrize("first", FIRST)
def test_a_proved_sensitivity_is_accepted_whatever_came_before(first: str) -> None:
    ledger = FIRST[first]()
    before = 0.0 if (total := ledger.total()) is None else total.epsilon
    after = ledger.add(proved(0.5)).add(_blocks()).total()
    assert after is not None
    assert after.epsilon == pytest.approx(before + 1.5)


@pytest.mark.parametrize("first", ["a proved answer", "a proved failure", "answers elsewhere", "a file"])
def test_no_plan_is_made_after_a_response(first: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        FIRST[first]().planned([planned(MEDIAN)])
    assert caught.value.name == "plan"


def test_seen_draws_end_sampled_plans() -> None:
    for ledger in (Ledger().add(sample(MEDIAN)), _ended(Ledger(), looked=True)):
        with pytest.raises(SampledLaterError):
            ledger.planned([planned(MEDIAN)])
        assert len(ledger.planned([proof()]).plan) == 1
    assert len(_ended(Ledger(), looked=False).planned([planned(MEDIAN)]).plan) == 1


def test_questions_are_fixed_before_the_first_answer() -> None:
    """The same releases are refused one after another, and accepted if all were calibrated before."""
    both = [calibrated(sample(MEDIAN, seed=1)), calibrated(sample(MEAN, seed=2))]
    answered = Ledger().add(both[0].release(DATABASE))
    with pytest.raises(SampledLaterError):
        answered.add(both[1].release(DATABASE))
    ledger = Ledger().planned(both)
    for one in both:
        ledger = ledger.add(one.release(DATABASE))
    assert ledger.total() == RandomDP(2.0, 0.0, 0.1)
    with pytest.raises(SampledLaterError):
        ledger.add(both[0].release(DATABASE))


def test_draws_that_were_fixed_are_not_drawn_again() -> None:
    """Of two Δ̂ the smaller one could be picked once an answer is known."""
    ledger = Ledger().planned([calibrated(sample(MEDIAN, seed=1))]).add(proved())
    with pytest.raises(SampledLaterError):
        ledger.add(release(MEDIAN, seed=2))
    assert ledger.add(release(MEDIAN, seed=1)).total() == RandomDP(1.1, 0.0, 0.05)


def test_seen_draws_take_a_place_of_plan() -> None:
    """Else they could be drawn again until they are small, just where the response says that the table is unusual."""
    ledger = Ledger().planned([planned(MEDIAN)]).add(proved())
    seen = _ended(ledger, looked=True)
    assert seen.pending == ()
    with pytest.raises(SampledLaterError):
        seen.add(release(MEDIAN))
    unseen = _ended(ledger, looked=False)
    assert len(unseen.pending) == 1
    assert unseen.add(release(MEDIAN)).total() == RandomDP(1.1, 0.0, 0.1)


def test_a_failure_takes_its_place_of_the_plan() -> None:
    ledger = Ledger().planned([planned(MEDIAN)]).add_failed(calibrated(sample(MEDIAN)), n=N)
    assert ledger.lines[0].event is Event.FAILED
    assert ledger.total() == RandomDP(1.0, 0.0, 0.05)
    with pytest.raises(SampledLaterError):
        ledger.add(release(MEDIAN, seed=2))


CHANGES: dict[str, Callable[[], Release[RandomDP]]] = {
    "target": lambda: release(Quantile(0.4)),
    "gamma": lambda: release(MEDIAN, at=OperatingPoint.for_both(19, 0.1)),
    "a smaller gamma": lambda: release(MEDIAN, at=OperatingPoint.for_gamma(0.01)),
    "m": lambda: release(MEDIAN, at=OperatingPoint.for_both(99, 0.05)),
    "k": lambda: release(MEDIAN, at=OperatingPoint(20, 20, 0.05, Bound.RANK)),
    "bound": lambda: release(MEDIAN, at=OperatingPoint.for_gamma(0.05, bound=Bound.DKW)),
    "confidence": lambda: release(MEDIAN, at=TOLERANT),
}


@pytest.mark.parametrize("change", CHANGES)
def test_other_point_after_a_response_is_refused(change: str) -> None:
    """Each of these is of the list in the mathematics, section 4.1."""
    with pytest.raises(SampledLaterError):
        Ledger().planned([planned(MEDIAN)]).add(proved()).add(CHANGES[change]())


def test_another_norm_is_chosen_after_the_response_too() -> None:
    in_l2 = sample_sensitivity(MEDIAN, Uniform(0, 1), norm=L2, n=N, at=POINT, seed=2)
    noisy = GaussianMechanism().calibrate(in_l2.sensitivity(), ApproxDP(1.0, 1e-6)).release(DATABASE)
    with pytest.raises(SampledLaterError):
        Ledger().planned([planned(MEDIAN)]).add(proved()).add(noisy)


def test_another_confidence_is_another_point() -> None:
    """A lower one takes a lower order: it takes no place of the plan."""
    strict, lax = (OperatingPoint.for_both(1_000, 0.05, bound=Bound.TOLERANCE, confidence=c) for c in (0.95, 0.5))
    ledger = Ledger().planned([planned(MEDIAN, at=strict)]).add(proved())
    uniform = OperatingPoint.for_both(1_000, 0.05, bound=Bound.TIME_UNIFORM, confidence=0.95)
    for point in (lax, uniform):
        with pytest.raises(SampledLaterError):
            ledger.foresee(planned(MEDIAN, at=point))
    assert ledger.foresee(planned(MEDIAN, at=strict)).gamma == 0.05


@pytest.mark.parametrize("bound", [Bound.TOLERANCE, Bound.TIME_UNIFORM])
def test_only_m_may_adapt_under_a_confidence(bound: Bound) -> None:
    at = OperatingPoint.for_gamma(0.05, bound=bound, confidence=0.95)
    more = OperatingPoint.for_both(1_000, 0.05, bound=bound, confidence=0.95)
    ledger = Ledger().planned([planned(MEDIAN, at=at)]).add(proved(1.0)).add(release(MEDIAN, at=more))
    assert ledger.lines[-1].later
    assert ledger.lines[-1].joint_gamma == pytest.approx(1 - 0.95 * 0.95, rel=1e-12)
    assert ledger.total() == RandomDP(2.0, 0.0, 0.05, 0.95)
    less = OperatingPoint.for_both(1_000, 0.06, bound=bound, confidence=0.95)
    with pytest.raises(SampledLaterError):
        Ledger().planned([planned(MEDIAN, at=at)]).add(proved()).add(release(MEDIAN, at=less))


def test_parts_share_no_plan_and_no_gamma() -> None:
    """The same target on another column is another question: which column it is may hang on the first answer."""
    plan = Ledger().planned([replace(planned(MEDIAN), part="x")]).add(proved(), part="y")
    for part in ("y", ""):
        with pytest.raises(SampledLaterError):
            plan.add(release(MEDIAN), part=part)
    assert plan.add(release(MEDIAN), part="x").total() == RandomDP(1.1, 0.0, 0.05)
    two = Ledger().planned([replace(planned(MEDIAN), part="x"), replace(planned(MEDIAN), part="y")])
    assert two.add(release(MEDIAN), part="x").add(release(MEDIAN), part="y").total() == RandomDP(
        2.0, 0.0, 0.1
    )  # two events: a γ each


def test_ended_draws_and_failures_have_parts() -> None:
    plan = Ledger().planned([replace(planned(MEDIAN), part="x")]).add(proved(), part="x")
    ended = plan.add_draws(MEDIAN, Uniform(0, 1), norm=L1, n=N, at=POINT, part="x", looked=False)
    assert len(ended.pending) == 1
    assert plan.add_failed(calibrated(sample(MEDIAN)), n=N, part="x").pending == ()
    with pytest.raises(SampledLaterError):
        plan.add_draws(MEDIAN, Uniform(0, 1), norm=L1, n=N, at=POINT, part="y", looked=False)
    with pytest.raises(SampledLaterError):
        plan.add_failed(calibrated(sample(MEDIAN)), n=N, part="y")


def test_plan_has_one_oracle_after_proved_lines() -> None:
    """A proved line has no oracle: the two after it have."""
    ledger = Ledger().planned([proof(), planned(MEDIAN)])
    with pytest.raises(IncompatibleReleasesError) as caught:
        ledger.planned([planned(MEDIAN, oracle=Uniform(0, 2))])
    assert caught.value.what == "oracle"
    with pytest.raises(IncompatibleReleasesError):
        Ledger().planned([proof(), planned(MEDIAN), planned(MEAN, oracle=Uniform(0, 2))])


def test_explored_point_is_not_planned() -> None:
    first = sample(MEDIAN, at=OperatingPoint.for_both(199, 0.05))
    explored = first.at(OperatingPoint.for_both(199, 0.1))
    with pytest.raises(InvalidValueError) as caught:
        Ledger().planned([LaplaceMechanism().calibrate(explored.sensitivity(), PureDP(1.0))])
    assert caught.value.name == "calibrated"


def test_pending_lines_count_adapted_gamma() -> None:
    total = Ledger().planned([planned(MEDIAN), planned(MEAN, TOLERANT)]).add(release(MEDIAN)).total()
    assert isinstance(total, RandomDP)
    assert total.gamma == pytest.approx(0.05 + 1 - 0.95 * 0.95, rel=1e-12)


def test_confident_budget_weighs_certified_gamma() -> None:
    assert Ledger(RandomDP(1.0, 0.0, 0.05, 0.95)).add(release(MEAN, TOLERANT)).lines  # 1/60 averaged over the draws
    with pytest.raises(BudgetExceededError) as caught:
        Ledger(RandomDP(1.0, 0.0, 0.02, 0.95)).add(release(MEAN, TOLERANT))
    assert caught.value.what == "gamma"


def test_inexact_noise_is_refused_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Planned(MEDIAN, Uniform(0, 1), L1, N, POINT, mechanism=LaplaceMechanism(), privacy=PureDP(1.0))
    monkeypatch.setattr(LaplaceLaw, "sampling", Sampling())
    sampled: Any = release(MEDIAN)
    assert sampled.guarantee is None
    for refused in (
        lambda: Ledger().add(proved()),
        lambda: Ledger().add(sampled),
        lambda: Ledger().add_failed(proof(), n=N),
        lambda: Ledger().foresee(proof()),
        lambda: Ledger().foresee(plan),
        lambda: Ledger().planned([calibrated(sample(MEDIAN))]),
    ):
        with pytest.raises(InexactNoiseError) as caught:
            refused()
        assert "Laplace" in str(caught.value)


def _line(**change: Any) -> Line:
    return replace(Ledger().foresee(proof()), **change)


def test_sums_beyond_floats_are_no_guarantee() -> None:
    ledger = Ledger()
    for _ in range(2):
        ledger = ledger.holding(_line(epsilon=1e308))
    assert ledger.total() is None
    assert ledger.total(delta=1e-6) is None
    assert Spent.by(ledger.lines).beyond(PureDP(1e308)) == "epsilon"


def test_deltas_that_sum_to_one_are_no_guarantee() -> None:
    ledger = Ledger()
    for _ in range(2):
        ledger = ledger.holding(_line(delta=0.6))
    assert ledger.total() is None


def test_plan_with_open_noise_is_not_fixed_beforehand() -> None:
    first = proof(0.5)
    assert Ledger().planned([first]).add(first.release(DATABASE)).fixed_beforehand
    assert not Ledger().planned([first, planned(MEDIAN)]).add(first.release(DATABASE)).fixed_beforehand
