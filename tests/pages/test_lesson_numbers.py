"""What the lessons say against closed forms and plain counts, found by another way than the lessons' own."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from dpcore import L1, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.audits import best_guess
from dpcore.audits.audit import random_pairs
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.words import figure
from pages.experiment import choices as defaults
from pages.experiment import tables
from pages.old.charts.sampler import BAND
from pages.old.experiment.lessons import to_try
from pages.old.experiment.lessons.example import Example
from pages.old.experiment.lessons.step import Found
from pages.old.learn.found import lessons
from pages.old.lessons import nineteen_trials, worst_case

N, M = 500, 199  # of Example 6
LESSONS = {one.name: one for one in lessons()}


def _moves(m: int = M, n: int = N) -> np.ndarray:
    """The trials in order, by the library alone."""
    at = OperatingPoint.for_sample_size(m)
    return np.sort(sample_sensitivity(targets.Mean(), oracles.Exponential(1.0), norm=L1, n=n, at=at, seed=1).distances)


SAMPLED = float(_moves()[189])  # k = 190


def _found(lesson: str, step: str) -> Found:
    return LESSONS[lesson].steps[step].find()


def test_the_mean_moves_by_the_difference_over_n() -> None:
    found = _found("neighbours", "one_record")
    said = {name: float(found.numbers[name]) for name in ("old", "new", "apart", "before", "after", "moved")}
    rng = np.random.default_rng(14)
    differences = [
        before - after for before, after in random_pairs(oracles.Exponential(1.0), N, 100, Adjacency.REPLACE_ONE_RECORD, rng)
    ]
    assert float(found.truth) == pytest.approx(max(np.abs(one).max() for one in differences) / N, rel=1e-9)
    assert said["apart"] == pytest.approx(abs(said["old"] - said["new"]), abs=0.01)
    assert said["moved"] == pytest.approx(said["apart"] / N, rel=0.01)
    assert said["after"] - said["before"] == pytest.approx((said["new"] - said["old"]) / N, abs=2e-4)


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 5.0, 20.0])
def test_the_better_guess_is_right_as_often_as_the_closed_form(epsilon: float) -> None:
    law = Example(epsilon=epsilon).law()
    assert best_guess.right(law, SAMPLED) == pytest.approx(1 - math.exp(-epsilon / 2) / 2, abs=1e-7)


def test_a_guess_is_right_so_often_when_it_is_tried() -> None:
    """60,000 private answers of each table: five standard deviations are 0.0066."""
    law, rng = Example().law(), np.random.default_rng(3)
    first, second = (law.simulate(np.array([at]), size=60_000, rng=rng)[:, 0] for at in (0.0, SAMPLED))
    right = (np.mean(first < SAMPLED / 2) + np.mean(second > SAMPLED / 2)) / 2
    assert best_guess.right(law, SAMPLED) == pytest.approx(right, abs=0.0066)
    assert best_guess.right(law, 1.1 * SAMPLED) != pytest.approx(right, abs=0.0066), "10 % further apart is told from this"


@pytest.mark.parametrize(("step", "epsilon"), [("guesser", 1.0), ("large", 5.0)])
def test_right_guesses_are_said_in_a_hundred(step: str, epsilon: float) -> None:
    found = _found("noise", step)
    assert found.truth == round(100 - 50 * math.exp(-epsilon / 2))
    assert found.numbers["right"] == str(round(100 - 50 * math.exp(-epsilon / 2)))


def test_the_sampled_sensitivity_is_the_190th_of_199() -> None:
    found = _found("sensitivity", "furthest")
    assert found.truth == SAMPLED
    assert (found.numbers["k"], found.numbers["beyond"], found.numbers["most"]) == ("190", "9", figure(float(_moves()[-1])))
    wider = _found("sensitivity", "spread").numbers
    assert wider["wider"] == figure(2 * SAMPLED)
    assert (wider["typical"], wider["typical_wider"]) == ("1 year", "2 years")


@pytest.mark.parametrize("gamma", [0.5, 0.05, 0.001])
def test_all_but_a_share_of_changes_stay_within_the_papers_closed_form(gamma: float) -> None:
    """Example 6: log(1/γ)/n."""
    assert worst_case.covered(Example(), gamma) == pytest.approx(math.log(1 / gamma) / N, rel=1e-9)


def test_the_worst_case_and_its_price() -> None:
    likely = _found("worst_case", "likely")
    assert float(likely.truth) == pytest.approx(math.log(1000) / math.log(20), rel=1e-9)
    assert (likely.numbers["less"], likely.numbers["sampled"]) == (figure(math.log(20) / N), figure(SAMPLED))
    bounded = _found("worst_case", "bounded")
    assert float(bounded.truth) == pytest.approx(20 / N / SAMPLED, rel=1e-9)
    assert bounded.numbers["worst"] == figure(20 / N)
    assert float(_found("worst_case", "worst").numbers["moved"]) == pytest.approx(5000 / N, rel=0.01)


def test_the_chart_of_the_trials_is_read_as_it_is_drawn() -> None:
    height = _found("reading_the_cdf", "height")
    within = int((_moves() <= 0.002).sum())
    assert (height.truth, height.numbers["within"]) == (100 * within / M, str(within))
    assert height.numbers["true"] == figure(100 * (1 - math.exp(-N * 0.002)))
    assert _found("reading_the_cdf", "inverse").truth == SAMPLED
    band = _found("reading_the_cdf", "band").numbers
    assert band["narrow"] == figure(100 * math.sqrt(math.log(40) / (2 * M)))
    assert band["wide"] == figure(100 * math.sqrt(math.log(40) / (2 * 19)))
    assert 2.5 < float(band["times"]) < 3.5, "about three times, says the option"


def test_a_new_change_goes_furthest_once_in_twenty_runs() -> None:
    """4,000 runs: four standard deviations are 1.4 %."""
    found = _found("nineteen_trials", "further")
    assert (found.truth, found.numbers["some"], nineteen_trials.few().m) == (5.0, "1 in 20", 19)
    assert float(found.numbers["share"]) == pytest.approx(5, abs=1.4)
    drawn = sample_sensitivity(
        targets.Mean(), oracles.Exponential(1.0), norm=L1, n=N, at=OperatingPoint.for_sample_size(80_000), seed=1
    ).distances.reshape(4_000, 20)
    assert found.numbers["seen"] == str(sum(run[19] == max(run) for run in drawn.tolist()))


def test_one_run_strays_as_the_binomial_law_says() -> None:
    """P(Beta(m − k + 1, k) > x) = P(Bin(m, x) <= m − k)."""
    one_run = _found("nineteen_trials", "one_run")
    assert one_run.truth == round(100 * 0.95**19)
    assert one_run.numbers["far"] == f"{100 * 0.9**19:.0f}"
    more = _found("nineteen_trials", "more_trials").numbers
    assert more["far"] == figure(100 * 0.9**19)
    assert more["rare"] == figure(100 * float(binom.cdf(9, M, 0.1)))


def test_the_example_of_the_lessons_is_that_of_the_app() -> None:
    """Its numbers stand in the lessons once more, so that their programs need no table."""
    assert to_try.scenario(Example()) == defaults.example(tables.table(defaults.NAME))
    assert _found("reading_the_cdf", "band").numbers["band"] == BAND
