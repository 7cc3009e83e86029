"""The rows above the charts: examples and actions; table, target, columns, oracle and options; the editor of a query in SQL."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.text import quoted
from dpcore.base.types import can_be_asked
from dpcore.errors import DpcoreError
from pages import pins, state
from pages.escape import escaped
from pages.experiment import question
from pages.experiment.choices import choices_for, kind_called, kind_of, target_kinds, title
from pages.experiment.error_sentences import plain
from pages.experiment.examples import EXAMPLES, example_named
from pages.experiment.question import readable, rewritten, text_of
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.live import live
from pages.releasing import current_list
from pages.server.page_list import link_to
from pages.widgets import conditions, options, present, share
from pages.widgets.controls import control, popover

_REFUSED = "query_refused"  # key in the session: a refused text, the text that is shown instead, and the reason
_LINE = 26  # pixels of a line
_WIDTHS = {"table": 190, "target": 250, "column": 220, "oracle": 220}  # of the selectors, in pixels: all in one row
_STYLE = "<style>.st-key-query textarea { font-family: monospace; font-size: 0.9rem; }</style>"
_QUERY_HELP = (
    "One query in DuckDB’s SQL over the table data. Its answer is one row of numbers, or one row for each category of a column. "
    "Values are clipped to their public bounds, and missing ones are NULL."
)


def show_examples_and_actions(scenario: Scenario, table: Table) -> None:
    """Show the row of examples, and the buttons Pin, Present, Share and Release at its end.

    Args:
        scenario: The scenario that is shown.
        table: Its table.
    """
    row: dict[str, Any] = {"horizontal": True, "vertical_alignment": "center"}
    with st.container(**row, horizontal_alignment="distribute", key="examples_and_actions"):
        with st.container(**row, gap="xsmall", width="content", key="examples"):
            st.markdown("**Publish a statistic with noise, and see the accuracy it costs.** Examples:", width="content")
            for name in EXAMPLES:
                st.button(name, key=f"example_{name}", on_click=_show_example, args=(name,), type="tertiary")
        with st.container(**row, gap="xsmall", width="content", key="actions"):
            st.button("Pin", key="pin", on_click=pins.pin, help="Keep this scenario to compare it with others.")
            st.button("Present", key="present_start", on_click=present.start, help="Large type, one chart at a time.")
            popover("Share", "share", "share", partial(share.show_scenario, scenario, table))
            if st.button("**Release**", key="to_release"):
                current_list.add(table, scenario)
                st.switch_page(link_to("release"))


def _show_example(name: str) -> None:
    state.anew(example_named(name, state.catalog()))


def show_selectors(scenario: Scenario, table: Table, hidden: Collection[str] = ()) -> None:
    """Show the row of selectors.

    Args:
        scenario: The scenario.
        table: Its table.
        hidden: Selectors to hide, by name.
    """
    own = scenario.with_(**question.asked_plainly(scenario, table)) if scenario.target.accepts_structured else scenario
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall", key="selectors"):
        if "table" not in hidden:
            titles = {name: item.title for name, item in state.tables().items()}
            _select("Table", "table", titles, scenario.table, state.pick_table)
        if "target" not in hidden:
            _show_target(own, table)
        if "oracle" not in hidden:
            _show_oracle(own, scenario, table)
        _show_conditions(scenario, table)
        popover("Options", "options", "tune", partial(_show_options, scenario, table))


def _select(label: str, name: str, words: dict[str, str], holds: str, act: Any, about: str | None = None) -> None:
    """Show a selector of a fixed width.

    Args:
        label: Its label.
        name: End of its key.
        words: Its options, each with its words.
        holds: The selected option.
        act: Called with another option.
        about: Help text.
    """
    looks: dict[str, Any] = {"format_func": lambda one: words.get(one, one), "width": _WIDTHS[name], "help": about}
    control(st.selectbox, label, list(words), key=f"pick_{name}", holds=holds, act=act, **looks)


def _show_target(own: Scenario, table: Table) -> None:
    """Show the selector of the target, and that of its column. Several columns are selected in the options."""
    kind, names = kind_of(own.target), question.own_columns(own)
    _select(
        "Target",
        "target",
        {one: title(one) for one in dict.fromkeys((*target_kinds(table), kind))},
        kind,
        lambda chosen: state.pick_columns(table, names, chosen),
        "Target: the function of the table that you publish.",
    )
    slots = kind_called(kind).takes
    if text_of(own.target) is None and len(slots) <= 1 and len(own.columns) <= 1:
        columns = dict.fromkeys((*choices_for(kind, table, slots[0]), *own.columns))
        words = {name: table.column(name).words for name in columns}
        _select("of", "column", words, own.columns[0], lambda name: options.choose_columns(table, (name,)))


def _show_oracle(own: Scenario, scenario: Scenario, table: Table) -> None:
    columns = table.taken(question.own_columns(own), own.target)
    kind = kind_of(scenario.oracle)
    kinds = dict.fromkeys((*question.oracles_of(table, columns, own.target), kind))

    def take(chosen: str) -> None:
        state.rework(oracle=question.oracle_of_kind(chosen, table, columns, own.target, scenario.oracle))

    about = "Oracle: a public model that simulates plausible tables. Never choose it by looking at a confidential table."
    _select("Oracle", "oracle", {one: title(one) for one in kinds}, kind, take, about)


def _show_conditions(scenario: Scenario, table: Table) -> None:
    """Show conditions and groups if the table has columns for them."""
    target: Any = question.asked_alone(scenario)
    if not conditions.offered(table) or text_of(scenario.target) is not None or not can_be_asked(target):
        return

    def ask(where: Any, by: Any) -> None:
        state.attempt(lambda: state.change(**question.asked(state.scenario(), state.table(), where, by)))

    where, by = question.conditions(scenario)
    popover("Where, by", "where", "filter_alt", partial(conditions.show, table, target, where, by, ask, key="ask"))


def _show_options(scenario: Scenario, table: Table) -> None:
    options.show(scenario, table)
    control(
        st.toggle,
        "Ordinary sliders",
        key="plain_toggle",
        holds=bool(st.session_state.get(live.PLAIN)),
        act=lambda on: live.use_plain(on=on),
        help="Charts then follow after each move of a slider, not while you drag it.",
    )
    st.button("Draw again", key="draw_again", on_click=state.draw_again, help="New draws, with a new seed.")


def show_query(scenario: Scenario, table: Table) -> None:
    """Show the editor of a written target, and nothing for other targets.

    Args:
        scenario: The scenario.
        table: Its table.
    """
    text = text_of(scenario.target)
    if text is None:
        return
    typed, shown, error = st.session_state.get(_REFUSED, ("", "", None))
    refused = error is not None and shown == text
    holds = typed if refused else text
    with st.container(key="query_box", gap="xsmall"):
        st.html(_STYLE)
        height = max(3, holds.count("\n") + 2) * _LINE
        control(st.text_area, "SQL query", key="query", holds=holds, act=_take_query, height=height, help=_QUERY_HELP)
        if refused:
            still = f"Until then the last query that could be run is shown: {escaped(quoted(shown))}."
            st.error(f"{escaped(plain(error))} {still}", icon=":material/error:")
        st.markdown(f":small[Columns of data: {escaped(', '.join(column.name for column in readable(table)))}]")


def _take_query(text: str) -> None:
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
        state.begin()
        st.session_state[_REFUSED] = text, shown, error
    else:
        state.change(**changes)
