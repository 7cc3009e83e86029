"""The options of target, oracle and mechanism, in a popover that is built only while it is open."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.types import person_of, takes_fields
from dpcore.errors import DpcoreError
from dpcore.workbench.defaults import (
    kind_of,
    mechanism_for,
    mechanism_kinds,
    oracle_for,
    target_for,
    title,
)
from dpcore.workbench.question import asked_alone, asked_plainly, own_columns
from dpcore.workbench.scenario import Scenario, TableRecords
from dpcore.workbench.tables import Table
from pages.shared import caps, columns, form, private_fit
from pages.shared.inputs import number, numbers_in
from pages.state import hand, state
from pages.wording.sentences import plain


def show(scenario: Scenario, table: Table) -> None:
    """Columns and bounds, then the target's own, the oracle's own, and the mechanism."""
    own = scenario.with_(**asked_plainly(scenario, table)) if takes_fields(scenario.target) else scenario
    columns.show(own, table)
    _bounds(own, table)
    form.show(lambda: asked_alone(state.scenario()), partial(form.propose, take=_aim_at))
    if person_of(scenario.target) is not None:
        caps.show(scenario)
    _oracle(scenario)
    private_fit.show(scenario, table)
    _mechanism(scenario)
    _plain_sliders()


def _plain_sliders() -> None:
    """The switch between charts that follow the hand and those that follow once it lets go."""
    st.session_state["opt_plain"] = hand.plain() or hand.gave_up()
    st.toggle(
        "Plain sliders and charts",
        key="opt_plain",
        on_change=lambda: hand.make_plain(on=st.session_state["opt_plain"]),
        help="The charts then follow when you let go of a slider, and not while you move it. They show the same.",
    )


def _aim_at(target: Any) -> None:
    state.rework(target=target)


def _bounds(scenario: Scenario, table: Table) -> None:
    """Public bounds of the one column, as text: target and oracle are made anew with them."""
    target: Any = scenario.target
    bounds: Any = getattr(target, "bounds", ((),))  # a curve's domain is changed with its column, on Your data
    if len(scenario.columns) > 1 or (bounds is not None and isinstance(bounds[0], tuple)):
        return
    st.session_state["opt_bounds"] = "" if bounds is None else f"{bounds[0]:g}, {bounds[1]:g}"
    st.text_input(
        "Public bounds: lowest, highest",
        key="opt_bounds",
        placeholder="none: without them there is no finite worst case",
        help="Records are clipped to them. They come from what the quantity can be, never from a confidential table.",
        on_change=lambda: _rebound(table, st.session_state["opt_bounds"]),
    )


def _rebound(table: Table, text: str) -> None:
    scenario = state.scenario()
    target: Any = asked_alone(scenario)
    if not text.strip():
        if table.public:
            form.propose(lambda: replace(target, bounds=None), _aim_at)
        else:
            state.change()
            state.say("A confidential column needs public bounds, such as “0, 100”: the last ones stay.")
        return
    try:
        column = replace(table.column(own_columns(scenario)[0]), bounds=numbers_in(text))
    except DpcoreError as error:
        state.change()
        state.say(f"{plain(error)} Write two numbers, such as “0, 100”.")
        return
    oracle = scenario.oracle
    if not isinstance(oracle, TableRecords):
        oracle = oracle_for(kind_of(oracle), replace(table, oracle=None), (column,))
    state.rework(target=columns.with_settings_of(target, target_for(kind_of(target), (column,))), oracle=oracle)


def _oracle(scenario: Scenario) -> None:
    if not isinstance(scenario.oracle, TableRecords):
        form.show(lambda: state.scenario().oracle, partial(form.propose, take=_draw_from), of="Oracle", key="opt_oracle")


def _draw_from(oracle: Any) -> None:
    state.change(oracle=oracle)


def _mechanism(scenario: Scenario) -> None:
    """How a target is made private: which mechanism, and its own options."""
    known, target = mechanism_kinds(scenario.target), scenario.target
    st.session_state["opt_mechanism"] = type(scenario.mechanism).__name__

    def change() -> None:
        _release_by(mechanism_for(target, scenario.mechanism, st.session_state["opt_mechanism"]))

    st.selectbox("Mechanism", known, key="opt_mechanism", format_func=title, on_change=change)
    form.show(lambda: state.scenario().mechanism, partial(form.propose, take=_release_by))
    if scenario.delta is not None:
        number("δ", "opt_delta", scenario.delta, lambda delta: state.change(delta=delta), form="%g")


def _release_by(mechanism: Any) -> None:
    state.change(**state.released_by(mechanism))
