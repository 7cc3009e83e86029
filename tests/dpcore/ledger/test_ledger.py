"""The ledger: what adds up, what a budget refuses, and which neighbours count together (mathematics, section 4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import (
    L1,
    L2,
    Adjacency,
    ApproxDP,
    Bound,
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
from dpcore.errors import BudgetExceededError, IncompatibleReleasesError, InvalidValueError, ReleaseFailedError
from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.accounting import Event, Line
from dpcore.mechanisms.base import Calibrated
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


def test_dp_joins_random_dp_without_gamma() -> None:
    ledger = Ledger().planned([planned()]).add(proved(0.5)).add(approximate(0.5, 1e-6)).add(release(MEAN, epsilon=1.0))
    assert ledger.total() == RandomDP(2.0, 1e-6, 0.05)


def test_planned_draws_add_their_gammas() -> None:
    ledger = Ledger().planned([planned(), planned(MEDIAN)]).add(release(MEAN, epsilon=1.0, seed=1))
    assert ledger.total() == RandomDP(1.0, 0.0, 0.1)  # whether the second is made may hang on the first response
    assert ledger.add(release(MEDIAN, epsilon=0.5, seed=2)).total() == RandomDP(1.5, 0.0, 0.1)


def test_shared_draws_share_their_gamma() -> None:
    shared = calibrated(sample(), 0.25)
    ledger = Ledger().planned([shared] * 4)
    for _ in range(4):
        ledger = ledger.add(shared.release(DATABASE))
        total = ledger.total()
        assert isinstance(total, RandomDP)
        assert total.gamma == 0.05
    assert ledger.total() == RandomDP(1.0, 0.0, 0.05)


def test_sample_counts_its_largest_gamma() -> None:
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
def test_other_neighbours_sizes_or_oracles_are_refused(first: Callable[[], Ledger], other: Callable[[], Any], what: str) -> None:
    ledger = first()
    with pytest.raises(IncompatibleReleasesError) as caught:
        ledger.add(other())
    assert caught.value.what == what
    assert caught.value.expected != caught.value.got
    assert len(ledger.lines) == 1


def test_failure_on_another_n_is_refused() -> None:
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


def test_plan_has_one_size_and_oracle() -> None:
    for other in (planned(n=N + 1), planned(oracle=Uniform(0, 2))):
        with pytest.raises(IncompatibleReleasesError):
            Ledger().planned([planned(), other])
    alone: Any = [MEAN]
    with pytest.raises(InvalidValueError) as caught:
        Ledger().planned(alone)
    assert caught.value.name == "item"


def test_unseen_draws_leave_the_plan() -> None:
    ledger = Ledger().planned([planned(MEDIAN)]).add(proved(1.0))
    ended = ledger.add_draws(MEDIAN, Uniform(0, 1), norm=L1, n=N, at=OperatingPoint.for_gamma(0.05), looked=False)
    assert len(ended.pending) == 1
    _assert_total(ended.add(release(MEDIAN)), 2.0, 0.0, 0.1, None)


def test_unseen_draws_may_be_made_again() -> None:
    ended = Ledger().add_draws(MEDIAN, Uniform(0, 1), norm=L1, n=N, at=OperatingPoint.for_gamma(0.05), looked=False)
    again = ended.add_draws(MEDIAN, Uniform(0, 1), norm=L1, n=N, at=OperatingPoint.for_gamma(0.05), looked=False)
    _assert_total(again.add(release(MEDIAN)), 1.0, 0.0, 0.15, None)


def test_fixed_beforehand_needs_all_noise_planned() -> None:
    fixed = replace(planned(MEDIAN), mechanism=LaplaceMechanism(), privacy=PureDP(1.0))
    known = proof(0.5)
    ledger = Ledger().planned([fixed, known])
    assert ledger.add(known.release(DATABASE)).fixed_beforehand
    assert ledger.add(known.release(DATABASE)).add(release(MEDIAN, epsilon=1.0)).fixed_beforehand
    assert not ledger.add(release(MEDIAN, epsilon=0.9)).fixed_beforehand
    assert not ledger.add(known.release(DATABASE)).add(known.release(DATABASE)).fixed_beforehand
    assert not Ledger().add(known.release(DATABASE)).fixed_beforehand
    assert not Ledger().planned([planned(MEDIAN)]).add(release(MEDIAN, epsilon=1.0)).fixed_beforehand


def test_proper_dp_may_be_chosen_after_a_response() -> None:
    assert Ledger().add(release()).add(proved(1.0)).add(approximate(1.0, 1e-6)).total() == RandomDP(3.0, 1e-6, 0.05)


def test_tolerance_doubts_add_up() -> None:
    ledger = Ledger().planned([planned(at=TOLERANT), planned(MEDIAN, at=TOLERANT)])
    ledger = ledger.add(release(MEAN, seed=1, at=TOLERANT))
    _assert_total(ledger, 1.0, 0.0, 0.1, 0.9)
    ledger = ledger.add(release(MEDIAN, seed=2, at=TOLERANT))
    _assert_total(ledger, 2.0, 0.0, 0.1, 0.9)


def test_tolerance_beside_rank_counts_joint_gamma() -> None:
    first = Ledger().planned([planned(), planned(MEDIAN, at=TOLERANT)])
    first = first.add(release(MEDIAN, seed=2, at=TOLERANT)).add(release(MEAN, seed=1))
    _assert_total(first, 2.0, 0.0, 0.05 + 1 / 60, None)  # m was fixed before any response
    later = Ledger().planned([planned(), planned(MEDIAN, at=TOLERANT)])
    later = later.add(release(MEAN, seed=1)).add(release(MEDIAN, seed=2, at=TOLERANT))
    _assert_total(later, 2.0, 0.0, 0.05 + 1 - 0.95 * 0.95, None)  # m might have been chosen by the first response


def test_gamma_of_one_is_no_guarantee() -> None:
    at = OperatingPoint.for_gamma(0.4)
    ledger = Ledger().planned([planned(at=at)] * 3)
    for seed in range(3):
        ledger = ledger.add(release(seed=seed, at=at))
    assert ledger.total() is None


@pytest.mark.parametrize("budget", [1.0, 1.99, 3.3, 3.97, 0.1, 7.77, 1e-3, 20.0])
def test_equal_parts_of_epsilon_fit_the_budget(budget: float) -> None:
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
def test_equal_parts_of_delta_fit_the_budget(delta: float) -> None:
    ledger, part = Ledger(ApproxDP(1.0, delta)), approximate(1 / 500, delta / 500)
    for _ in range(500):
        ledger = ledger.add(part)
    with pytest.raises(BudgetExceededError):
        ledger.add(part)


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
def test_budget_admits_its_kind_and_stronger(budget: Guarantee, item: Callable[[], Any], fits: bool) -> None:
    if fits:
        assert len(Ledger(budget).add(item()).lines) == 1
    else:
        with pytest.raises(BudgetExceededError) as caught:
            Ledger(budget).add(item())
        assert caught.value.budget == budget


LAX = OperatingPoint.for_gamma(0.05, bound=Bound.TOLERANCE, confidence=0.1)


def test_averaged_budget_weighs_joint_gamma() -> None:
    """γ = 0.05 with confidence 0.1 is m = 3 draws: averaged over them γ is 0.25, beyond a budget of 0.1."""
    assert LAX.joint_gamma == 0.25
    with pytest.raises(BudgetExceededError):
        Ledger(RandomDP(1.0, 0.0, 0.1)).add(release(at=LAX))
    assert len(Ledger(RandomDP(1.0, 0.0, 0.25)).add(release(at=LAX)).lines) == 1


@pytest.mark.parametrize("point", [LAX, OperatingPoint.for_gamma(0.05)], ids=["less confident", "averaged"])
def test_confident_budget_refuses_less_confidence(point: OperatingPoint) -> None:
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


ROWS = Adjacency.REPLACE_ONE_RECORD, Adjacency.ADD_OR_REMOVE_ONE_RECORD
PEOPLE = Adjacency.REPLACE_ONE_USER, Adjacency.ADD_OR_REMOVE_ONE_USER
BOTH = pytest.mark.parametrize(("replace", "remove"), [ROWS, PEOPLE], ids=["rows", "people"])
TABLE = np.array([0.2, 0.7, 1.0])
SUM = targets.Sum((0.0, 1.0))


def _n(adjacency: Adjacency) -> int:
    """The stated number is not that of the table if one is added or removed."""
    return 40 if adjacency.removes else 3


def _noise(adjacency: Adjacency, epsilon: float) -> Calibrated[PureDP]:
    proved = GlobalSensitivity(SUM, 1.0, L1, adjacency, "By definition.", _n(adjacency))
    return LaplaceMechanism().calibrate(proved, PureDP(epsilon))


def _line(adjacency: Adjacency, epsilon: float) -> Line:
    return Ledger().foresee(_noise(adjacency, epsilon))


def _pure(adjacency: Adjacency, epsilon: float) -> Any:
    return _noise(adjacency, epsilon).release(TABLE) if adjacency.of_records else _line(adjacency, epsilon)


def _slipping(adjacency: Adjacency) -> Line:
    proved = GlobalSensitivity(SUM, 1.0, L2, adjacency, "By definition.", _n(adjacency))
    return Ledger().foresee(GaussianMechanism().calibrate(proved, ApproxDP(0.5, 1e-6)))


def _drawn(adjacency: Adjacency) -> Line:
    sample = sample_sensitivity(
        SUM, oracles.Uniform(0, 1), norm=L1, n=40, at=OperatingPoint.for_gamma(0.1), seed=1, adjacency=adjacency
    )
    return Ledger().foresee(LaplaceMechanism().calibrate(sample.sensitivity(), PureDP(0.5)))


def _with(ledger: Ledger, one: Any) -> Ledger:
    """People's tables have rows of their own: of them the lines are enough."""
    return ledger.holding(one) if isinstance(one, Line) else ledger.add(one)


@BOTH
def test_lines_of_one_adjacency_add_up(replace: Adjacency, remove: Adjacency) -> None:
    for adjacency in (replace, remove):
        ledger = _with(_with(Ledger(), _pure(adjacency, 0.5)), _pure(adjacency, 0.25))
        assert ledger.total() == PureDP(0.75)
        assert _with(ledger, _slipping(adjacency)).total() == ApproxDP(1.25, 1e-6)
        assert not any(line.doubled for line in ledger.lines)


@BOTH
def test_removed_line_counts_twice_beside_replaced(replace: Adjacency, remove: Adjacency) -> None:
    """ε = 1 for a replaced one and ε = 1 for an added or removed one are 3 for a replaced one, and not 2."""
    ledger = _with(_with(Ledger(), _pure(replace, 1.0)), _pure(remove, 1.0))
    assert ledger.total() == PureDP(3.0)
    assert [(line.adjacency, line.n, line.doubled) for line in ledger.lines] == [(replace, 3, False), (replace, 3, True)]
    assert ["counts twice" in line.words for line in ledger.lines] == [False, True]
    with pytest.raises(BudgetExceededError):
        Ledger(PureDP(2.0)).add(_pure(ROWS[0], 1.0)).add(_pure(ROWS[1], 1.0))
    assert Ledger(PureDP(3.0)).add(_pure(ROWS[0], 1.0)).add(_pure(ROWS[1], 1.0)).total() == PureDP(3.0)


@BOTH
def test_replaced_line_after_removed_is_refused(replace: Adjacency, remove: Adjacency) -> None:
    """A promise on tables of one size says nothing of two sizes."""
    ledger = _with(Ledger(), _pure(remove, 1.0))
    for later in (_pure(replace, 1.0), _slipping(replace), _drawn(replace)):
        with pytest.raises(IncompatibleReleasesError) as caught:
            _with(ledger, later)
        assert (caught.value.what, caught.value.expected, caught.value.got) == ("adjacency", remove.value, replace.value)
    assert ledger.total() == PureDP(1.0)


@BOTH
def test_approximate_and_random_dp_keep_neighbours(replace: Adjacency, remove: Adjacency) -> None:
    """(ε, δ) would join at (2ε, (1 + e^ε)·δ), and is refused instead."""
    for made in (_slipping(remove), _drawn(remove)):
        with pytest.raises(IncompatibleReleasesError):
            _with(_with(Ledger(), _pure(replace, 1.0)), made)
        with pytest.raises(IncompatibleReleasesError):
            _with(_with(Ledger(), made), _pure(replace, 1.0))


@pytest.mark.parametrize("first", [*ROWS, *PEOPLE], ids=lambda one: one.value)
@pytest.mark.parametrize("made", [lambda one: _pure(one, 1.0), _slipping, _drawn], ids=["pure", "approximate", "sampled"])
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


def test_doubled_line_composes_as_its_epsilon() -> None:
    line = Ledger().add(_pure(ROWS[0], 1.0)).add(_pure(ROWS[1], 0.5)).lines[-1]
    assert (line.epsilon, line.composes_as, line.noise_ratio) == (1.0, "", 0.0)


def test_doubled_line_takes_no_place_of_plan() -> None:
    ledger = Ledger().planned([_noise(ROWS[0], 0.5)] * 2).add(_pure(ROWS[0], 0.5)).add(_pure(ROWS[1], 0.5))
    assert len(ledger.pending) == 1
    assert not ledger.fixed_beforehand


def test_doubled_line_survives_json() -> None:
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
