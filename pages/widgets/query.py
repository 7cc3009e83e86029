"""The editor of a query in SQL, with the columns that it may name, examples, and the place of an error."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from dpcore.base.declared import TEXT, Column
from dpcore.base.quoted import quoted
from dpcore.errors import DpcoreError, QueryError
from dpcore.guarantees.descriptions import figure
from pages import state
from pages.escape import escaped
from pages.experiment.error_sentences import plain
from pages.experiment.scenario import Scenario
from pages.experiment.written import examples, readable, rewritten, text_of
from pages.files.tables import Table
from pages.widgets.controls import control

_REFUSED = "query_refused"  # key in the session
_CATEGORIES, _LINE = 5, 26  # listed categories of a column; pixels of a line
_STYLE = "<style>.st-key-query textarea { font-family: monospace; font-size: 0.9rem; }</style>"
_HELP = (
    "One query in DuckDB’s SQL over the table data. Its answer is one row of numbers, or one row for each category of a column. "
    "Values are clipped to their public bounds, and missing ones are NULL."
)


class _Refused(NamedTuple):
    """A refused text, the text that is shown instead, and the reason."""

    text: str
    shown: str
    error: DpcoreError


def show(scenario: Scenario, table: Table) -> None:
    """Show the editor of a written target, and nothing for other targets.

    Args:
        scenario: The scenario.
        table: Its table.
    """
    text = text_of(scenario.target)
    if text is None:
        return
    refused: _Refused | None = st.session_state.get(_REFUSED)
    if refused is not None and refused.shown != text:
        refused = None
    holds = text if refused is None else refused.text
    with st.container(key="query_box", gap="xsmall"):
        st.html(_STYLE)
        height = max(3, holds.count("\n") + 2) * _LINE
        control(st.text_area, "SQL query", key="query", holds=holds, act=_take, height=height, help=_HELP)
        if refused is not None:
            _say(refused)
        _columns_and_examples(table)


def _say(refused: _Refused) -> None:
    """Show why a text was refused, and the line and character of the error."""
    error = refused.error
    st.error(
        f"{escaped(plain(error))} Until then the last query that could be run is shown: {escaped(quoted(refused.shown))}.",
        icon=":material/error:",
    )
    if isinstance(error, QueryError) and error.line is not None and error.character is not None:
        st.code(f"{refused.text.split(chr(10))[error.line - 1]}\n{' ' * (error.character - 1)}^", language=None)


def _columns_and_examples(table: Table) -> None:
    columns = readable(table)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.markdown(f":small[Columns of data: {'; '.join(map(_column, columns))}]", width="stretch")
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
    """Return the name of a column, and its values."""
    if column.categories is not None:
        listed = [column.shown(one) if isinstance(one, float) else f"“{one}”" for one in column.categories]
        found = ", ".join(listed[:_CATEGORIES]) + (" …" if len(listed) > _CATEGORIES else "")
    elif column.bounds is not None:
        found = f"{figure(column.bounds[0])} to {figure(column.bounds[1])}"
    else:
        found = "numbers" if column.role != TEXT else "texts"
    return f"**{escaped(column.name)}** ({escaped(found)})"


def _begin_with(known: dict[str, str]) -> None:
    chosen = st.session_state.pop("query_example", None)
    if chosen in known:
        _take(known[chosen])


def _take(text: str) -> None:
    """Take another query. If it is refused, its text stays in the editor, and the last query is shown."""
    scenario: Any = state.scenario()
    shown = text_of(scenario.target)
    if shown is None:  # the browser sent the text after another target was chosen
        return
    st.session_state.pop(_REFUSED, None)
    try:
        changes = rewritten(scenario, state.table(), text.strip())
        scenario.with_(**changes)
    except DpcoreError as error:
        state.change()
        st.session_state[_REFUSED] = _Refused(text, shown, error)
        return
    state.change(**changes)
