"""The odds under the hand read as the page says them at each γ and ε, with as many icons filled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from dpcore import L2, RANGE, Exponential, Gaussian, oracles, targets
from dpcore.guarantees import words
from dpcore.guarantees.privacy import RandomDP
from dpcore.guarantees.words import figure
from pages.shared import answer, counted_odds
from pages.shared.escape import unmarked
from pages.shared.live import counted_odds as live
from pages.shared.live import part_data
from pages.state.view import Shown
from tests.pages.charts.live.asked import asked, view_of
from tests.pages.charts.live.node import Node


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    started = Node(tmp_path_factory.mktemp("live"))
    yield started
    started.close()


_PARTS = targets.Histogram(edges=(0.0, 2.0, 3.0, 5.0))
CASES = {
    "exact": asked(m=199),
    "normal": asked(Gaussian(), L2, m=199, delta=1e-6),
    "worst case leads": asked(m=199, oracle=oracles.Uniform(0.0, 8.0)),
    "a bound with sides": asked(m=199, target=_PARTS),
    "a bound": asked(Exponential(_PARTS.candidates), RANGE, m=199, target=_PARTS),
    "few trials": asked(m=19, oracle=oracles.Uniform(0.0, 7.0)),
}


def laid(view: Shown) -> dict[str, Any]:
    laid = part_data.grids(view) | part_data.found(view) | part_data.unchanged(view, icons=True)
    return laid | live.of_the_trials(view)


def _as_the_page_says(view: Shown) -> tuple[list[str], list[int]]:
    """What is read, and how many icons are filled."""
    guesser, guarantee = view.guesser, view.leading.guarantee
    edge, furthest = view.leading.sensitivity.value, counted_odds.furthest_left_out(view)
    right = float(guesser.right(edge))
    said = [counted_odds.told(view, guarantee, view.promise, words.guess(guarantee))]
    said += counted_odds.protected(view, guarantee, answer.with_unit(view, edge), counted_odds.said(guesser, right)).split("\n")
    protected, filled = _icons(view, right)
    said += protected
    if furthest is None or not isinstance(guarantee, RandomDP):
        share = words.left_out(guarantee) if isinstance(guarantee, RandomDP) else None
        return said + counted_odds.none_left_out(view, share).split("\n"), filled
    right = float(guesser.right(furthest))
    times = figure(furthest / view.trials.sample.order_statistic)
    said += counted_odds.left_out(view, furthest, times, counted_odds.said(guesser, right)).split("\n")
    beyond, more = _icons(view, right)
    return said + beyond, filled + more


def _icons(view: Shown, right: float) -> tuple[list[str], list[int]]:
    if not view.guesser.sides:
        return [], []
    made = []
    for said, of in zip(counted_odds.said(view.guesser, right), counted_odds.conditions(view), strict=True):
        made += [f"Icons for {said} of 100: {of}.", f"{said} of 100 {of}"]
    return made, list(counted_odds.counts(view.guesser, right))


@pytest.mark.parametrize("name", CASES)
def test_they_read_as_the_page_says_them_at_random_points(node: Node, name: str) -> None:
    question = CASES[name]
    view = view_of(question, 0.05 if question.scenario.m > 19 else 0.3, 0.5)
    at = question.points(170)
    found = node.run("return read(live.Odds, data, tables, at);", data=live.odds(view), tables=laid(view), at=at)
    for point, (lines, filled) in zip(at, found, strict=True):
        wanted, icons = _as_the_page_says(view_of(question, *point))
        assert lines == [unmarked(line.removeprefix("### ")) for line in wanted], point
        assert filled == icons, point


def test_out_of_reach_there_is_nothing_to_learn_from(node: Node) -> None:
    view = view_of(CASES["few trials"], 0.3, 0.5)
    at = [[0.3, 0.5], [0.001, 0.5], [0.01, 0.5]]
    found = node.run("return read(live.Odds, data, tables, at);", data=live.odds(view), tables=laid(view), at=at)
    assert found[1:] == [[[counted_odds.NOTHING], []]] * 2
