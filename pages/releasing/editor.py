"""The settings of one question of the list: its share of ε, kind, column, options, conditions and groups."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.facts import facts
from dpcore.base.types import can_be_asked, only_to_choose
from pages import state
from pages.experiment import question
from pages.experiment.choices import columns_for, kind_called, kind_of, title
from pages.experiment.offered_questions import Asked, of_another_column
from pages.experiment.question_list import QuestionList
from pages.experiment.scenario import LEAST_EPSILON, MOST_EPSILON, Scenario
from pages.files.tables import Table
from pages.releasing import current_list
from pages.server.page_list import link_to
from pages.widgets import conditions, form
from pages.widgets.controls import control

_ONCE = " of people"  # behind the kind of a question that counts each person once
_OPEN = "list_edits"  # the table and the place of the question that is edited


def toggle(table: Table, place: int) -> None:
    """Open the settings of the question at a place, or close them."""
    state.begin()
    st.session_state[_OPEN] = None if is_open(table, place) else (table.name, place)


def is_open(table: Table, place: int) -> bool:
    """Return whether the settings of the question at a place are open."""
    return bool(st.session_state.get(_OPEN) == (table.name, place))


def remove(table: Table, place: int) -> None:
    """Remove the question at a place, and close its settings."""
    st.session_state[_OPEN] = None
    current_list.remove(table, place)


def show(made: QuestionList, table: Table, place: int) -> None:
    """Show the settings of a question; a change is taken at once, with Undo."""
    shown = made.shown(place, table)
    asked: Any = question.asked_alone(shown)
    key = f"edit_{place}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        control(
            st.number_input,
            f"ε of question {place + 1}",
            LEAST_EPSILON,
            MOST_EPSILON,
            key=f"listed_epsilon_{place}",
            holds=made.questions[place].epsilon,
            act=lambda epsilon: current_list.change(table, lambda now: (now.with_share(place, epsilon), "")),
            format="%.6g",
            step=0.1,
            help="More ε makes this answer more accurate. The total stays, so the other questions get less.",
            width=190,
        )
        if can_be_asked(asked):
            _kind_and_column(table, place, shown, key)
    if can_be_asked(asked):
        form.show(form.editable(lambda: _target(table, place), partial(_settle, table, place)), key=key, inner=False)
        where, by = question.conditions(shown)
        conditions.show(table, asked, where, by, partial(_under, table, place), key=key)
    else:
        st.markdown("This question has settings that only Explore shows: change it there, and release it from there again.")
    with st.container(horizontal=True):
        if st.button("Explore this", key=f"{key}_explore", icon=":material/query_stats:", type="tertiary"):
            state.anew(shown)
            st.switch_page(link_to("explore"))
        if len(made.questions) > 1:
            up, down = place > 0, place < len(made.questions) - 1
            _move("Up", table, place, -1, able=up)
            _move("Down", table, place, 1, able=down)
        st.button("Remove", key=f"{key}_remove", on_click=remove, args=(table, place), type="tertiary")
        st.button("Done", key=f"{key}_done", on_click=toggle, args=(table, place), type="tertiary")


def _kind_and_column(table: Table, place: int, shown: Scenario, key: str) -> None:
    kind, (column, *_) = kind_of(question.asked_alone(shown)), question.own_columns(shown)
    kinds = [one for one in question.kinds_like(table, shown.target) if can_be_asked(kind_called(one))]
    if facts(shown.target).by is not None:
        kinds = [one for one in kinds if not only_to_choose(kind_called(one))]
    if table.persons is not None:
        kinds = [each for one in kinds for each in ((one, one + _ONCE) if facts(kind_called(one)).once else (one,))]
    chosen = kind + _ONCE if facts(shown.target).each_once else kind
    control(
        st.selectbox,
        "Ask for",
        kinds if chosen in kinds else [*kinds, chosen],
        key=f"{key}_kind",
        holds=chosen,
        act=lambda given: current_list.ask(table, place, partial(_of_kind, given=given)),
        format_func=_word,
        width=240,
    )
    if facts(kind_called(kind)).public_alone:  # a number of rows is of no column
        return
    names = [one.name for one in table.columns if one.name in columns_for(kind, table, (one.name,))]
    control(
        st.selectbox,
        "Of",
        names if column in names else [*names, column],
        key=f"{key}_column_of",
        holds=column,
        act=lambda name: current_list.ask(table, place, partial(of_another_column, column=name)),
        format_func=lambda name: table.column(name).words,
        width=240,
    )


def _of_kind(asked: Asked, _: Scenario, *, given: str) -> Asked:
    return replace(asked, kind=given.removesuffix(_ONCE), settings=(), once=given.endswith(_ONCE), groups_each=None)


def _word(kind: str) -> str:
    """Return its everyday word, or its title."""
    said = facts(kind_called(kind.removesuffix(_ONCE)))
    return (said.once if kind.endswith(_ONCE) else said.everyday) or title(kind)


def _target(table: Table, place: int) -> Any:
    """Return the target inside the question as it is now."""
    made = current_list.current(table)
    return None if place >= len(made.questions) else question.asked_alone(made.shown(place, table))


def _settle(table: Table, place: int, target: Any) -> None:
    """Change the settings of a question to those of this target."""

    def changed(asked: Asked, _: Scenario) -> Asked:
        return replace(asked, settings=tuple((name, getattr(target, name)) for name, _ in asked.settings))

    current_list.ask(table, place, changed)


def _under(table: Table, place: int, where: conditions.Where, by: Any) -> None:
    def changed(asked: Asked, _: Scenario) -> Asked:
        return replace(asked, where=where, by=by, groups_each=asked.groups_each if by == asked.by else None)

    current_list.ask(table, place, changed)


def _move(label: str, table: Table, place: int, by: int, *, able: bool) -> None:
    def move() -> None:
        current_list.change(table, lambda made: (made.moved(place, by), ""))
        st.session_state[_OPEN] = (table.name, place + by)

    st.button(label, key=f"listed_{label.lower()}_{place}", on_click=move, disabled=not able, type="tertiary")
