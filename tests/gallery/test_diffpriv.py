"""The diffpriv paper's three examples and the tutorial's sums, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from data.exhibits import diffpriv, tutorial
from data.exhibits.exhibit import stored
from dpcore import L1, LINF, Bound
from tests.reference.read import numbers

pytestmark = pytest.mark.statistical


def test_sampled_sensitivity_of_the_mean_is_its_quantile() -> None:
    """P(|U − U'| <= t) = 1 − (1 − t)²; the 951st of 1,000 draws has a standard deviation of 0.016 in units of 1/n."""
    exact = 1 - np.sqrt(0.05)
    used = {row[0]: float(row[1]) * 100 for row in stored("diffpriv_mean").tables[0].rows}
    assert abs(used["sampled, RANK"] - exact) < 0.06
    assert abs(1.1 * used["sampled, RANK"] - exact) > 0.06
    fresh = [diffpriv.sampled(diffpriv.POINTS["sampled, RANK"], seed).value * 100 for seed in range(20)]
    assert abs(np.mean(fresh) - exact) < 0.02
    assert abs(1.1 * np.mean(fresh) - exact) > 0.02


def test_letters_are_as_likely_as_the_formula() -> None:
    """P(r) ∝ exp(ε·s(r)/(2Δ)), each of ten laws."""
    scores = diffpriv.LETTERS(diffpriv.names())
    drawn = diffpriv.sensitivities(diffpriv.LETTERS_PAPER, 3, seed=3)
    for sensitivity, law in zip(drawn, diffpriv.laws(diffpriv.LETTERS_PAPER, drawn, 1.0), strict=True):
        weights, wrong = np.exp(scores / (2 * sensitivity)), np.exp(scores / (2.2 * sensitivity))
        assert law.probabilities(scores) == pytest.approx(weights / weights.sum(), rel=1e-9)
        assert law.probabilities(scores) != pytest.approx(wrong / wrong.sum(), rel=1e-3)


def test_shortfall_of_diffpriv_ignores_epsilon_and_ours_falls() -> None:
    chart = stored("diffpriv_letters").chart(diffpriv.SHORTFALL)
    assert np.ptp(chart.called(diffpriv.DIFFPRIV).y) == 0
    for way in (diffpriv.LETTERS_PAPER, diffpriv.RANKED, diffpriv.FLIPPED):
        assert (np.diff(chart.called(way).y) < 0).all()


def test_factor_maps_our_curve_to_diffprivs() -> None:
    """At 21 points, on 250 records of diffpriv's run."""
    theirs = numbers("pck_predict.csv")
    ours = diffpriv.CURVE.curve.values(numbers("pck_data_250.csv"), theirs[:, :1])
    assert diffpriv.FACTOR * ours == pytest.approx(theirs[:, 1], rel=1e-9)


def test_fresh_private_curves_are_closer_in_l1() -> None:
    """Means over two draws of Δ̂, each with its own noise; over the stored 20 the medians are 5.2 and 7.0 times closer."""
    near, far = (diffpriv.distances(norm, 2, seed=900) for norm in (L1, LINF))
    theirs = np.mean(diffpriv.errors(LINF, 1, diffpriv.order_statistic(far, Bound.DKW)))
    for bound, least in ((Bound.DKW, 3.0), (Bound.RANK, 4.0)):
        ours = np.mean(diffpriv.errors(L1, 6, diffpriv.order_statistic(near, bound)))
        assert theirs / ours > least, bound


@pytest.mark.parametrize(("s", "total"), [(5, -1.0), (3, 4.2), (1, 6.4)])
def test_sums_match_the_code_of_the_tutorial(s: int, total: float) -> None:
    assert tutorial.answer(s) == pytest.approx(tutorial.by_hand(s)) == pytest.approx(total)
    sums = stored("tutorial").chart(tutorial.SUMS).series[0]
    assert sums.y[sums.x == s] == pytest.approx([total])


@pytest.mark.parametrize("s", [1, 4])
def test_stored_distances_match_simulated_releases(s: int) -> None:
    """200,000 releases at ε = 1: a standard error of 0.25 % of the noise."""
    one = stored("tutorial").chart(tutorial.ERRORS).called("ε = 1")
    noise = np.random.default_rng(s).laplace(size=200_000)
    bias = tutorial.by_hand(s) + 1

    def distance(scale: float) -> float:
        return float(np.abs(bias + scale * noise).mean())

    assert distance(10.0 * s) == pytest.approx(one.y[one.x == s][0], rel=0.015)
    assert distance(11.0 * s) != pytest.approx(one.y[one.x == s][0], rel=0.015)
