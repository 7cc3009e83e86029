"""A choice tried on made-up people: those of the scenario's oracle and seed, and the law and the errors that they give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import RANGE, Adjacency, Bound, Exponential, Groups, Laplace, PureDP, oracles, targets
from dpcore.answers.choice import choosing
from dpcore.errors import InvalidValueError
from dpcore.mechanisms.base import Mechanism
from pages.experiment.contributions import private_choice as tried
from pages.experiment.contributions.asked import COUNT, MEAN, SHARE, SUM, Terms, asked_of, rows_of
from pages.experiment.contributions.cap import Cap, counted_rows
from pages.experiment.contributions.noise import LaplaceNoise
from pages.experiment.contributions.predict import predict
from pages.experiment.contributions.private_choice import beforehand, people
from pages.experiment.scenario import Scenario

PEOPLE = oracles.People(oracles.LogNormal(3.0, 1.0), (oracles.Uniform(0.0, 100.0),), ("cost",), "who")
SUM_OF = targets.Sum((0.0, 100.0))
ADD = Adjacency.ADD_OR_REMOVE_ONE_USER


def scenario(target: Any, mechanism: Mechanism[Any, Any], epsilon: float, n: int = 300) -> Scenario:
    return Scenario(
        table="visits",
        columns=target.fields,
        target=target,
        oracle=PEOPLE,
        norm=mechanism.norm,
        n=n,
        bound=Bound.RANK,
        confidence=None,
        m=199,
        gamma=0.05,
        epsilon=epsilon,
        delta=None,
        mechanism=mechanism,
        seed=4,
        adjacency=ADD,
    )


def question(target: Any = SUM_OF) -> Any:
    return targets.On(target, ("cost",))


def answering(target: Any = SUM_OF, **how: Any) -> Scenario:
    return scenario(targets.Capped(question(target), "who", 3, **how), Laplace(), 2.0)


def test_a_choice_of_rows_is_tried_on_the_people_of_its_seed() -> None:
    made = targets.CapScores(question(), "who", release_epsilon=2.0, penalty=5.0, most=50)
    choice = scenario(made, Exponential(None, selection="permute-and-flip"), 0.2)
    found, drawn = beforehand(choice, answering(), PEOPLE), people(choice, PEOPLE)
    proof = made.global_sensitivity(RANGE, 300, ADD)
    assert proof is not None
    law = choosing(choice.mechanism.calibrate(proof, PureDP(0.2)).law)
    assert found.chances == pytest.approx(law.probabilities(made(drawn)))
    caps = [Cap(s) for s in made.candidates]
    rows = counted_rows(drawn["who"], drawn["cost"])
    errors = predict(rows, SUM, Terms(LaplaceNoise(PureDP(2.0)), ADD), caps, [(0.0, 100.0)]).totals[:, 0]
    assert found.errors == pytest.approx(errors)
    assert found.candidates == made.candidates


def test_a_choice_of_a_bound_is_tried_at_its_own_cap() -> None:
    made = targets.BoundScores(question(), "who", 100.0, 3, release_epsilon=2.0)
    choice = scenario(made, Exponential(None, selection="permute-and-flip"), 0.2)
    found, drawn = beforehand(choice, answering(), PEOPLE), people(choice, PEOPLE)
    rows, pairs = counted_rows(drawn["who"], drawn["cost"]), [(0.0, high) for high in made.candidates]
    errors = predict(rows, SUM, Terms(LaplaceNoise(PureDP(2.0)), ADD), [Cap(3)], pairs).totals[0]
    assert found.errors == pytest.approx(errors)
    assert found.candidates == made.candidates


def test_rows_that_a_salt_keeps_have_their_own_error() -> None:
    choice = scenario(targets.CapScores(question(), "who", most=20), Exponential(None), 0.2)
    weighted, kept = (beforehand(choice, answering(salt=salt), PEOPLE).errors for salt in (None, 7))
    assert (kept[:3] > weighted[:3]).all()


def test_of_more_people_than_are_made_up_so_many_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tried, "MOST_PEOPLE", 40)
    choice = scenario(targets.CapScores(question(), "who", most=20), Exponential(None), 0.2, n=10**9)
    assert len(np.unique(people(choice, PEOPLE)["who"]["code"])) == 40


@pytest.mark.parametrize(
    ("target", "asked", "brought"),
    [
        (targets.Count(interval=(0.0, 50.0)), COUNT, {1.0}),
        (targets.KnownShare(interval=(0.0, 50.0)), SHARE, {0.0, 1.0}),
        (SUM_OF, SUM, None),
        (targets.KnownMean((0.0, 100.0)), MEAN, None),
    ],
    ids=["count", "share", "sum", "mean"],
)
def test_what_a_row_brings_is_what_the_question_adds_up(target: Any, asked: Any, brought: Any) -> None:
    capped = targets.Capped(question(target), "who")
    drawn = people(scenario(capped, Laplace(), 1.0), PEOPLE)
    rows = rows_of(capped, drawn)
    assert asked_of(target) is asked
    inside = drawn["cost"][drawn["cost"] <= 50] if asked is COUNT else drawn["cost"]
    assert len(rows.value) == len(inside)
    assert (set(rows.value) == brought) if brought else (rows.value == drawn["cost"]).all()
    if asked is SHARE:
        assert rows.value.sum() == (drawn["cost"] <= 50).sum()


def test_rows_are_in_the_questions_groups() -> None:
    laws = oracles.People(
        oracles.LogNormal(3.0, 1.0), (PEOPLE.columns[0], oracles.Categorical((0.5, 0.5), ("A", "B"))), ("cost", "ward"), "who"
    )
    capped = targets.Capped(targets.On(SUM_OF, ("cost",), (), Groups("ward", ("A", "B"))), "who")
    drawn = laws.draw(1, 50, rng=np.random.default_rng(1))[0]
    rows = rows_of(capped, drawn)
    assert rows.groups == 2
    assert (np.array(["A", "B"])[rows.group] == drawn["ward"]).all()


def test_what_cannot_be_tried_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="settles"):
        beforehand(answering(), answering(), PEOPLE)
    median = targets.QuantileScores(0.5, (0.0, 100.0))
    choice = scenario(targets.CapScores(question(median), "who"), Exponential(None), 0.2)
    with pytest.raises(InvalidValueError, match="predicted"):
        beforehand(choice, answering(), PEOPLE)
