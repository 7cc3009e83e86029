"""The odds under the hand read as the page says them at each γ and ε, with as many icons filled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pages.old.shared.live import counted_odds as live
from pages.old.shared.live import part_data
from pages.old.state.view import Shown

from dpcore import L2, RANGE, Exponential, Gaussian, oracles, targets
from dpcore.guarantees import words
from dpcore.guarantees.privacy import RandomDP
from dpcore.guarantees.words import figure
from pages.old.shared import counted_odds
from pages.old.shared.escape import unmarked
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


Read = tuple[list[str], list[int]]


def _protected(view: Shown) -> Read:
    """What is read of a protected change, and how many icons are filled; the ruler has one mark."""
    right = float(view.guesser.right(view.leading.sensitivity.value))
    said, filled = _icons(view, right)
    times, _ = counted_odds.said(view.guesser, right)
    ruler = f"A ruler from 50, a coin, to 100, certain. The mark stands at {times}."
    best = counted_odds.at_best(view.guesser, times, str(counted_odds.guessed_in_100(view.leading.guarantee))).replace("*", "")
    return [counted_odds.protected(view, view.leading.guarantee), *said, ruler, best], [*filled, 2]


def _beyond(view: Shown) -> Read:
    """The same of one that is left out."""
    guesser, guarantee = view.guesser, view.leading.guarantee
    furthest = counted_odds.furthest_left_out(view)
    said, filled = [counted_odds.told(view, guarantee, view.promise, words.guess(guarantee))], list[int]()
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
    at = question.points(24)
    for part, says in ((live.protected(view), _protected), (live.beyond(view), _beyond)):
        found = node.run("return read(live.Odds, data, tables, at);", data=part, tables=laid(view), at=at)
        for point, (lines, filled) in zip(at, found, strict=True):
            wanted, icons = says(view_of(question, *point))
            assert lines == [unmarked(line.removeprefix("### ")) for line in wanted], point
            assert filled == icons, point


def test_out_of_reach_there_is_nothing_to_learn_from(node: Node) -> None:
    view = view_of(CASES["few trials"], 0.3, 0.5)
    at = [[0.3, 0.5], [0.001, 0.5], [0.01, 0.5]]
    found = node.run("return read(live.Odds, data, tables, at);", data=live.protected(view), tables=laid(view), at=at)
    assert found[1:] == [[[counted_odds.NOTHING], []]] * 2
