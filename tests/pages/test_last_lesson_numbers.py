"""What the last four lessons say against closed forms, plain counts and other tries, found by another way than their own."""

from __future__ import annotations

import csv
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import laplace

from dpcore import L1, OperatingPoint, PureDP, oracles, sample_sensitivity, targets
from dpcore.audits import best_guess
from dpcore.guarantees.words import figure, guess
from pages.old.experiment.lessons.example import Example
from pages.old.experiment.lessons.step import Found
from pages.old.learn.found import lessons
from pages.old.lessons import many_questions, one_person, void, who_is_not_protected

N, GAMMA, EPSILON = 500, 0.05, 1.0  # of Example 6
LESSONS = {one.name: one for one in lessons()}
SAMPLED = float(
    np.sort(
        sample_sensitivity(
            targets.Mean(), oracles.Exponential(1.0), norm=L1, n=N, at=OperatingPoint.for_sample_size(199), seed=1
        ).distances
    )[189]
)


def _found(lesson: str, step: str) -> Found:
    return LESSONS[lesson].steps[step].find()


def _right(epsilon: float) -> float:
    """Mathematics, section 12.1: of a hundred, at a distance that loses this ε."""
    return 100 - 50 * math.exp(-epsilon / 2)


@pytest.fixture(scope="module")
def each() -> np.ndarray:
    """How many visits each person has, from the file."""
    with (Path(__file__).parents[2] / "data" / "visits.csv").open() as lines:
        return np.array(sorted(Counter(row["person"] for row in csv.DictReader(lines)).values()))


def test_a_person_with_many_visits_is_guessed_as_often_as_the_closed_form(each: np.ndarray) -> None:
    found = _found("one_person", "many_rows")
    assert found.truth == round(_right(0.1 * 40))
    assert (found.numbers["once"], found.numbers["right"]) == (str(round(_right(0.1))), str(round(_right(4))))
    assert found.numbers["bound"] == guess(PureDP(4.0))
    said = [found.numbers[name] for name in ("rows", "people", "most")]
    assert said == [f"{each.sum():,}", f"{len(each):,}", str(each.max())]
    assert (each >= 40).sum() > 20, "there are people who come so often"


def test_the_best_cap_has_the_least_error_by_a_plain_count(each: np.ndarray) -> None:
    """√(what is dropped² + 2(s/ε)²): mathematics, section 9.2."""
    error = {cap: math.hypot(np.maximum(each - cap, 0).sum(), math.sqrt(2) * cap / 0.1) for cap in range(1, 251)}
    at, dropped, wide = one_person.caps()
    assert np.hypot(dropped, wide) == pytest.approx([error[int(cap)] for cap in at], rel=1e-5)
    assert (at[0], at[-1]) == (1, 250)
    best = min(map(int, at), key=error.__getitem__)
    found = _found("one_person", "best_cap")
    assert found.truth == best
    assert error[best] < 1.001 * min(error.values()), "of all caps none is better by what can be seen"
    dropped = np.maximum(each - best, 0).sum()
    said = [found.numbers[name] for name in ("best", "error", "dropped", "one", "noise")]
    assert said == [str(best), f"{error[best]:,.0f}", f"{dropped:,}", f"{len(each):,}", f"{error[250]:,.0f}"]
    noise = math.sqrt(2) * best / 0.1
    assert found.numbers["noise_at_best"] == f"{noise:,.0f}"
    assert math.hypot(dropped, noise) == pytest.approx(error[best]), "and that is less than their sum"


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 2.0])
def test_one_answer_is_guessed_as_in_the_closed_form_and_several_as_when_tried(epsilon: float) -> None:
    """40,000 guesses from 8 answers: four standard deviations are 0.01."""
    chances = best_guess.right_from_several(epsilon, 9)
    assert 100 * chances[0] == pytest.approx(_right(epsilon), abs=0.02)
    rng = np.random.default_rng(8)
    answers = rng.laplace(size=(40_000, 8), scale=1 / epsilon)  # of the first table, the other's lie 1 further
    loss = np.clip(1 - 2 * answers, -1, 1).sum(axis=1)
    right = (loss > 1e-9).mean() + (np.abs(loss) <= 1e-9).mean() / 2  # a coin, where neither is more likely
    assert chances[7] == pytest.approx(right, abs=0.01)
    if epsilon == 0.5:
        assert best_guess.right_from_several(1.1 * epsilon, 8)[7] != pytest.approx(right, abs=0.01), (
            "a 10 % larger ε is told from this"
        )
    assert all(chances[1:] > chances[:-1])
    assert 1 / (1 + math.exp(-8 * epsilon)) > chances[7], "what the sum of ε promises for any noise"


def test_epsilons_add_up_and_so_do_gammas() -> None:
    found = _found("many_questions", "epsilons")
    assert found.numbers["total"] == figure(8 * 0.5)
    assert (found.numbers["one"], found.numbers["bound"]) == (f"{_right(0.5):.0f}", guess(PureDP(4.0)))
    assert many_questions.proved(3).total() == PureDP(1.5)
    gammas = _found("many_questions", "gammas")
    assert float(gammas.truth) == pytest.approx(100 * 8 * GAMMA)
    assert gammas.numbers["apart"] == figure(100 * (1 - 0.95**8))
    assert gammas.numbers["trials"] == str(math.ceil(8 / GAMMA) - 1)
    assert len({line.target_id for line in many_questions.sampled(3).plan}) == 3, "they are other questions"


@pytest.mark.parametrize("times", [0.5, 1.0, 2.0])
def test_a_wrong_oracle_leaves_out_as_many_as_when_it_is_tried(times: float) -> None:
    """100,000 runs of 199 trials and a change of the world: four standard deviations are 0.0053 at most."""
    point, rng = OperatingPoint.for_both(199, GAMMA), np.random.default_rng(2)
    drawn = -np.log1p(-rng.beta(point.k, point.m - point.k + 1, 100_000))
    left_out = (times * rng.exponential(size=100_000) > drawn).mean()
    assert void.missed(point, times) == pytest.approx(left_out, abs=0.0053)
    assert void.missed(point, 1.0) == pytest.approx(GAMMA, rel=1e-9)
    if times == 2:
        assert void.missed(point, 2.2) != pytest.approx(left_out, abs=0.0053), "10 % further spread out is told from this"
        assert float(_found("void", "wrong_oracle").truth) == pytest.approx(100 * void.missed(point, 2.0))


def test_bounds_read_off_the_table_tell_two_neighbours_apart() -> None:
    """By another integral, between the places where the two densities cross or bend; and when it is tried, 200,000 times."""
    (first, narrow), (other, wide) = void.looked()
    scales = [law.half_width(0.5) / math.log(2) for law in (narrow, wide)]
    table = np.asarray(Example().pairs(1)[0][0], dtype=float)
    assert scales == pytest.approx([table.max() / N, 50 / N], rel=1e-6)
    assert other - first == pytest.approx((50 - table[0]) / N, rel=1e-9)
    one, two = laplace(first, scales[0]), laplace(other, scales[1])
    apart = sum(
        quad(lambda at: abs(one.pdf(at) - two.pdf(at)), low, high, limit=200)[0]
        for low, high in ((-3, first), (first, other), (other, other + 3))
    )
    assert void.told_apart() == pytest.approx(0.5 + apart / 4, abs=1e-4)
    rng = np.random.default_rng(4)
    tries = [law.rvs(100_000, random_state=rng) for law in (one, two)]
    right = (np.mean(one.pdf(tries[0]) > two.pdf(tries[0])) + np.mean(two.pdf(tries[1]) > one.pdf(tries[1]))) / 2
    assert void.told_apart() == pytest.approx(right, abs=0.004)
    assert _found("void", "looking").truth == round(100 * void.told_apart())


@pytest.mark.parametrize(("times", "known"), [(1, 0.05), (2, 0.074), (3, 0.090), (5, 0.111), (10, 0.141)])
def test_redrawing_leaves_out_what_the_mathematics_says(times: int, known: float) -> None:
    """Section 2.3: 1 − Σ C(r, i)(−1)^i/(19i + 1)."""
    assert void.redrawn(times, 19) == pytest.approx(known, abs=0.0005)
    assert void.redrawn(times, 19) == pytest.approx(
        1 - sum(math.comb(times, i) * (-1) ** i / (19 * i + 1) for i in range(times + 1))
    )


def test_an_answer_that_chooses_the_second_gamma_leaves_out_more_than_both() -> None:
    """Section 4.5 has .0282 and .0126, of 4,000,000 pairs; of 400,000, four standard deviations are .0011."""
    seen = void.chosen_afterwards()
    assert seen.missed == pytest.approx(0.0282, abs=0.0011)
    assert seen.promised == pytest.approx(0.0126, abs=0.0003)
    assert seen.so_far[-1] == seen.missed
    assert seen.missed != pytest.approx(1.1 * 0.0282, abs=0.0011), "10 % more is told from this"
    found = _found("void", "after_an_answer")
    assert (found.truth, found.numbers["left"]) == (100 * seen.missed, figure(100 * seen.missed))


def test_a_long_loan_is_guessed_as_in_the_closed_form() -> None:
    found = _found("who_is_not_protected", "outlier")
    assert found.truth == round(_right(EPSILON * (11 / N) / SAMPLED))
    assert found.numbers["covered"] == str(round(_right(EPSILON)))
    assert found.numbers["limit"] == figure(1 + N * SAMPLED)
    assert found.numbers["times"] == figure(11 / N / SAMPLED)


@pytest.mark.parametrize(("n", "beyond"), [(500, 3.26), (20, 1.0), (3, 0.5)])
def test_an_attacker_finds_one_that_is_left_out_as_often_as_when_it_is_tried(n: int, beyond: float) -> None:
    """100,000 tables; the longest of n has the distribution function (1 − e^(−x))^n. Four standard deviations are 0.0064."""
    rng = np.random.default_rng(6)
    longest, other = -np.log(-np.expm1(np.log(rng.random(100_000)) / n)), rng.exponential(size=100_000)
    share = (np.abs(longest - other) > beyond).mean()
    assert who_is_not_protected.found_by_an_attacker(n, beyond) == pytest.approx(share, abs=0.0064)
    if n < 500:
        assert who_is_not_protected.found_by_an_attacker(n, 1.1 * beyond) != pytest.approx(share, abs=0.0064)


def test_the_longest_loan_is_left_out_nearly_always() -> None:
    found = _found("who_is_not_protected", "looked_for")
    assert float(found.truth) == pytest.approx(100 * who_is_not_protected.found_by_an_attacker(N, N * SAMPLED))
    random, longest = who_is_not_protected.tried(Example())
    assert [found.numbers[name] for name in ("random", "longest")] == [str((one > SAMPLED).sum()) for one in (random, longest)]
    assert (longest > SAMPLED).mean() == pytest.approx(float(found.truth) / 100, abs=0.063), "four standard deviations of 199"
