"""What could somebody learn: what is promised and what is not, trials without an answer, one trial, and an ε without privacy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.explore import learned
from pages.shared import counted_odds
from pages.state import draws, state
from pages.state.view import Shown
from tests.pages.test_learned_is_total import of_few_trials
from tests.pages.visit import link, pick, text, visit

_LEFT_OUT = "Nothing is promised here: a change further out can be told more often."


def _section(app: AppTest) -> str:
    return text(app).partition("## What could somebody learn about ")[2].partition("?")[2]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the section would send, without a server, at the trial furthest left out."""
    sent: list[str] = []
    monkeypatch.setattr(draws, "change", lambda scenario, sample, trial: None)
    monkeypatch.setattr(learned.st, "markdown", lambda body, **_: sent.append(body))
    monkeypatch.setattr(counted_odds.st, "html", sent.append)
    st.session_state["trial_shown"] = learned.LEFT_OUT
    return sent


def _failing(failed: int, beyond: int) -> Shown:
    """The example at m = 9 and k = 7: so many trials without an answer, and so many others beyond Δ̂."""
    made = of_few_trials(state.example().with_(m=9, gamma=0.3))
    assert made is not None
    sample = made.made.sample
    distances = np.sort(sample.distances)
    distances[sample.point.k :] = distances[sample.point.k - 1]
    distances[len(distances) - failed :] = np.inf
    distances[len(distances) - failed - beyond : len(distances) - failed] *= 1.5
    broken: Any = replace(sample, distances=distances)
    return replace(made, made=replace(made.made, sample=broken))


def test_random_dp_promises_of_protected_changes_alone_and_nothing_of_those_left_out() -> None:
    said = _section(visit())
    assert "The guarantee here is random DP, ε = 1, γ = 0.05. Somebody may know all other rows" in said
    assert "can be less than “at most 74 times in 100”, which random DP promises of protected changes alone." in said
    assert "any noise" not in said
    assert _LEFT_OUT in said.partition("### Left out")[2]


def test_dp_proper_promises_of_every_change() -> None:
    said = _section(pick(visit(), "target", "Proportion"))
    assert "The guarantee here is pure DP, ε = 1. " in said
    assert "“at most 74 times in 100”, which is promised of every change." in said
    assert _LEFT_OUT not in said


@pytest.mark.parametrize(("failed", "beyond", "trials"), [(1, 0, "In 1 trial "), (2, 0, "In 2 trials "), (1, 1, "In 1 trial ")])
def test_trials_without_an_answer_are_told_of_whether_or_not_others_are_beyond(
    failed: int, beyond: int, trials: str, sent: list[str]
) -> None:
    view = _failing(failed, beyond)
    learned.protected(view)
    if isinstance(view, Shown):
        learned.beyond(view)
    learned.a_few(view)
    said = " ".join(sent)
    assert f"{trials}there was no answer at all, which tells the most." in said
    assert "None of the trials is left out." not in said
    assert ("In the trials beyond Δ̂ there was no answer at all." in said) == (beyond == 0)
    assert (f"In the furthest of the {9 - failed} trials with an answer" in said) == (beyond == 1)


def test_at_a_large_epsilon_no_count_says_that_somebody_is_sure() -> None:
    app = link(epsilon=20.0)
    said = _section(app)
    assert "The best guesser is right over 99 times in 100" in said
    body = "".join(element.proto.body for element in app.get("html"))
    assert 'alt="Icons for over 99 of 100: if this row is in."' in body
    assert 'alt="Icons for under 1 of 100: if another row stands in its place."' in body
