"""The questions of a list, a line each: in words, its ±, its share of ε; what can be changed opens below."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from dpcore.base.counted import counted
from dpcore.base.types import groups_of, only_to_choose
from dpcore.errors import DpcoreError
from dpcore.guarantees.words import figure, percent
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.experiment.blocks import blocks_of
from pages.experiment.scenario import LEAST_EPSILON, MOST_EPSILON, Scenario
from pages.files.tables import Table
from pages.ledger.reach import ranks_before, ranks_in_unit
from pages.old.experiment import preview
from pages.old.experiment.headlines.base import MeasuredHeadline
from pages.old.experiment.listed.question_list import MOST_QUESTIONS, QuestionList
from pages.old.experiment.plus_minus import as_large
from pages.old.release.listed import editor
from pages.old.shared.escape import behind, escaped
from pages.old.shared.widgets import control
from pages.old.state.draws import Exploration
from pages.old.state.listed import current_list, settings
from pages.old.state.listed.offered import words_of
from pages.old.wording import blocks_words
from pages.old.wording.sentences import plain

_EMPTY = "&nbsp;"  # holds a column open
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


def show(made: QuestionList, table: Table) -> None:
    """Show the questions in order. One is open at a time: a browser takes long to draw the boxes of twenty."""
    lines = current_list.lines(made, table)
    with st.container(key="listed", gap=None):
        for place, line in enumerate(lines):
            _line(made, table, place, _kept(line, table, proved=made.is_proved(line)))
            if editor.is_open(table, place):
                with st.container(border=True, key=f"listed_editor_{place}"):
                    _share_of_epsilon(made, table, place)
                    editor.show(made, table, place)


def _share_of_epsilon(made: QuestionList, table: Table, place: int) -> None:
    """The question's share of ε, to be changed."""
    control(
        st.number_input,
        f"ε of question {place + 1}",
        LEAST_EPSILON,
        MOST_EPSILON,
        key=f"listed_epsilon_{place}",
        holds=made.questions[place].epsilon,
        act=partial(settings.give, table, place),
        format="%.6g",
        step=0.1,
        help="More ε makes this answer more accurate. The total stays, so the other questions get less.",
        width=190,
    )


def _line(made: QuestionList, table: Table, place: int, said: list[str]) -> None:
    """All that is said of a question; a click opens or closes it. Small type by its style: a browser reads that in a third of the
    time of :small[…]."""
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


def _kept(line: Scenario, table: Table, *, proved: bool) -> list[str]:
    """What is said of a question, worked out once for all of its settings."""
    kept: list[tuple[Scenario, bool, Table, list[str]]] = st.session_state.setdefault("list_said", [])
    found = next((said for one, how, of, said in kept if of is table and how == proved and one == line), None)
    if found is None:
        found = _said(line, table, proved=proved)
        kept[:] = [*kept[1 - MOST_QUESTIONS :], (line, proved, table, found)]
    return found


def _said(line: Scenario, table: Table, *, proved: bool) -> list[str]:
    """Beside the words of a question: its ±, how large that is, its share of ε; then what else there is to say."""
    part = f"ε = {figure(line.epsilon)}"
    if blocks_of(line) is not None:
        return ["", "", part, escaped(blocks_words.near(line, table))]
    if (ranks := ranks_before(line, table)) is not None:
        near = ranks_in_unit(line, table)
        return [f"± {counted(ranks, ' ranks')}", f"about {escaped(near)} in this table" if near else "", part]
    try:
        return _measured(line, table, part, proved=proved)
    except DpcoreError as error:
        return ["", "", part, escaped(plain(error))]


def _measured(line: Scenario, table: Table, part: str, *, proved: bool) -> list[str]:
    of = Exploration(line, table)
    if proved:
        noise = preview.calibrated_worst_case(line)
    else:
        drawn = of.apart()
        noise = None if drawn is None else preview.calibrated(line, drawn)
    if noise is None:
        return ["", "", part, "How accurate this answer is takes long to work out: it is known after the release."]
    shown = preview.headline(line, table.taken(line.columns, line.target), of.exact(), noise)
    if not isinstance(shown, MeasuredHeadline) or only_to_choose(line.target):
        return [shown.short_reach(noise), "", part]
    reach = float(np.max(shown.reaches(noise, SHARE_WITHIN)))
    notes = []
    if len(groups_of(line.target)) > 1:
        notes.append("This is the largest ± of its groups.")
    notes.append(escaped(as_large(shown, reach)))
    if shown.rests_on:
        least = figure(float(np.max(shown.least_reaches(noise, SHARE_WITHIN))))
        notes.append(f"This is the largest ± that is foretold. The smallest is ± {least}. {escaped(shown.rests_on)}")
    return [f"± {figure(reach)}{behind(shown.answer.after)}", _size(shown, reach), part, *filter(None, notes)]


def _size(shown: MeasuredHeadline, reach: float) -> str:
    """Which share of such an answer the ± is; empty if it is not known."""
    sizes = np.abs(shown.centres)
    likely = float(np.median(sizes)) if sizes.size else 0.0
    if not 0 < likely < np.inf or not np.isfinite(reach):
        return ""
    which = "a simulated" if shown.exact.simulated else "this"
    return f"{percent(reach / likely)} of {figure(likely)} in {which} table"
