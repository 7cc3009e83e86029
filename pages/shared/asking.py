"""Conditions and groups of a question, in a popover that is built only while it is open."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import streamlit as st

from dpcore.base.condition import Condition
from dpcore.base.declared import Column
from dpcore.base.groups import Groups
from dpcore.base.types import can_be_asked
from dpcore.errors import DpcoreError
from dpcore.workbench import question
from dpcore.workbench.defaults import kind_called, target_kinds, title
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Table
from pages.shared.escape import escaped
from pages.shared.live import anew
from pages.state import state
from pages.wording.sentences import plain

_NONE, _IS, _IS_NOT = "", "is", "is not"


def show(scenario: Scenario, table: Table) -> None:
    """The popover; the answer's heading says what is asked for. Nothing where the table has no column to ask for."""
    offered = [column for column in table.columns if column.categories is not None or column.bounds is not None]
    if not offered:
        return
    box = st.popover("Where, by", key="asking", on_change="rerun", icon=":material/filter_alt:")
    if anew.opened(box):
        with box:
            _asked(scenario, table, offered)


def _asked(scenario: Scenario, table: Table, offered: list[Column]) -> None:
    if not can_be_asked(question.asked_alone(scenario)):
        _another_target(scenario, table)
        return
    where, by = question.conditions(scenario)
    st.markdown("**Where**: only records that meet every condition count. A condition on a missing value is not met.")
    for place, condition in enumerate(where):
        rest = (*where[:place], *where[place + 1 :])
        st.button(
            f"Without “{escaped(condition.words(table.columns))}”",
            key=f"unask_{place}",
            icon=":material/close:",
            on_click=_ask,
            args=(rest, by),
        )
    _another(table, offered, where, by)
    _groups(table, offered, where, by)


def _another_target(scenario: Scenario, table: Table) -> None:
    """Those that can be asked for in its place."""
    st.markdown(
        "This target cannot be asked under conditions or by group: it needs a value of every record, or is answered in two steps."
    )
    kinds = [kind for kind in target_kinds(table) if can_be_asked(kind_called(kind))]
    chosen = st.selectbox(
        "Ask instead for the", ["", *kinds], key="ask_target", format_func=lambda kind: title(kind) if kind else "…"
    )
    st.button(
        "Change the target",
        key="ask_change",
        disabled=not chosen,
        on_click=lambda: state.pick_columns(table, scenario.columns, chosen),
    )


def _another(table: Table, offered: list[Column], where: tuple[Condition, ...], by: Groups | None) -> None:
    """One more condition: on which column, and what it says."""
    names = [column.name for column in offered]
    name = st.selectbox(
        "Add a condition on", ["", *names], key="ask_column", format_func=lambda one: table.column(one).words if one else "…"
    )
    if not name:
        return
    column = table.column(name)
    if column.categories is not None:
        how = st.selectbox("It", [_IS, _IS_NOT], key="ask_how")
        which: Any = st.selectbox("Category", list(column.categories), key=f"ask_category_{name}", format_func=column.shown)
        st.button("Add", key="ask_add", on_click=_add, args=(name, where, by), kwargs={"category": which, "excluded": how != _IS})
        return
    low, high = column.bounds or (0.0, 1.0)
    ends: list[float | None] = []
    for box, label, key, end in zip(st.columns(2), ("From", "To"), ("from", "to"), (low, high), strict=True):
        with box:
            ends.append(_end(column, label, f"ask_{key}_{name}", end))
    st.button("Add", key="ask_add", on_click=_add, args=(name, where, by), kwargs={"interval": tuple(ends)})


def _end(column: Column, label: str, key: str, value: float) -> float | None:
    """One end of an interval: a number, or a day where the column counts days."""
    if not column.since:
        return st.number_input(label, value=value, key=key, format="%g")
    first = date.fromisoformat(column.since)
    last = first + timedelta(days=(column.bounds or (0.0, 1.0))[1])
    picked = st.date_input(label, value=first + timedelta(days=value), min_value=first, max_value=last, key=key)
    return float((picked - first).days) if isinstance(picked, date) else None


def _groups(table: Table, offered: list[Column], where: tuple[Condition, ...], by: Groups | None) -> None:
    """One answer for all, or one for each category of a column."""
    names = [column.name for column in offered if column.categories is not None]
    if not names:
        st.markdown("**By**: a column of categories would give an answer for each of them; this table has none.")
        return
    st.session_state["ask_by"] = _NONE if by is None else by.column

    def group() -> None:
        name = st.session_state["ask_by"]
        categories = table.column(name).categories if name else None
        _ask(where, None if categories is None else Groups(name, categories))

    st.selectbox(
        "By",
        [_NONE, *names],
        key="ask_by",
        on_change=group,
        format_func=lambda one: table.column(one).words if one else "one answer for all",
        help="An answer for each category. One replaced record can change two groups, and all answers together cost one ε.",
    )


def _add(name: str, where: tuple[Condition, ...], by: Groups | None, **said: Any) -> None:
    try:
        condition = Condition(name, **said)
    except DpcoreError as error:
        state.change()
        state.say(f"{plain(error)} The condition was not added.")
        return
    st.session_state["ask_column"] = ""
    _ask((*where, condition) if condition not in where else where, by)


def _ask(where: tuple[Condition, ...], by: Groups | None) -> None:
    """The same target under these conditions and in these groups, or the sentence that refuses it."""
    try:
        changes = question.asked(state.scenario(), state.table(), where, by)
    except DpcoreError as error:
        state.change()
        state.say(f"{plain(error)} Nothing was changed.")
        return
    state.change(**changes)
