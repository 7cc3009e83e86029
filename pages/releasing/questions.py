"""The table of questions: a row for each with its ± and its share of ε; a question's settings open below its row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dpcore.base.text import counted
from dpcore.base.types import can_be_asked
from dpcore.errors import DpcoreError
from dpcore.guarantees.descriptions import figure
from dpcore.mechanisms.base import Calibrated
from pages import jobs, state
from pages.escape import escaped
from pages.experiment import question as asking
from pages.experiment.accuracy import Accuracy
from pages.experiment.blocks import accuracy_words, blocks_of
from pages.experiment.choices import columns_for, kind_called, kind_of, rows_are_public, target_kinds, title
from pages.experiment.descriptions import question
from pages.experiment.error_sentences import plain
from pages.experiment.noise import calibrate_sampled
from pages.experiment.offered_questions import Asked, of_another_column, offered, words_of
from pages.experiment.question_list import MOST_QUESTIONS, Listed, QuestionList
from pages.experiment.scenario import LEAST_EPSILON, MOST_EPSILON, Scenario
from pages.experiment.view import Question
from pages.experiment.words import Margin, margin
from pages.files.tables import Table
from pages.ledger.press import AskedLine
from pages.releasing import current_list
from pages.server.page_list import link_to
from pages.widgets import conditions, form
from pages.widgets.controls import control

_SIMULATED = 3  # tables by which the ± of a median is predicted in the column's unit
_ONCE = " of people"  # behind the kind of a question that counts each person once
_OPEN = "list_edits"  # the table and the place of the question whose settings are open
_STYLE = """<style>
[class*="st-key-listed_edit_"] { border-top: 1px solid color-mix(in srgb, currentcolor 15%, transparent); }
[class*="st-key-listed_edit_"] button { justify-content: start; padding: 0.3rem 0; border-radius: 0; text-align: start; }
[class*="st-key-listed_edit_"] button > div, [class*="st-key-listed_edit_"] button > div > span { width: 100%; }
[class*="st-key-listed_edit_"] button [data-testid="stMarkdownContainer"] { flex: 1; }
[class*="st-key-listed_edit_"] button p { display: flex; flex-wrap: wrap; column-gap: 0.8rem; align-items: baseline; }
[class*="st-key-listed_edit_"] button p > strong { flex: 1 0 calc(100% - 4rem); }
[class*="st-key-listed_edit_"] button p > :is(em, span) { font-size: 0.875rem; font-style: normal; }
[class*="st-key-listed_edit_"] button p > em:nth-of-type(n + 3) { flex-basis: 100%; }
[class*="st-key-listed_editor_"] { margin: 0.3rem 0 1rem; }
@media (min-width: 900px) {
  [class*="st-key-listed_edit_"] button p { display: grid; grid-template-columns: 1fr 13rem 6rem 3rem; }
  [class*="st-key-listed_edit_"] button p > em:nth-of-type(n + 3) { grid-column: 1 / -1; }
}
</style>"""


def show(made: QuestionList, table: Table) -> None:
    """Show how to add a question, the shared settings, and a row for each question.

    The rows are worked out before anything is shown: a browser draws what arrives together once, and not for each row.
    """
    try:
        lines = current_list.asked(made, table).lines if made.questions else ()
    except DpcoreError:  # the receipt says why
        lines = ()
    rows = [_row(one, lines[place] if lines else None, table, place) for place, one in enumerate(made.questions)]
    st.html(_STYLE)
    st.markdown("## Questions")
    _show_adding(made, table)
    if not made.questions:
        return
    _show_shared(made, table, lines)
    with st.container(key="listed", gap=None):
        for place, row in enumerate(rows):
            _show_row(made, table, place, row)
    st.markdown(":small[In 95% of releases, an answer is within its ± of the exact value.]")


def _show_adding(made: QuestionList, table: Table) -> None:
    """Show the picker, and the question of Explore if the list does not have it."""
    if len(made.questions) >= MOST_QUESTIONS:
        st.markdown(f"A list holds {MOST_QUESTIONS} questions, and this one is full.")
        return
    choices = _offered(table)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Add a question",
            list(choices),
            index=None,
            key="list_add",
            placeholder="Type or choose, such as “mean cost”",
            on_change=partial(_add, table),
            width=420,
        )
        scenario = state.scenario()
        if not current_list.holds(made, scenario, table):
            words = f"Add “{escaped(question(scenario, table))}”, from Explore"
            st.button(words, key="list_add_shown", icon=":material/add:", on_click=current_list.add, args=(table, scenario))


def _add(table: Table) -> None:
    """Add the chosen question, and clear the picker."""
    chosen, st.session_state["list_add"] = st.session_state["list_add"], None
    if chosen is not None:
        current_list.add_offered(table, _offered(table)[chosen])


def _offered(table: Table) -> dict[str, tuple[Asked, ...]]:
    """Return the offered questions by their words, worked out once for a table as it is declared."""
    kept: tuple[Table, dict[str, tuple[Asked, ...]]] | None = st.session_state.get("list_offered")
    if kept is None or kept[0] is not table:
        kept = st.session_state["list_offered"] = (table, offered(table, state.scenario()))
    return kept[1]


def _show_shared(made: QuestionList, table: Table, lines: tuple[AskedLine, ...]) -> None:
    """Show the total ε, the limit on a person's rows, and γ and m if any question is sampled."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _number(
            "ε of all answers",
            "exact_list_epsilon",
            made.total,
            lambda total: current_list.change(table, lambda now: (now.sharing(now.shares, total), "")),
            LEAST_EPSILON,
            MOST_EPSILON * MOST_QUESTIONS,
            0.1,
            "More ε: more accurate, less protected.",
        )
        if (cap := made.cap) is not None:
            _number(
                "Rows that count per person",
                "list_cap",
                cap,
                lambda rows: current_list.change(table, lambda now: now.with_cap(rows)),
                1,
                1_000_000,
                1,
                "If a person has more rows, each counts for less. The page People shows what each limit costs.",
            )
        if any(not one.worst_case for one in lines):
            settle = partial(current_list.settle, table)
            shared = "The questions share γ equally, so each needs more sampled pairs: m rises as far as it must."
            _number("γ of all answers", "list_gamma", made.gamma, lambda gamma: settle(gamma=gamma), 0.001, 0.5, 0.01, shared)
            pairs = "Least number of sampled pairs of each question."
            _number("m", "list_m", made.m, lambda m: settle(m=m), 1, 100_000, 100, pairs)


def _number(label: str, key: str, holds: Any, act: Any, least: float, most: float, step: float, about: str) -> None:
    form = "%d" if isinstance(step, int) else "%.6g"
    control(st.number_input, label, least, most, key=key, holds=holds, act=act, step=step, format=form, help=about, width=170)


def _row(one: Listed, line: AskedLine | None, table: Table, place: int) -> list[str]:
    """Return the words of a row: its question, its ±, its ε, and notes on the ±."""
    near, *notes = [""] if line is None else _said_once(line, table, place)
    return [escaped(_words(one, line, table)), near or "&nbsp;", f"ε = {figure(one.epsilon)}", *filter(None, notes)]


def _show_row(made: QuestionList, table: Table, place: int, row: list[str]) -> None:
    """Show a row, and below it the question's settings if they are open.

    All words of a row are one button: browsers need long to draw the boxes of twenty rows.
    """
    is_open = st.session_state.get(_OPEN) == (table.name, place)
    asked, near, epsilon, *notes = row
    small = [f"*{near}*", f"*{epsilon}*", ":blue[Close]" if is_open else ":blue[Edit]", *(f"*{note}*" for note in notes)]
    st.button(
        " ".join((f"**{place + 1}. {asked}**", *small)),
        key=f"listed_edit_{place}",
        on_click=_toggle,
        args=(table, place),
        type="tertiary",
        width="stretch",
    )
    if is_open:
        with st.container(border=True, key=f"listed_editor_{place}"):
            _show_settings(made, table, place)


def _toggle(table: Table, place: int) -> None:
    """Open the settings of a question, or close them."""
    state.begin()
    is_open = st.session_state.get(_OPEN) == (table.name, place)
    st.session_state[_OPEN] = None if is_open else (table.name, place)


def _words(one: Listed, line: AskedLine | None, table: Table) -> str:
    """Return what a question asks; of blocks, if it is evaluated on blocks."""
    if line is not None and blocks_of(line.scenario) is not None:
        return question(line.scenario, table)
    try:
        return words_of(one, table)
    except DpcoreError:  # a column is gone
        return f"A question about {', '.join(one.columns)}"


# The predicted ±.


def _said_once(line: AskedLine, table: Table, place: int) -> list[str]:
    """Return what a row says beside its question, worked out again only if its question, its noise or the table changed."""
    kept: dict[int, tuple[Scenario, bool, Table, list[str]]] = st.session_state.setdefault("list_said", {})
    scenario, worst_case, of, said = kept.get(place, (None, False, None, []))
    if of is not table or worst_case != line.worst_case or scenario != line.scenario:
        said = _said(line, table, place)
        kept[place] = line.scenario, line.worst_case, table, said
    return said


def _said(line: AskedLine, table: Table, place: int) -> list[str]:
    """Return the expected ± of a question, and notes on it."""
    scenario = line.scenario
    if blocks_of(scenario) is not None:
        return ["", escaped(accuracy_words(scenario, table))]
    try:
        noise = _noise(line, table)
        if noise is None:
            return ["", "Its ± takes long to predict: it is known after the release."]
        if line.ranks is not None:
            which = "this table" if table.public else "simulated tables"
            note = f"This is its ± in {which}. In any table it is ± {counted(line.ranks, ' ranks')}."
            return [_near_in_unit(_accuracies(line.scenario, table, place), noise), note]
        return _predicted(jobs.question(scenario, table), noise)
    except DpcoreError as error:
        return ["", escaped(plain(error))]


def _noise(line: AskedLine, table: Table) -> Calibrated[Any] | None:
    """Return the noise that predicts the ±, or None if its draws would take long."""
    if line.worst_case:
        return line.proved
    drawn = jobs.quick_draws(jobs.question(line.scenario, table), line.scenario.m)
    return None if drawn is None else calibrate_sampled(line.scenario, drawn)


def _accuracies(scenario: Scenario, table: Table, place: int) -> list[Accuracy]:
    """Return the accuracy of a picked value in the public table, or in simulated tables. They are drawn once for a question."""
    of = scenario.target, scenario.columns, scenario.oracle, scenario.n
    kept: dict[int, tuple[Any, Table, list[Accuracy]]] = st.session_state.setdefault("list_accuracies", {})
    if place not in kept or kept[place][0] != of or kept[place][1] is not table:
        seeds = [scenario.seed + more for more in range(1 if table.public else _SIMULATED)]
        found = [Question(scenario.with_(seed=seed), table).accuracy for seed in seeds]
        kept[place] = of, table, [replace(one, database=np.empty(0)) for one in found]  # a table can be large
    return kept[place][2]


def _near_in_unit(accuracies: Sequence[Accuracy], noise: Calibrated[Any]) -> str:
    """Return how far a picked value is from the exact one, from the least to the most in these tables."""
    each = [one.error(noise.law) for one in accuracies]
    return escaped(Margin(least=min(each), most=max(each), after=accuracies[0].answer.after, rests_on="").text)


def _predicted(question: Question, noise: Calibrated[Any]) -> list[str]:
    """Return the ± and notes on it; for answers without one ±, their expected accuracy."""
    found = margin(question, noise.law)
    if found is None:
        accuracy = question.accuracy
        error = f"{accuracy.said(accuracy.at(noise.law))} {accuracy.unit}".rstrip()
        exact = "" if question.table.public else "“Exact” is a simulated table’s answer."
        return ["", escaped(accuracy.sentence.format(answer="answer", error=error)), exact]
    notes = ["This is the largest ± of its groups."] if len(question.scenario.target.groups) > 1 else []
    return [escaped(found.text), *notes, *([escaped(found.rests_on)] if found.rests_on else [])]


# The settings of one question.


def _show_settings(made: QuestionList, table: Table, place: int) -> None:
    """Show the settings of a question; a change is taken at once."""
    shown = made.shown(place, table)
    asked: Any = asking.asked_alone(shown)
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
        form.show(form.Editable(lambda: _target(table, place), partial(_settle, table, place)), key=key, inner=False)
        where, by = asking.conditions(shown)
        conditions.show(table, asked, where, by, partial(_under, table, place), key=key)
    else:
        st.markdown("This question has settings that only Explore shows: change it there, and release it from there again.")
    with st.container(horizontal=True):
        if st.button("Explore this", key=f"{key}_explore", icon=":material/query_stats:", type="tertiary"):
            state.anew(shown)
            st.switch_page(link_to("explore"))
        st.button("Remove", key=f"{key}_remove", on_click=_remove, args=(table, place), type="tertiary")
        st.button("Done", key=f"{key}_done", on_click=_toggle, args=(table, place), type="tertiary")


def _remove(table: Table, place: int) -> None:
    st.session_state[_OPEN] = None
    current_list.change(table, lambda made: (made.without(place), ""), "The question was removed.")


def _kind_and_column(table: Table, place: int, shown: Scenario, key: str) -> None:
    kind, (column, *_) = kind_of(asking.asked_alone(shown)), asking.own_columns(shown)
    kinds = [one for one in target_kinds(table) if can_be_asked(kind_called(one))]
    if shown.target.by is not None:
        kinds = [one for one in kinds if not kind_called(one).chooses]
    if table.persons is not None:
        kinds = [each for one in kinds for each in ((one, one + _ONCE) if kind_called(one).once else (one,))]
    chosen = kind + _ONCE if shown.target.each_once else kind
    control(
        st.selectbox,
        "Ask for",
        kinds if chosen in kinds else [*kinds, chosen],
        key=f"{key}_kind",
        holds=chosen,
        act=lambda given: current_list.ask(table, place, partial(_of_kind, table=table, given=given)),
        format_func=_word,
        width=240,
    )
    if asking.asked_alone(shown).public_alone:  # a number of rows is of no column
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


def _of_kind(asked: Asked, _: Scenario, *, table: Table, given: str) -> Asked:
    kind, once = given.removesuffix(_ONCE), given.endswith(_ONCE)
    confidential = once or bool(asked.where or asked.by) or not rows_are_public(table)
    all_rows = bool(kind_called(kind).once) and confidential
    return replace(asked, kind=kind, settings=(), all_rows=all_rows, once=once, groups_each=None)


def _word(kind: str) -> str:
    """Return its everyday word, or its title."""
    said = kind_called(kind.removesuffix(_ONCE))
    return (said.once if kind.endswith(_ONCE) else said.everyday) or title(kind)


def _target(table: Table, place: int) -> Any:
    """Return the target inside the question as it is now."""
    made = current_list.begun(table)
    return None if place >= len(made.questions) else asking.asked_alone(made.shown(place, table))


def _settle(table: Table, place: int, target: Any) -> None:
    """Change the settings of a question to those of this target."""

    def changed(asked: Asked, _: Scenario) -> Asked:
        return replace(asked, settings=tuple((name, getattr(target, name)) for name, _ in asked.settings))

    current_list.ask(table, place, changed)


def _under(table: Table, place: int, where: conditions.Where, by: Any) -> None:
    def changed(asked: Asked, _: Scenario) -> Asked:
        return replace(asked, where=where, by=by, groups_each=asked.groups_each if by == asked.by else None)

    current_list.ask(table, place, changed)
