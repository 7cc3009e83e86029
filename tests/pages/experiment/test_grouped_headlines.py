"""What is said of an answer for each group: how far each lies, all at once, in which words, and that the numbers are right."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import Adjacency, Bound, GlobalSensitivity, Laplace, PureDP, oracles, targets
from dpcore.answers.choice import Choice
from dpcore.answers.grouped import Grouped
from dpcore.base.declared import Column
from dpcore.errors import InvalidValueError
from pages.experiment.scenario import Scenario
from pages.old.experiment import preview
from pages.old.experiment.headlines.base import NonPrivate
from tests.dpcore.grouped import ByGroup, records

COLUMNS = (Column("a", "Cost", "€", bounds=(0.0, 10.0)),)
SIZES = (400, 60, 30)
INNER = {
    "count": targets.Count(interval=(0, 5)),
    "mean": targets.KnownMean((0.0, 10.0)),
    "bins": targets.Histogram(edges=(0.0, 5.0, 10.0)),
}


def made(kind: str, *, sizes: tuple[int, ...] = SIZES, sampled: float = 1.0, worst: bool = True, simulated: bool = False) -> Any:
    """The headline under a sensitivity of so much, and a worst case of 2."""
    names = tuple(f"Ward {i}" for i in range(1, len(sizes) + 1))
    target = ByGroup(INNER[kind], names, 2.0)
    mechanism: Any = Laplace()
    database = records(sizes)
    scenario = Scenario(
        table="t",
        columns=("a",),
        target=target,
        oracle=oracles.Uniform(0, 10),
        norm=mechanism.norm,
        n=len(database),
        bound=Bound.RANK,
        confidence=None,
        m=99,
        gamma=0.05,
        epsilon=1.0,
        delta=None,
        mechanism=mechanism,
        seed=5,
    )
    exact = NonPrivate(value=target(database), simulated=simulated, database=database)
    near = GlobalSensitivity(target, sampled, mechanism.norm, Adjacency.REPLACE_ONE_RECORD, "It is said so here.", None)
    noise = mechanism.calibrate(near, PureDP(1.0))
    return preview.headline(scenario, COLUMNS, exact, noise, worst=preview.calibrated_worst_case(scenario) if worst else None)


def _responses(headline: Any, size: int) -> Any:
    """Simulated ones, as numbers that people read, (size, numbers)."""
    drawn = headline.noise.simulate(headline.exact.value, size=size, rng=np.random.default_rng(77))
    return np.array([headline.answer.values(row) for row in drawn])


@pytest.mark.parametrize("kind", INNER)
def test_95_in_100_simulated_answers_lie_within_each_reach(kind: str) -> None:
    """4,000 responses: shares of 0.95 ± 0.014 (4 standard errors); three quarters of a reach hold too few."""
    headline = made(kind)
    away = np.abs(_responses(headline, 4_000) - headline.centres)
    reaches = headline.reaches(headline.noise, 0.95)
    assert reaches.shape == headline.centres.shape == (len(headline.labels),)
    shares = np.mean(away <= reaches + 1e-12, axis=0)
    assert 0.936 <= shares.min() <= shares.max() <= 0.964
    assert (np.mean(away <= 0.75 * reaches, axis=0) < 0.936).all()


def test_one_reach_for_all_groups_is_said_once() -> None:
    headline = made("count")
    assert headline.reach(headline.noise) == (
        "95 times in 100 each group's answer, taken alone, lies within ± 3 rows of the one without noise"
    )
    assert not headline.of_this_answer
    assert headline.error(headline.noise.law) == pytest.approx(1.0)


def test_the_error_is_the_mean_over_groups_or_over_some_of_many() -> None:
    """600 responses: the mean distance over the groups within 10 %."""
    headline = made("mean")
    assert headline.error(headline.noise.law) == pytest.approx(
        np.abs(_responses(headline, 600) - headline.centres).mean(), rel=0.1
    )
    many = made("mean", sizes=(3,) * 59)
    some = [many.each[i].error(many.noise.law) for i in range(0, 59, 2)]
    assert many.error(many.noise.law) == pytest.approx(np.mean(some))


@pytest.mark.parametrize("kind", ["count", "mean"])
def test_an_empty_group_and_many_groups_have_a_headline(kind: str) -> None:
    empty = made(kind, sizes=(40, 0, 3))
    assert np.isfinite(empty.reaches(empty.noise, 0.95)).all()
    many = made(kind, sizes=(2,) * 256)
    assert many.reach(many.noise)


def test_an_answer_that_is_no_number_in_each_group_is_refused_by_name() -> None:
    headline = replace(made("count"), answer=Grouped(Choice(("a", "b")), ("x", "y", "z")))
    with pytest.raises(InvalidValueError, match="answer of each group") as caught:
        _ = headline.each
    assert caught.value.got == "Choice"
