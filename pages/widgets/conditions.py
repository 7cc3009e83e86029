"""Conditions and groups of a question."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.columns import Column
from dpcore.base.filters import Filter, GroupBy
from dpcore.base.types import Target
from pages import state
from pages.escape import escaped
from pages.files.tables import Table
from pages.widgets.controls import control

Where = tuple[Filter, ...]
Ask = Callable[[Where, GroupBy | None], None]
_WIDTH = 340  # pixels


def offered(table: Table) -> list[Column]:
    """Return the columns that can have a condition."""
    return [column for column in table.columns if column.categories is not None or column.bounds is not None]


def show(table: Table, target: Target, where: Where, by: GroupBy | None, ask: Ask, *, key: str) -> None:
    """Show the conditions, one more, and the groups.

    Args:
        table: The table.
        target: The target without conditions and groups.
        where: The conditions.
        by: The groups.
        ask: Called with the conditions and groups after a change.
        key: Beginning of the keys of the widgets.
    """
    st.markdown("**Where**: only rows that meet every condition count. A missing value meets no condition.")
    for at, condition in enumerate(where):
        words = f"Without “{escaped(condition.words(table.columns))}”"
        rest = (*where[:at], *where[at + 1 :])
        st.button(words, key=f"un{key}_{at}", icon=":material/close:", on_click=ask, args=(rest, by))
    name = st.selectbox(
        "Add a condition on",
        ["", *(column.name for column in offered(table))],
        key=f"{key}_column",
        format_func=lambda one: table.column(one).words if one else "…",
        width=_WIDTH,
    )
    if name:
        make = _ask_condition(table.column(name), key)
        st.button("Add", key=f"{key}_add", on_click=_add, args=(make, where, by, ask, key))
    if target.is_selection_score:
        st.markdown("**By**: a median is selected once for all rows. For one of each group, ask once for each, with a condition.")
    else:
        _show_groups(table, where, by, ask, key)


def _ask_condition(column: Column, key: str) -> Callable[[], Filter]:
    """Show the inputs of a new condition; return the function that makes it. It may raise DpcoreError."""
    name = column.name
    if column.categories is not None:
        how = st.selectbox("It", ["is", "is not"], key=f"{key}_how")
        which: Any = st.selectbox("Category", column.categories, key=f"{key}_category_{name}", format_func=column.shown)
        return partial(Filter, name, category=which, excluded=how == "is not")
    ends = zip(("From", "To"), column.bounds or (0.0, 1.0), st.columns(2), strict=True)
    interval: Any = tuple(_ask_end(column, label, value, f"{key}_{label.lower()}_{name}", box) for label, value, box in ends)
    return partial(Filter, name, interval=interval)  # it refuses an end that was cleared


def _ask_end(column: Column, label: str, value: float, key: str, box: Any) -> float | None:
    """Show one end of an interval: a number, or a date if the column counts days."""
    if not column.since:
        number: float | None = box.number_input(label, value=value, key=key, format="%g")
        return number
    first = date.fromisoformat(column.since)
    last = first + timedelta(days=(column.bounds or (0.0, 1.0))[1])
    picked = box.date_input(label, value=first + timedelta(days=value), min_value=first, max_value=last, key=key)
    return float((picked - first).days) if isinstance(picked, date) else None


def _show_groups(table: Table, where: Where, by: GroupBy | None, ask: Ask, key: str) -> None:
    groups = {column.name: GroupBy(column.name, column.categories) for column in table.columns if column.categories is not None}
    if not groups:
        st.markdown("**By**: groups need a column with categories, and this table has none.")
        return
    control(
        st.selectbox,
        "By",
        ["", *groups],
        key=f"{key}_by",
        holds="" if by is None else by.column,
        act=lambda name: ask(where, groups.get(name)),
        format_func=lambda one: table.column(one).words if one else "one answer for all",
        width=_WIDTH,
        help="An answer for each category. One replaced row can change two groups, and all answers together cost one ε.",
    )


def _add(make: Callable[[], Filter], where: Where, by: GroupBy | None, ask: Ask, key: str) -> None:
    def add() -> None:
        condition = make()
        st.session_state[f"{key}_column"] = ""
        ask((*where, condition) if condition not in where else where, by)

    state.attempt(add)
