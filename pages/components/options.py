"""The options of target, oracle and mechanism, in a popover that is built only while it is open."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.slots import Slot
from dpcore.errors import DpcoreError
from dpcore.registry.fit import slots_of
from dpcore.workbench.defaults import (
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
from dpcore.workbench.scenario import Scenario, TableRecords
from dpcore.workbench.tables import Table
from pages.components import form
from pages.components.escape import escaped
from pages.components.inputs import number, numbers_in
from pages.session import state
from pages.session.sentences import plain


def show(scenario: Scenario, table: Table) -> None:
    """Columns and bounds, then the target's own, the oracle's own, and the mechanism."""
    _columns(scenario, table)
    _bounds(scenario, table)
    form.show(scenario.target, partial(form.propose, take=_aim_at))
    _oracle(scenario)
    _mechanism(scenario)


def _columns(scenario: Scenario, table: Table) -> None:
    """A control for each slot of the target's kind, beside one another where each is for one column."""
    slots = slots_of(kind_called(kind_of(scenario.target)))
    spare = len(scenario.columns) - len(slots)
    boxes: list[Any] = st.columns(len(slots)) if len(slots) > 1 and not any(slot.several for slot in slots) else []
    start = 0
    for place, slot in enumerate(slots):
        end = start + 1 + spare * slot.several
        with boxes[place] if boxes else st.container():
            _slot(slot, start, end, scenario, table)
        start = end


def _slot(slot: Slot, start: int, end: int, scenario: Scenario, table: Table) -> None:
    """The columns of one slot; a link may bring others than are offered, which stay until they are changed."""
    current = scenario.columns[start:end]
    kind = kind_of(scenario.target)
    alone = len(slots_of(kind_called(kind))) == 1
    taken = tuple(name for name in scenario.columns if name not in current) if slot.several else ()
    names = list(dict.fromkeys((*choices_for(kind, table, slot, taken), *current)))
    if slot.several and (not alone or len(names) > 1):
        _several(slot, current, names, scenario, table)
    elif alone or len(names) > 1:
        _one(slot, start, names, scenario, table)


def _several(slot: Slot, current: tuple[str, ...], names: list[str], scenario: Scenario, table: Table) -> None:
    key = f"opt_{slot.name}"
    st.session_state[key] = list(current)

    def pick() -> None:
        picked = st.session_state[key]
        rest = [name for name in scenario.columns if name not in current]
        if picked:
            _pick(table, (*picked, *rest))
        else:
            one = slot.name.removesuffix("s")
            state.say(f"At least one {one} is needed: the last one stays.")

    st.pills(
        slot.label, names, selection_mode="multi", key=key, format_func=lambda name: escaped(table.column(name).words),
        on_change=pick, help=slot.help or None,
    )  # fmt: skip


def _one(slot: Slot, place: int, names: list[str], scenario: Scenario, table: Table) -> None:
    mixed = any(other.several for other in slots_of(kind_called(kind_of(scenario.target))))
    key = "opt_column" if slot.several else f"opt_{slot.name}"
    st.session_state[key] = scenario.columns[place]

    def pick() -> None:
        chosen, old = list(scenario.columns), scenario.columns[place]
        new = st.session_state[key]
        if new in chosen and not mixed:  # the other column was picked: they change places
            chosen[chosen.index(new)] = old
        chosen[place] = new
        _pick(table, tuple(name for i, name in enumerate(chosen) if i == place or name != new))

    label = "Column" if slot.several else slot.label
    st.selectbox(label, names, key=key, format_func=lambda name: table.column(name).words, on_change=pick)


def _pick(table: Table, names: tuple[str, ...]) -> None:
    """The target on these columns, its own settings as they were."""
    before: Any = state.scenario().target
    state.pick_columns(table, names, kind_of(before))
    _keep(before)


def _aim_at(target: Any) -> None:
    state.change(target=target)


def _keep(before: Any) -> None:
    after: Any = state.scenario().target
    if type(after) is type(before):
        form.propose(lambda: _with_settings_of(before, after), _aim_at)


def _with_settings_of(before: Any, after: Any) -> Any:
    """The member with what a person chose of the other one."""
    kept = own_settings(before)
    inside = {name: _with_settings_of(value, getattr(after, name)) for name, value in kept.items() if name == "curve"}
    return replace(after, **(kept | inside))


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
            form.propose(lambda: replace(target, bounds=None), _aim_at)
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
    oracle = scenario.oracle
    if not isinstance(oracle, TableRecords):
        oracle = oracle_for(kind_of(oracle), replace(table, oracle=None), (column,))
    state.change(target=_with_settings_of(target, target_for(kind_of(target), (column,))), oracle=oracle)


def _oracle(scenario: Scenario) -> None:
    if not isinstance(scenario.oracle, TableRecords):
        form.show(scenario.oracle, partial(form.propose, take=_draw_from), of="Oracle", key="opt_oracle")


def _draw_from(oracle: Any) -> None:
    state.change(oracle=oracle)


def _mechanism(scenario: Scenario) -> None:
    """How a target is made private: which mechanism, and its own options."""
    known, target = mechanism_kinds(scenario.target), scenario.target
    st.session_state["opt_mechanism"] = type(scenario.mechanism).__name__

    def change() -> None:
        _release_by(mechanism_for(target, scenario.mechanism, st.session_state["opt_mechanism"]))

    st.selectbox("Mechanism", known, key="opt_mechanism", format_func=title, on_change=change)
    form.show(scenario.mechanism, partial(form.propose, take=_release_by))
    if scenario.delta is not None:
        number("δ", "opt_delta", scenario.delta, lambda delta: state.change(delta=delta), form="%g")


def _release_by(mechanism: Any) -> None:
    state.change(**state.released_by(mechanism))
