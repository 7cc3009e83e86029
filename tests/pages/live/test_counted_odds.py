"""The odds under the hand read as the page says them at each γ and ε, with as many icons filled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, RANGE, Exponential, Gaussian, Laplace, oracles, targets
from dpcore.base.declared import Column
from dpcore.guarantees import words
from dpcore.guarantees.operating_points import Bound
from dpcore.guarantees.privacy import RandomDP
from dpcore.guarantees.words import figure
from pages.experiment import preview
from pages.experiment.live import tables
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.shared import answer, counted_odds
from pages.shared.escape import unmarked
from pages.shared.live import counted_odds as live
from pages.shared.live import words as live_words
from pages.state.view import Shown, Trials
from tests.pages.charts.live.asked import Asked
from tests.pages.charts.live.node import Node


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    started = Node(tmp_path_factory.mktemp("live"))
    yield started
    started.close()


def _asked(mechanism: Any = None, norm: Any = L1, **changes: Any) -> Asked:
    fields: dict[str, Any] = {
        "table": "t",
        "columns": ("a",),
        "target": targets.Mean((0.0, 8.0)),
        "oracle": oracles.Uniform(0.0, 5.0),
        "norm": norm,
        "n": 30,
        "bound": Bound.RANK,
        "confidence": None,
        "m": 199,
        "gamma": 0.05,
        "epsilon": 0.5,
        "delta": None,
        "mechanism": mechanism or Laplace(),
        "seed": 8,
    }
    scenario = Scenario(**(fields | changes))
    return Asked(scenario, scenario.oracle, (Column("a", label="Waiting", unit="minutes", bounds=(0.0, 8.0)),))


_PARTS = targets.Histogram(edges=(0.0, 2.0, 3.0, 5.0))
CASES = {
    "exact": _asked(),
    "normal": _asked(Gaussian(), L2, delta=1e-6),
    "worst case leads": _asked(oracle=oracles.Uniform(0.0, 8.0)),
    "a bound with sides": _asked(target=_PARTS),
    "a bound": _asked(Exponential(_PARTS.candidates), RANGE, target=_PARTS),
    "few trials": _asked(m=19, oracle=oracles.Uniform(0.0, 7.0)),
}


def _laid(question: Asked, view: Shown) -> dict[str, Any]:
    by_gamma, units = tables.by_gamma(question.scenario), tables.units(question.scenario)
    return question.tables | live_words.of_the_grids(view, by_gamma.gammas, units[0]) | live.of_the_grids(view)


def _view(question: Asked, gamma: float, epsilon: float) -> Shown:
    headline = question.at(gamma, epsilon)
    table = Table("t", question.columns, {"a": np.linspace(0, 8, 30)}, public=True)
    made = Trials(question.sample.at(headline.scenario.point), None)
    return Shown(
        scenario=headline.scenario,
        table=table,
        columns=question.columns,
        worst_case=preview.worst_case(headline.scenario),
        made=made,
        headline=headline,
    )


def _as_the_page_says(view: Shown) -> list[str]:
    guesser, guarantee = view.guesser, view.leading.guarantee
    edge, furthest = view.leading.sensitivity.value, counted_odds.furthest_left_out(view)
    right = float(guesser.right(edge))
    said = [counted_odds.told(view, guarantee, view.promise, words.guess(guarantee))]
    said += counted_odds.protected(view, guarantee, answer.with_unit(view, edge), counted_odds.said(guesser, right)).split("\n")
    said += _icons(view, right)
    if not isinstance(guarantee, RandomDP):
        return said + counted_odds.none_left_out(view, None).split("\n")
    if furthest is None:
        return said + counted_odds.none_left_out(view, words.left_out(guarantee)).split("\n")
    right = float(guesser.right(furthest))
    times = figure(furthest / view.trials.sample.order_statistic)
    return (
        said + counted_odds.left_out(view, furthest, times, counted_odds.said(guesser, right)).split("\n") + _icons(view, right)
    )


def _icons(view: Shown, right: float) -> list[str]:
    if not view.guesser.sides:
        return []
    made = []
    conditions = counted_odds.conditions(view)
    for count, said, of in zip(
        counted_odds.counts(view.guesser, right), counted_odds.said(view.guesser, right), conditions, strict=True
    ):
        stand_for = "" if said == str(count) else f", for {said}"
        made += [f"{count} of 100 icons are filled{stand_for}: {of}.", f"{count},{100 - count}", f"{said} of 100 {of}"]
    return made


@pytest.mark.parametrize("name", CASES)
def test_they_read_as_the_page_says_them_at_random_points(node: Node, name: str) -> None:
    question = CASES[name]
    view = _view(question, 0.05 if question.scenario.m > 19 else 0.3, 0.5)
    data = live.odds(view)
    laid = _laid(question, view)
    at = question.points(170)
    found = node.run("return read(live.Odds, data, tables, at);", data=data, tables=laid, at=at)
    for point, lines in zip(at, found, strict=True):
        wanted = _as_the_page_says(_view(question, *point))
        assert lines == [unmarked(line.removeprefix("### ")) for line in wanted], point


def test_out_of_reach_there_is_nothing_to_learn_from(node: Node) -> None:
    question = CASES["few trials"]
    view = _view(question, 0.3, 0.5)
    data = live.odds(view)
    laid = _laid(question, view)
    at = [[0.3, 0.5], [0.001, 0.5], [0.01, 0.5]]
    found = node.run("return read(live.Odds, data, tables, at);", data=data, tables=laid, at=at)
    assert found[1:] == [[counted_odds.NOTHING]] * 2
