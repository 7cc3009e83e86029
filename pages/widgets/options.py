"""The options of target, oracle and mechanism. The popover builds them only while it is open."""

from __future__ import annotations

import secrets
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.bounds import Interval
from dpcore.base.facts import facts
from dpcore.base.slots import Slot
from dpcore.base.types import person_of, takes_fields
from dpcore.errors import DpcoreError
from dpcore.registry.fit import slots_of
from pages import state
from pages.escape import escaped
from pages.experiment.choices import (
    choices_for,
    kind_called,
    kind_of,
    mechanism_for,
    mechanism_kinds,
    oracle_for,
    own_settings,
    target_for,
    title,
)
from pages.experiment.error_sentences import plain
from pages.experiment.question import asked_alone, asked_plainly, own_columns, text_of
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.tables import Table
from pages.server.page_list import link_to
from pages.widgets import form
from pages.widgets.controls import control
from pages.widgets.form import attempt, editable, number, numbers_in

_ORACLE = "The oracle simulates plausible tables, and the noise is calibrated to them. Never choose it by looking at the table."
_KEEPING = {False: "All of them, with less weight", True: "s of them, chosen by a public salt"}
_LARGEST_SALT = 2**53 - 1  # the largest integer that an input for numbers holds


def show(scenario: Scenario, table: Table) -> None:
    """Show the columns and bounds, then the options of target, oracle and mechanism.

    Args:
        scenario: The scenario.
        table: Its table.
    """
    own = scenario.with_(**asked_plainly(scenario, table)) if takes_fields(scenario.target) else scenario
    if table.about:
        st.markdown(f":small[{escaped(table.about)}]")
    st.markdown(f":small[{_ORACLE}]")
    _columns(own, table)
    _bounds(own, table)
    form.show(editable(lambda: asked_alone(state.scenario()), lambda target: state.rework(target=target)))
    if person_of(scenario.target) is not None:
        _contribution(scenario)
    if not isinstance(scenario.oracle, TableRecords):
        oracle = editable(lambda: state.scenario().oracle, lambda oracle: state.change(oracle=oracle))
        form.show(oracle, of="Oracle", key="opt_oracle")
    _mechanism(scenario)


def _columns(scenario: Scenario, table: Table) -> None:
    """Show an input for each slot of the target, unless its only column has a selector beside the target."""
    kind = kind_of(scenario.target)
    slots = slots_of(kind_called(kind))
    if text_of(scenario.target) is not None or (len(slots) == 1 and not slots[0].several):
        return
    spare, start = len(scenario.columns) - len(slots), 0
    for slot in slots:
        end = start + 1 + spare * slot.several
        current = scenario.columns[start:end]
        others = tuple(name for name in scenario.columns if name not in current) if slot.several else ()
        # A link can have columns that are not offered. They stay until the user changes them.
        names = list(dict.fromkeys((*choices_for(kind, table, slot, others), *current)))
        if len(names) > 1 and slot.several:
            _several_columns(slot, current, names, scenario, table)
        elif len(names) > 1 or len(slots) == 1:
            _one_column(slot, start, names, scenario, table)
        start = end


def _several_columns(slot: Slot, current: tuple[str, ...], names: list[str], scenario: Scenario, table: Table) -> None:
    def pick(picked: list[str]) -> None:
        if len(picked) >= slot.least:
            choose_columns(table, (*picked, *(name for name in scenario.columns if name not in current)))
            return
        many = f"{slot.least} {slot.name} are" if slot.least > 1 else f"one {slot.name.removesuffix('s')} is"
        state.say(f"At least {many} needed: the last choice stays.")

    control(
        st.pills,
        slot.label,
        names,
        key=f"opt_{slot.name}",
        holds=list(current),
        act=pick,
        selection_mode="multi",
        format_func=lambda name: escaped(table.column(name).words),
        help=slot.help or None,
    )


def _one_column(slot: Slot, at: int, names: list[str], scenario: Scenario, table: Table) -> None:
    mixed = any(other.several for other in slots_of(kind_called(kind_of(scenario.target))))

    def pick(new: str) -> None:
        chosen, old = list(scenario.columns), scenario.columns[at]
        if new in chosen and not mixed:  # the other column was chosen: they swap
            chosen[chosen.index(new)] = old
        chosen[at] = new
        choose_columns(table, tuple(name for i, name in enumerate(chosen) if i == at or name != new))

    control(
        st.selectbox,
        "Column" if slot.several else slot.label,
        names,
        key="opt_column" if slot.several else f"opt_{slot.name}",
        holds=scenario.columns[at],
        act=pick,
        format_func=lambda name: table.column(name).words,
    )


def choose_columns(table: Table, names: tuple[str, ...]) -> None:
    """Take other columns for the target, and keep its settings.

    Args:
        table: The table.
        names: Names of columns.
    """
    before: Any = asked_alone(state.scenario())
    state.pick_columns(table, names, kind_of(before))
    after: Any = asked_alone(state.scenario())
    if type(after) is type(before):
        attempt(lambda: state.rework(target=_with_settings(before, after)))


def _with_settings(before: Any, after: Any) -> Any:
    """Return ``after`` with the settings that the user selected in ``before``."""
    kept = own_settings(before)
    if "curve" in kept:
        kept["curve"] = _with_settings(kept["curve"], after.curve)
    return replace(after, **kept)


def _bounds(scenario: Scenario, table: Table) -> None:
    """Show the public bounds of a single column as text. New bounds give a new target and a new oracle."""
    bounds: Any = facts(scenario.target).bounds  # the domain of a curve is changed with its column, on Your data
    if len(scenario.columns) > 1 or bounds == () or (bounds is not None and isinstance(bounds[0], tuple)):
        return
    control(
        st.text_input,
        "Public bounds: lowest, highest",
        key="opt_bounds",
        holds="" if bounds is None else f"{bounds[0]:g}, {bounds[1]:g}",
        act=partial(_take_bounds, table),
        placeholder="no bounds: the worst case is infinite",
        help="Rows are clipped to them. They come from the meaning of the quantity, never from a confidential table.",
    )


def _take_bounds(table: Table, text: str) -> None:
    scenario = state.scenario()
    target: Any = asked_alone(scenario)
    if not text.strip():
        if table.public:
            attempt(lambda: state.rework(target=replace(target, bounds=None)))
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
    state.rework(target=_with_settings(target, target_for(kind_of(target), (column,))), oracle=oracle)


def _mechanism(scenario: Scenario) -> None:
    target = scenario.target

    def take(mechanism: Any) -> None:
        state.change(**state.released_by(mechanism))

    control(
        st.selectbox,
        "Mechanism",
        mechanism_kinds(target),
        key="opt_mechanism",
        holds=type(scenario.mechanism).__name__,
        act=lambda kind: take(mechanism_for(target, scenario.mechanism, kind)),
        format_func=title,
    )
    mechanism = editable(lambda: state.scenario().mechanism, take)
    form.show(mechanism)
    if scenario.delta is not None:
        number("δ", "opt_delta", scenario.delta, lambda delta: state.change(delta=delta), form="%g")


def _contribution(scenario: Scenario) -> None:
    """Show the limit on each person's rows, or on each person's total."""
    target: Any = scenario.target
    edited = editable(lambda: state.scenario().target, lambda target: state.change(target=target))
    if facts(target).totals is not None:
        _limit(target.totals, edited)
        return
    put = partial(edited.put_number, "rows")
    number("Rows a person counts for, s", "opt_cap", target.rows, put, step=1, least=1, most=1_000_000)
    if text_of(target) is not None:  # a text cannot read a row that counts in part
        _salt(target.salt, edited)
        return
    if len(target.groups) > 1:
        control(
            st.number_input,
            "Groups a person counts in",
            1,
            len(target.groups),
            key="opt_groups_each",
            holds=target.groups_each,
            act=partial(edited.put, "groups_each"),
            value=None,
            step=1,
            placeholder="over all groups together",
            help="Without a number, s is a limit over all groups together. With one, s rows count in each of so many groups.",
        )
    control(
        st.radio,
        "Which rows of a person with more count?",
        list(_KEEPING),
        key="opt_keeping",
        holds=target.salt is not None,
        act=lambda chosen: edited.put("salt", 0 if chosen else None),
        format_func=_KEEPING.__getitem__,
        help="Weights are better for nearly every question, because a choice of rows adds an error. Choose rows if the "
        "answer has to be made of whole rows, such as a count that others will compare with theirs.",
    )
    if target.salt is not None:
        _salt(target.salt, edited)
    st.page_link(link_to("people"), label="Compare limits s on the page People", icon=":material/group:")


def _limit(totals: Interval, edited: form.Editable) -> None:
    """Show B: a person's total counts between −B and B. An end that is 0 stays 0."""
    size = max(map(abs, totals))

    def put(given: float | None) -> None:
        edited.put_number("totals", given) if given is None else edited.put("totals", tuple(end / size * given for end in totals))

    number("Each person's total counts up to, B", "opt_limit", size, put, form="%g")
    st.page_link(link_to("people"), label="Compare limits B on the page People", icon=":material/group:")


def _salt(salt: int, edited: form.Editable) -> None:
    if salt <= _LARGEST_SALT:
        put = partial(edited.put_number, "salt")
        number("Salt: a public number that selects the rows", "opt_salt", salt, put, step=1, least=0, most=_LARGEST_SALT)
    else:
        st.markdown(f"The rows are selected by the salt {salt:,}.")
    st.button(
        "Another salt",
        key="opt_another_salt",
        icon=":material/casino:",
        on_click=lambda: edited.put("salt", secrets.randbits(31)),
    )
