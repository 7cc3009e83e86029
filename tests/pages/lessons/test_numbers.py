"""Numbers of the lessons, compared with closed forms, plain counts and simulations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binom

from dpcore import oracles
from dpcore.audits.audit import random_pairs
from dpcore.guarantees.descriptions import figure
from dpcore.guarantees.privacy import Adjacency
from pages.experiment.examples import NAME
from pages.experiment.examples import example as example_of
from pages.experiment.tables import ours
from pages.lessons import basics, by_hand
from pages.lessons.example import Example, with_fewest_pairs
from tests.pages.lessons.numbers import EPSILON, GAMMA, SAMPLED, M, N, limit, moves, result, right


def test_example_is_that_of_explore() -> None:
    assert Example().scenario() == example_of(ours()[NAME])


def test_coin_by_simulation() -> None:
    """200,000 people: four standard deviations are 0.45 percentage points."""
    rng = np.random.default_rng(1)
    copied = rng.random(200_000) < 0.7
    first, second = rng.random((2, 200_000)) < 0.5
    yes = np.where(first, copied, second)
    assert 100 * by_hand.estimate(yes.mean()) == pytest.approx(70, abs=0.45)
    size = 50_000  # of each kind: even odds
    sure = yes[copied][:size].sum() / (yes[copied][:size].sum() + yes[~copied][:size].sum())
    assert result("coin", "answer").truth == pytest.approx(100 * sure, abs=1)
    share = result("coin", "share")
    assert float(share.truth) == pytest.approx(100 * (2 * 18 / 30 - 0.5))
    assert float(share.numbers["rest"]) / float(share.numbers["truthful"]) == pytest.approx(0.7)
    assert float(result("coin", "epsilon").truth) == pytest.approx(math.log(3))
    assert result("coin", "epsilon").numbers["high"] == f"{math.log(0.95 / 0.05):.1f}"


@pytest.mark.parametrize("people", [30, 3_000])
def test_coin_error_by_simulation(people: int) -> None:
    """20,000 classes: the standard deviation is within 2%."""
    rng = np.random.default_rng(2)
    true_yes = round(0.7 * people)
    said = rng.binomial(true_yes, 0.75, 20_000) + rng.binomial(people - true_yes, 0.25, 20_000)
    assert by_hand.deviation(people) == pytest.approx(float(np.std(2 * said / people - 0.5)), rel=0.02)
    reach = result("coin", "people").numbers
    said_reach = float(reach["small_reach" if people == 30 else "large_reach"])
    assert said_reach == pytest.approx(196 * math.sqrt(3 / 4 / people), rel=0.02)
    assert reach["trusted_reach"] == f"{100 * math.log(20) / (30 * math.log(3)):.0f}"


def test_mean_moves_by_difference_over_n() -> None:
    found = result("neighbours", "one_record")
    said = {name: float(found.numbers[name]) for name in ("old", "new", "apart", "before", "after", "moved")}
    rng = np.random.default_rng(14)
    pairs = random_pairs(oracles.Exponential(1.0), N, 100, Adjacency.REPLACE_ONE_RECORD, rng)
    apart = [float(np.abs(np.asarray(one) - np.asarray(other)).max()) for one, other in pairs]
    assert float(found.truth) == pytest.approx(max(apart) / N, rel=1e-9)
    assert result("neighbours", "the_most").numbers["typical"] == figure(float(np.median(apart)) / N)
    assert said["moved"] == pytest.approx(said["apart"] / N, rel=0.01)
    assert said["after"] - said["before"] == pytest.approx((said["new"] - said["old"]) / N, abs=2e-4)
    more = result("neighbours", "more_records").numbers
    assert more["large_median"] == figure(float(np.median(moves(n=10 * N))))


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 5.0, 20.0])
def test_best_guess_has_closed_form(epsilon: float) -> None:
    assert basics.right(epsilon) == pytest.approx(right(epsilon), abs=1e-5)


def test_best_guess_by_simulation() -> None:
    """60,000 private answers of each table: five standard deviations are 0.66%."""
    law, rng = Example().noise(), np.random.default_rng(3)
    first, second = (law.simulate(np.array([at]), size=60_000, rng=rng)[:, 0] for at in (0.0, SAMPLED))
    tried = 50 * (np.mean(first < SAMPLED / 2) + np.mean(second > SAMPLED / 2))
    assert basics.right(1.0) == pytest.approx(tried, abs=0.66)
    assert basics.right(1.1) != pytest.approx(tried, abs=0.66), "ε that is 10% larger is distinguished"


@pytest.mark.parametrize(("step", "epsilon"), [("attacker", 1.0), ("large", 5.0)])
def test_noise_says_right_guesses(step: str, epsilon: float) -> None:
    found = result("noise", step)
    assert found.truth == round(right(epsilon))
    assert found.numbers["right"] == str(round(right(epsilon)))


def test_noise_widths() -> None:
    assert result("noise", "attacker").numbers["most"] == str(limit(1.0)) == "74"
    half = result("noise", "half").numbers
    assert [half["narrow"], half["wide"]] == [figure(SAMPLED / epsilon * math.log(20)) for epsilon in (1, 0.5)]
    assert half["right"] == f"{right(0.5):.0f}"
    assert result("noise", "large").numbers["reach"] == figure(SAMPLED / 5 * math.log(20))


def test_sampled_sensitivity_is_190th_of_199() -> None:
    found = result("sensitivity", "furthest")
    assert found.truth == SAMPLED
    assert (found.numbers["k"], found.numbers["beyond"], found.numbers["most"]) == ("190", "9", figure(float(moves().max())))
    wider = result("sensitivity", "spread").numbers
    assert (wider["wider"], wider["typical"], wider["typical_wider"]) == (figure(2 * SAMPLED), "1", "2")


@pytest.mark.parametrize("gamma", [0.5, 0.05, 0.001])
def test_covered_distance_is_closed_form_of_paper(gamma: float) -> None:
    """Example 6: log(1/γ)/n."""
    assert basics.covered(Example(), gamma) == pytest.approx(math.log(1 / gamma) / N, rel=1e-9)


def test_worst_case_and_its_price() -> None:
    likely = result("worst_case", "likely")
    assert float(likely.truth) == pytest.approx(math.log(1000) / math.log(20), rel=1e-9)
    assert (likely.numbers["less"], likely.numbers["sampled"]) == (figure(math.log(20) / N), figure(SAMPLED))
    bounded = result("worst_case", "bounded")
    assert float(bounded.truth) == pytest.approx(20 / N / SAMPLED, rel=1e-9)
    assert bounded.numbers["worst"] == figure(20 / N)
    assert float(result("worst_case", "worst").numbers["moved"]) == pytest.approx(5000 / N, rel=0.01)


@pytest.mark.parametrize(("bars", "epsilon"), [(2, 0.1), (6, 0.1), (15, 1.0)])
def test_histogram_error_by_simulation(bars: int, epsilon: float) -> None:
    """2,000 tables of 500 rows, with Laplace noise, compared with the density on a grid of 600 points."""
    rng, edges = np.random.default_rng(5), np.linspace(0, 5, bars + 1)
    grid = (np.arange(600) + 0.5) * 5 / 600
    density = np.exp(-grid) / quad(lambda x: math.exp(-x), 0, 5)[0]
    rows = -np.log1p(-rng.random((2_000, 500)) * -math.expm1(-5))
    counts = np.array([np.histogram(one, edges)[0] for one in rows]) + rng.laplace(scale=2 / epsilon, size=(2_000, bars))
    heights = counts[:, np.searchsorted(edges, grid) - 1] * bars / (5 * 500)
    tried = 100 * math.sqrt(np.mean((heights - density) ** 2))
    assert by_hand.histogram_error(bars, epsilon) == pytest.approx(tried, rel=0.03)


def test_best_numbers_of_bins() -> None:
    for step, epsilon, name in (("best", 0.1, "best"), ("more", 1.0, "finer")):
        said = int(result("bins", step).numbers[name])
        assert said == by_hand.best_bars(epsilon)
        assert all(by_hand.histogram_error(said, epsilon) <= by_hand.histogram_error(bars, epsilon) for bars in range(1, 200))
    assert float(result("bins", "thin").truth) == 100 * (2 / 0.1) / (500 / 100)
    first, second = (trace["y"] for trace in result("bins", "two_bars").after.traces)
    assert sorted((second - first)[np.flatnonzero(second - first)].tolist()) == [-1, -1, 1, 1], "each bar has two corners"


def test_cdf_is_read_as_drawn() -> None:
    height = result("reading_the_cdf", "height")
    within = int((moves() <= 0.002).sum())
    assert (height.truth, height.numbers["within"]) == (100 * within / M, str(within))
    assert height.numbers["true"] == figure(100 * (1 - math.exp(-N * 0.002)))
    steps = height.after.traces[0]
    assert float(np.max(steps["y"][steps["x"] <= 0.002])) == pytest.approx(100 * within / M)
    assert result("reading_the_cdf", "inverse").truth == SAMPLED
    band = result("reading_the_cdf", "band").numbers
    assert [band["narrow"], band["wide"]] == [figure(100 * math.sqrt(math.log(40) / (2 * m))) for m in (M, 19)]
    assert 2.5 < float(band["times"]) < 3.5, "the option says about three times"


def test_new_change_is_furthest_in_5_percent() -> None:
    """4,000 runs: four standard deviations are 1.4%."""
    found = result("nineteen_pairs", "further")
    assert (found.truth, found.numbers["some"], with_fewest_pairs().m) == (5.0, "1 in 20", 19)
    assert float(found.numbers["share"]) == pytest.approx(5, abs=1.4)
    drawn = moves(80_000).reshape(4_000, 20)
    assert found.numbers["seen"] == str(sum(run[19] == max(run) for run in drawn.tolist()))


def test_one_run_follows_binomial_law() -> None:
    """P(Beta(m − k + 1, k) > x) = P(Bin(m, x) <= m − k)."""
    one_run = result("nineteen_pairs", "one_run")
    assert one_run.truth == round(100 * 0.95**19)
    assert one_run.numbers["far"] == f"{100 * 0.9**19:.0f}"
    more = result("nineteen_pairs", "more_pairs").numbers
    assert (more["far"], more["rare"]) == (figure(100 * 0.9**19), figure(100 * float(binom.cdf(9, M, 0.1))))
    people = result("nineteen_pairs", "people").numbers
    assert people["count"] == str(round(GAMMA * N))
    beyond = [figure(100 * math.exp(-N * times * SAMPLED)) for times in (1, 2)]
    assert [people["beyond"], people["beyond_twice"]] == beyond
    assert people["epsilon"] == figure(EPSILON)
