"""Pinned scenarios of a session, to be compared with the one that is shown."""

from __future__ import annotations

import streamlit as st

from dpcore.errors import DpcoreError
from pages import state
from pages.experiment.error_sentences import plain
from pages.experiment.scenario import Scenario
from pages.exports.link import refuse_unfit
from pages.files.tables import Table

MOST = 4
LETTERS = ("A", "B", "C", "D")
_KEY = "pinned"


def pinned() -> tuple[Scenario, ...]:
    """Return the pinned scenarios, the oldest first."""
    kept: tuple[Scenario, ...] = st.session_state.get(_KEY, ())
    return kept


def letter_of(scenario: Scenario) -> str:
    """Return the letter of a scenario if it is pinned, otherwise an empty text."""
    return next((letter for letter, one in zip(LETTERS, pinned(), strict=False) if one.to_json() == scenario.to_json()), "")


def pin() -> None:
    """Pin the scenario that is shown."""
    scenario, kept = state.scenario(), pinned()
    state.begin()
    if letter := letter_of(scenario):
        state.say(f"This scenario is pinned already, as {letter}.")
    elif len(kept) == MOST:
        state.say("Four scenarios are pinned, which is the most. Unpin one of them below the charts, under Compare.")
    else:
        st.session_state[_KEY] = (*kept, scenario)
        st.toast(f"Pinned: {len(kept) + 1} of {MOST}", icon=":material/keep:")


def unpin(scenario: Scenario) -> None:
    """Unpin a scenario."""
    state.begin()
    st.session_state[_KEY] = tuple(one for one in pinned() if one is not scenario)


def show(scenario: Scenario) -> None:
    """Show a pinned scenario."""
    state.begin()
    found = table_of(scenario)
    if isinstance(found, str):
        state.say(f"{found} Nothing was changed.")
    else:
        state.adopt(scenario)


def table_of(scenario: Scenario) -> Table | str:
    """Return the table of a pinned scenario, or why the scenario cannot be shown."""
    table = state.tables().get(scenario.table)
    if table is None:
        return "Its table is not here any more."
    try:
        refuse_unfit(scenario, table)
    except DpcoreError as error:
        return f"Its table has another declaration now. {plain(error)}"
    return table
