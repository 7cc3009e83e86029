"""What the lesson about blocks says, against plain counts, simulated releases and closed forms: other ways than its own."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pages.old.experiment.lessons.example import Example
from pages.old.learn.found import lessons
from pages.old.lessons import no_oracle
from tests.pages.test_lesson_numbers import SAMPLED

N, EPSILON, K = 500, 1.0, 80
(LESSON,) = (one for one in lessons() if one.name == "no_oracle")
FOUND = {name: step.find() for name, step in LESSON.steps.items()}


def _scores(answers: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Minus the distance of k/2 from what lies up to each place, by a plain count (mathematics, section 20.2)."""
    nearest = places[np.abs(answers[:, None] - places).argmin(axis=1)]
    below, up_to = ((nearest < place).sum() for place in places), ((nearest <= place).sum() for place in places)
    half = len(answers) / 2
    return -np.array([max(0.0, half - many, few - half) for few, many in zip(below, up_to, strict=True)])


def _released(answers: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """Permute-and-flip as report-noisy-max with exponential noise of scale 2/ε (mathematics, section 5.3)."""
    places = np.linspace(0, 20, 1_001)
    noisy = _scores(answers, places) + rng.exponential(2 / EPSILON, (size, len(places)))
    return np.asarray(places[noisy.argmax(axis=1)])


def test_a_row_moves_the_mean_of_its_own_block_by_the_difference_over_its_rows() -> None:
    before, after = no_oracle.one_replaced()
    (moved,) = np.flatnonzero(before != after)
    assert len(before) == K
    rows = round(29 / (after[moved] - before[moved]))
    assert rows in (6, 7)
    assert after[moved] - before[moved] == pytest.approx(29 / rows)
    assert FOUND["one_row"].truth == "one"
    assert (no_oracle.one_replaced(1e6)[1] != before).sum() == 1, "however far the row lies"


@pytest.mark.parametrize(("step", "target", "k"), [("mean", np.mean, K), ("median", np.median, N)])
def test_the_errors_are_those_of_releases_that_are_simulated_from_other_tables(step: str, target: object, k: int) -> None:
    """30 tables of 100 releases, with blocks of our own: 25 % is four standard deviations of these and of the lesson's ten."""
    assert callable(target)
    rng, squares = np.random.default_rng(8), []
    for table in rng.exponential(size=(30, N)):
        blocks = np.array([target(part) for part in np.array_split(table, k)])
        squares.append(np.mean((_released(blocks, 100, rng) - target(table)) ** 2))
    told = float(FOUND[step].numbers["far"])
    assert told == pytest.approx(math.sqrt(np.mean(squares)), rel=0.25)
    assert float(FOUND[step].truth) == pytest.approx(told / float(FOUND[step].numbers["near"]), rel=0.02)


def test_a_guess_about_the_odd_row_is_right_as_often_as_when_it_is_tried_and_never_above_the_limit() -> None:
    """40,000 releases of each table, the places taken by their shares in the first half and tried on the second."""
    rng = np.random.default_rng(9)
    answers = np.array([part.mean() for part in np.array_split(np.asarray(Example().pairs(1)[0][0]), K)])
    other = answers.copy()
    other[answers.argmin()] = 6.0
    bins = np.linspace(0.5, 1.6, 56)
    seen = [np.concatenate([_released(one, 4_000, rng) for _ in range(5)]) for one in (answers, other)]
    first, second = (np.histogram(np.clip(one[:10_000], 0.5, 1.6), bins)[0] for one in seen)
    guess = first > second
    tried = [guess[np.clip(np.digitize(one[10_000:], bins) - 1, 0, len(guess) - 1)] for one in seen]
    right = 50 * (tried[0].mean() + 1 - tried[1].mean())
    assert float(FOUND["odd_row"].truth) == pytest.approx(right, abs=3)
    chances = no_oracle.told_apart(np.array([1.0, 2.0, 30.0, 1e6]))
    assert chances[0] == 50
    assert all(np.diff(chances) >= 0)
    assert chances[-1] < 100 / (1 + math.exp(-EPSILON))


def test_sampled_noise_gives_the_odd_row_away_and_leaves_out_more_in_another_world() -> None:
    said = FOUND["odd_row"].numbers
    assert said["noise"] == f"{100 - 50 * math.exp(-29 / N / SAMPLED / 2):.0f}"
    assert said["left"] == f"{100 * math.exp(-N * SAMPLED / 2):.0f}"
    assert "at most 74 times in 100" in said["bound"]
