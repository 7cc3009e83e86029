"""What an oracle is, in a picture: the table, and beside it the made-up table of one trial, with the row that this changed."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpcore.base.counted import counted
from dpcore.base.declared import Column
from dpcore.base.norms import Norm
from dpcore.base.types import person_of
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.sampling.sampler import SensitivitySample
from pages.old.charts.made_up_table import MOST_ROWS, made_up_beside
from pages.old.experiment import changes, made_up_table
from pages.old.experiment.changes import Trial
from pages.old.experiment.made_up_table import MadeUpTable
from pages.old.shared import badges, picture
from pages.old.shared.answer import with_unit
from pages.old.shared.escape import escaped
from pages.old.state import draws
from pages.old.state.view import Shown, View
from pages.old.wording.sentences import plain

TITLE = "What is an oracle?"
_MAKES = "An oracle makes up tables that could be real."
_IS = "An oracle makes up tables that could be real, as the one on the right."
_WAITING = f"{_MAKES} Once its trials are made, one of them is drawn here."
_NO_PLACE = f"{_MAKES} This question asks for texts, which have no place on an axis. So no table is drawn."
_NO_VALUE = "Each of its rows has a missing value, which has no place on an axis. So no table is drawn."
_NOT_AGAIN = "Which row a trial changed is not drawn again here, for that takes long, or the trial drew ranks alone."
_HEIGHT = 240


def show(view: View) -> None:
    """The picture, and what is seen on it; or a sentence that says why there is none."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap=None):
        st.markdown(f"## {TITLE}")
        at = st.container(width="content")
    columns = made_up_table.drawn_columns(view.columns)
    if view.trials is None or not columns:
        st.markdown(_NO_PLACE if view.trials is not None else _WAITING)
        return
    trial = changes.typical(view.trials.sample)
    try:
        names = [column.name for column in columns]
        found, replaced = _beside(view.exploration.key("seed"), trial.pair, names, view, view.trials.sample, trial, columns)
    except DpcoreError as error:
        st.markdown(f"{_MAKES} {escaped(plain(error))}")
        return
    if not any(len(side[0]) for side in (found.rest, found.before, found.after)):
        st.markdown(f"{_MAKES} {_NO_VALUE}")
        return
    made_from = badges.PUBLIC_TABLE if view.table.public else badges.PUBLIC_DRAWS
    said = _said(view, found, trial, replaced)
    titles = _titles(view, found)
    alt = f"{'; '.join(title.replace('<br>', ' ') for title in titles)}. {_in_short(found)}"
    shown = picture.Picture(TITLE, made_from, said, at=at)
    picture.chart(made_up_beside(found, titles), "oracle_chart", alt, shown, height=_HEIGHT)
    st.markdown(escaped(said))
    badges.show(made_from)


@draws.kept(4)
def _beside(
    key: str,
    pair: int,
    names: list[str],
    _view: View,
    _sample: SensitivitySample[Norm],
    _trial: Trial,
    _columns: tuple[Column, ...],
) -> tuple[MadeUpTable, tuple[str, str | None] | None]:
    """A made-up table as one trial changed it, beside the public table; and what was replaced by what, in words."""
    made = changes.change(_sample, _trial)
    found = made_up_table.made_up_table(_view.scenario, _view.table, _columns, made)
    person = person_of(_view.scenario.target, _sample.oracle)
    return found, changes.parts(made, _view.columns, person) if made is not None and found.marked else None


def _titles(view: View, found: MadeUpTable) -> tuple[str, str]:
    """Above the two sides."""
    adjacency, scenario = view.scenario.adjacency, view.scenario
    own = f"{view.table.size(scenario.columns, scenario.target):,}" if found.table is not None else ""
    many = words.counted_in(adjacency)
    left = f"the table:<br>{counted(own, f' {many}')}" if own else "the table"
    return left, f"a made-up table:<br>{counted(f'{scenario.n:,}', f' {many}')}{',<br>one changed' * found.marked}"


def _in_short(found: MadeUpTable) -> str:
    if not found.marked:
        return f"Values of {_named(found)}."
    gone = " is taken away" if not len(found.after[0]) else " is filled where it is now"
    return f"Values of {_named(found)}. What the trial changed is hollow where it was, and{gone}."


def _named(found: MadeUpTable) -> str:
    return " and ".join(column.label or column.name for column in found.columns)


def _said(view: View, found: MadeUpTable, trial: Trial, replaced: tuple[str, str | None] | None) -> str:
    """What is seen, in at most four short sentences. It holds texts of the table's holder: a page escapes them."""
    return " ".join(filter(None, [_IS, _changed(view, trial, replaced), _moved(view, trial), _left_out(found)]))


def _changed(view: View, trial: Trial, replaced: tuple[str, str | None] | None) -> str:
    if replaced is None:
        return _NOT_AGAIN
    assert view.trials is not None
    before, after = replaced
    one = f"In one of {counted(f'{len(view.trials.sample.distances):,}', ' trials')}"
    if after is None:
        return f"{one}, {before} (hollow) was taken away."
    return f"{one}, {before} (hollow) became {after} (filled)."


def _moved(view: View, trial: Trial) -> str:
    """How far the answer moved with it: a step of the curve of all trials."""
    if not np.isfinite(trial.distance):
        return "There was no answer in that trial."
    if not isinstance(view, Shown):
        return ""
    moved = view.headline.moved(once=True)
    return f"{moved[0].upper()}{moved[1:]} {with_unit(view, trial.distance)}: one step of the curve below."


def _left_out(found: MadeUpTable) -> str:
    """What is not drawn."""
    drawn = [len(side[0]) for side in (found.table, found.rest) if side is not None]
    few = found.columns[0].categories is None and max(drawn) > MOST_ROWS
    said = [f"At most {MOST_ROWS} rows are drawn on each side."] * few
    return " ".join(said + ["Rows with a missing value are not drawn."] * any(found.lost))
