"""The questions of a list, a line each: in words, how close its answer is, its part of ε; what can be changed opens below."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from dpcore.answers.answer import answer_of
from dpcore.answers.numbers import SHARE
from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.types import groups_of, person_of
from dpcore.errors import DpcoreError
from dpcore.guarantees.words import figure, percent
from dpcore.targets.together import MOST_PARTS
from pages.experiment.in_blocks import blocks_of
from pages.experiment.listed.accuracy import Accuracy
from pages.experiment.listed.question_list import Listed, QuestionList
from pages.experiment.plus_minus import as_large
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.release.listed import editor
from pages.shared.escape import behind, escaped
from pages.shared.widgets import control
from pages.state.listed import current_list, wanted
from pages.state.listed.offered import words_of
from pages.state.reach import ranks_before, ranks_before_a_press, ranks_in_unit
from pages.wording import blocks_words
from pages.wording.sentences import plain

_PIXELS = 190  # of a ±, and of what stands beside it
_EMPTY = "&nbsp;"  # what holds a column open
_STYLE = """<style>
[class*="st-key-listed_edit_"] { border-top: 1px solid color-mix(in srgb, currentcolor 15%, transparent); }
[class*="st-key-listed_edit_"] button { justify-content: start; padding: 0.3rem 0; border-radius: 0; text-align: start; }
[class*="st-key-listed_edit_"] button > div, [class*="st-key-listed_edit_"] button > div > span { width: 100%; }
[class*="st-key-listed_edit_"] button [data-testid="stMarkdownContainer"] { flex: 1; }
[class*="st-key-listed_edit_"] button p { display: flex; flex-wrap: wrap; column-gap: 0.8rem; align-items: baseline; }
[class*="st-key-listed_edit_"] button p > strong { flex: 1 0 calc(100% - 4rem); }
[class*="st-key-listed_edit_"] button p > :is(em, span) { font-size: 0.875rem; font-style: normal; }
[class*="st-key-listed_edit_"] button p > em { order: 2; }
[class*="st-key-listed_edit_"] button p > span { order: 1; margin-left: auto; }
[class*="st-key-listed_edit_"] button p > em:nth-of-type(n + 4) { flex-basis: 100%; }
[class*="st-key-listed_editor_"] { margin: 0.3rem 0 1rem; }
@media (min-width: 900px) {
  [class*="st-key-listed_edit_"] button p { display: grid; grid-template-columns: 1fr 10rem 14rem 9rem 3rem; }
  [class*="st-key-listed_edit_"] button p > :is(em, span) { order: 0; }
  [class*="st-key-listed_edit_"] button p > em:nth-of-type(n + 4) { grid-column: 1 / -1; }
}
</style>"""


def show_style() -> None:
    """How its lines look."""
    st.html(_STYLE)


def show(made: QuestionList, table: Table, near: Accuracy | None) -> None:
    """In order; one is open at a time: a browser needs longer to draw twenty rows of boxes than a server to work them out."""
    reaches = dict(zip(made.joined, () if near is None else _reaches(near, made), strict=False))
    with st.container(key="listed", gap=None):
        for place in range(len(made.questions)):
            reach = reaches.get(place)
            _line(made, table, place, _said(made, table, near, place, reach))
            if editor.is_open(table, place):
                with st.container(border=True, key=f"listed_editor_{place}"):
                    _how_close(made, table, place, reach)
                    editor.show(made, table, place)


def _how_close(made: QuestionList, table: Table, place: int, reach: float | None) -> None:
    """The ± to be changed, and of a line of its own its ε."""
    one = made.questions[place]
    if one.joins:
        if reach is not None:
            _accuracy(made, table, place, reach)
        return
    with st.container(horizontal=True):
        _ranks(made, table, place)
        _own_epsilon(one, place, table)


def _line(made: QuestionList, table: Table, place: int, said: list[str]) -> None:
    """All that is said of a question, and a press opens or closes it. Small type by its style: a browser reads that in a third of
    the time of :small[…]."""
    words = f"**{place + 1}. {escaped(words_of(made.questions[place], table))}**"
    press = ":blue[Close]" if editor.is_open(table, place) else ":blue[Edit]"
    small = [f"*{one or _EMPTY}*" for one in said]
    st.button(
        " ".join((words, *small[:3], press, *small[3:])),
        key=f"listed_edit_{place}",
        on_click=editor.toggle,
        args=(table, place),
        type="tertiary",
        width="stretch",
    )


def _said(made: QuestionList, table: Table, near: Accuracy | None, place: int, reach: float | None) -> list[str]:
    """Beside the words of a question: its ±, how large that is, its part of ε; then what else there is to say of its ±."""
    one = made.questions[place]
    if not one.joins:
        line = current_list.lines(made, table)[made.numbers.index((place + 1,))]
        return _kept_alone(line, table)
    at = made.joined.index(place)
    saved = 1.0 if near is None or len(made.joined) < 2 else _saved(made, near, at)
    part = f"{percent(saved)} of ε = {figure(made.epsilon)}"
    if near is None or reach is None:
        return ["", "", part]
    notes = filter(None, (*_rests_on(made, near, place, at, reach), _grouped(made, place)))
    return [f"± {figure(reach)}{_unit(one, table)}", _size(near, at, reach), part, *notes]


def _kept_alone(line: Scenario, table: Table) -> list[str]:
    """The same as it was worked out before, where the question is still asked so."""
    kept: list[tuple[Scenario, Table, list[str]]] = st.session_state.setdefault("list_said_alone", [])
    found = next((said for one, of, said in kept if of is table and one == line), None)
    if found is None:
        found = _said_alone(line, table)
        kept[:] = [*kept[1 - MOST_PARTS :], (line, table, found)]
    return found


def _said_alone(line: Scenario, table: Table) -> list[str]:
    """Of a question with an ε of its own: its ranks, how far they are in the unit of the column; in blocks how near it comes."""
    part = f"ε = {figure(line.epsilon)}"
    if blocks_of(line) is not None:
        return ["", "", part, escaped(blocks_words.near(line, table))]
    ranks, near_by = ranks_before(line, table), ranks_in_unit(line, table)
    about = f"about {escaped(near_by)} in this table" if near_by else ""
    return ["" if ranks is None else f"± {counted(ranks, ' ranks')}", about, part]


def _unit(one: Listed, table: Table) -> str:
    kind = answer_of(one.target, tuple(table.column(name) for name in one.columns))
    return behind(" of all rows" if kind.unit == SHARE else kind.after)


def _reaches(near: Accuracy, made: QuestionList) -> tuple[float, ...]:
    try:
        return near.reaches(made.widths, made.epsilon)
    except DpcoreError as error:
        st.error(escaped(plain(error)), icon=":material/error:")
        return ()


def _accuracy(made: QuestionList, table: Table, place: int, reach: float) -> None:
    control(
        st.number_input,
        f"±{_unit(made.questions[place], table)}, {_OFTEN[made.jointly]}",
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


def _rests_on(made: QuestionList, near: Accuracy, place: int, at: int, reach: float) -> list[str]:
    """Of which group a ± is, whether it is too large to be of use, and from where it goes to the one that stands there."""
    said = []
    if len(groups_of(made.questions[place].target)) > 1:
        said.append("Of its groups this is the furthest: each has a ± of its own, and no other is larger.")
    if large := as_large(near.headline.each[at], reach):
        said.append(escaped(large))
    if words := near.headline.each[at].rests_on:
        least = figure(near.least_reach(at, made.questions[place].width * near.scale(made.widths, made.epsilon)))
        said.append(f"This is the largest ± that is foretold. The smallest is ± {least}. {escaped(words)}")
    return said


def _grouped(made: QuestionList, place: int) -> str:
    """Of a question in groups of another column than one before it: that all of them are counted; else empty."""
    by = _groups(made, place)
    others = [other for other in made.joined if other < place and _groups(made, other) not in ("", by)] if by else []
    if not others:
        return ""
    who = "row" if person_of(made.questions[place].target) is None else "person"
    return (
        f"Its groups are of another column than those of question {others[0] + 1}: one {who} moves groups of both, and the noise "
        "counts both."
    )


def _groups(made: QuestionList, place: int) -> str:
    """The column that a question is grouped by, or ''."""
    by = facts(made.questions[place].target).by
    return "" if by is None else str(by.column)
