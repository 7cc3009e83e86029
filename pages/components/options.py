"""The options of target, oracle and mechanism, in a popover that is built only while it is open."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.oracles import Categorical
from dpcore.workbench.defaults import columns_for, feature_columns, kind_of, label_columns, oracle_for, takes_classes, target_for
from dpcore.workbench.scenario import Scenario, TableRecords
from dpcore.workbench.tables import Table
from pages.components import mechanism_options, target_options
from pages.components.escape import escaped
from pages.components.inputs import number, numbers_in
from pages.session import state
from pages.session.sentences import plain


def show(scenario: Scenario, table: Table) -> None:
    """Columns and bounds, then the target's own, the oracle's own, and the mechanism."""
    _columns(scenario, table)
    _bounds(scenario, table)
    target_options.show(scenario)
    _oracle(scenario)
    mechanism_options.show(scenario)


def _columns(scenario: Scenario, table: Table) -> None:
    kind = kind_of(scenario.target)
    text = hasattr(type(scenario.target), "suited_text")
    names = [column.name for column in (table.text_columns if text else table.number_columns)]
    if takes_classes(kind):
        _classes(scenario, table)
        return
    if len(columns_for(kind, table)) == 2:
        left, right = st.columns(2)
        with left:
            _column("Across (x)", 0, names, scenario, table)
        with right:
            _column("Up (y)", 1, names, scenario, table)
        return
    if kind == "Mean" and len(names) > 1:
        st.session_state["opt_columns"] = list(scenario.columns)
        st.pills(
            "Columns", names, selection_mode="multi", key="opt_columns",
            format_func=lambda name: escaped(table.column(name).words),
            on_change=lambda: _pick(table, tuple(st.session_state["opt_columns"]), kind),
        )  # fmt: skip
        return
    _column("Column", 0, names, scenario, table)


def _classes(scenario: Scenario, table: Table) -> None:
    """Features and label of a classifier; a link may bring others than these, which stay until they are changed."""
    *features, label = scenario.columns
    st.session_state["opt_features"] = features
    st.pills(
        "Features", list(dict.fromkeys((*feature_columns(table, label), *features))), selection_mode="multi", key="opt_features",
        format_func=lambda name: escaped(table.column(name).words), on_change=lambda: _pick_features(table, label),
        help="Columns of numbers with public bounds: the answer has a weight for each.",
    )  # fmt: skip
    labels = list(dict.fromkeys((*label_columns(table), label)))
    if len(labels) > 1:
        st.session_state["opt_label"] = label
        st.selectbox(
            "Label, class 0 or 1", labels, key="opt_label", format_func=lambda name: table.column(name).words,
            on_change=lambda: _pick_classes(table, [*features, st.session_state["opt_label"]]),
        )  # fmt: skip


def _pick_features(table: Table, label: str) -> None:
    features = st.session_state["opt_features"]
    if features:
        _pick_classes(table, [*features, label])
    else:
        state.say("At least one feature is needed: the last one stays.")


def _pick_classes(table: Table, names: list[str]) -> None:
    """The classifier on these columns, its other options as they were."""
    before: Any = state.scenario().target
    state.pick_columns(table, tuple(names), kind_of(before))
    after: Any = state.scenario().target
    state.change(target=replace(after, **_kept(before)))


def _column(label: str, place: int, names: list[str], scenario: Scenario, table: Table) -> None:
    key = f"opt_column_{place}" if place else "opt_column"
    st.session_state[key] = scenario.columns[place]

    def pick() -> None:
        chosen, old = list(scenario.columns), scenario.columns[place]
        chosen[place] = st.session_state[key]
        if chosen.count(chosen[place]) > 1:  # the other column was picked: they change places
            chosen[1 - place] = old
        _pick(table, tuple(chosen), kind_of(scenario.target))

    st.selectbox(label, names, key=key, format_func=lambda name: table.column(name).words, on_change=pick)


def _pick(table: Table, names: tuple[str, ...], kind: str) -> None:
    if names:
        state.pick_columns(table, names, kind)
    else:
        state.say("At least one column is needed: the last one stays.")


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
    target: Any = scenario.target
    if not text.strip():
        if table.public:
            state.change(target=replace(target, bounds=None))
        else:
            state.change()
            state.say("A confidential column needs public bounds, such as “0, 100”: the last ones stay.")
        return
    try:
        column = replace(table.column(scenario.columns[0]), bounds=numbers_in(text))
    except DpcoreError as error:
        state.change()
        state.say(f"{plain(error)} Write two numbers, such as “0, 100”.")
        return
    kind = kind_of(scenario.oracle)
    oracle = scenario.oracle if kind == "TableRecords" else oracle_for(kind, replace(table, oracle=None), (column,))
    made: Any = target_for(kind_of(target), (column,))
    state.change(target=replace(made, **_kept(target)), oracle=oracle)


def _kept(target: Any) -> dict[str, Any]:
    return {field.name: getattr(target, field.name) for field in fields(target) if field.name in ("q", "ddof", "C", "tolerance")}


def _oracle(scenario: Scenario) -> None:
    oracle: Any = scenario.oracle
    if isinstance(oracle, TableRecords):
        return
    for field in fields(oracle):
        label = field.metadata.get("label")
        value = getattr(oracle, field.name)
        if label and isinstance(value, float):
            number(
                f"Oracle: {label.lower()}", f"opt_oracle_{field.name}", value,
                partial(_set_oracle, field.name),
            )  # fmt: skip
    if isinstance(oracle, Categorical):
        st.session_state["opt_shares"] = ", ".join(f"{p:g}" for p in oracle.p)
        st.text_input(
            "Oracle: shares of the categories", key="opt_shares",
            on_change=lambda: target_options.propose(lambda: Categorical(numbers_in(st.session_state["opt_shares"])), "oracle"),
        )  # fmt: skip


def _set_oracle(name: str, value: float) -> None:
    oracle: Any = state.scenario().oracle
    target_options.propose(lambda: replace(oracle, **{name: value}), "oracle")
