"""The questions of a list, a row each: in words, how close its answer is, its part of ε, and what can be done with it."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from dpcore.answers.answer import answer_of
from dpcore.answers.numbers import SHARE
from dpcore.base.facts import facts
from dpcore.base.types import groups_of, person_of
from dpcore.errors import DpcoreError
from dpcore.guarantees.words import figure, percent
from pages.experiment.in_blocks import blocks_of
from pages.experiment.listed.accuracy import Accuracy
from pages.experiment.listed.question_list import Listed, QuestionList
from pages.experiment.plus_minus import as_large
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.release.listed import editor
from pages.shared.escape import behind, escaped
from pages.shared.widgets import control
from pages.state.listed import wanted
from pages.state.listed.offered import words_of
from pages.state.reach import ranks_before, ranks_before_a_press, ranks_in_unit
from pages.wording import blocks_words
from pages.wording.sentences import plain

_PIXELS = 190  # of a ±, and of what stands beside it


def show(made: QuestionList, table: Table, near: Accuracy | None) -> None:
    """A row each, in order; the one that is edited opens below its own."""
    reaches = () if near is None else _reaches(near, made)
    for place, one in enumerate(made.questions):
        at = made.joined.index(place) if one.joins else -1
        with st.container(border=True, key=f"listed_{place}"):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"**{place + 1}. {escaped(words_of(one, table))}**", width="stretch")
                if one.joins:
                    if reaches:
                        _accuracy(made, table, place, one, reaches[at])
                    _shared(made, near, at, reaches)
                else:
                    _ranks(made, table, place)
                    _own_epsilon(one, place, table)
                st.button("Edit", key=f"listed_edit_{place}", on_click=editor.toggle, args=(table, place), type="tertiary")
            if not one.joins and (near_it := _beside_ranks(made.by_itself(place, table), table)):
                st.markdown(f":small[{escaped(near_it)}]")
            if near is not None and one.joins and reaches:
                _rests_on(made, near, place, at, reaches[at])
                _grouped(made, place)
            if editor.is_open(table, place):
                editor.show(made, table, place)


def _reaches(near: Accuracy, made: QuestionList) -> tuple[float, ...]:
    try:
        return near.reaches(made.widths, made.epsilon)
    except DpcoreError as error:
        st.error(escaped(plain(error)), icon=":material/error:")
        return ()


def _accuracy(made: QuestionList, table: Table, place: int, one: Listed, reach: float) -> None:
    kind = answer_of(one.target, tuple(table.column(name) for name in one.columns))
    unit = " of all rows" if kind.unit == SHARE else kind.after
    control(
        st.number_input,
        f"±{behind(unit)}, {_OFTEN[made.jointly]}",
        key=f"listed_near_{place}",
        holds=float(f"{reach:.3g}"),
        act=partial(wanted.want, table, place),
        min_value=0.0,
        format="%.6g",
        width=_PIXELS,
        help="How far the noise takes the answer. Change it: then the other answers give way, or ε does, as you choose above.",
    )


_OFTEN = {False: "95 in 100", True: "95 in 100, all at once"}


def _ranks(made: QuestionList, table: Table, place: int) -> None:
    """How close a place that is chosen comes, in ranks: changed like any other ±."""
    line = made.by_itself(place, table)
    ranks = ranks_before(line, table)
    if ranks is not None:
        control(
            st.number_input,
            f"± ranks, {_OFTEN[False]}",
            key=f"listed_near_{place}",
            holds=ranks,
            act=partial(wanted.want, table, place),
            min_value=1,
            step=1,
            width=_PIXELS,
            help=f"{escaped(ranks_before_a_press(line, table))} Change it: then its part of ε follows.",
        )


def _beside_ranks(line: Scenario, table: Table) -> str:
    """How far ranks are in the column's unit; of a question in blocks how near its answer comes; empty where neither is known."""
    if blocks_of(line) is not None:
        return blocks_words.near(line, table)
    ranks = ranks_in_unit(line, table)
    return ranks and f"In this table so many ranks are about {ranks}."


_PART_OF_SHARED = (
    "Answers that are numbers share one ε, which is less than the sum of what they would cost alone. Without this question every "
    "other ± would be smaller by this share, or ε would."
)


def _shared(made: QuestionList, near: Accuracy | None, at: int, reaches: tuple[float, ...]) -> None:
    """Of a question that joins: its ± beside how large such answers are on a made-up or a public table, and its part of ε."""
    saved = 1.0 if near is None or len(made.joined) < 2 else _saved(made, near, at)
    said = [f"{percent(saved)} of ε = {figure(made.epsilon)}"]
    if near is not None and reaches and (size := _size(near, at, reaches[at])):
        said.insert(0, size)
    st.markdown("  \n".join(f":small[{words}]" for words in said), help=_PART_OF_SHARED, width=_PIXELS)


def _size(near: Accuracy, at: int, reach: float) -> str:
    """Which share of such an answer the ± is; empty where none is known."""
    headline = near.headline.each[at]
    sizes = np.abs(headline.centres)
    likely = float(np.median(sizes)) if sizes.size else 0.0
    if not 0 < likely < np.inf or not np.isfinite(reach):
        return ""
    which = "a made-up" if headline.exact.simulated else "this"
    return f"{percent(reach / likely)} of {figure(likely)} in {which} table"


def _own_epsilon(one: Listed, place: int, table: Table) -> None:
    """Of a line of its own an ε to be changed."""
    assert one.mechanism is not None
    how = one.mechanism.chosen_by
    what = f"One of its candidates is chosen, by {how}" if how else "It cannot share its noise with the others"
    control(
        st.number_input,
        f"ε of question {place + 1}",
        0.01,
        20.0,
        key=f"listed_epsilon_{place}",
        holds=one.epsilon,
        act=partial(wanted.give, table, place),
        format="%.6g",
        step=0.1,
        help=f"{what}: a line of its own in the ledger, with its own ε and γ.",
        width=_PIXELS,
    )


def _saved(made: QuestionList, near: Accuracy, at: int) -> float:
    """How much smaller the others' noise would be without the question."""
    rest = (*made.widths[:at], *made.widths[at + 1 :])
    try:
        return max(0.0, 1 - near.size.without(at).of(rest) / near.size.of(made.widths))
    except DpcoreError:
        return 0.0


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


def _grouped(made: QuestionList, place: int) -> None:
    """Of a question in groups of another column than one before it: that all of them are counted."""
    by = _groups(made, place)
    others = [other for other in made.joined if other < place and _groups(made, other) not in ("", by)]
    if by and others:
        who = "row" if person_of(made.questions[place].target) is None else "person"
        st.markdown(
            f":small[Its groups are of another column than those of question {others[0] + 1}: one {who} moves groups of both, "
            "and the noise counts both.]"
        )


def _groups(made: QuestionList, place: int) -> str:
    """The column that a question is grouped by, or ''."""
    by = facts(made.questions[place].target).by
    return "" if by is None else str(by.column)
