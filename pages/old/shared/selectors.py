"""The row of selectors: table, target, oracle, their options, new draws, and the way back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.condition import Condition
from dpcore.base.groups import Groups
from dpcore.base.types import can_be_asked, takes_fields
from dpcore.errors import DpcoreError
from pages import state
from pages.experiment import question
from pages.experiment.choices import kind_called, kind_of, target_kinds, title
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.old.experiment import written
from pages.old.shared import columns as columns_of
from pages.old.shared import conditions, exports, frame, options
from pages.old.shared.pins import side_by_side
from pages.old.shared.widgets import control, room_for, while_open
from pages.old.state import pins, place
from pages.old.wording.sentences import plain


def show_question(scenario: Scenario, table: Table) -> None:
    """The popover for conditions and groups; the answer's heading says what is asked for. Nothing where there is no column to ask
    for, and where a text says it all."""
    if conditions.offered(table) and written.text_of(scenario.target) is None:
        box = st.popover("Where, by", key="asking", on_change="rerun", icon=":material/filter_alt:")
        while_open(box, lambda: _asked(scenario, table))


def _asked(scenario: Scenario, table: Table) -> None:
    if can_be_asked(question.asked_alone(scenario)):
        where, by = question.conditions(scenario)
        conditions.show(table, question.asked_alone(scenario), where, by, _ask, key="ask")
    else:
        _another_target(scenario, table)


def _another_target(scenario: Scenario, table: Table) -> None:
    """Those that can be asked for in its place."""
    st.markdown(
        "This target cannot be asked under conditions or by group: it needs a value of every row, or is answered in two steps."
    )
    kinds = [kind for kind in target_kinds(table) if can_be_asked(kind_called(kind))]
    chosen = st.selectbox(
        "Ask instead for the", ["", *kinds], key="ask_target", format_func=lambda kind: title(kind) if kind else "…"
    )
    st.button(
        "Change the target",
        key="ask_change",
        disabled=not chosen,
        on_click=lambda: state.pick_columns(table, scenario.columns, chosen),
    )


def _ask(where: tuple[Condition, ...], by: Groups | None) -> None:
    """The same target under these conditions and in these groups, or the sentence that refuses it."""
    try:
        changes = question.asked(state.scenario(), state.table(), where, by)
    except DpcoreError as error:
        state.change()
        state.say(f"{plain(error)} Nothing was changed.")
        return
    state.change(**changes)


def show(scenario: Scenario, places: tuple[str, ...], report: Callable[[], None]) -> None:
    """Each widget is set from the scenario, and changes it in its callback. ``places``: what a link to the page says beside.
    ``report``: offers one of what the page shows."""
    table = state.table()
    own = scenario.with_(**question.asked_plainly(scenario, table)) if takes_fields(scenario.target) else scenario
    names = question.own_columns(own)
    columns = table.taken(names, own.target)
    titles = {name: item.title for name, item in state.tables().items()}
    targets, kind = list(question.kinds_like(table, scenario.target)), kind_of(scenario.target)
    kinds = question.oracles_of(table, columns, own.target)
    current = kind_of(scenario.oracle)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        _select("Table", "table", list(titles), titles, scenario.table, lambda name: state.pick_table(name))
        _select(
            "Target",
            "target",
            targets if kind in targets else [*targets, kind],
            {},
            kind,
            lambda kind: state.pick_columns(table, names, kind),
        )
        columns_of.beside(own, table)
        _select(
            "Oracle",
            "oracle",
            [*kinds, *([] if current in kinds else [current])],
            {},
            current,
            lambda kind: state.rework(oracle=question.oracle_of_kind(kind, table, columns, own.target, scenario.oracle)),
        )
        show_question(scenario, table)
        box = st.popover("Options", key="options", on_change="rerun")
        while_open(box, lambda: options.show(scenario, table))
        ways = report, partial(exports.offer_shown, scenario, table), side_by_side.show_what_is_too_long
        exports.show_link(places, ways, first=partial(_acts, places))


def _acts(places: tuple[str, ...]) -> None:
    """What is done with all that is shown."""
    with st.container(horizontal=True, gap="xsmall"):
        st.button(
            "Pin",
            key="pin",
            on_click=_then_closed(pins.pin),
            help="Keeps this scenario below, beside those that you choose then: up to four.",
        )
        st.button("Draw again", key="draw_again", on_click=_then_closed(state.draw_again), help="New draws, new seed")
        if place.PRESENT in places:
            frame.present_button()
        st.button("The example", key="back", on_click=_then_closed(_example))


def _then_closed(act: Callable[[], None]) -> Callable[[], None]:
    def both() -> None:
        act()
        st.session_state[exports.MENU] = False

    return both


def _example() -> None:
    """It is shown, and what was shown before can be brought back."""
    before, example = state.scenario(), state.example()
    state.anew(example)
    if before != example:
        state.offer_undo(scenario=before)
        state.say("The example is shown.")


def _select(label: str, name: str, choices: list[str], words: dict[str, str], value: str, act: Any) -> None:
    control(
        st.selectbox,
        label,
        choices,
        key=f"pick_{name}",
        holds=value,
        act=act,
        format_func=lambda item: words.get(item, title(item)),
        width=room_for(words.get(value, title(value))),
    )
