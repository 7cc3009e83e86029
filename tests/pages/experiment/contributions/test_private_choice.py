"""A private choice of s, beforehand: its chances are the mechanism's, and its regret is that of simulated choices."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore import Adjacency, PureDP
from dpcore.errors import InvalidValueError
from dpcore.mechanisms.exponential import SelectionLaw
from pages.experiment.contributions.asked import COUNT, SUM, Terms
from pages.experiment.contributions.cap import Cap, counted_rows
from pages.experiment.contributions.noise import LaplaceNoise
from pages.experiment.contributions.predict import predict
from pages.experiment.contributions.private_choice import PrivateChoice, private_choice
from tests.benchmarks import capped_people
from tests.benchmarks.capped_people import EPSILON, TABLES, measured
from tests.benchmarks.private_cap import chosen
from tests.pages.experiment.contributions.naive import field

TERMS = Terms(LaplaceNoise(PureDP(EPSILON)), Adjacency.ADD_OR_REMOVE_ONE_USER)


def test_two_candidates_have_the_chances_of_permute_and_flip_and_the_errors_of_their_caps() -> None:
    """The worse one comes first in half of the orders, and is then taken with chance exp(−gap/scale)."""
    rows = counted_rows(field([0] * 10 + [1]))
    law = SelectionLaw(2.0, (1, 4), "permute-and-flip")
    found = private_choice(law, np.array([-3.0, -1.0]), (1, 4), rows, COUNT, TERMS, [Cap(1), Cap(4)])
    worse = math.exp(-1.0) / 2
    assert found.candidates == (1, 4)
    assert found.chances == pytest.approx([worse, 1 - worse])
    errors = [math.hypot(9, math.sqrt(2) / EPSILON), math.hypot(6, 4 * math.sqrt(2) / EPSILON)]
    assert found.errors == pytest.approx(errors)
    assert (found.best, found.likeliest) == (0, 1)
    assert found.regret == pytest.approx((1 - worse) * (errors[1] / errors[0] - 1))
    assert found.error == pytest.approx(math.sqrt(worse * errors[0] ** 2 + (1 - worse) * errors[1] ** 2))


def test_so_large_a_share_of_choices_has_at_most_that_regret() -> None:
    made = PrivateChoice(
        candidates=(1, 2, 3, 4), chances=np.array([0.2, 0.5, 0.05, 0.25]), errors=np.array([6.0, 4.0, 40.0, 5.0])
    )
    assert made.regrets == pytest.approx([0.5, 0, 9, 0.25])
    assert [made.regret_within(share) for share in (0.1, 0.5, 0.75, 0.76, 0.95, 0.96, 1.0)] == [0, 0, 0.25, 0.5, 0.5, 9, 9]
    assert made.regret == pytest.approx(0.1 + 0.45 + 0.0625)


@pytest.mark.statistical
def test_the_error_of_choosing_and_answering_is_that_of_simulated_ones() -> None:
    """40,000 of each: the answer's spread is known within 1.5 %, so that an error that is 10 % wrong is refused."""
    table, rng, bounds, size = TABLES["heavy-tailed"](300), np.random.default_rng(12), (0.0, 60.0), 40_000
    candidates, scores = (1, 5, 20, 60), np.array([0.0, 2.0, 1.0, -1.0])
    law = SelectionLaw(2.0, candidates, "gumbel")
    rows, caps = counted_rows(table.field, np.array(table.value)), [Cap(s) for s in candidates]
    found = private_choice(law, scores, candidates, rows, SUM, TERMS, caps, [bounds])
    truth = sum(table.value)
    picked = np.bincount(law.simulate(scores, size=size, rng=rng), minlength=4)
    responses = [capped_people.sum_releases(table, s, bounds, n, rng) for s, n in zip(candidates, picked.tolist(), strict=True)]
    error = measured(np.concatenate(responses), truth)[0]
    assert found.error == pytest.approx(error, rel=0.03)
    assert abs(1.1 * found.error / error - 1) > 0.03
    away = [measured(each, truth)[0] for each in responses]
    assert found.errors == pytest.approx(away, rel=0.05)


@pytest.mark.parametrize("name", TABLES)
def test_the_regret_is_against_the_least_error_that_any_candidate_has(name: str) -> None:
    table = TABLES[name](300)
    found = chosen(table, COUNT, 30.0)
    rows = counted_rows(table.field)
    least = predict(rows, COUNT, Terms(LaplaceNoise(PureDP(0.9)), TERMS.adjacency), [Cap(int(s)) for s in found.candidates]).best
    assert found.candidates[found.best] == least.cap.rows
    assert found.chances.sum() == pytest.approx(1)
    assert found.regret == pytest.approx(found.chances @ found.errors / least.errors.total - 1)
    assert 0 <= found.regret <= found.regrets.max()
    assert found.error >= least.errors.total


def test_a_penalty_for_larger_numbers_keeps_the_choice_small() -> None:
    """One person in a hundred has 300 rows: of 1,000 people ten have, which is less than 30·log(300) and more than 0."""
    table = TABLES["concentrated"](1_000)
    with_penalty, without = (chosen(table, COUNT, penalty, choosing=5.0) for penalty in (30.0, 0.0))
    assert with_penalty.candidates[with_penalty.likeliest] == 1
    assert without.candidates[without.likeliest] >= 200
    assert without.regret < with_penalty.regret / 5


def test_scores_of_other_candidates_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="scores"):
        private_choice(
            SelectionLaw(1.0, (1, 2), "gumbel"), np.zeros(3), (1, 2), counted_rows(field([0])), COUNT, TERMS, [Cap(1), Cap(2)]
        )


def test_a_bound_has_the_error_of_its_clipped_values_at_the_cap() -> None:
    table = TABLES["heavy-tailed"](300)
    rows, candidates, scores = counted_rows(table.field, np.array(table.value)), (5.0, 20.0, 80.0), np.array([0.0, 4.0, 1.0])
    law = SelectionLaw(2.0, candidates, "gumbel")
    bounds = [(-1.0, high) for high in candidates]
    found = private_choice(law, scores, candidates, rows, SUM, TERMS, [Cap(7)], bounds)
    alone = [predict(rows, SUM, TERMS, [Cap(7)], [pair]).best.errors.total for pair in bounds]
    assert found.errors == pytest.approx(alone)
    assert found.candidates == candidates
    assert found.chances == pytest.approx(np.exp(scores / 2) / np.exp(scores / 2).sum())
    with pytest.raises(InvalidValueError, match="scores"):
        private_choice(law, scores[:2], candidates, rows, SUM, TERMS, [Cap(7)], bounds)


def test_the_usual_penalty_is_the_middle_between_too_few_rows_and_too_much_noise() -> None:
    """Mathematics, section 15.3: of 10,000 people at ε = 1, the worst mean regret over three tables."""
    tables = [make(10_000) for make in TABLES.values()]
    worst = {penalty: max(chosen(table, COUNT, penalty).regret for table in tables) for penalty in (0.0, 10.0, 30.0)}
    assert worst[10.0] < 0.6 * min(worst[0.0], worst[30.0])
