"""The sentences that follow the hand are, letter for letter, those that the page writes at each γ and ε."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from pages.old.experiment.live.tables import by_gamma, units
from pages.old.shared.live import counted_odds, part_data, words
from pages.old.state.view import Shown, view

from dpcore import Bound, Gaussian
from dpcore.base.groups import Groups
from pages import state
from pages.experiment.question import asked
from pages.experiment.scenario import Scenario
from pages.old.charts import live
from pages.old.charts.encoded import text
from pages.old.shared import answer
from pages.old.shared.escape import unmarked
from pages.old.state import draws
from tests.pages.charts.live.node import Node

POINTS, FEW = 24, 8  # at the first, and where an answer takes long
_BODY = """
  const words = new live.Words(document.createElement("div"));
  words.receive(data);
  const texts = (node) => node.nodeValue ?? (node.children.length ? node.children.map(texts).join("") : node.textContent);
  return at.map(([gamma, epsilon]) => {
    words.follow(live.looked(tables, gamma, epsilon));
    return words.box.children.map(texts);
  });
"""


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    """One process for this file."""
    started = Node(tmp_path_factory.mktemp("live"))
    yield started
    started.close()


@pytest.fixture
def tab(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A session without Streamlit."""
    held: dict[str, Any] = {}
    monkeypatch.setattr(state.st, "session_state", held)
    for name in ("_reference", "_exact"):  # which a server keeps for a session
        monkeypatch.setattr(draws, name, getattr(draws, name).__wrapped__)
    monkeypatch.setattr(draws.Exploration, "reference", lambda _: None)  # which no sentence speaks of
    return held


def _asked(table: str, target: str = "", **changes: Any) -> Scenario:
    state.pick_table(table)
    if target:
        state.pick_columns(state.table(), state.scenario().columns, target)
    state.change(**changes)
    assert not state.notices(), state.notices()
    return state.scenario()


def _in_groups() -> Scenario:
    first = _asked("diabetes", "Histogram")
    state.change(**asked(first, state.table(), (), Groups("sex", (0.0, 1.0))))
    return state.scenario()


CASES = {
    "the example": lambda: _asked("loan_defaults"),
    "the worst case leads somewhere": lambda: _asked("diabetes"),
    "one trial": lambda: _asked("loan_defaults", gamma=0.5, m=1),
    "tolerance": lambda: _asked("diabetes", bound=Bound.TOLERANCE, confidence=0.9, m=999),
    "gaussian": lambda: _asked("diabetes", mechanism=Gaussian(), norm=Gaussian().norm, delta=1e-6),
    "several numbers": lambda: _asked("diabetes", "Histogram"),
    "a count, which one row moves by 1": lambda: _asked("diabetes", "Count"),
    "a choice": lambda: _asked("scientists"),
    "a curve": lambda: _asked("sine", "PriestleyChao"),
    "a curve whose worst case leads": lambda: _asked("two_bumps"),
    "a line, and fresh rows": lambda: _asked("sine", "Ridge"),
    "groups": _in_groups,
}


@pytest.mark.parametrize("name", list(CASES))
def test_they_are_those_of_the_page(node: Node, tab: dict[str, Any], name: str) -> None:
    scenario = CASES[name]()
    table, first = state.table(), view(state.scenario(), state.table())
    assert isinstance(first, Shown)
    assert live.views(first.headline)
    grid, rng = by_gamma(scenario), np.random.default_rng(8)
    gammas = grid.gammas[grid.orders > 0]
    size = FEW if name in ("a choice", "a curve", "a curve whose worst case leads") else POINTS
    at = np.column_stack([rng.choice(gammas, size), rng.choice(units(scenario)[0], size)]).tolist()
    laid = part_data.grids(first) | part_data.found(first)
    tables = words.sentences(first).values()
    found = zip(*(node.run(_BODY, data={"variants": one}, tables=laid, at=at) for one in tables), strict=True)
    leads = set()
    for (gamma, epsilon), said in zip(at, found, strict=True):
        there = view(scenario.with_(gamma=gamma, epsilon=epsilon), table)
        assert isinstance(there, Shown)
        page = answer.sentences(there)
        assert list(said) == [[unmarked(one)] for one in (page.heading, " ".join(page.promise), " ".join(page.known))]
        leads.add(there.proved)
    assert name != "the worst case leads somewhere" or leads == {True, False}


@pytest.mark.parametrize("name", ["the example", "the worst case leads somewhere", "gaussian", "several numbers", "groups"])
def test_what_is_not_sent_again_with_other_trials_is_the_same_text(tab: dict[str, Any], name: str) -> None:
    scenario, sent = CASES[name](), set()
    for m in (scenario.m, scenario.m + 100, 3 * scenario.m):
        there = view(scenario.with_(m=m), state.table())
        assert isinstance(there, Shown)
        sent.add(
            text(part_data.grids(there) | part_data.unchanged(there, icons=True))
            + text([counted_odds.protected(there), counted_odds.beyond(there)])
        )
    assert len(sent) == 1
