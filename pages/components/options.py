"""The options of target, oracle and mechanism, in a popover that is built only while it is open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore.bounds import even_edges
from dpcore.defaults import columns_for, kind_of, oracle_for, target_for
from dpcore.errors import DpcoreError
from dpcore.oracles import Categorical
from dpcore.scenario import Scenario, TableRecords
from dpcore.tables import Table
from dpcore.targets import Histogram, LetterCounts, OnLattice, Proportion, Quantile, Variance
from pages.components import mechanism_options
from pages.components.escape import escaped
from pages.components.inputs import number, numbers_in
from pages.session import state


def show(scenario: Scenario, table: Table) -> None:
    """Columns and bounds, then the target's own, the oracle's own, and the mechanism."""
    _columns(scenario, table)
    _bounds(scenario, table)
    _target(scenario)
    _oracle(scenario)
    mechanism_options.show(scenario)


def _columns(scenario: Scenario, table: Table) -> None:
    kind = kind_of(scenario.target)
    text = hasattr(type(scenario.target), "suited_text")
    names = [column.name for column in (table.text_columns if text else table.number_columns)]
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
        placeholder="none: then there is no finite worst case",
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
        state.say(f"{error} Write two numbers, such as “0, 100”.")
        return
    kind = kind_of(scenario.oracle)
    oracle = scenario.oracle if kind == "TableRecords" else oracle_for(kind, replace(table, oracle=None), (column,))
    made: Any = target_for(kind_of(target), (column,))
    state.change(target=replace(made, **_kept(target)), oracle=oracle)


def _kept(target: Any) -> dict[str, Any]:
    return {field.name: getattr(target, field.name) for field in fields(target) if field.name in ("q", "ddof")}


def _target(scenario: Scenario) -> None:
    target = scenario.target
    if isinstance(target, Quantile):
        number("Quantile q, from 0 to 1", "opt_q", target.q, lambda q: _propose(lambda: Quantile(q, target.bounds)), step=0.05)
    elif isinstance(target, Variance):
        st.session_state["opt_ddof"] = target.ddof
        st.selectbox(
            "Divisor", [0, 1], key="opt_ddof", format_func=lambda ddof: "n" if ddof == 0 else "n − 1",
            on_change=lambda: state.change(target=Variance(target.bounds, st.session_state["opt_ddof"])),
        )  # fmt: skip
    elif isinstance(target, Histogram) and target.edges is not None:
        edges = target.edges
        ends, count = (edges[0], edges[-1]), len(edges) - 1
        number("Bins", "opt_bins", count, lambda bins: _rebin(ends, int(bins or 1)), step=1, least=1, most=100)
    elif isinstance(target, Proportion) and target.interval is not None:
        low, high = target.interval
        left, right = st.columns(2)
        with left:
            number("From", "opt_from", low, lambda value: _propose(lambda: Proportion(interval=(value, high))))
        with right:
            number("To", "opt_to", high, lambda value: _propose(lambda: Proportion(interval=(low, value))))
    elif isinstance(target, OnLattice):
        _curve(target)
    elif isinstance(target, LetterCounts):
        _letters(target)
    elif isinstance(target, Proportion) and not isinstance(target.category, str):
        number("Category", "opt_category", target.category, lambda value: _propose(lambda: Proportion(category=value)))


def _curve(target: OnLattice) -> None:
    curve: Any = target.curve
    left, right = st.columns(2)
    with left:
        number(
            "Bandwidth", "opt_bandwidth", curve.bandwidth,
            lambda value: _propose(lambda: replace(target, curve=replace(curve, bandwidth=value))),
        )  # fmt: skip
    with right:
        number(
            "Degree", "opt_degree", target.degree, lambda degree: _propose(lambda: replace(target, degree=int(degree))),
            step=1, least=1,
        )  # fmt: skip


def _letters(target: LetterCounts) -> None:
    st.session_state["opt_longest"] = target.longest
    st.number_input(
        "Letters that count of one record", 1, None, key="opt_longest", value=None, step=1,
        placeholder="all: no finite worst case",
        on_change=lambda: _propose(lambda: replace(target, longest=st.session_state["opt_longest"])),
    )  # fmt: skip


def _rebin(ends: tuple[float, float], bins: int) -> None:
    state.change(target=Histogram(edges=even_edges(ends, bins)))


def _propose(make: Callable[[], Any], name: str = "target") -> None:
    try:
        state.change(**{name: make()})
    except DpcoreError as error:
        state.change()  # takes earlier sentences away
        state.say(str(error))


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
            on_change=lambda: _propose(lambda: Categorical(numbers_in(st.session_state["opt_shares"])), "oracle"),
        )  # fmt: skip


def _set_oracle(name: str, value: float) -> None:
    oracle: Any = state.scenario().oracle
    _propose(lambda: replace(oracle, **{name: value}), "oracle")
