"""The columns that a target is asked of: beside the target where that is one, and among its options."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from dpcore.base.slots import Slot
from dpcore.registry.fit import slots_of
from pages import state
from pages.escape import escaped
from pages.experiment.choices import choices_for, kind_called, kind_of, own_settings
from pages.experiment.question import asked_alone
from pages.experiment.scenario import Scenario
from pages.experiment.written import text_of
from pages.files.tables import Table
from pages.old.shared import form
from pages.old.shared.widgets import control


def show(scenario: Scenario, table: Table) -> None:
    """A control for each slot of the target's kind, beside one another where each is for one column; none where the only one
    stands beside the target."""
    slots = slots_of(kind_called(kind_of(scenario.target)))
    if text_of(scenario.target) is not None or (len(slots) == 1 and not slots[0].several):
        return
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
        _selector(slot, start, names, scenario, table)


def _several(slot: Slot, current: tuple[str, ...], names: list[str], scenario: Scenario, table: Table) -> None:
    def pick(picked: list[str]) -> None:
        rest = [name for name in scenario.columns if name not in current]
        if len(picked) >= slot.least:
            choose_columns(table, (*picked, *rest))
        elif slot.least > 1:
            state.say(f"At least {slot.least} {slot.name} are needed: the last ones stay.")
        else:
            one = slot.name.removesuffix("s")
            state.say(f"At least one {one} is needed: the last one stays.")

    control(
        st.pills,
        slot.label,
        names,
        key=f"opt_{slot.name}",
        holds=list(current),
        act=pick,
        selection_mode="multi",
        format_func=lambda name: escaped(table.column(name).words),
        help=slot.help or None,
    )


def _selector(slot: Slot, place: int, names: list[str], scenario: Scenario, table: Table) -> None:
    mixed = any(other.several for other in slots_of(kind_called(kind_of(scenario.target))))

    def pick(new: str) -> None:
        chosen, old = list(scenario.columns), scenario.columns[place]
        if new in chosen and not mixed:  # the other column was picked: they change places
            chosen[chosen.index(new)] = old
        chosen[place] = new
        choose_columns(table, tuple(name for i, name in enumerate(chosen) if i == place or name != new))

    control(
        st.selectbox,
        "Column" if slot.several else slot.label,
        names,
        key="opt_column" if slot.several else f"opt_{slot.name}",
        holds=scenario.columns[place],
        act=pick,
        format_func=lambda name: table.column(name).words,
    )


def choose_columns(table: Table, names: tuple[str, ...]) -> None:
    """The target on these columns, its own settings as they were."""
    before: Any = asked_alone(state.scenario())
    state.pick_columns(table, names, kind_of(before))
    after: Any = asked_alone(state.scenario())
    if type(after) is type(before):
        form.propose(lambda: with_settings_of(before, after), lambda target: state.rework(target=target))


def with_settings_of(before: Any, after: Any) -> Any:
    """The member with what a person chose of the other one."""
    kept = own_settings(before)
    inside = {name: with_settings_of(value, getattr(after, name)) for name, value in kept.items() if name == "curve"}
    return replace(after, **(kept | inside))
