"""The exponential mechanism: its probabilities, the privacy that they keep exactly, and what it refuses."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest

from dpcore import (
    L1,
    L2,
    LINF,
    RANGE,
    Adjacency,
    ApproxDP,
    ExponentialMechanism,
    GlobalSensitivity,
    OperatingPoint,
    PureDP,
    sample_sensitivity,
)
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import Norm
from dpcore.errors import (
    DatabaseMismatchError,
    GuaranteeMismatchError,
    InvalidValueError,
    NormMismatchError,
    ReleaseFailedError,
)
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.exponential import SelectionLaw
from dpcore.mechanisms.noise import Selection
from dpcore.oracles import Resample, Uniform
from dpcore.targets import LetterCounts

BOTH: list[Selection] = ["gumbel", "permute-and-flip"]
ABC = ("a", "b", "c")


def scores_of(database: Database, /) -> FloatArray:
    return np.asarray(database, dtype=np.float64)


def proved(value: float, norm: Any = RANGE, target: Any = scores_of, n: int | None = None) -> Any:
    return GlobalSensitivity(target, value, norm, Adjacency.REPLACE_ONE_RECORD, "By definition.", n)


def calibrated(
    value: float = 1.0, epsilon: float = 1.0, *, norm: Any = RANGE, candidates: Any = ABC, selection: Selection = "gumbel"
) -> Calibrated[PureDP]:
    mechanism = ExponentialMechanism(candidates, norm=norm, selection=selection)
    found: Calibrated[PureDP] = mechanism.calibrate(proved(value, norm), PureDP(epsilon))
    return found


def law(scale: float, size: int, selection: Selection = "gumbel") -> SelectionLaw:
    return SelectionLaw(scale, tuple(range(size)), selection)


def softmax(scores: FloatArray, scale: float) -> FloatArray:
    with mpmath.workdps(50):
        weights = [mpmath.exp(mpmath.mpf(float(s)) / mpmath.mpf(scale)) for s in scores]
        return np.array([float(w / mpmath.fsum(weights)) for w in weights])


@pytest.mark.parametrize("scale", [0.01, 1.0, 7.5, 1e6])
def test_probabilities_are_the_formulas(scale: float) -> None:
    rng = np.random.default_rng(4)
    for size in (2, 3, 40):
        scores = rng.normal(0, 3 * min(scale, 100), size)
        found = law(scale, size).probabilities(scores)
        assert found == pytest.approx(softmax(scores, scale), rel=1e-12)
        assert found.sum() == pytest.approx(1, rel=1e-14)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_range_is_the_default_and_gives_exp_of_epsilon_score_over_r(epsilon: float) -> None:
    assert ExponentialMechanism(ABC).norm is RANGE
    assert ExponentialMechanism(ABC).selection == "gumbel"
    made: Any = calibrated(2.5, epsilon)
    scores = np.array([0.0, 1.0, 3.5])
    assert made.law.probabilities(scores) == pytest.approx(softmax(scores, 2.5 / epsilon), rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_linf_on_request_gives_the_papers_two_delta(epsilon: float) -> None:
    """Rubinstein & Aldà 2017, Corollary 13: P(r) ∝ exp(ε s(r)/(2Δ))."""
    made: Any = calibrated(2.5, epsilon, norm=LINF)
    scores = np.array([0.0, 1.0, 3.5])
    assert made.law.probabilities(scores) == pytest.approx(softmax(scores, 5 / epsilon), rel=1e-12)
    assert made.law.scale > calibrated(2.5, epsilon).law.scale * 1.99


@pytest.mark.parametrize("norm", [RANGE, LINF])
def test_a_scale_is_never_below_the_real_quotient(norm: Norm) -> None:
    rng = np.random.default_rng(5)
    for _ in range(500):
        value, epsilon = float(rng.random()), float(rng.random() * 3 + 1e-3)
        real = Fraction(value) * (2 if norm == LINF else 1) / Fraction(epsilon)
        assert real <= Fraction(calibrated(value, epsilon, norm=norm).law.scale) <= real * (1 + Fraction(1, 2**50))


@pytest.mark.parametrize("selection", BOTH)
def test_probabilities_depend_on_epsilon_and_a_score_of_zero_is_possible(selection: Selection) -> None:
    """diffpriv's have no exp(): they are ∝ score, whatever ε, and a zero score is never released."""
    scores = np.array([0.0, 1.0, 2.0])
    laws: list[Any] = [calibrated(1.0, epsilon, selection=selection).law for epsilon in (0.1, 1.0, 4.0)]
    first, second, third = (each.probabilities(scores) for each in laws)
    assert first[0] > second[0] > third[0] > 0
    assert first[2] < second[2] < third[2] < 1
    assert np.abs(first - 1 / 3).max() < 0.08
    theirs = scores / scores.sum()
    assert min(np.abs(each - theirs).max() for each in (first, second, third)) > 0.01
    negative = laws[1].probabilities(scores - 5)
    assert negative == pytest.approx(second, rel=1e-12)  # theirs would be negative
    released = {calibrated(1.0, 0.1, selection=selection).release(scores).response for _ in range(60)}
    assert released == {"a", "b", "c"}  # each has at least 0.25: one is missing with probability 6e-19


@pytest.mark.parametrize("selection", BOTH)
@pytest.mark.parametrize("shift", [1e12, -1e12, 1e6])
def test_only_differences_matter_however_large_the_scores(shift: float, selection: Selection) -> None:
    scores = np.array([0.0, 1.0, 2.0, 2.0, -4.0])
    found = law(1.5, 5, selection).probabilities(scores + shift)
    assert found == pytest.approx(law(1.5, 5, selection).probabilities(scores), rel=1e-12)


@pytest.mark.parametrize("selection", BOTH)
@pytest.mark.parametrize("scores", [[0.0, 1e300], [-1e300, 1e300, 1e300], [-1.7e308, 1.7e308, 0.0], [-1e300, 0.0, 0.0]], ids=repr)
def test_scores_far_apart_give_no_nan(scores: list[float], selection: Selection) -> None:
    found = law(1.0, len(scores), selection).probabilities(np.array(scores))
    best = np.array(scores) == max(scores)
    assert found[best] == pytest.approx(1 / best.sum(), rel=1e-12)
    assert (found[~best] == 0).all()


@pytest.mark.parametrize("selection", BOTH)
def test_ties_are_equally_likely(selection: Selection) -> None:
    assert law(0.1, 7, selection).probabilities(np.full(7, -3.25)) == pytest.approx(1 / 7, rel=1e-12)
    found = law(1.0, 5, selection).probabilities(np.array([1.0, 2.0, 2.0, 1.0, 2.0]))
    assert found[[1, 2]] == pytest.approx(found[4], rel=1e-12)
    assert found[0] == pytest.approx(found[3], rel=1e-12)
    assert found[1] > found[0]


@pytest.mark.parametrize("selection", BOTH)
def test_ten_thousand_candidates(selection: Selection) -> None:
    scores = np.random.default_rng(2).normal(size=10_000)
    made: Any = calibrated(1.0, 1.0, candidates=range(10_000), selection=selection)
    found = made.law.probabilities(scores)
    assert found.sum() == pytest.approx(1, rel=1e-12)
    assert (found > 0).all()
    assert (np.argsort(found, kind="stable") == np.argsort(scores, kind="stable")).all()
    assert made.release(scores).response in range(10_000)


@pytest.mark.parametrize("size", [2, 3, 6, 30])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("selection", BOTH)
def test_the_worst_ratio_of_probabilities_never_exceeds_epsilon_and_reaches_it(
    selection: Selection, epsilon: float, size: int
) -> None:
    """Over random scores and random score differences of RANGE at most R = 2, spread over every shape of difference."""
    made: Any = calibrated(2.0, epsilon, candidates=range(size), selection=selection)
    rng, worst = np.random.default_rng(size), 0.0
    for trial in range(60):
        scores = rng.normal(0, rng.choice([0.01, 1.0, 30.0]), size)
        if trial % 3 == 0:
            difference = rng.choice([0.0, 2.0], size)
        elif trial % 3 == 1:
            difference = 2 * rng.random(size) + rng.normal(0, 100)
        else:
            difference = np.where(np.arange(size) == rng.integers(size), 2.0, 0.0)
        first, second = made.law.probabilities(scores), made.law.probabilities(scores + difference)
        seen = (first > 1e-290) & (second > 1e-290)
        worst = max(worst, float(np.abs(np.log(first[seen]) - np.log(second[seen])).max()))
    assert worst <= epsilon * (1 + 1e-9)
    # reached: one candidate falls by R in favour of one that is already far ahead
    near = np.full(size, -20.0 / epsilon)
    near[0] = 20.0 / epsilon
    less = near.copy()
    less[1] -= 2.0
    ratio = np.log(made.law.probabilities(near)[1]) - np.log(made.law.probabilities(less)[1])
    assert ratio == pytest.approx(epsilon, rel=1e-6)


@pytest.mark.parametrize("selection", BOTH)
def test_a_difference_of_a_larger_range_exceeds_epsilon(selection: Selection) -> None:
    """The search above can fail: with 10 % more RANGE the ratio is 10 % more than ε."""
    made: Any = calibrated(2.0, 1.0, candidates=range(4), selection=selection)
    first, second = (made.law.probabilities(np.array([50.0, drop, 0.0, 0.0])) for drop in (0.0, -2.2))
    assert math.log(first[1] / second[1]) == pytest.approx(1.1, rel=1e-6)


@pytest.mark.parametrize("selection", BOTH)
def test_a_common_shift_of_all_scores_tells_nothing(selection: Selection) -> None:
    made: Any = calibrated(2.0, 1.0, selection=selection)
    scores = np.array([0.3, 1.7, -2.0])
    assert made.law.loss(scores, scores + 1_000.0) == pytest.approx(0, abs=1e-10)
    assert made.law.loss(scores, scores + np.array([0, 0, 2.0])) <= 1
    assert made.law.loss(scores, scores + np.array([0, 0, 2.0])) > 0.05


@pytest.mark.parametrize("selection", BOTH)
@pytest.mark.parametrize("far", [10.0, 300.0, 744.8, 745.2, 2_000.0])
def test_a_loss_is_at_most_epsilon_where_covered_though_a_probability_underflows(far: float, selection: Selection) -> None:
    """Scores further apart than exp can hold: the loss is still bounded by ε, and not infinite."""
    made: Any = calibrated(1.0, 1.0, candidates=("a", "b"), selection=selection)
    first, second = np.array([0.0, -far]), np.array([0.0, -far - 1.0])
    for one, other in ((first, second), (second, first)):
        assert made.law.loss(one, other) <= 1 + 1e-9


@pytest.mark.parametrize("scale", [0.3, 1.0, 5.0])
def test_permute_and_flip_never_falls_short_by_more_than_the_exponential(scale: float) -> None:
    rng = np.random.default_rng(17)
    strictly = 0
    for _ in range(200):
        size = int(rng.integers(2, 40))
        scores = rng.choice([rng.normal(size=size), rng.exponential(3, size), np.floor(rng.random(size) * 4)])
        gumbel, flip = (law(scale, size, selection).shortfall(scores) for selection in BOTH)
        assert flip <= gumbel * (1 + 1e-12)
        strictly += flip < gumbel * 0.99
    assert strictly > 100


@pytest.mark.parametrize("selection", BOTH)
def test_a_shortfall_is_the_mean_distance_from_the_best(selection: Selection) -> None:
    made, scores = law(2.0, 4, selection), np.array([1.0, 5.0, 5.0, -2.0])
    found = made.simulate(scores, size=200_000, rng=np.random.default_rng(8)).astype(int)
    short = 5 - scores[found]
    assert abs(short.mean() - made.shortfall(scores)) < 5 * short.std() / math.sqrt(200_000)


@pytest.mark.parametrize("selection", BOTH)
@pytest.mark.parametrize("candidates", [("a", "b", "c"), (1, 2, 3), (0.1, 2.5, -7.0), ("à", 4, 2.5), ["x", "y", "z"]], ids=repr)
def test_the_response_is_the_candidate_itself(candidates: Any, selection: Selection) -> None:
    made = calibrated(1.0, 5.0, candidates=candidates, selection=selection)
    for best in range(3):
        scores = np.full(3, -1e4)
        scores[best] = 1e4
        response = made.release(scores).response
        assert response == candidates[best]
        assert type(response) is type(candidates[best])


def test_candidates_may_be_an_array_of_texts_or_numbers() -> None:
    assert ExponentialMechanism(np.array(["a", "b"])).candidates == ("a", "b")  # type: ignore[arg-type]
    assert ExponentialMechanism(np.array([1, 2])).candidates == (1, 2)  # type: ignore[arg-type]
    assert {type(item) for item in ExponentialMechanism(np.array([1, 2])).candidates} == {int}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "candidates",
    [
        (),
        ("a",),
        ("a", "a"),
        (1, 1.0),
        (1, True),
        "ab",
        3,
        (None, "a"),
        (b"a", b"b"),
        (("a",), ("b",)),
        ({}, []),
        np.zeros((2, 2)),
        (math.nan, 1.0),
        (math.nan, math.nan),
        (math.inf, 0.0),
    ],
    ids=repr,
)
def test_candidates_are_at_least_two_different_texts_or_finite_numbers(candidates: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        ExponentialMechanism(candidates)
    assert caught.value.name == "candidates"


@pytest.mark.parametrize("candidates", [{"a", "b", "c"}, frozenset("abc")], ids=["set", "frozenset"])
def test_candidates_without_an_order_are_refused(candidates: Any) -> None:
    """A set's order changes from process to process: scores would be matched with other candidates."""
    with pytest.raises(InvalidValueError) as caught:
        ExponentialMechanism(candidates)
    assert caught.value.name == "candidates"


@pytest.mark.parametrize(
    ("field", "value"), [("norm", L1), ("norm", L2), ("norm", "RANGE"), ("selection", "softmax"), ("selection", None)]
)
def test_other_norms_and_selections_are_refused(field: str, value: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        ExponentialMechanism(ABC, **{field: value})
    assert (caught.value.name, caught.value.got) == (field, value)


@pytest.mark.parametrize("norm", [L1, L2, LINF])
def test_a_sensitivity_in_another_norm_is_refused(norm: Any) -> None:
    with pytest.raises(NormMismatchError):
        ExponentialMechanism(ABC).calibrate(proved(1.0, norm), PureDP(1.0))
    with pytest.raises(NormMismatchError):
        ExponentialMechanism(ABC, norm=LINF).calibrate(proved(1.0), PureDP(1.0))  # type: ignore[arg-type]


def test_an_approximate_guarantee_is_refused() -> None:
    privacy: Any = ApproxDP(1.0, 1e-6)
    with pytest.raises(GuaranteeMismatchError):
        ExponentialMechanism(ABC).calibrate(proved(1.0), privacy)


def gives_infinity(database: Database, /) -> FloatArray:
    return np.array([1.0, np.inf, 0.0])


def gives_minus_infinity(database: Database, /) -> FloatArray:
    return np.array([1.0, -np.inf, 0.0])


def gives_nan(database: Database, /) -> FloatArray:
    return np.array([np.nan, 1.0, 0.0])


def gives_two(database: Database, /) -> FloatArray:
    return database[:2].copy()


def gives_four(database: Database, /) -> FloatArray:
    return np.concatenate([database, database[:1]])


def gives_one(database: Database, /) -> FloatArray:
    return np.array(271828.0)


def gives_none(database: Database, /) -> FloatArray:
    return np.empty(0)


@pytest.mark.parametrize("selection", BOTH)
@pytest.mark.parametrize(
    "target", [gives_infinity, gives_minus_infinity, gives_nan, gives_two, gives_four, gives_one, gives_none]
)
def test_scores_that_cannot_be_compared_fail_the_release_and_say_no_score(target: Any, selection: Selection) -> None:
    """ReleaseFailedError is what a press charges; no candidate comes out."""
    made = ExponentialMechanism(ABC, selection=selection).calibrate(proved(1.0, RANGE, target), PureDP(1.0))
    for _ in range(5):
        with pytest.raises(ReleaseFailedError) as caught:
            made.release(np.array([271828.0, 2.0, 3.0]))
        assert "271828" not in str(caught.value) + repr(vars(caught.value))


def test_scores_of_another_number_are_no_simulation_either() -> None:
    with pytest.raises(ReleaseFailedError):
        calibrated().simulate(np.zeros(4), size=3, rng=np.random.default_rng(1))


def test_the_candidates_of_a_target_are_the_mechanisms() -> None:
    target = LetterCounts("abc", longest=5)
    known = target.global_sensitivity(RANGE, 4)
    assert known is not None
    assert ExponentialMechanism(target.candidates).calibrate(known, PureDP(1.0)).release(np.array(["a"] * 4)).response in ABC
    with pytest.raises(InvalidValueError) as caught:
        ExponentialMechanism(("a", "b")).calibrate(known, PureDP(1.0))
    assert (caught.value.name, caught.value.got) == ("candidates", ("a", "b"))
    with pytest.raises(DatabaseMismatchError):
        ExponentialMechanism(target.candidates).calibrate(known, PureDP(1.0)).release(np.array(["a"] * 5))


def test_the_targets_own_candidates_in_another_order_are_refused() -> None:
    """Its scores are in its own order: the letter b would be released for a's count."""
    known = LetterCounts("abc", longest=5).global_sensitivity(RANGE, 4)
    assert known is not None
    with pytest.raises(InvalidValueError) as caught:
        ExponentialMechanism(("b", "a", "c")).calibrate(known, PureDP(1.0))
    assert caught.value.name == "candidates"


def test_a_sampled_sensitivity_gives_random_dp() -> None:
    sample = sample_sensitivity(scores_of, Uniform(0, 1), norm=RANGE, n=3, at=OperatingPoint.for_gamma(0.05), seed=1)
    released = ExponentialMechanism(ABC).calibrate(sample.sensitivity(), PureDP(1.0)).release(np.array([0.5, 0.1, 0.9]))
    assert (released.guarantee.epsilon, released.guarantee.gamma) == (1.0, 0.05)
    assert released.mechanism == "ExponentialMechanism"
    assert released.scale >= sample.sensitivity().value


@pytest.mark.parametrize("selection", BOTH)
def test_a_zero_sensitivity_that_was_allowed_gives_the_best_and_no_other_does(selection: Selection) -> None:
    point = OperatingPoint.for_gamma(0.05)
    zero = sample_sensitivity(scores_of, Resample(np.array([1.0])), norm=RANGE, n=3, at=point, seed=1).sensitivity(
        allow_zero=True
    )
    made = ExponentialMechanism(ABC, selection=selection).calibrate(zero, PureDP(1.0))
    assert {made.release(np.array([1.0, 3.0, 2.0])).response for _ in range(20)} == {"b"}
    assert (made.simulate(np.array([1.0, 3.0, 2.0]), size=9, rng=np.random.default_rng(1)) == 1).all()
    some = ExponentialMechanism(ABC, selection=selection).calibrate(proved(1e-9), PureDP(1.0))
    assert some.law.scale > 0
