"""The receipt of a list: what one press will do, what it will promise for all answers, and the button."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dpcore.base.counted import counted
from dpcore.base.types import asked_together
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.guarantees.unit import Unit
from dpcore.ledger.accounting import Line, Standing
from pages.experiment import cost, preview
from pages.experiment.defaults import title
from pages.experiment.listed.question_list import QuestionList
from pages.files.tables import Table
from pages.release.listed import press
from pages.server.pool import lane
from pages.shared import preselected_way, saved_files, standing_words
from pages.shared.escape import escaped
from pages.shared.receipt import SAMPLED, WORST, noise_words, whose
from pages.state import ledger, state
from pages.state.apart_words import why
from pages.state.listed import wanted
from pages.state.press import Press, terms
from pages.wording.sentences import oracle_words, plain
from pages.wording.values import bound_words

_RELEASE = ("Release", "Release all {}")


def show(made: QuestionList, table: Table, problem: str = "") -> None:
    """What is asked, of whom, how the noise is sized, what holds for all, and the press. ``problem``: why there can be none."""
    book, count = ledger.book(), len(made.questions)
    ticket = ledger.ticket_of_list(made, table)
    st.markdown("## Receipt")
    _way(made, table)
    try:
        asked = _presses(made, table, ticket)
        lines = press.foreseen(book, table, asked)
    except DpcoreError as error:
        st.error(escaped(plain(error)), icon=":material/error:")
        return
    st.markdown("\n".join(f"- {line}" for line in _lines(made, table, asked)))
    spent = ticket in book.spent
    if not spent:
        _promises(lines, table.unit, asked)
        for caveat in book.caveats(table):
            st.warning(caveat)
        saved_files.incomplete(table)
    refused = problem if not spent else ""
    if not spent and not refused and book.responded(table):
        refused = book.refusal_of(table, [one.line for one in asked])
    if refused:
        st.warning(refused)
    ready = press.ListPress(ticket, tuple(replace(one, shown=terms(line)) for one, line in zip(asked, lines, strict=True)))
    st.button(
        "Released" if spent else _RELEASE[count > 1].format(count),
        key="release_list",
        disabled=spent or bool(refused),
        icon=":material/verified_user:",
        on_click=_press,
        args=(ready,),
    )
    if spent:
        st.button("Another release of the same list", key="another_list", on_click=ledger.another_list)


def _presses(made: QuestionList, table: Table, ticket: str) -> tuple[Press, ...]:
    """Kept while the receipt is the same: each takes a look at the whole oracle, which may be a table."""
    kept: tuple[str, tuple[Press, ...]] = st.session_state.get("list_presses", ("", ()))
    if kept[0] != ticket:
        kept = (ticket, press.presses(made, table, ticket))
        st.session_state["list_presses"] = kept
    return kept[1]


def _press(asked: press.ListPress) -> None:
    """Nothing of Streamlit until all responses are in the book."""
    current, executor = ledger.book(), lane()
    if refused := press.press(current, asked, executor):
        state.begin()
        state.say(refused)


def _way(made: QuestionList, table: Table) -> None:
    proved = [scenario for scenario in made.lines(table) if preview.worst_case(scenario) is not None]
    ways = [SAMPLED, WORST] if proved else [SAMPLED]
    st.session_state["list_way"] = WORST if made.worst_case and proved else SAMPLED
    st.radio(
        "Size the noise to the",
        ways,
        key="list_way",
        on_change=lambda: wanted.settle(table, worst_case=st.session_state["list_way"] == WORST),
        help=None if proved else "No worst case is proved for these questions.",
    )
    if (
        made.worst_case
        and proved
        and not table.public
        and (instead := preselected_way.smaller(wanted.times_smaller(made, table)))
    ):
        st.markdown(f":material/verified_user: {instead}")


def _lines(made: QuestionList, table: Table, asked: Sequence[Press]) -> list[str]:
    count = len(made.questions)
    kind = "public" if table.public else "confidential"
    asks = "one question" if count == 1 else f"{count} questions"
    said = [f"You ask **{asks}**, over {whose(asked[0].scenario)} of **{escaped(table.title or table.name)}** ({kind})."]
    said += [escaped(table.missing_rule(asked[0].scenario.columns, asked[0].scenario.target))]
    for one in asked:
        said.append(_noise(one, made))
    if any(not one.worst_case for one in asked):
        said.append(_trials(made, asked))
    said.append("All of it is fixed before the first draw. The ledger is charged in full even if a question fails on the table.")
    return said


def _noise(one: Press, made: QuestionList) -> str:
    scenario = one.scenario
    sized = "the proved worst case" if one.worst_case else "the trials"
    parts = asked_together(scenario.target)
    if parts:
        what = f"{len(parts)} answers are numbers: together they get" if len(parts) > 1 else "One answer is numbers: it gets"
        return (
            f"{what} **{title(type(scenario.mechanism).__name__)}** noise at **ε = {scenario.epsilon:g}**, sized by "
            f"{sized}. Each has its own ± of it, as above. The noise is {noise_words(scenario)}."
        )
    places = [place + 1 for place in made.alone if made.questions[place].target is scenario.target]
    number = f"Question {places[0]}" if places else "One question"
    how = f", chosen by {scenario.mechanism.chosen_by}" * bool(scenario.mechanism.chosen_by)
    return f"{number} is a line of its own at **ε = {scenario.epsilon:g}**{how}, with noise sized by {sized}."


def _trials(made: QuestionList, asked: Sequence[Press]) -> str:
    sampled = [one for one in asked if not one.worst_case]
    scenario = sampled[0].scenario
    oracle = sampled[0].drawn_from
    seconds = sum(
        cost.seconds(one.scenario.target, one.scenario.n, one.scenario.m, one.drawn_from, one.scenario.adjacency)
        for one in sampled
    )
    each = " of each line" * (len(sampled) > 1)
    fresh, size = counted(made.m, " fresh trials"), "sizes" if made.m == 1 else "size"
    return (
        f"**{fresh}** {size} the noise{each}, with made-up tables from the oracle "
        f"**{escaped(oracle_words(oracle))}**. That takes about {words.figure(float(f'{max(seconds, 0.01):.1g}'))} s. Numbers "
        f"that are asked together are measured on the same tables. Δ̂ is number {scenario.point.k:,} of "
        f"{counted(made.m, ' distances')}, by "
        f"{bound_words(made.bound.name)}. The ± shown come of other trials: with fresh ones they differ a little."
    )


def _promises(lines: Sequence[Line], unit: Unit, asked: Sequence[Press]) -> None:
    """One guarantee for all where they add up; after an answer what holds of each line, by its name."""
    if any(line.standing in (Standing.NONE, Standing.LARGER, Standing.HELD, Standing.INEXACT) for line in lines):
        for line, one in zip(lines, asked, strict=True):
            st.markdown(f"**{escaped(line.about)}**")
            standing_words.show(line, proved=preview.worst_case(one.scenario) is not None, planned=False)
            if line.guarantee is not None:
                standing_words.show_promise(line.guarantee, unit, one.scenario.adjacency)
        return
    found = press.totals(lines)
    if len(found) > 1:
        st.warning(f"{why(lines)} Each keeps its own guarantee.")
    for total in found:
        if total is None:
            st.error("No promise is left for all together: the shares γ of changes left out sum to 1 or more.")
        else:
            standing_words.show_promise(total, unit, asked[0].scenario.adjacency)
