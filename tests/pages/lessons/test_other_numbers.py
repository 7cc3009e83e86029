"""Numbers of the lessons on people, many questions, void guarantees, unusual rows and blocks, found by other routes."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import laplace

from dpcore import OperatingPoint, PureDP
from dpcore.guarantees.attacker import right_from_several
from dpcore.guarantees.descriptions import figure
from pages.lessons import limits, many, no_oracle
from pages.lessons.example import Example
from tests.pages.lessons.numbers import EPSILON, GAMMA, SAMPLED, N, limit, result, right


@pytest.fixture(scope="module")
def visits() -> np.ndarray:
    """Return the number of visits of each person, from the file."""
    with (Path(__file__).parents[3] / "data" / "visits.csv").open() as lines:
        return np.array(sorted(Counter(row["person"] for row in csv.DictReader(lines)).values()))


def test_frequent_visitor(visits: np.ndarray) -> None:
    found = result("one_person", "many_rows")
    assert found.truth == round(right(0.1 * 40))
    assert (found.numbers["once"], found.numbers["bound"]) == (f"{right(0.1):.0f}", str(limit(4.0)))
    said = [found.numbers[name] for name in ("rows", "people", "most")]
    assert said == [f"{visits.sum():,}", f"{len(visits):,}", str(visits.max())]
    names = result("one_person", "two_names").numbers
    assert [names[name] for name in ("once", "twice", "ten")] == [f"{right(0.1 * many):.0f}" for many in (1, 2, 10)]


def test_best_limit_by_plain_count(visits: np.ndarray) -> None:
    """The error is √(dropped² + 2(s/ε)²) (mathematics, section 9.2)."""
    error = {cap: math.hypot(np.maximum(visits - cap, 0).sum(), math.sqrt(2) * cap / 0.1) for cap in range(1, 251)}
    at, dropped, wide = many.limits()
    assert np.hypot(dropped, wide) == pytest.approx([error[int(cap)] for cap in at], rel=1e-5)
    found = result("one_person", "best_limit")
    best = int(found.truth)
    assert error[best] < 1.001 * min(error.values())
    said = [found.numbers[name] for name in ("error", "dropped", "one", "noise", "noise_at_best")]
    lost = np.maximum(visits - best, 0).sum()
    noise = math.sqrt(2) * best / 0.1
    assert said == [f"{error[best]:,.0f}", f"{lost:,}", f"{len(visits):,}", f"{error[250]:,.0f}", f"{noise:,.0f}"]


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 2.0])
def test_guess_from_several_answers_by_simulation(epsilon: float) -> None:
    """40,000 guesses from 8 answers: four standard deviations are 0.01."""
    chances = right_from_several(epsilon, 9)
    answers = np.random.default_rng(8).laplace(size=(40_000, 8), scale=1 / epsilon)  # the other table's are 1 further
    loss = np.clip(1 - 2 * answers, -1, 1).sum(axis=1)
    tried = (loss > 1e-9).mean() + (np.abs(loss) <= 1e-9).mean() / 2  # a coin decides if neither is more likely
    assert chances[7] == pytest.approx(tried, abs=0.01)
    assert 1 / (1 + math.exp(-8 * epsilon)) > chances[7], "the limit of the total ε"


def test_epsilons_and_gammas_add_up() -> None:
    found = result("many_questions", "epsilons")
    assert (found.numbers["total"], found.numbers["one"]) == (figure(8 * 0.5), f"{right(0.5):.0f}")
    assert found.numbers["bound"] == str(limit(4.0))
    assert found.truth == round(100 * right_from_several(0.5, 8)[7])
    assert many.proved(3).total() == PureDP(1.5)
    gammas = result("many_questions", "gammas")
    assert float(gammas.truth) == pytest.approx(100 * 8 * GAMMA)
    assert gammas.numbers["apart"] == figure(100 * (1 - 0.95**8))
    assert gammas.numbers["pairs"] == str(math.ceil(8 / GAMMA) - 1)
    assert len({line.target_id for line in many.sampled(3).plan}) == 3, "three different questions"


@pytest.mark.parametrize("times", [0.5, 1.0, 2.0])
def test_wrong_oracle_by_simulation(times: float) -> None:
    """100,000 runs of 199 pairs and a change of the world: four standard deviations are at most 0.0053."""
    point, rng = OperatingPoint.for_both(199, GAMMA), np.random.default_rng(2)
    drawn = -np.log1p(-rng.beta(point.k, point.m - point.k + 1, 100_000))
    tried = (times * rng.exponential(size=100_000) > drawn).mean()
    assert limits.missed(point, times) == pytest.approx(tried, abs=0.0053)
    assert limits.missed(point, 1.0) == pytest.approx(GAMMA, rel=1e-9)
    if times == 2:
        assert limits.missed(point, 2.2) != pytest.approx(tried, abs=0.0053), "10% more spread is distinguished"
        assert float(result("void", "wrong_oracle").truth) == pytest.approx(100 * limits.missed(point, 2.0))


def test_bounds_from_the_table_reveal_a_neighbour() -> None:
    """Compare with an integral between the bends of the densities, and with 200,000 simulated answers."""
    (first, narrow), (other, wide) = limits.looked()
    scales = [law.half_width(0.5) / math.log(2) for law in (narrow, wide)]
    table = Example().pairs(1)[0][0]
    assert scales == pytest.approx([table.max() / N, 50 / N], rel=1e-6)
    one, two = laplace(first, scales[0]), laplace(other, scales[1])
    pieces = ((-3, first), (first, other), (other, other + 3))
    apart = sum(quad(lambda at: abs(one.pdf(at) - two.pdf(at)), low, high, limit=200)[0] for low, high in pieces)
    assert limits.distinguished() == pytest.approx(0.5 + apart / 4, abs=1e-4)
    tries = [law.rvs(100_000, random_state=seed) for law, seed in ((one, 4), (two, 5))]
    tried = (np.mean(one.pdf(tries[0]) > two.pdf(tries[0])) + np.mean(two.pdf(tries[1]) > one.pdf(tries[1]))) / 2
    assert limits.distinguished() == pytest.approx(tried, abs=0.004)
    looking = result("void", "looking")
    assert (looking.truth, looking.numbers["bound"]) == (round(100 * limits.distinguished()), str(limit(EPSILON)))


@pytest.mark.parametrize(("times", "known"), [(1, 0.05), (2, 0.074), (3, 0.090), (5, 0.111), (10, 0.141)])
def test_redrawing_misses_what_the_mathematics_says(times: int, known: float) -> None:
    """Mathematics, section 2.3: 1 − Σ C(r, i)(−1)^i/(19i + 1)."""
    assert limits.redrawn(times, 19) == pytest.approx(known, abs=0.001)
    assert limits.redrawn(times, 19) == pytest.approx(
        1 - sum(math.comb(times, i) * (-1) ** i / (19 * i + 1) for i in range(times + 1))
    )
    assert result("void", "redrawing").numbers["left"] == figure(100 * limits.redrawn(10, 19))


def test_gamma_chosen_after_an_answer_misses_more() -> None:
    """Mathematics, section 4.5, has .0282 and .0126 from 4,000,000 pairs. Of 400,000, four standard deviations are .0011."""
    so_far, promised = limits.chosen_afterwards()
    missed = float(so_far[-1])
    assert missed == pytest.approx(0.0282, abs=0.0011)
    assert promised == pytest.approx(0.0126, abs=0.0003)
    found = result("void", "after_an_answer")
    assert (found.truth, found.numbers["left"]) == (100 * missed, figure(100 * missed))


def test_long_time_has_closed_form() -> None:
    found = result("who_is_not_protected", "outlier")
    assert found.truth == round(right(EPSILON * (11 / N) / SAMPLED))
    assert found.numbers["covered"] == f"{right(EPSILON):.0f}"
    assert found.numbers["limit"] == figure(1 + N * SAMPLED)
    assert found.numbers["times"] == figure(11 / N / SAMPLED)
    helps = result("who_is_not_protected", "helps").numbers
    assert (helps["most"], helps["times"]) == (f"{right(EPSILON):.0f}", figure(20 / N / SAMPLED))


@pytest.mark.parametrize(("n", "beyond"), [(500, 3.26), (20, 1.0), (3, 0.5)])
def test_attacker_finds_unprotected_row_by_simulation(n: int, beyond: float) -> None:
    """100,000 tables; the longest of n has the CDF (1 − e^(−x))^n. Four standard deviations are 0.0064."""
    rng = np.random.default_rng(6)
    longest, other = -np.log(-np.expm1(np.log(rng.random(100_000)) / n)), rng.exponential(size=100_000)
    tried = (np.abs(longest - other) > beyond).mean()
    assert limits.found_by_an_attacker(n, beyond) == pytest.approx(tried, abs=0.0064)
    if n < 500:
        assert limits.found_by_an_attacker(n, 1.1 * beyond) != pytest.approx(tried, abs=0.0064)


def test_longest_time_is_nearly_always_unprotected() -> None:
    found = result("who_is_not_protected", "looked_for")
    assert float(found.truth) == pytest.approx(100 * limits.found_by_an_attacker(N, N * SAMPLED))
    random, longest = limits.simulated()
    assert [found.numbers[name] for name in ("random", "longest")] == [str((one > SAMPLED).sum()) for one in (random, longest)]
    assert (longest > SAMPLED).mean() == pytest.approx(float(found.truth) / 100, abs=0.063), "four standard deviations of 199"


def _scores(answers: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return minus the distance of k/2 from the number of answers up to each value (mathematics, section 20.2)."""
    nearest = places[np.abs(answers[:, None] - places).argmin(axis=1)]
    below, up_to = ((nearest < place).sum() for place in places), ((nearest <= place).sum() for place in places)
    half = len(answers) / 2
    return -np.array([max(0.0, half - many, few - half) for few, many in zip(below, up_to, strict=True)])


def _released(answers: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """Return selections by permute-and-flip: report noisy max with exponential noise of scale 2/ε (mathematics, section 5.3)."""
    places = np.linspace(0, 20, 1_001)
    noisy = _scores(answers, places) + rng.exponential(2 / EPSILON, (size, len(places)))
    return np.asarray(places[noisy.argmax(axis=1)])


def test_row_moves_mean_of_its_own_block() -> None:
    first, second = no_oracle.one_replaced()
    (moved,) = np.flatnonzero(first != second)
    rows = round(29 / (second[moved] - first[moved]))
    assert (len(first), rows in (6, 7)) == (80, True)
    assert second[moved] - first[moved] == pytest.approx(29 / rows)
    assert (no_oracle.one_replaced(1e6)[1] != first).sum() == 1


@pytest.mark.parametrize(("step", "target", "k"), [("mean", np.mean, 80), ("median", np.median, N)])
def test_error_of_blocks_by_simulation(step: str, target: Callable[[np.ndarray], float], k: int) -> None:
    """30 tables of 100 releases with other blocks: 25% is four standard deviations of these and of the lesson's tables."""
    rng, squares, found = np.random.default_rng(8), [], result("no_oracle", step)
    for table in rng.exponential(size=(30, N)):
        blocks = np.array([target(part) for part in np.array_split(table, k)])
        squares.append(np.mean((_released(blocks, 100, rng) - target(table)) ** 2))
    said = float(found.numbers["far"])
    assert said == pytest.approx(math.sqrt(np.mean(squares)), rel=0.25)
    assert float(found.truth) == pytest.approx(said / float(found.numbers["near"]), rel=0.02)


def test_guess_about_odd_row_by_simulation() -> None:
    """20,000 releases of each table: the best guess is learned on the first half and tried on the second."""
    rng, found = np.random.default_rng(9), result("no_oracle", "odd_row")
    answers = np.array([part.mean() for part in np.array_split(Example().pairs(1)[0][0], 80)])
    other = answers.copy()
    other[answers.argmin()] = 6.0
    bins = np.linspace(0.5, 1.6, 56)
    seen = [np.concatenate([_released(one, 4_000, rng) for _ in range(5)]) for one in (answers, other)]
    first, second = (np.histogram(np.clip(one[:10_000], 0.5, 1.6), bins)[0] for one in seen)
    guess = first > second
    tried = [guess[np.clip(np.digitize(one[10_000:], bins) - 1, 0, len(guess) - 1)] for one in seen]
    assert float(found.truth) == pytest.approx(50 * (tried[0].mean() + 1 - tried[1].mean()), abs=3)
    chances = no_oracle.guesses(np.array([1.0, 2.0, 30.0, 1e6]))
    assert chances[0] == 50
    assert all(np.diff(chances) >= 0)
    assert chances[-1] < 100 / (1 + math.exp(-EPSILON))
    assert found.numbers["noise"] == f"{right(29 / N / SAMPLED):.0f}"
    assert found.numbers["left"] == f"{100 * math.exp(-N * SAMPLED / 2):.0f}"
    assert found.numbers["bound"] == str(limit(EPSILON))
