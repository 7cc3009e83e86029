"""The exponential mechanism and permute-and-flip: their probabilities, the loss that they keep to, and what is refused."""

from __future__ import annotations

import itertools
import math
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
    ExponentialMechanism,
    GlobalSensitivity,
    PureDP,
)
from dpcore.base.arrays import Database, FloatArray
from dpcore.errors import (
    DatabaseMismatchError,
    InvalidValueError,
    ReleaseFailedError,
)
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.exponential import SelectionLaw
from dpcore.mechanisms.noise import Selection
from dpcore.targets import LetterCounts
from tests.yardstick import in_loops

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
def test_range_gives_exp_of_epsilon_score_over_r(epsilon: float) -> None:
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
@pytest.mark.parametrize("far", [10.0, 300.0, 744.8, 745.2, 2_000.0])
def test_loss_is_bounded_though_probabilities_underflow(far: float, selection: Selection) -> None:
    """Scores further apart than exp can hold: the loss is still bounded by ε, and not infinite."""
    made: Any = calibrated(1.0, 1.0, candidates=("a", "b"), selection=selection)
    first, second = np.array([0.0, -far]), np.array([0.0, -far - 1.0])
    for one, other in ((first, second), (second, first)):
        assert made.law.loss(one, other) <= 1 + 1e-9


@pytest.mark.parametrize("selection", BOTH)
def test_shortfall_is_the_mean_distance_from_best(selection: Selection) -> None:
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


def test_candidates_may_be_an_array() -> None:
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
        pytest.param({"a", "b", "c"}, id="a set, whose order changes from process to process"),
        np.zeros((2, 2)),
        (math.nan, 1.0),
        (math.nan, math.nan),
        (math.inf, 0.0),
    ],
    ids=repr,
)
def test_candidates_are_checked(candidates: Any) -> None:
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


@pytest.mark.parametrize("selection", BOTH)
@pytest.mark.parametrize("scores", [[1, np.inf, 0], [1, -np.inf, 0], [np.nan, 1, 0], [1, 2], [1, 2, 3, 4], 271828.0, []], ids=str)
def test_scores_that_cannot_be_compared_fail_the_release(scores: Any, selection: Selection) -> None:
    """ReleaseFailedError is what a press charges; no candidate comes out."""
    known = proved(1.0, RANGE, lambda database: np.array(scores, dtype=np.float64))
    made = ExponentialMechanism(ABC, selection=selection).calibrate(known, PureDP(1.0))
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
    for others in (("a", "b"), ("b", "a", "c")):  # scores are in the target's own order
        with pytest.raises(InvalidValueError) as caught:
            ExponentialMechanism(others).calibrate(known, PureDP(1.0))
        assert (caught.value.name, caught.value.got) == ("candidates", others)
    with pytest.raises(DatabaseMismatchError):
        ExponentialMechanism(target.candidates).calibrate(known, PureDP(1.0)).release(np.array(["a"] * 5))


def permute_and_flip(gaps: FloatArray) -> FloatArray:
    """The probabilities under test, at scale 1."""
    return SelectionLaw(1.0, tuple(range(len(gaps))), "permute-and-flip").probabilities(gaps)


def enumerated(gaps: FloatArray) -> FloatArray:
    """Every order of the candidates, each flipped in turn until one is taken (McKenna & Sheldon 2020, Algorithm 1)."""
    takes, found = np.exp(gaps), np.zeros(len(gaps))
    for order in itertools.permutations(range(len(gaps))):
        left = 1.0
        for i in order:
            found[i] += left * takes[i]
            left *= 1 - takes[i]
    return found / math.factorial(len(gaps))


def random_gaps(size: int, rng: np.random.Generator) -> FloatArray:
    gaps = -rng.exponential(rng.choice([0.1, 1.0, 5.0]), size)
    gaps[rng.random(size) < 0.3] = gaps[0]  # ties
    return np.asarray(gaps - gaps.max())


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6])
def test_the_law_is_that_of_every_order_enumerated(size: int) -> None:
    rng = np.random.default_rng(size)
    for _ in range(12):
        gaps = random_gaps(size, rng)
        assert permute_and_flip(gaps) == pytest.approx(enumerated(gaps), rel=1e-12)


def test_ten_thousand_candidates() -> None:
    rng = np.random.default_rng(3)
    assert permute_and_flip(np.zeros(10_000)) == pytest.approx(1e-4, rel=1e-12)
    gaps = np.sort(random_gaps(10_000, rng))
    law = permute_and_flip(gaps)
    assert law.sum() == pytest.approx(1, rel=1e-12)
    assert (np.diff(law) >= 0).all()
    # all but one alike: 1 best and d − 1 at q: P(best) = ∫ (1 − x a)^(d−1) dx = (1 − (1−a)^d)/(a d)
    for q in (-1e-3, -3.0, -9.0, -15.0):
        a, d = math.exp(q), 10_000
        alone = permute_and_flip(np.concatenate([[0.0], np.full(d - 1, q)]))
        assert alone[0] == pytest.approx(-math.expm1(d * math.log1p(-a)) / (a * d), rel=1e-11)
        assert alone[1:] == pytest.approx((1 - alone[0]) / (d - 1), rel=1e-9)


def test_candidate_far_below_is_never_taken() -> None:
    law = permute_and_flip(np.array([0.0, -np.inf, -1.0, -1e300]))
    assert law[[1, 3]].tolist() == [0, 0]
    assert law[[0, 2]] == pytest.approx(permute_and_flip(np.array([0.0, -1.0])), rel=1e-12)


def grid_of_a_median() -> FloatArray:
    """Scores of 10,001 places for the median of 10,000 records: some 4,000 different ones."""
    records = np.random.default_rng(8).random(10_000)
    return np.asarray(-np.abs(np.searchsorted(np.sort(records), np.linspace(0, 1, 10_001), side="right") - 5_000.0))


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0])
def test_many_different_scores_match_a_full_quadrature(epsilon: float) -> None:
    gaps = grid_of_a_median() * epsilon / 2
    gaps -= gaps.max()
    x, w = np.polynomial.legendre.leggauss(40)
    found, looked_at = np.zeros(4), (0, 2_500, 4_990, int(gaps.argmax()))
    for lower, upper in itertools.pairwise([0.0, *0.5 ** np.arange(14.0, -1, -1)]):
        for node, weight in zip(lower + (upper - lower) * (x + 1) / 2, w * (upper - lower) / 2, strict=True):
            factors = np.log1p(-node * np.exp(gaps))
            found += weight * np.exp(factors.sum() - factors[list(looked_at)] + gaps[list(looked_at)])
    assert permute_and_flip(gaps)[list(looked_at)] == pytest.approx(found, rel=1e-9, abs=1e-30)


def test_permute_and_flip_law_is_fast() -> None:
    """A twentieth of a second, where a loop takes a sixtieth."""
    scores = grid_of_a_median()

    def curve() -> None:
        for epsilon in np.geomspace(0.01, 20, 24):
            permute_and_flip(scores * epsilon / 2)

    assert in_loops(curve, times=3) <= 6.0


@pytest.mark.statistical
@pytest.mark.parametrize(("selection", "best"), [("gumbel", 1 / (1 + math.exp(-1))), ("permute-and-flip", 1 - math.exp(-1) / 2)])
def test_released_choices_have_the_law_of_their_selection(selection: Selection, best: float) -> None:
    """The two laws are 13 standard errors apart in 4,000 draws; a right draw is refused with probability 2e-9."""
    made = law(1.0, 2, selection)
    drawn = np.mean([made.draw(np.array([1.0, 0.0])) == 0 for _ in range(4_000)])
    assert abs(drawn - best) < 6 * math.sqrt(best * (1 - best) / 4_000)
