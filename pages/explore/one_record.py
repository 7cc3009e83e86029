"""One record to drag: how far it moves the answer at each place, whether it is protected there, and what a guesser gains."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from dpcore.base.declared import Column
from dpcore.errors import DpcoreError
from dpcore.mechanisms.response_law import sampling_of
from pages.charts.moving import named
from pages.charts.record_strip import record_strip
from pages.experiment import cost, dragged
from pages.experiment.attacked_tables import columns_of
from pages.experiment.dragged import Dragged
from pages.explore import record_words
from pages.shared import badges, picture
from pages.shared.escape import escaped
from pages.shared.live import explore as live
from pages.shared.live import redraw
from pages.shared.widgets import control
from pages.state import doubts, draws, place
from pages.state.draws import Exploration
from pages.state.view import Shown, View
from pages.wording.sentences import plain

TITLE = "What if one row were another?"
_PEOPLE = "Here a person with all rows is protected, and a dot would be one row. So there is none to drag."
_NO_NUMBERS = "This question asks for no column of numbers, so a row has no place to be dragged to."
_NO_GUARANTEE = "This noise gives no guarantee, so no row is protected, wherever it is."
_FITTED = "The oracle was fitted to this table, so the trials promise nothing for it: no row of it is protected."
_WAITING = "There is no private answer at this choice yet. So no row is tried."
_COLUMN, _PLACE = "record_column", "record_place"


def show(view: View) -> None:
    """Behind a line that is built only while it is open."""
    box = doubts.box(doubts.ONE_RECORD, TITLE, "drag_pan")
    if box.open:
        with box:
            drag(view)


def drag(view: View) -> None:
    """The strip of records with one to drag, and what is said of it; or why there is none."""
    if place.presenting():
        st.markdown(f"## {TITLE}")
    columns = columns_of(view.columns)
    why = _why_not(view, columns)
    if why or not isinstance(view, Shown):
        redraw.with_the_page()
        st.markdown(why)
        return
    found = _found(view, _picked(columns))
    if isinstance(found, str):
        st.markdown(escaped(found))
        return
    if live.offered(view):
        live.record(view, found.column.name, lambda: record_words.part(view, found))
    else:
        redraw.with_the_page()
        _by_steps(view, found)
    badges.show(_badge(view))


def _why_not(view: View, columns: tuple[Column, ...]) -> str:
    if not view.scenario.adjacency.of_records:
        return _PEOPLE
    if not columns:
        return _NO_NUMBERS
    if not isinstance(view, Shown):
        return _WAITING
    if view.after_an_answer and not view.proved:
        return _FITTED
    return "" if sampling_of(view.leading.law).exact else _NO_GUARANTEE


def _picked(columns: tuple[Column, ...]) -> Column:
    """The column along which the record is moved: a choice where there are several, but on a wall."""
    by_name = {column.name: column for column in columns}
    chosen = st.session_state.get(_COLUMN)
    chosen = chosen if chosen in by_name else columns[0].name
    if len(columns) == 1 or place.presenting():
        return by_name[chosen]
    picked = control(
        st.selectbox,
        "Move its value of",
        list(by_name),
        key="pick_record_column",
        holds=chosen,
        act=lambda name: st.session_state.update({_COLUMN: name}),
        format_func=lambda name: by_name[name].words,
    )
    return by_name[picked]


def _found(view: Shown, column: Column) -> Dragged | str:
    """Of the public table, or of a made-up one in place of a confidential one: never of that, whatever is compared."""
    of = view.exploration
    try:
        return _tried(of.key(*([] if view.table.public else ["seed"])), column.name, of, view.columns, column)
    except DpcoreError as error:
        return plain(error)


@draws.kept(4)
def _tried(key: str, name: str, _of: Exploration, _columns: tuple[Column, ...], _column: Column) -> Dragged | str:
    scenario, database = _of.scenario, _of.exact(real=_of.table.public).database

    def seconds() -> float:
        return cost.alone(scenario.target, _of.oracle, scenario.n)

    return dragged.dragged(scenario, database, _columns, _column, seconds)


def _by_steps(view: Shown, found: Dragged) -> None:
    """The same with a plain slider, where nothing follows a hand."""
    name, places = found.column.name, found.places
    column, kept = st.session_state.get(_PLACE, ("", 0.0))
    at = control(
        st.select_slider,
        escaped(record_words.label(found)),
        range(len(places)),
        key="slide_record",
        holds=int(np.abs(places - kept).argmin()) if column == name else found.home,
        act=lambda at: st.session_state.update({_PLACE: (name, float(places[at]))}),
        format_func=lambda at: escaped(found.words[at]),
    )
    covered = record_words.covered(view, named("beyond", math.inf if view.proved else view.noise.sensitivity.value))
    drawn, alt = record_strip(found, covered, at)
    shown = picture.Picture(TITLE, _badge(view))
    picture.chart(drawn, "record_chart", str(alt), shown, height=230)
    st.markdown(record_words.standing(view, found, at))


def _badge(view: Shown) -> str:
    return badges.of_chart(view.table, simulated=not view.table.public)
