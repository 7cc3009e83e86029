"""Under a response that settles something of a question: the button that takes it up, and the way to the next choice."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.types import settles
from dpcore.errors import DpcoreError
from dpcore.targets.bound_scores import bound_to_choose
from dpcore.workbench.scenario import Scenario
from pages.components.escape import escaped
from pages.components.plans import unfit
from pages.components.receipt import WORST
from pages.session import choosing, ledger, state
from pages.session.entry import Entry
from pages.session.sentences import plain


def show(entry: Entry) -> None:
    """Nothing under a response that is an answer itself."""
    scenario = _scenario(entry)
    if scenario is None or entry.release is None:
        return
    target: Any = scenario.target
    response = entry.release.response
    chosen = entry.about.answer.parts(response)[0][1]
    with st.container(horizontal=True):
        st.button(
            escaped(target.offer(chosen)), key=f"take_up_{entry.ticket}", icon=":material/check:",
            on_click=partial(_take_up, scenario, response), disabled=state.scenario().target == target.taken_up(response),
        )  # fmt: skip
        if hasattr(target.target, "bounds") and not hasattr(target, "rows"):
            st.button(
                "Then choose the upper bound", key=f"take_up_bound_{entry.ticket}", icon=":material/casino:",
                on_click=partial(_choose_bound, scenario, response),
            )  # fmt: skip


def _scenario(entry: Entry) -> Scenario | None:
    """What was pressed, where its response settles something; None for a target of somebody's own."""
    if entry.about.settings is None:
        return None
    try:
        found = Scenario.from_json(entry.about.settings)
    except DpcoreError:
        return None
    return found if settles(found.target) else None


def _taken(scenario: Scenario, response: Any) -> Scenario | None:
    """The question with the response in it, as the table now is; None with a sentence where it no longer fits."""
    st.session_state["notices"] = []
    target: Any = scenario.target
    if scenario.table not in state.tables():
        state.say("The table of this answer is not here under its old name: bring it again on the page Your data.")
        return None
    table = state.tables()[scenario.table]
    try:
        found = choosing.again(scenario, target.taken_up(response))
        if problem := unfit(found, table, "This answer"):
            state.say(problem)
            return None
        return found
    except DpcoreError as error:
        state.say(plain(error))
        return None


def _take_up(scenario: Scenario, response: Any) -> None:
    found = _taken(scenario, response)
    if found is not None:
        choosing.show(found)
        ledger.choose_way(found, WORST)


def _choose_bound(scenario: Scenario, response: Any) -> None:
    found = _taken(scenario, response)
    if found is None:
        return
    target: Any = found.target
    try:
        choice = bound_to_choose(
            target.question, target.person, rows=target.rows, epsilon=scenario.epsilon, release_epsilon=found.epsilon
        )
        asking = choosing.asking(found, choice, scenario.epsilon)
    except DpcoreError as error:
        state.say(plain(error))
        return
    choosing.ask(found, asking)
    ledger.choose_way(asking, WORST)
