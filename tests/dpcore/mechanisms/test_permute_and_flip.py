"""The law of permute-and-flip: against the algorithm itself, run and enumerated, exact sums, and quadrature by mpmath."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest
from scipy import stats

from dpcore.base.arrays import FloatArray
from dpcore.mechanisms.exponential import SelectionLaw
from tests.yardstick import in_loops

RNG_SEED = 31


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


def run(gaps: FloatArray, size: int, rng: np.random.Generator) -> FloatArray:
    """How often the algorithm takes each candidate."""
    orders = rng.permuted(np.tile(np.arange(len(gaps)), (size, 1)), axis=1)
    heads = rng.random(orders.shape) < np.exp(gaps)[orders]
    taken = orders[np.arange(size), heads.argmax(axis=1)]  # one gap is 0, so that someone is taken
    return np.bincount(taken, minlength=len(gaps)).astype(float)


def integrated(gaps: FloatArray, i: int) -> float:
    """exp(q_i) ∫₀¹ Π_{j≠i} (1 − x exp(q_j)) dx in 40 digits, panel by panel."""
    with mpmath.workdps(40):
        takes = [mpmath.exp(mpmath.mpf(float(gap))) for gap in gaps]

        def product(x: mpmath.mpf) -> mpmath.mpf:
            return mpmath.fprod(1 - x * take for j, take in enumerate(takes) if j != i)

        panels = [0, *(mpmath.mpf(2) ** -e for e in range(12, -1, -1))]
        return float(takes[i] * mpmath.quad(product, panels))


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


def test_two_candidates_in_closed_form() -> None:
    """The best is taken unless the other comes first and its coin falls: 1 − e^q/2."""
    for gap in (0.0, -1e-9, -0.3, -4.0, -700.0):
        assert permute_and_flip(np.array([0.0, gap])) == pytest.approx([1 - math.exp(gap) / 2, math.exp(gap) / 2], rel=1e-13)


def test_the_law_is_that_of_the_algorithm_run() -> None:
    """χ² on 400,000 runs over 9 candidates, seeded: size 1e-6; a law of which two candidates are 10 % off is refused."""
    rng = np.random.default_rng(RNG_SEED)
    gaps = np.array([0.0, 0.0, -0.2, -0.5, -1.0, -1.0, -1.5, -2.5, -3.0])
    counts, law = run(gaps, 400_000, rng), permute_and_flip(gaps)
    assert stats.chisquare(counts, 400_000 * law).pvalue > 1e-6
    wrong = law.copy()
    wrong[0] *= 0.9
    wrong[1] += law[0] * 0.1
    assert stats.chisquare(counts, 400_000 * wrong).pvalue < 1e-6
    softmax = np.exp(gaps) / np.exp(gaps).sum()
    assert stats.chisquare(counts, 400_000 * softmax).pvalue < 1e-6


@pytest.mark.parametrize("size", [9, 20])
def test_many_candidates_by_quadrature_in_forty_digits(size: int) -> None:
    gaps = random_gaps(size, np.random.default_rng(size))
    law = permute_and_flip(gaps)
    for i in (0, int(gaps.argmax())):
        assert law[i] == pytest.approx(integrated(gaps, i), rel=1e-11)


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


def test_a_candidate_far_below_is_never_taken_and_hurts_nothing() -> None:
    law = permute_and_flip(np.array([0.0, -np.inf, -1.0, -1e300]))
    assert law[[1, 3]].tolist() == [0, 0]
    assert law[[0, 2]] == pytest.approx(permute_and_flip(np.array([0.0, -1.0])), rel=1e-12)


def grid_of_a_median() -> FloatArray:
    """Scores of 10,001 places for the median of 10,000 records: some 4,000 different ones."""
    records = np.random.default_rng(8).random(10_000)
    return np.asarray(-np.abs(np.searchsorted(np.sort(records), np.linspace(0, 1, 10_001), side="right") - 5_000.0))


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0])
def test_many_different_scores_have_the_chances_of_a_quadrature_that_takes_every_factor(epsilon: float) -> None:
    gaps = grid_of_a_median() * epsilon / 2
    gaps -= gaps.max()
    x, w = np.polynomial.legendre.leggauss(40)
    found, looked_at = np.zeros(4), (0, 2_500, 4_990, int(gaps.argmax()))
    for lower, upper in itertools.pairwise([0.0, *0.5 ** np.arange(14.0, -1, -1)]):
        for node, weight in zip(lower + (upper - lower) * (x + 1) / 2, w * (upper - lower) / 2, strict=True):
            factors = np.log1p(-node * np.exp(gaps))
            found += weight * np.exp(factors.sum() - factors[list(looked_at)] + gaps[list(looked_at)])
    assert permute_and_flip(gaps)[list(looked_at)] == pytest.approx(found, rel=1e-9, abs=1e-30)


def test_the_laws_of_a_whole_curve_of_errors_take_a_few_loops() -> None:
    """A twentieth of a second, where a loop takes a sixtieth."""
    scores = grid_of_a_median()

    def curve() -> None:
        for epsilon in np.geomspace(0.01, 20, 24):
            permute_and_flip(scores * epsilon / 2)

    assert in_loops(curve, times=3) <= 6.0
