"""A query, written by hand: its editor, the columns that it may speak of, examples, and where it is wrong."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from dpcore.base.declared import TEXT, Column
from dpcore.base.quoted import quoted
from dpcore.errors import DpcoreError
from dpcore.guarantees.words import figure
from dpcore.sql.query_error import QueryError
from pages import state
from pages.escape import escaped
from pages.experiment.error_sentences import plain
from pages.experiment.scenario import Scenario
from pages.experiment.written import examples, readable, rewritten, text_of
from pages.files.tables import Table
from pages.old.shared import form
from pages.old.shared.widgets import control

_REFUSED, _KEY = "query_refused", "query"
_SHOWN, _HEIGHT = 5, 26  # categories of a column that are listed; pixels a line
_LOOKS = "<style>.st-key-query textarea { font-family: monospace; font-size: 0.9rem; }</style>"
_HELP = (
    "One query in DuckDB’s SQL over the table data, which answers with one row of numbers, or with one row for each category of "
    "a column. Values are clipped to their public bounds, and what is missing is NULL."
)


class _Refused(NamedTuple):
    """A text that was not taken, in place of which one, and why."""

    text: str
    shown: str
    error: DpcoreError


def show(scenario: Scenario, table: Table) -> None:
    """The editor, of a target that is written; nothing of another."""
    text = text_of(scenario.target)
    if text is None:
        return
    refused = _refused(text)
    holds = text if refused is None else refused.text
    with st.container(key="query_box", gap="xsmall"):
        st.html(_LOOKS)
        control(
            st.text_area,
            "SQL query",
            key=_KEY,
            holds=holds,
            act=partial(_write, form.owner_of(scenario.target)),
            height=max(3, holds.count("\n") + 2) * _HEIGHT,
            help=_HELP,
        )
        if refused is not None:
            _say(refused)
        _beside(table)


def _refused(text: str) -> _Refused | None:
    found: _Refused | None = st.session_state.get(_REFUSED)
    return found if found is not None and found.shown == text else None


def _say(refused: _Refused) -> None:
    """Why a text was not taken, below the place where it is wrong."""
    said = (
        f"{escaped(plain(refused.error))} Until then the last query that could be run is shown: {escaped(quoted(refused.shown))}."
    )
    st.error(said, icon=":material/error:")
    if isinstance(refused.error, QueryError) and refused.error.line is not None and refused.error.character is not None:
        line = refused.text.split("\n")[refused.error.line - 1]
        st.code(f"{line}\n{' ' * (refused.error.character - 1)}^", language=None)


def _beside(table: Table) -> None:
    columns = readable(table)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        names = "; ".join(map(_column, columns))
        st.markdown(f":small[Columns of data: {names}]", width="stretch")
        known = examples(columns)
        st.selectbox(
            "Examples",
            list(known),
            index=None,
            key="query_example",
            on_change=partial(_begin_with, known),
            placeholder="Begin with an example",
            label_visibility="collapsed",
            width=240,
        )


def _column(column: Column) -> str:
    """Its name, and what a query may find in it."""
    if column.categories is not None:
        listed = [column.shown(one) if isinstance(one, float) else f"“{one}”" for one in column.categories]
        found = ", ".join(listed[:_SHOWN]) + (" …" if len(listed) > _SHOWN else "")
    elif column.bounds is not None:
        found = f"{figure(column.bounds[0])} to {figure(column.bounds[1])}"
    else:
        found = "numbers" if column.role != TEXT else "texts"
    return f"**{escaped(column.name)}** ({escaped(found)})"


def _begin_with(known: dict[str, str]) -> None:
    chosen = st.session_state.pop("query_example", None)
    if chosen in known:
        _take(known[chosen])


def _write(owner: form.Owner, text: str) -> None:
    form.in_time(owner, lambda: state.scenario().target, partial(_take, text))


def _take(text: str) -> None:
    """The question with this query; where it is refused, the text stays in the editor, and the last one is shown."""
    scenario: Any = state.scenario()
    st.session_state.pop(_REFUSED, None)
    try:
        changes = rewritten(scenario, state.table(), text.strip())
        scenario.with_(**changes)
    except DpcoreError as error:
        state.change()
        st.session_state[_REFUSED] = _Refused(text, text_of(scenario.target) or "", error)
        return
    state.change(**changes)
