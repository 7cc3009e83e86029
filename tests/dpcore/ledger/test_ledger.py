"""The ledger: what adds up, what is refused, and what stands apart."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

from dpcore import (
    L1,
    L2,
    RANGE,
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
    SensitivitySample,
    sample_sensitivity,
)
from dpcore.base.norms import L1Norm
from dpcore.base.types import Database, FloatArray, Oracle, Target
from dpcore.errors import BudgetExceededError, IncompatibleReleasesError, InvalidValueError, ReleaseFailedError
from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.accounting import Event, Planned, Standing
from dpcore.mechanisms.base import Calibrated, Release
from dpcore.mechanisms.exponential import Exponential as Choosing
from dpcore.oracles import Exponential, Uniform
from dpcore.targets import Mean, Quantile, Variance

N = 6
DATABASE = np.linspace(0, 1, N)
MEAN, MEDIAN, VARIANCE = Mean(), Quantile(0.5), Variance()
TOLERANT = OperatingPoint.for_gamma(0.05, bound=Bound.TOLERANCE, confidence=0.95)


def _sample(target: Target = MEAN, **change: Any) -> SensitivitySample[L1Norm]:
    chosen: dict[str, Any] = {"norm": L1, "n": N, "at": OperatingPoint.for_gamma(0.05), "seed": 1} | change
    oracle: Oracle = chosen.pop("oracle", Uniform(0, 1))
    return sample_sensitivity(target, oracle, **chosen)


def _calibrated(sample: SensitivitySample[L1Norm], epsilon: float = 1.0) -> Calibrated[RandomDP]:
    return Laplace().calibrate(sample.sensitivity(), PureDP(epsilon))


def _release(target: Target = MEAN, epsilon: float = 1.0, **change: Any) -> Release[RandomDP]:
    sample = _sample(target, **change)
    return _calibrated(sample, epsilon).release(np.linspace(0, 1, sample.n))


def _pure(epsilon: float, n: int = N, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD) -> Release[PureDP]:
    proved = GlobalSensitivity(MEAN, 1.0, L1, adjacency, "By definition.", n)
    return Laplace().calibrate(proved, PureDP(epsilon)).release(np.linspace(0, 1, n))


def _approximate(epsilon: float, delta: float) -> Release[ApproxDP]:
    proved = GlobalSensitivity(MEAN, 1.0, L2, Adjacency.REPLACE_ONE_RECORD, "By definition.", N)
    return Gaussian().calibrate(proved, ApproxDP(epsilon, delta)).release(DATABASE)


def _planned(target: Target = MEAN, *, at: OperatingPoint | None = None, oracle: Oracle | None = None, n: int = N) -> Planned:
    return Planned(target, oracle or Uniform(0, 1), L1, n, at or OperatingPoint.for_gamma(0.05))


def _assert_total(ledger: Ledger, *expected: float | None) -> None:
    """(ε, δ, γ, confidence) up to the rounding of sums."""
    total = ledger.total()
    assert isinstance(total, RandomDP)
    found = (total.epsilon, total.delta, total.gamma)
    assert found == pytest.approx(expected[:3], rel=1e-14)
    assert total.confidence == (None if expected[3] is None else pytest.approx(expected[3], rel=1e-14))


def test_an_empty_ledger_has_no_total() -> None:
    assert Ledger().total() is None


def test_pure_releases_add_up_to_pure_dp() -> None:
    assert Ledger().add(_pure(0.5)).add(_pure(0.25)).total() == PureDP(0.75)


def test_pure_and_approximate_releases_add_up_to_approximate_dp() -> None:
    assert Ledger().add(_pure(0.5)).add(_approximate(0.25, 1e-6)).total() == ApproxDP(0.75, 1e-6)


def test_proper_dp_joins_random_dp_with_no_gamma_of_its_own() -> None:
    ledger = Ledger().planned([_planned()]).add(_pure(0.5)).add(_approximate(0.5, 1e-6)).add(_release(MEAN, 1.0))
    assert ledger.total() == RandomDP(2.0, 1e-6, 0.05)


def test_planned_targets_on_draws_of_their_own_add_their_gammas() -> None:
    ledger = Ledger().planned([_planned(), _planned(MEDIAN)]).add(_release(MEAN, 1.0, seed=1))
    assert ledger.total() == RandomDP(1.0, 0.0, 0.1)  # whether the second is made may hang on the first response
    assert ledger.add(_release(MEDIAN, 0.5, seed=2)).total() == RandomDP(1.5, 0.0, 0.1)


def test_releases_that_share_their_draws_share_their_gamma() -> None:
    calibrated = _calibrated(_sample(), 0.25)
    ledger = Ledger()
    for _ in range(4):
        ledger = ledger.add(calibrated.release(DATABASE))
    assert ledger.total() == RandomDP(1.0, 0.0, 0.05)


def test_releases_of_one_target_on_fresh_draws_do_not_share_it() -> None:
    ledger = Ledger().planned([_planned()] * 2).add(_release(seed=1)).add(_release(seed=2))
    assert ledger.total() == RandomDP(2.0, 0.0, 0.1)


def test_a_repetition_that_was_not_planned_is_chosen_after_a_response() -> None:
    """The first response may tell that the table is one of the unusual ones: a repetition just there misses more than γ."""
    ledger = Ledger().add(_release(MEDIAN, seed=1)).add(_release(MEDIAN, seed=2))
    assert [line.standing for line in ledger.lines] == [Standing.FIXED, Standing.NONE]
    assert ledger.total() is None
    assert ledger.lines[1].guarantee is None
    assert ledger.lines[1].without_earlier == RandomDP(1.0, 0.0, 0.05)


def test_a_plan_of_one_serves_one_release() -> None:
    ledger = Ledger().planned([_planned(MEDIAN)]).add(_pure(1.0)).add(_release(MEDIAN, seed=1))
    assert ledger.total() == RandomDP(2.0, 0.0, 0.05)
    assert ledger.pending == ()
    assert ledger.add(_release(MEDIAN, seed=2)).lines[-1].standing is Standing.NONE


def test_two_orders_of_one_sample_count_the_larger_gamma_once() -> None:
    sample = _sample(at=OperatingPoint.for_both(1_000, 0.1, bound=Bound.DKW))
    later = sample.at(OperatingPoint.for_both(1_000, 0.3, bound=Bound.DKW))
    ledger = Ledger().add(_calibrated(later).release(DATABASE)).add(_calibrated(sample).release(DATABASE))
    assert ledger.total() == RandomDP(2.0, 0.0, 0.3)


def test_a_sample_alone_charges_its_gamma_and_its_release_adds_epsilon_only() -> None:
    sample = _sample()
    ledger = Ledger().add(sample)
    assert ledger.total() == RandomDP(0.0, 0.0, 0.05)
    assert ledger.lines[0].event is Event.DRAWS
    assert ledger.add(_calibrated(sample, 2.0).release(DATABASE)).total() == RandomDP(2.0, 0.0, 0.05)


def test_draws_that_were_looked_at_and_not_used_are_charged() -> None:
    ledger = Ledger().add(_sample(seed=1)).add(_sample(seed=2)).add(_release(seed=3))
    _assert_total(ledger, 1.0, 0.0, 0.15, None)


def test_a_release_that_failed_is_charged_in_full() -> None:
    def fails(database: Any) -> Any:
        if database.max() > 1:
            raise ValueError("too large")
        return database[:1]

    calibrated = _calibrated(_sample(fails))
    with pytest.raises(ReleaseFailedError):
        calibrated.release(np.full(N, 7.0))
    ledger = Ledger().add_failed(calibrated, n=N)
    assert ledger.total() == RandomDP(1.0, 0.0, 0.05)
    assert ledger.lines[0].event is Event.FAILED


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (lambda: _pure(1.0, n=N + 1), "number of rows"),
        (lambda: _release(n=N + 1), "number of rows"),
        (lambda: _sample(n=N + 1), "number of rows"),
        (lambda: _pure(1.0, adjacency=Adjacency.REPLACE_ONE_USER), "adjacency"),
        (lambda: _release(adjacency=Adjacency.REPLACE_ONE_USER), "adjacency"),
        (lambda: _release(oracle=Exponential(1.0)), "oracle"),
        (lambda: _release(oracle=Uniform(0, 2)), "oracle"),
        (lambda: _sample(adjacency=Adjacency.REPLACE_ONE_USER), "adjacency"),
        (lambda: _sample(oracle=Uniform(0, 2)), "oracle"),
    ],
)
@pytest.mark.parametrize(
    "first",
    [
        lambda: Ledger().add(_release()),
        lambda: Ledger().add(_sample()),
        lambda: Ledger().add_failed(_calibrated(_sample()), n=N),
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
    proved = GlobalSensitivity(MEAN, 1.0, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", None)
    with pytest.raises(IncompatibleReleasesError) as caught:
        Ledger().add(_pure(1.0)).add_failed(Laplace().calibrate(proved, PureDP(1.0)), n=N + 1)
    assert (caught.value.what, caught.value.expected, caught.value.got) == ("number of rows", N, N + 1)


def test_a_refusal_looks_behind_lines_of_proper_dp() -> None:
    ledger = Ledger().planned([_planned()]).add(_pure(1.0)).add(_release())
    with pytest.raises(IncompatibleReleasesError):
        ledger.add(_pure(1.0)).add(_release(oracle=Exponential(1.0)))


def test_a_target_chosen_after_a_response_stands_apart() -> None:
    ledger = Ledger().add(_release(MEAN, seed=1)).add(_release(MEDIAN, 0.5, seed=2))
    assert [line.apart for line in ledger.lines] == [False, True]
    assert ledger.total() is None
    assert ledger.joint() == RandomDP(1.0, 0.0, 0.05)
    assert ledger.apart == ledger.lines[1:]
    assert "chosen after an answer" in ledger.lines[1].words
    assert "chosen" not in ledger.lines[0].words


def test_draws_of_a_target_chosen_after_a_response_stand_apart_too() -> None:
    assert Ledger().add(_pure(1.0)).add(_sample(MEDIAN)).total() is None


def test_draws_made_before_the_first_response_may_be_released_after_it() -> None:
    ledger = Ledger().add(_sample(MEDIAN, seed=2)).add(_release(MEAN, seed=1))
    _assert_total(ledger.add(_release(MEDIAN, seed=2)), 2.0, 0.0, 0.1, None)
    assert ledger.add(_release(MEDIAN, seed=3)).total() is None
    assert ledger.add(_release(VARIANCE, seed=4)).total() is None


CHANGES: dict[str, Callable[[], Release[RandomDP]]] = {
    "target": lambda: _release(Quantile(0.4), seed=2),
    "gamma": lambda: _release(MEDIAN, seed=2, at=OperatingPoint.for_both(19, 0.1)),
    "a smaller gamma": lambda: _release(MEDIAN, seed=2, at=OperatingPoint.for_gamma(0.01)),
    "m": lambda: _release(MEDIAN, seed=2, at=OperatingPoint.for_both(99, 0.05)),
    "k": lambda: _release(MEDIAN, seed=2, at=OperatingPoint(20, 20, 0.05, Bound.RANK)),
    "bound": lambda: _release(MEDIAN, seed=2, at=OperatingPoint.for_gamma(0.05, bound=Bound.DKW)),
    "confidence": lambda: _release(MEDIAN, seed=2, at=TOLERANT),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_else_was_chosen_after_the_response_has_no_guarantee(change: str) -> None:
    """Each of these is of the list in the mathematics, section 4.1; another oracle or n is a ledger of its own."""
    line = Ledger().planned([_planned(MEDIAN)]).add(_pure(1.0)).add(CHANGES[change]()).lines[-1]
    assert (line.standing, line.guarantee) == (Standing.NONE, None)
    assert "no guarantee" in line.words


def test_another_norm_is_chosen_after_the_response_too() -> None:
    ledger = Ledger().planned([_planned(MEDIAN)]).add(_pure(1.0))
    sample = sample_sensitivity(MEDIAN, Uniform(0, 1), norm=L2, n=N, at=OperatingPoint.for_gamma(0.05), seed=2)
    release = Gaussian().calibrate(sample.sensitivity(), ApproxDP(1.0, 1e-6)).release(DATABASE)
    assert ledger.add(release).lines[-1].standing is Standing.NONE


@pytest.mark.parametrize("bound", [Bound.TOLERANCE, Bound.TIME_UNIFORM])
def test_under_a_confidence_m_alone_may_adapt_and_the_average_is_then_that_of_any_m(bound: Bound) -> None:
    at = OperatingPoint.for_gamma(0.05, bound=bound, confidence=0.95)
    more = OperatingPoint.for_both(1_000, 0.05, bound=bound, confidence=0.95)
    ledger = Ledger().planned([_planned(MEDIAN, at=at)]).add(_pure(1.0)).add(_release(MEDIAN, seed=2, at=more))
    assert ledger.lines[-1].standing is Standing.FIXED
    assert ledger.lines[-1].joint_gamma == pytest.approx(1 - 0.95 * 0.95, rel=1e-12)
    assert ledger.total() == RandomDP(2.0, 0.0, 0.05, 0.95)
    less = OperatingPoint.for_both(1_000, 0.06, bound=bound, confidence=0.95)
    fresh = Ledger().planned([_planned(MEDIAN, at=at)]).add(_pure(1.0))
    assert fresh.add(_release(MEDIAN, seed=2, at=less)).lines[-1].standing is Standing.NONE


def test_a_sum_over_independent_records_holds_later_at_a_larger_gamma() -> None:
    """exp(Σε)·γ₂ + Σδ + Σγ over the earlier lines; the earlier γ are charged besides (mathematics, section 4.6)."""
    ledger = Ledger().add(_approximate(0.25, 1e-3)).add(_release(MEAN, 0.5, seed=1))
    first = _rounded_up(math.exp(0.25) * 0.05 + 1e-3)
    assert ledger.lines[1].standing is Standing.LARGER
    assert ledger.lines[1].gamma == first
    _assert_total(ledger, 0.75, 1e-3, first, None)
    second = _rounded_up(math.exp(0.75) * 0.05 + 1e-3 + first)
    ledger = ledger.add(_release(MEAN, 0.5, seed=2))
    assert ledger.lines[2].gamma == second
    _assert_total(ledger, 1.25, 1e-3, first + second, None)
    assert ledger.lines[2].without_earlier == RandomDP(0.5, 0.0, 0.05)


def test_the_larger_gamma_takes_the_largest_that_was_fixed_before_the_first_response() -> None:
    small, large = OperatingPoint.for_gamma(0.01), OperatingPoint.for_gamma(0.1)
    ledger = Ledger().add(_release(MEAN, 0.5, seed=1, at=small))
    assert ledger.add(_release(MEAN, 0.5, seed=2, at=large)).lines[-1].standing is Standing.NONE
    line = ledger.add(_release(Mean(bounds=(0, 1)), 0.5, seed=2, at=OperatingPoint.for_gamma(0.001))).lines[-1]
    assert line.gamma == _rounded_up(math.exp(0.5) * 0.01 + 0.01)


def _rounded_up(gamma: float) -> float:
    """To three digits."""
    power = 10 ** (2 - math.floor(math.log10(gamma)))
    return math.ceil(gamma * power) / power


LARGER_NEEDS: dict[str, Callable[[], Ledger]] = {
    "a sum over rows": lambda: Ledger().add(_release(MEAN, 0.1)).add(_release(MEDIAN, 0.1, seed=2)),
    "independent rows": lambda: _twice(_Shaped()),
    "an oracle that says so": lambda: _twice(_Silent()),
    "no answer elsewhere": lambda: Ledger(after_responses=True).add(_release(MEAN, 0.1)),
    "a guarantee of each line before": lambda: (
        Ledger().add(_pure(0.1)).add(_release(MEDIAN, 0.1)).add(_release(MEAN, 0.1, seed=2))
    ),
    "no random DP of elsewhere": lambda: _entered(RandomDP(0.1, 0.0, 0.01)).add(_release(MEAN, 0.1)),
    "an oracle of before a private choice": lambda: Ledger().add(_choice()).add(_release(MEAN, 0.1)),
    "a gamma below 1": lambda: Ledger().add(_release(MEAN, 3.0)).add(_release(MEAN, 0.1, seed=2)),
}


@pytest.mark.parametrize("missing", LARGER_NEEDS)
def test_the_larger_gamma_holds_under_its_conditions_alone(missing: str) -> None:
    assert LARGER_NEEDS[missing]().lines[-1].standing is Standing.NONE


@dataclass(frozen=True)
class _Bounds:
    """Scores of two upper bounds: how many records are above each."""

    chooses: ClassVar[str] = "the bounds"
    candidates: ClassVar[tuple[float, ...]] = (0.5, 1.0)

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([-float((database > bound).sum()) for bound in self.candidates])


def _choice() -> Release[PureDP]:
    """Of bounds: after it its holder can turn to an oracle between them."""
    proved = GlobalSensitivity(_Bounds(), 2.0, RANGE, Adjacency.REPLACE_ONE_RECORD, "By definition.", N)
    return Choosing(_Bounds.candidates).calibrate(proved, PureDP(0.1)).release(DATABASE)


def test_behind_a_private_choice_the_larger_gamma_is_for_oracles_that_were_there_before() -> None:
    ledger = Ledger().planned([_planned(MEDIAN)]).add(_choice())
    assert (ledger.lines[0].settles, ledger.lines[0].standing) == (True, Standing.PROVED)
    assert ledger.add(_release(MEAN, 0.1)).lines[-1].standing is Standing.LARGER
    assert Ledger().add(_choice()).foresee(_planned(MEAN, oracle=Uniform(0, 0.5))).standing is Standing.NONE
    later = Ledger.from_json(ledger.to_json())
    assert [line.settles for line in later.lines] == [True]


@dataclass(frozen=True)
class _Silent:
    """Says nothing of its records."""

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        return rng.random((databases, records))


@dataclass(frozen=True)
class _Shaped:
    """Its databases have a shape of their own."""

    independent_records: ClassVar[bool] = False

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        return rng.random((databases, records)) * rng.random((databases, 1))


def _twice(oracle: Oracle) -> Ledger:
    return Ledger().add(_release(MEAN, 0.1, oracle=oracle)).add(_release(MEAN, 0.1, oracle=oracle, seed=2))


def _entered(guarantee: Guarantee, ledger: Ledger | None = None, **how: Any) -> Ledger:
    return (ledger or Ledger()).enter(guarantee, n=N, made="2026-01-02", note="a table in the report", **how)


def test_what_is_entered_joins_if_it_is_dp_proper_and_stands_apart_if_not() -> None:
    assert _entered(PureDP(0.5), Ledger().add(_pure(1.0))).total() == PureDP(1.5)
    assert _entered(ApproxDP(0.5, 1e-6)).total() == ApproxDP(0.5, 1e-6)
    ledger = _entered(RandomDP(0.5, 0.0, 0.01, 0.9), Ledger().add(_pure(1.0)))
    assert ledger.total() is None
    assert ledger.joint() == PureDP(1.0)
    assert ledger.apart[0].guarantee == RandomDP(0.5, 0.0, 0.01, 0.9)
    assert (ledger.apart[0].made, ledger.apart[0].about) == ("2026-01-02", "a table in the report")


@pytest.mark.parametrize("guarantee", [PureDP(0.5), RandomDP(0.5, 0.0, 0.01)])
def test_what_is_sampled_after_an_entered_line_is_after_a_response(guarantee: Guarantee) -> None:
    assert _entered(guarantee).add(_release(MEDIAN)).lines[-1].standing is Standing.NONE


def test_an_earlier_release_that_is_entered_late_takes_the_guarantee_of_what_was_sampled() -> None:
    ledger = Ledger().planned([_planned(MEDIAN)] * 2).add(_release(MEDIAN, seed=1))
    late = _entered(PureDP(0.5), ledger)
    assert [line.standing for line in late.lines] == [Standing.PROVED, Standing.NONE]
    assert late.add(_release(MEDIAN, seed=2)).lines[-1].standing is Standing.NONE  # the plan was made after a response
    after = _entered(PureDP(0.5), ledger, first=False)
    assert after.total() == RandomDP(1.5, 0.0, 0.1)
    assert after.add(_release(MEDIAN, seed=2)).total() == RandomDP(2.5, 0.0, 0.1)


def test_what_is_entered_is_of_the_same_table() -> None:
    with pytest.raises(IncompatibleReleasesError):
        Ledger().add(_pure(1.0)).enter(PureDP(1.0), n=N + 1, made="", note="")
    wrong: Any = 1.0
    with pytest.raises(InvalidValueError):
        Ledger().enter(wrong, n=N, made="", note="")


def test_the_budget_holds_what_was_entered_and_does_not_refuse_it() -> None:
    ledger = _entered(PureDP(5.0), Ledger(PureDP(1.0)))
    with pytest.raises(BudgetExceededError) as caught:
        ledger.add(_pure(0.1))
    assert caught.value.what == "epsilon"


def test_a_budget_admits_no_line_without_a_guarantee() -> None:
    ledger = Ledger(RandomDP(9.0, 0.5, 0.9)).add(_release(MEDIAN))
    with pytest.raises(BudgetExceededError) as caught:
        ledger.add(_release(MEDIAN, seed=2))
    assert caught.value.what == "guarantee"
    assert "no guarantee" in str(caught.value)


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
        Ledger(budget).add(_release())
    assert caught.value.what == what


def test_a_plan_beyond_the_budget_is_refused() -> None:
    with pytest.raises(BudgetExceededError):
        Ledger(RandomDP(1.0, 0.0, 0.09)).planned([_planned()] * 2)
    fixed = replace(_planned(), mechanism=Laplace(), privacy=PureDP(0.6))
    with pytest.raises(BudgetExceededError):
        Ledger(RandomDP(1.0, 0.0, 0.5)).planned([fixed] * 2)


def test_a_plan_speaks_of_one_size_and_oracle_and_names_more_than_targets() -> None:
    for other in (_planned(n=N + 1), _planned(oracle=Uniform(0, 2))):
        with pytest.raises(IncompatibleReleasesError):
            Ledger().planned([_planned(), other])
    alone: Any = [MEAN]
    with pytest.raises(InvalidValueError) as caught:
        Ledger().planned(alone)
    assert caught.value.name == "item"


def test_it_is_said_beforehand_how_a_line_would_stand() -> None:
    ledger = Ledger().add(_release(MEDIAN))
    assert Ledger().foresee(_planned(MEDIAN)).standing is Standing.FIXED
    assert ledger.foresee(_planned(MEDIAN)).standing is Standing.NONE
    line = ledger.foresee(_planned())
    assert (line.standing, line.gamma) == (Standing.LARGER, ledger.add(_release(seed=2)).lines[-1].gamma)
    assert ledger.foresee(Laplace().calibrate(_proved(), PureDP(1.0))).standing is Standing.PROVED
    with pytest.raises(IncompatibleReleasesError):
        ledger.foresee(_planned(oracle=Uniform(0, 2)))


def test_draws_that_were_ended_are_charged_and_leave_the_plan_as_it_was() -> None:
    ledger = Ledger().planned([_planned(MEDIAN)]).add(_pure(1.0))
    ended = ledger.add_draws(MEDIAN, Uniform(0, 1), norm=L1, n=N, at=OperatingPoint.for_gamma(0.05), looked=False)
    assert len(ended.pending) == 1
    _assert_total(ended.add(_release(MEDIAN)), 2.0, 0.0, 0.1, None)


def test_a_list_is_fixed_beforehand_where_number_mechanism_epsilon_and_delta_are() -> None:
    fixed = replace(_planned(MEDIAN), mechanism=Laplace(), privacy=PureDP(1.0))
    proved = Laplace().calibrate(_proved(), PureDP(0.5))
    ledger = Ledger().planned([fixed, proved])
    assert ledger.add(proved.release(DATABASE)).fixed_beforehand
    assert ledger.add(proved.release(DATABASE)).add(_release(MEDIAN, 1.0)).fixed_beforehand
    assert not ledger.add(_release(MEDIAN, 0.9)).fixed_beforehand
    assert not ledger.add(proved.release(DATABASE)).add(proved.release(DATABASE)).fixed_beforehand
    assert not Ledger().add(proved.release(DATABASE)).fixed_beforehand
    assert not Ledger().planned([_planned(MEDIAN)]).add(_release(MEDIAN, 1.0)).fixed_beforehand


def test_a_tight_total_holds_all_that_was_planned() -> None:
    proved = Laplace().calibrate(_proved(), PureDP(0.5))
    one = Ledger().planned([proved] * 3).add(proved.release(DATABASE))
    assert one.total(delta=1e-6) == ApproxDP(1.5, 1e-6)


def _proved() -> GlobalSensitivity[L1Norm]:
    return GlobalSensitivity(MEAN, 1.0, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", N)


def test_proper_dp_may_be_chosen_after_a_response() -> None:
    assert Ledger().add(_release()).add(_pure(1.0)).add(_approximate(1.0, 1e-6)).total() == RandomDP(3.0, 1e-6, 0.05)


def test_a_plan_is_made_before_the_first_line() -> None:
    with pytest.raises(InvalidValueError) as caught:
        Ledger().add(_pure(1.0)).planned([_planned()])
    assert caught.value.name == "plan"


def test_tolerance_lines_join_with_the_sum_of_their_doubts() -> None:
    ledger = Ledger().planned([_planned(at=TOLERANT), _planned(MEDIAN, at=TOLERANT)])
    ledger = ledger.add(_release(MEAN, seed=1, at=TOLERANT))
    _assert_total(ledger, 1.0, 0.0, 0.1, 0.9)
    ledger = ledger.add(_release(MEDIAN, seed=2, at=TOLERANT))
    _assert_total(ledger, 2.0, 0.0, 0.1, 0.9)


def test_a_tolerance_line_beside_a_rank_line_counts_by_its_joint_gamma() -> None:
    first = Ledger().planned([_planned()]).add(_release(MEDIAN, seed=2, at=TOLERANT)).add(_release(MEAN, seed=1))
    _assert_total(first, 2.0, 0.0, 0.05 + 1 / 60, None)  # m was fixed before any response
    later = Ledger().planned([_planned(), _planned(MEDIAN, at=TOLERANT)])
    later = later.add(_release(MEAN, seed=1)).add(_release(MEDIAN, seed=2, at=TOLERANT))
    _assert_total(later, 2.0, 0.0, 0.05 + 1 - 0.95 * 0.95, None)  # m might have been chosen by the first response


def test_a_gamma_of_one_or_more_is_no_guarantee() -> None:
    at = OperatingPoint.for_gamma(0.4)
    ledger = Ledger().planned([_planned(at=at)] * 3)
    for seed in range(3):
        ledger = ledger.add(_release(seed=seed, at=at))
    assert ledger.total() is None
    assert ledger.apart == ()


@pytest.mark.parametrize("budget", [1.0, 1.99, 3.3, 3.97, 0.1, 7.77, 1e-3, 20.0])
def test_five_hundred_equal_parts_of_a_budget_fit_and_one_more_does_not(budget: float) -> None:
    ledger, part = Ledger(PureDP(budget)), _pure(budget / 500)
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
    ledger, part = Ledger(ApproxDP(1.0, delta)), _approximate(1 / 500, delta / 500)
    for _ in range(500):
        ledger = ledger.add(part)
    with pytest.raises(BudgetExceededError):
        ledger.add(part)


def test_five_hundred_releases_on_shared_draws_spend_their_gamma_once_and_on_fresh_ones_each() -> None:
    shared = _calibrated(_sample(), 2.0 / 500).release(DATABASE)
    ledger = Ledger(RandomDP(2.0, 0.0, 0.05))
    for _ in range(500):
        ledger = ledger.add(shared)
    _assert_total(ledger, 2.0, 0.0, 0.05, None)
    at = OperatingPoint.for_gamma(0.04)
    fresh = Ledger(RandomDP(2.0, 0.0, 0.4)).planned([_planned(at=at)] * 10)
    for seed in range(10):
        fresh = fresh.add(_release(MEAN, 0.2, seed=seed, at=at))
    _assert_total(fresh, 2.0, 0.0, 0.4, None)
    with pytest.raises(BudgetExceededError):
        fresh.add(_sample(seed=10, at=at))


def test_sums_are_exact() -> None:
    ledger = Ledger()
    for _ in range(10):
        ledger = ledger.add(_pure(0.1))
    assert ledger.total() == PureDP(math.fsum([0.1] * 10))


@pytest.mark.parametrize(
    ("budget", "item", "fits"),
    [
        (PureDP(1.0), lambda: _pure(1.0), True),
        (PureDP(1.0), lambda: _pure(1.000001), False),
        (PureDP(1.0), lambda: _approximate(0.5, 1e-9), False),
        (PureDP(1.0), lambda: _release(epsilon=0.5), False),
        (PureDP(1.0), lambda: _sample(), False),
        (ApproxDP(1.0, 1e-6), lambda: _pure(1.0), True),
        (ApproxDP(1.0, 1e-6), lambda: _approximate(1.0, 1e-6), True),
        (ApproxDP(1.0, 1e-6), lambda: _approximate(0.5, 2e-6), False),
        (ApproxDP(1.0, 1e-6), lambda: _release(epsilon=0.5), False),
        (RandomDP(1.0, 0.0, 0.05), lambda: _release(epsilon=1.0), True),
        (RandomDP(1.0, 0.0, 0.05), lambda: _release(epsilon=1.1), False),
        (RandomDP(1.0, 0.0, 0.04), lambda: _release(epsilon=0.5), False),
        (RandomDP(1.0, 0.0, 0.05), lambda: _approximate(0.5, 1e-6), False),
        (RandomDP(1.0, 1e-6, 0.05), lambda: _approximate(0.5, 1e-6), True),
    ],
)
def test_a_budget_admits_its_own_kind_and_stronger_ones(budget: Guarantee, item: Callable[[], Any], fits: bool) -> None:
    if fits:
        assert len(Ledger(budget).add(item()).lines) == 1
    else:
        with pytest.raises(BudgetExceededError) as caught:
            Ledger(budget).add(item())
        assert caught.value.budget == budget


def test_lines_that_stand_apart_spend_the_budget_too() -> None:
    ledger = Ledger(RandomDP(1.5, 0.0, 0.2)).add(_release(MEAN, seed=1))
    with pytest.raises(BudgetExceededError):
        ledger.add(_release(MEDIAN, seed=2))


LAX = OperatingPoint.for_gamma(0.05, bound=Bound.TOLERANCE, confidence=0.1)


def test_a_budget_averaged_over_the_draws_weighs_the_joint_gamma() -> None:
    """γ = 0.05 with confidence 0.1 is m = 3 draws: averaged over them γ is 0.25, beyond a budget of 0.1."""
    assert LAX.joint_gamma == 0.25
    with pytest.raises(BudgetExceededError):
        Ledger(RandomDP(1.0, 0.0, 0.1)).add(_release(at=LAX))
    assert len(Ledger(RandomDP(1.0, 0.0, 0.25)).add(_release(at=LAX)).lines) == 1


@pytest.mark.parametrize("point", [LAX, OperatingPoint.for_gamma(0.05)], ids=["less confident", "averaged"])
def test_a_budget_with_a_confidence_admits_no_line_with_less_of_it(point: OperatingPoint) -> None:
    with pytest.raises(BudgetExceededError):
        Ledger(RandomDP(1.0, 0.0, 0.1, 0.95)).add(_release(at=point))


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
    assert len(ledger.add(_pure(0.5)).lines) == 1
    assert ledger.lines == ()


def test_guarantees_are_not_added_by_hand() -> None:
    first: Any = PureDP(1.0)
    with pytest.raises(TypeError):
        _ = first + PureDP(1.0)
