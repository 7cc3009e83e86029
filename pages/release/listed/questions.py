"""The questions of a list: each in words, how close its answer is, what it adds to the cost, and what can be done with it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpcore.answers.answer import answer_of
from dpcore.answers.numbers import SHARE
from dpcore.base.facts import facts
from dpcore.base.norms import L2
from dpcore.base.types import groups_of
from dpcore.errors import DpcoreError
from dpcore.guarantees.words import figure, percent
from pages.experiment.listed.accuracy import Accuracy
from pages.experiment.listed.question_list import Listed, QuestionList
from pages.experiment.plus_minus import as_large
from pages.files.tables import Table
from pages.shared.escape import behind, escaped
from pages.shared.widgets import control
from pages.state.listed import changes, wanted
from pages.state.reach import ranks_before_a_press
from pages.wording.question_words import question_of
from pages.wording.sentences import plain

_ALONE, _JOINTLY = "95 in 100", "95 in 100, all at once"


def show(made: QuestionList, table: Table, near: Accuracy | None) -> None:
    """A box each, in order."""
    reaches = () if near is None else _reaches(near, made)
    for place, one in enumerate(made.questions):
        with st.container(border=True, key=f"listed_{place}"):
            _heading(made, table, place, one)
            if not one.joins:
                _by_itself(made, table, place, one)
            elif near is not None and reaches:
                at = made.joined.index(place)
                with st.container(horizontal=True, vertical_alignment="bottom"):
                    _accuracy(made, table, place, one, reaches[at])
                    _cost(made, near, at)
                _rests_on(made, near, place, at, reaches[at])
                _grouped(made, place)


def _rests_on(made: QuestionList, near: Accuracy, place: int, at: int, reach: float) -> None:
    """From where a ± goes to the one that stands there, what that rests on, and whether it is too large to be of use."""
    if len(groups_of(made.questions[place].target)) > 1:
        st.markdown(":small[Of its groups this is the furthest: each has a ± of its own, and no other is larger.]")
    words, large = near.headline.each[at].rests_on, as_large(near.headline.each[at], reach)
    if large:
        st.markdown(f":small[{escaped(large)}]")
    if not words:
        return
    least = near.least_reach(at, made.questions[place].width * near.scale(made.widths, made.epsilon))
    st.markdown(f":small[This is the largest ± that is foretold. The smallest is ± {figure(least)}. {escaped(words)}]")


def _reaches(near: Accuracy, made: QuestionList) -> tuple[float, ...]:
    try:
        return near.reaches(made.widths, made.epsilon)
    except DpcoreError as error:
        st.error(escaped(plain(error)), icon=":material/error:")
        return ()


def _heading(made: QuestionList, table: Table, place: int, one: Listed) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{place + 1}. {escaped(question_of(one.target, one.columns, table))}**", width="stretch")
        if len(made.questions) > 1:
            up, down = place > 0, place < len(made.questions) - 1
            _button("Up", f"listed_up_{place}", up, partial(changes.move, table, place, -1))
            _button("Down", f"listed_down_{place}", down, partial(changes.move, table, place, 1))
        _button("Edit", f"listed_edit_{place}", True, partial(changes.edit, table, place))
        _button("Remove", f"listed_remove_{place}", True, partial(changes.remove, table, place))


def _button(label: str, key: str, able: bool, act: partial[None]) -> None:
    st.button(label, key=key, on_click=act, disabled=not able, type="tertiary")


def _accuracy(made: QuestionList, table: Table, place: int, one: Listed, reach: float) -> None:
    kind = answer_of(one.target, tuple(table.column(name) for name in one.columns))
    unit = " of all records" if kind.unit == SHARE else kind.after
    often = _JOINTLY if made.jointly else _ALONE
    control(
        st.number_input,
        f"±{behind(unit)}, {often}",
        key=f"listed_near_{place}",
        holds=float(f"{reach:.3g}"),
        act=partial(wanted.want, table, place),
        min_value=0.0,
        format="%.6g",
        width=180,
        help="How far the noise takes the answer. Change it: then the other answers give way, or ε does, as you choose above.",
    )


def _cost(made: QuestionList, near: Accuracy, at: int) -> None:
    """What would be saved without the question."""
    if len(made.widths) < 2:
        return
    rest = (*made.widths[:at], *made.widths[at + 1 :])
    try:
        saved = 1 - near.size.without(at).of(rest) / near.size.of(made.widths)
    except DpcoreError:
        return
    if saved < 0.005:
        st.markdown(":small[It costs the others nothing.]", width="stretch")
    elif made.keeps == "epsilon":
        st.markdown(f":small[Without it every other ± would be {percent(saved)} smaller.]", width="stretch")
    else:
        less = "about " * (made.mechanism.norm == L2)
        st.markdown(f":small[Without it ε would be {less}{figure(made.epsilon * (1 - saved))}.]", width="stretch")


def _grouped(made: QuestionList, place: int) -> None:
    """Of a question in groups of another column than one before it: that all of them are counted."""
    by = _groups(made, place)
    others = [other for other in made.joined if other < place and _groups(made, other) not in ("", by)]
    if by and others:
        st.markdown(
            f":small[Its groups are of another column than those of question {others[0] + 1}: a replaced record can move two "
            "groups of each, and the noise counts both.]"
        )


def _groups(made: QuestionList, place: int) -> str:
    """The column that a question is grouped by, or ''."""
    by = facts(made.questions[place].target).by
    return "" if by is None else str(by.column)


def _by_itself(made: QuestionList, table: Table, place: int, one: Listed) -> None:
    assert one.mechanism is not None
    how = one.mechanism.chosen_by
    what = f"One of its candidates is chosen, by {how}" if how else "It cannot share its noise with the others"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        control(
            st.number_input,
            f"ε of question {place + 1}",
            0.01,
            20.0,
            key=f"listed_epsilon_{place}",
            holds=one.epsilon,
            act=partial(wanted.own_epsilon, table, place),
            format="%.6g",
            step=0.1,
            width=180,
        )
        st.markdown(f":small[{escaped(what)}: a line of its own in the ledger, with its own ε and γ.]", width="stretch")
    if ranks := ranks_before_a_press(made.by_itself(place, table), table):
        st.markdown(f":small[{escaped(ranks)}]")
