"""The rows above the charts: examples and actions; table, target, columns, oracle and options."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.types import can_be_asked, takes_fields
from dpcore.errors import DpcoreError
from dpcore.registry.catalog import members
from dpcore.registry.fit import slots_of
from pages import state
from pages.experiment import question
from pages.experiment.choices import choices_for, kind_called, kind_of, target_kinds, title
from pages.experiment.error_sentences import plain
from pages.experiment.examples import EXAMPLES, example_named
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.live import live
from pages.widgets import conditions, options, query
from pages.widgets.controls import control, while_open, width_for

TARGET_HELP = "Target: the function of the table that you publish."
ORACLE_HELP = "Oracle: a public model that simulates plausible tables. Never choose it by looking at a confidential table."
NUMBERS, FITS, CURVES, SQL = "Number", "Fit", "Curve", "SQL"
_FITS = (
    "CandidateDirections",
    "CovarianceMatrix",
    "HuberDirection",
    "LinearSVM",
    "LogisticDirection",
    "MeanDirection",
    "PrincipalComponent",
    "Ridge",
    "SufficientStatistics",
)


def group_of(kind: str) -> str:
    """Return the group of a kind of target in the list."""
    if kind == "SqlQuery":
        return SQL
    if kind in members("curves"):
        return CURVES
    return FITS if kind in _FITS else NUMBERS


def target_label(kind: str) -> str:
    """Return a target's name in the list, with its group."""
    group = group_of(kind)
    return title(kind) if group == SQL else f"{group}: {title(kind)}"


def show_examples(actions: Callable[[], None]) -> None:
    """Show the row of examples.

    Args:
        actions: Shows the buttons at the end of the row.
    """
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="examples_and_actions"
    ):
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width="content", key="examples"):
            st.markdown("**Publish a statistic with noise, and see the accuracy it costs.** Examples:", width="content")
            for name in EXAMPLES:
                st.button(name, key=f"example_{name}", on_click=_show_example, args=(name,), type="tertiary")
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width="content", key="actions"):
            actions()


def _show_example(name: str) -> None:
    before = state.scenario()
    state.anew(example_named(name, state.catalog()))
    if before != state.scenario():
        state.offer_undo(scenario=before)


def show_selectors(scenario: Scenario, table: Table, hidden: Collection[str] = ()) -> None:
    """Show the row of selectors.

    Args:
        scenario: The scenario.
        table: Its table.
        hidden: Selectors to hide, by name.
    """
    own = scenario.with_(**question.asked_plainly(scenario, table)) if takes_fields(scenario.target) else scenario
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall", key="selectors"):
        if "table" not in hidden:
            _table(scenario)
        if "target" not in hidden:
            _target(own, table)
            _column(own, table)
        if "oracle" not in hidden:
            _oracle(own, scenario, table)
        _where(scenario, table)
        box = st.popover("Options", key="options", on_change="rerun", icon=":material/tune:")
        while_open(box, lambda: _options(scenario, table))


def _table(scenario: Scenario) -> None:
    titles = {name: item.title for name, item in state.tables().items()}
    control(
        st.selectbox,
        "Table",
        list(titles),
        key="pick_table",
        holds=scenario.table,
        act=state.pick_table,
        format_func=lambda name: titles.get(name, name),
        width=width_for(titles.values()),
    )


def _target(own: Scenario, table: Table) -> None:
    kind = kind_of(own.target)
    offered = [*target_kinds(table, asked=own is not state.scenario())]
    kinds = sorted(
        {*offered, kind},
        key=lambda one: ([NUMBERS, FITS, CURVES, SQL].index(group_of(one)), offered.index(one) if one in offered else -1),
    )
    names = question.own_columns(own)
    control(
        st.selectbox,
        "Target",
        kinds,
        key="pick_target",
        holds=kind,
        act=lambda chosen: state.pick_columns(table, names, chosen),
        format_func=target_label,
        width=width_for(map(target_label, kinds)),
        help=TARGET_HELP,
    )


def _column(own: Scenario, table: Table) -> None:
    """Show the selector of the column if the target takes one column. Several columns are selected in the options."""
    kind = kind_of(own.target)
    slots = slots_of(kind_called(kind))
    if question.text_of(own.target) is not None or len(slots) > 1 or len(own.columns) > 1:
        return
    names = list(dict.fromkeys((*choices_for(kind, table, slots[0]), *own.columns)))
    control(
        st.selectbox,
        "of",
        names,
        key="pick_column",
        holds=own.columns[0],
        act=lambda name: options.choose_columns(table, (name,)),
        format_func=lambda name: table.column(name).words,
        width=width_for(table.column(name).words for name in names),
    )


def _oracle(own: Scenario, scenario: Scenario, table: Table) -> None:
    columns = table.taken(question.own_columns(own), own.target)
    kind = kind_of(scenario.oracle)
    kinds = list(dict.fromkeys((*question.oracles_of(table, columns, own.target), kind)))
    control(
        st.selectbox,
        "Oracle",
        kinds,
        key="pick_oracle",
        holds=kind,
        act=lambda chosen: state.rework(oracle=question.oracle_of_kind(chosen, table, columns, own.target, scenario.oracle)),
        format_func=title,
        width=width_for(map(title, kinds)),
        help=ORACLE_HELP,
    )


def _where(scenario: Scenario, table: Table) -> None:
    """Show conditions and groups if the table has columns for them."""
    target: Any = question.asked_alone(scenario)
    if not conditions.offered(table) or question.text_of(scenario.target) is not None or not can_be_asked(target):
        return

    def ask(where: Any, by: Any) -> None:
        try:
            changes = question.asked(state.scenario(), state.table(), where, by)
        except DpcoreError as error:
            state.change()
            state.say(f"{plain(error)} Nothing was changed.")
            return
        state.change(**changes)

    where, by = question.conditions(scenario)
    box = st.popover("Where, by", key="where", on_change="rerun", icon=":material/filter_alt:")
    while_open(box, lambda: conditions.show(table, target, where, by, ask, key="ask"))


def _options(scenario: Scenario, table: Table) -> None:
    options.show(scenario, table)
    control(
        st.toggle,
        "Ordinary sliders",
        key="plain_toggle",
        holds=bool(st.session_state.get(live.PLAIN)),
        act=lambda on: live.use_plain(on=on),
        help="Charts then follow after each move of a slider, not while you drag it.",
    )
    st.button("Draw again", key="draw_again", on_click=partial(state.draw_again), help="New draws, with a new seed.")


def show_query(scenario: Scenario, table: Table) -> None:
    """Show the editor of a target in SQL, and nothing for other targets.

    Args:
        scenario: The scenario.
        table: Its table.
    """
    query.show(scenario, table)
