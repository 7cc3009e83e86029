"""The options of target, oracle and mechanism. The popover builds them only while it is open."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.columns import Slot
from dpcore.errors import DpcoreError
from pages import state
from pages.escape import escaped
from pages.experiment.choices import (
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
from pages.experiment.error_sentences import plain
from pages.experiment.question import asked_alone, asked_plainly, own_columns, text_of
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.tables import Table
from pages.server.page_list import link_to
from pages.widgets import form
from pages.widgets.controls import control
from pages.widgets.form import Editable, number, numbers_in

_ORACLE = "The oracle simulates plausible tables, and the noise is calibrated to them. Never choose it by looking at the table."


def show(scenario: Scenario, table: Table) -> None:
    """Show the columns and bounds, then the options of target, oracle and mechanism.

    Args:
        scenario: The scenario.
        table: Its table.
    """
    own = scenario.with_(**asked_plainly(scenario, table)) if scenario.target.accepts_structured else scenario
    st.markdown("  \n".join(f":small[{text}]" for text in (escaped(table.about), _ORACLE) if text))
    _show_columns(own, table)
    _show_bounds(own, table)
    form.show(Editable(lambda: asked_alone(state.scenario()), lambda target: state.rework(target=target)))
    if scenario.target.person is not None:
        form.show(Editable(lambda: state.scenario().target, lambda target: state.change(target=target)), inner=False)
        st.page_link(link_to("people"), label="Compare limits on the page People", icon=":material/group:")
    if not isinstance(scenario.oracle, TableRecords):
        oracle = Editable(lambda: state.scenario().oracle, lambda oracle: state.change(oracle=oracle))
        form.show(oracle, of="Oracle", key="opt_oracle")
    _show_mechanism(scenario)


def _show_columns(scenario: Scenario, table: Table) -> None:
    """Show an input for each slot of the target, unless its only column has a selector beside the target."""
    kind = kind_of(scenario.target)
    slots = kind_called(kind).takes
    if text_of(scenario.target) is not None or (len(slots) == 1 and (not slots[0].several or table.persons is not None)):
        return
    spare, start = len(scenario.columns) - len(slots), 0
    for slot in slots:
        end = start + 1 + spare * slot.several
        current = scenario.columns[start:end]
        others = tuple(name for name in scenario.columns if name not in current)
        # A link can have columns that are not offered. They stay until the user changes them.
        names = list(dict.fromkeys((*choices_for(kind, table, slot, others if slot.several else ()), *current)))
        key = f"opt_{slot.name}"
        if slot.several:
            control(
                st.pills,
                slot.label,
                names,
                key=key,
                holds=list(current),
                act=partial(_pick_several, slot, table, others),
                selection_mode="multi",
                format_func=lambda name: escaped(table.column(name).words),
                help=slot.help or None,
            )
        else:
            act = partial(_pick_one, scenario.columns, start, table)
            words = {name: table.column(name).words for name in names}
            control(st.selectbox, slot.label, names, key=key, holds=current[0], act=act, format_func=words.__getitem__)
        start = end


def _pick_several(slot: Slot, table: Table, others: tuple[str, ...], picked: list[str]) -> None:
    if len(picked) >= slot.least:
        choose_columns(table, (*picked, *others))
        return
    many = f"{slot.least} {slot.name} are" if slot.least > 1 else f"one {slot.name.removesuffix('s')} is"
    state.say(f"At least {many} needed: the last choice stays.")


def _pick_one(columns: tuple[str, ...], at: int, table: Table, new: str) -> None:
    """Take a column at one place. If it was at another place, the two columns swap."""
    chosen = [columns[at] if name == new else name for name in columns]
    chosen[at] = new
    choose_columns(table, tuple(chosen))


def choose_columns(table: Table, names: tuple[str, ...]) -> None:
    """Take other columns for the target, and keep its settings.

    Args:
        table: The table.
        names: Names of columns.
    """
    before: Any = asked_alone(state.scenario())
    state.pick_columns(table, names, kind_of(before))
    after: Any = asked_alone(state.scenario())
    if type(after) is type(before):
        state.attempt(lambda: state.rework(target=_with_settings(before, after)))


def _with_settings(before: Any, after: Any) -> Any:
    """Return ``after`` with the settings that the user selected in ``before``."""
    kept = own_settings(before)
    if "curve" in kept:
        kept["curve"] = _with_settings(kept["curve"], after.curve)
    return replace(after, **kept)


def _show_bounds(scenario: Scenario, table: Table) -> None:
    """Show the public bounds of a single column as text. New bounds give a new target and a new oracle."""
    bounds: Any = asked_alone(scenario).bounds  # the domain of a curve is changed with its column, on Your data
    if len(scenario.columns) > 1 or bounds == () or (bounds is not None and isinstance(bounds[0], tuple)):
        return
    control(
        st.text_input,
        "Public bounds: lowest, highest",
        key="opt_bounds",
        holds="" if bounds is None else f"{bounds[0]:g}, {bounds[1]:g}",
        act=partial(_take_bounds, table),
        placeholder="no bounds: the worst case is infinite",
        help="Rows are clipped to them. They come from the meaning of the quantity, never from a confidential table.",
    )


def _take_bounds(table: Table, text: str) -> None:
    scenario = state.scenario()
    target: Any = asked_alone(scenario)
    if not text.strip() and table.public:
        state.attempt(lambda: state.rework(target=replace(target, bounds=None)))
        return
    try:
        column = replace(table.column(own_columns(scenario)[0]), bounds=numbers_in(text))
    except DpcoreError as error:
        said = f"{plain(error)} Write two numbers, such as “0, 100”."
        state.begin()
        state.say(said if text.strip() else "A confidential column needs public bounds, such as “0, 100”: the last ones stay.")
        return
    oracle = scenario.oracle
    if not isinstance(oracle, TableRecords):
        oracle = oracle_for(kind_of(oracle), replace(table, oracle=None), (column,))
    state.rework(target=_with_settings(target, target_for(kind_of(target), (column,))), oracle=oracle)


def _show_mechanism(scenario: Scenario) -> None:
    target = scenario.target

    def take(mechanism: Any) -> None:
        state.change(**state.released_by(mechanism, state.scenario().delta))

    control(
        st.selectbox,
        "Mechanism",
        mechanism_kinds(target),
        key="opt_mechanism",
        holds=type(scenario.mechanism).__name__,
        act=lambda kind: take(mechanism_for(target, scenario.mechanism, kind)),
        format_func=title,
    )
    form.show(Editable(lambda: state.scenario().mechanism, take))
    if scenario.delta is not None:
        number("δ", "opt_delta", scenario.delta, lambda delta: state.change(delta=delta), form="%g")
