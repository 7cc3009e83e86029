"""What could somebody learn: of every kind of target, under every oracle and mechanism that fits it, and nothing breaks."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from typing import Any

import numpy as np
import pytest
import streamlit as st
from pages.old.explore import learned
from pages.old.state.view import Refused, Shown, Trials, View

from dpcore.errors import DpcoreError
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.privacy import ApproxDP
from pages import state
from pages.experiment.choices import (
    columns_for,
    first_mechanism,
    mechanism_for,
    mechanism_kinds,
    oracle_for,
    oracle_kinds,
    target_for,
    target_kinds,
)
from pages.experiment.scenario import Scenario, TableRecords
from pages.old.experiment import changes, preview
from pages.old.shared import counted_odds, how_far_off
from pages.old.state import draws

TABLES = sorted(state.catalog())
MOST = 12  # scenarios of a table
EPSILONS = (0.01, 0.5, 3.0, 20.0)


@pytest.fixture(autouse=True)
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the section would send, without a server."""
    sent: list[str] = []
    monkeypatch.setattr(draws, "change", lambda scenario, sample, trial: changes.change(sample, trial))
    monkeypatch.setattr(learned.st, "markdown", lambda body, **_: sent.append(body))
    monkeypatch.setattr(counted_odds.st, "html", sent.append)
    return sent


def _scenarios(name: str) -> Iterator[Scenario]:
    """Every kind of target of a table with each oracle and each mechanism, at an ε each."""
    table = state.catalog()[name]
    begin = state.example()
    for kind in target_kinds(table):
        names = columns_for(kind, table)
        columns = tuple(table.column(one) for one in names)
        target = target_for(kind, columns)
        for i, oracle in enumerate(oracle_kinds(table, columns)):
            for j, mechanism in enumerate(mechanism_kinds(target)):
                made = mechanism_for(target, first_mechanism(target), mechanism)
                try:
                    yield replace(
                        begin,
                        table=name,
                        columns=names,
                        target=target,
                        oracle=oracle_for(oracle, table, columns),
                        n=12,
                        m=9,
                        mechanism=made,
                        norm=made.norm,
                        delta=1e-6 if made.privacy is ApproxDP else None,
                        gamma=0.3,
                        epsilon=EPSILONS[(i + j) % len(EPSILONS)],
                    )
                except DpcoreError:
                    continue


def _show(view: View) -> None:
    learned.protected(view)
    if isinstance(view, Shown):
        learned.beyond(view)
    if isinstance(view, Shown):
        learned.a_few(view)


def _of_few_trials(scenario: Scenario) -> Shown | None:
    """The view of few trials, with some beyond Δ̂; None where there is no answer."""
    table = state.catalog()[scenario.table]
    columns = tuple(table.column(one) for one in scenario.columns)
    try:
        oracle = scenario.resolved_oracle(table)
        explored = preview.exploration(scenario, oracle)
        sample = explored.at(OperatingPoint.for_both(9, 0.3))  # k = 7
        noise = scenario.mechanism.calibrate(sample.sensitivity(), scenario.privacy)
        fresh = None if isinstance(scenario.oracle, TableRecords) else scenario.oracle
        headline = preview.headline(
            scenario,
            columns,
            preview.simulated_answer(scenario, oracle),
            noise,
            worst=preview.calibrated_worst_case(scenario),
            fresh=fresh,
        )
    except DpcoreError:
        return None
    worst = preview.worst_case(scenario)
    return Shown(scenario=scenario, table=table, columns=columns, worst_case=worst, made=Trials(sample, None), headline=headline)


@pytest.mark.parametrize("name", TABLES)
def test_every_kind_has_its_section_and_its_dots(name: str, said: list[str]) -> None:
    every = list(_scenarios(name))
    shown = [found for scenario in every[:: 1 + len(every) // MOST] if (found := _of_few_trials(scenario)) is not None]
    assert shown
    for which, each in zip(cycle((learned.TYPICAL, learned.EDGE, learned.LEFT_OUT)), shown, strict=False):
        st.session_state["trial_shown"] = which
        said.clear()
        _show(each)
        assert said[0] == f"## {learned.OF_A_ROW if each.table.unit.of_no_person else learned.TITLE}"
        assert not re.search(r"\b(nan|None|inf)\b(?! of the )", " ".join(said))
        how_far_off.dots(each)
        right = float(each.guesser.right(each.leading.sensitivity.value))
        assert 0.5 <= right <= 1 / (1 + math.exp(-each.scenario.epsilon)) + 1e-6 or each.scenario.delta is not None


@pytest.mark.parametrize(("failed", "beyond", "trials"), [(1, 0, "In 1 trial "), (2, 0, "In 2 trials "), (1, 1, "In 1 trial ")])
def test_trials_without_an_answer_are_told_of_whether_or_not_others_are_beyond(
    failed: int, beyond: int, trials: str, said: list[str]
) -> None:
    """The example at m = 9 and k = 7: so many trials without an answer, and so many others beyond Δ̂."""
    made = _of_few_trials(state.example().with_(m=9, gamma=0.3))
    assert made is not None
    distances = np.sort(made.made.sample.distances)
    distances[7:] = distances[6]
    distances[9 - failed :] = np.inf
    distances[9 - failed - beyond : 9 - failed] *= 1.5
    broken: Any = replace(made.made.sample, distances=distances)
    st.session_state["trial_shown"] = learned.LEFT_OUT
    _show(replace(made, made=replace(made.made, sample=broken)))
    shown = " ".join(said)
    assert f"{trials}there was no answer at all, which tells the most." in shown
    assert "None of the trials is left out." not in shown
    assert ("In the trials beyond Δ̂ there was no answer at all." in shown) == (beyond == 0)
    assert (f"In the furthest of the {9 - failed} trials with an answer" in shown) == (beyond == 1)


def test_of_what_is_refused_a_sentence_stands(said: list[str]) -> None:
    _show(Refused(scenario=state.example(), table=state.table(), columns=(), why="No answer."))
    assert said == [f"## {learned.OF_A_ROW}", "There is no private answer at this choice. So there is nothing to learn from."]


def test_records_of_a_table_that_is_no_longer_public_are_not_shown(said: list[str]) -> None:
    shown = _of_few_trials(state.example().with_(oracle=TableRecords(), m=9, gamma=0.3))
    assert shown is not None
    _show(shown)
    assert "both drawn again from this public table" in " ".join(said)
    said.clear()
    _show(replace(shown, table=replace(shown.table, public=False)))
    assert "was replaced by" not in " ".join(said)
    assert "The answer moved by" in " ".join(said)
