"""The row of selectors: table, target, oracle, their options, new draws, and the way back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.condition import Condition
from dpcore.base.declared import Column
from dpcore.base.groups import Groups
from dpcore.base.types import can_be_asked, takes_fields
from dpcore.errors import DpcoreError
from pages.experiment import question
from pages.experiment.defaults import kind_called, kind_of, oracle_for, oracle_kinds, target_kinds, title
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.shared import columns as columns_of
from pages.shared import exports, frame, how_far_off, options
from pages.shared.escape import escaped
from pages.shared.pins import side_by_side
from pages.shared.widgets import control, while_open
from pages.state import pins, place, programs, state
from pages.wording.sentences import plain

# Conditions and groups of a question, in a popover that is built only while it is open.


_NONE, _IS, _IS_NOT = "", "is", "is not"


def show_question(scenario: Scenario, table: Table) -> None:
    """The popover; the answer's heading says what is asked for. Nothing where the table has no column to ask for."""
    offered = [column for column in table.columns if column.categories is not None or column.bounds is not None]
    if not offered:
        return
    box = st.popover("Where, by", key="asking", on_change="rerun", icon=":material/filter_alt:")
    while_open(box, lambda: _asked(scenario, table, offered))


def _asked(scenario: Scenario, table: Table, offered: list[Column]) -> None:
    if not can_be_asked(question.asked_alone(scenario)):
        _another_target(scenario, table)
        return
    where, by = question.conditions(scenario)
    st.markdown("**Where**: only records that meet every condition count. A condition on a missing value is not met.")
    for at, condition in enumerate(where):
        rest = (*where[:at], *where[at + 1 :])
        st.button(
            f"Without “{escaped(condition.words(table.columns))}”",
            key=f"unask_{at}",
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

    def group(name: str) -> None:
        categories = table.column(name).categories if name else None
        _ask(where, None if categories is None else Groups(name, categories))

    control(
        st.selectbox,
        "By",
        [_NONE, *names],
        key="ask_by",
        holds=_NONE if by is None else by.column,
        act=group,
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


_WIDTHS = {"table": 140, "target": 168, "column": 115, "oracle": 132}


def show(scenario: Scenario, places: tuple[str, ...], report: Callable[[], None]) -> None:
    """Each widget is set from the scenario, and changes it in its callback. ``places``: what a link to the page says beside.
    ``report``: offers one of what the page shows."""
    table = state.table()
    own = scenario.with_(**question.asked_plainly(scenario, table)) if takes_fields(scenario.target) else scenario
    names = own.columns
    columns = table.taken(names, own.target)
    titles = {name: item.title for name, item in state.tables().items()}
    targets, kind = list(question.kinds_like(table, scenario.target)), kind_of(scenario.target)
    kinds = oracle_kinds(table, columns)
    current = kind_of(scenario.oracle)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        _select("Table", "table", list(titles), titles, scenario.table, lambda name: state.pick_table(name), table.about)
        _select(
            "Target",
            "target",
            targets if kind in targets else [*targets, kind],
            {},
            kind,
            lambda kind: state.pick_columns(table, names, kind),
            "What is computed on the table. Its settings are under Options.",
        )
        columns_of.beside(own, table, _WIDTHS["column"])
        _select(
            "Oracle",
            "oracle",
            [*kinds, *([] if current in kinds else [current])],
            {},
            current,
            lambda kind: state.rework(oracle=oracle_for(kind, table, columns)),
            "Made-up data that sizes the noise. Never choose it by looking at the table.",
        )
        show_question(scenario, table)
        box = st.popover("Options", key="options", on_change="rerun")
        while_open(box, lambda: options.show(scenario, table))
        st.button(
            "Pin",
            key="pin",
            on_click=pins.pin,
            help="Keeps this scenario below, beside those that you choose then: up to four.",
        )
        st.button("Draw again", key="draw_again", on_click=state.draw_again, help="New draws, new seed")
        if place.PRESENT in places:
            frame.present_button()
        made = partial(programs.of_what_is_shown, scenario, table, how_far_off.distance)
        exports.show_link(places, (report, partial(exports.offer, "shown", made), side_by_side.show_settings_file))


def _select(label: str, name: str, choices: list[str], words: dict[str, str], value: str, act: Any, about: str) -> None:
    control(
        st.selectbox,
        label,
        choices,
        key=f"pick_{name}",
        holds=value,
        act=act,
        format_func=lambda item: words.get(item, title(item)),
        width=_WIDTHS[name],
        help=about or None,
    )
