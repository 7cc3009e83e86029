"""Questions that come to a list, go, change and move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from dpcore.base.facts import facts
from dpcore.base.types import takes_fields
from pages import state
from pages.experiment.blocks import in_blocks
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.ledger.session import BLOCKS, WORST, way_by_hand
from pages.old.experiment import preview
from pages.old.experiment.listed.question_list import Listed, QuestionList, cap_of, question_of, shared_cap_of
from pages.old.experiment.listed.union import united
from pages.old.state.listed.current_list import attempt, awaits_first, change, current, rework
from pages.old.state.listed.offered import Asked, asked_by

_EDITED = "list_edited"


def begin(table: Table) -> None:
    """A list with the question shown; its ε, γ, m and bound are those of the scenario shown, and its way that of the receipt."""
    attempt(table, lambda: _begun(as_chosen(table), table, worst_case=_as_the_receipt(table)))


def as_chosen(table: Table) -> Scenario:
    """The question shown; where its receipt's way is that of blocks, the question in blocks."""
    scenario = state.scenario()
    chosen = in_blocks(scenario, table) if way_by_hand(scenario) == BLOCKS else None
    return scenario if chosen is None else chosen


def _as_the_receipt(table: Table) -> bool:
    """Whether the receipt on the page is one of a worst case; where none is, or it has no choice, of a confidential table."""
    way = st.session_state.get("way")
    if way == BLOCKS:
        return True
    return bool(way == WORST) if way and preview.worst_case(state.scenario()) is not None else not table.public


def _begun(scenario: Scenario, table: Table, *, worst_case: bool) -> tuple[QuestionList, str]:
    first = question_of(scenario, table)
    oracle, said = united((first,), table, None, scenario) if first.oracle is None else (first.oracle, "")
    made = QuestionList(
        table.name,
        (first,),
        oracle,
        scenario.m,
        scenario.gamma,
        scenario.bound,
        scenario.confidence,
        scenario.seed,
        worst_case=worst_case,
    )
    return made, said


def add_shown(table: Table) -> None:
    """The question shown, at the end of the list, or in the place of the one that is edited."""
    add(table, as_chosen(table))


def add(table: Table, scenario: Scenario) -> None:
    """The question of a scenario at the end of the list; where one is edited, in its place."""
    before = current(table)
    if before is None:
        attempt(table, lambda: _begun(scenario, table, worst_case=not table.public))
        return
    attempt(table, lambda: _added(before, scenario, table, edited(table)))
    st.session_state.pop(_EDITED, None)


def add_asked(table: Table, asked: Sequence[Asked]) -> None:
    """Questions at the end of the list, which begins with the one that is shown where there was none."""

    def made() -> tuple[QuestionList, str]:
        before, rest, said = current(table), list(asked), ""
        if before is None:
            first = rest.pop(0).scenario(table) if awaits_first(table) else as_chosen(table)
            before, said = _begun(first, table, worst_case=_as_the_receipt(table))
        for one in rest:
            before, said = _added(before, one.scenario(table), table, None)
        return before, said

    attempt(table, made)


def ask(table: Table, place: int, change: Callable[[Asked, Scenario], Asked]) -> None:
    """The question at a place asked otherwise; all that ``change`` leaves stays."""

    def asked(made: QuestionList) -> tuple[QuestionList, str]:
        shown = made.shown(place, table)
        return _added(made, change(asked_by(shown), shown).scenario(table), table, place, in_place=True)

    rework(table, asked)


def _added(
    before: QuestionList, scenario: Scenario, table: Table, place: int | None, *, in_place: bool = False
) -> tuple[QuestionList, str]:
    """With the question of a scenario at a place, or at the end. One cap on a person's rows holds for all of them: the list's,
    or where a question that was changed on Explore comes back to its place, that one's."""
    clipped_no_more = ""
    if place is None:
        new = question_of(scenario, table)
        questions, place = (*before.questions, _under_cap(new, cap(before))), len(before.questions)
        shares = (*before.shares, before.total / len(before.questions))
    else:
        shares, old = before.shares, before.questions[place]
        new = question_of(scenario, table, old.target if in_place and takes_fields(old.target) else None)
        if in_place and facts(old.target).totals and (each := cap_of(new)):
            clipped_no_more = f"Only of a sum is each person's total clipped: of this question {each} rows a person count."
        rows = cap(before) if in_place else shared_cap_of(new)
        questions = tuple(_under_cap(one, rows) for one in (*before.questions[:place], new, *before.questions[place + 1 :]))
    oracle, said = united(questions, table, before.oracle, scenario) if new.oracle is None else (before.oracle, "")
    made = before.with_(questions=questions, oracle=oracle)
    return made.sharing(shares, before.total, less=True), f"{clipped_no_more} {said}".strip()


def cap(made: QuestionList) -> int | None:
    """For how many rows a person counts; None where no question adds up people's rows."""
    return next((rows for one in made.questions if (rows := shared_cap_of(one)) is not None), None)


def set_cap(table: Table, rows: int) -> None:
    """Another one, for all questions."""

    def capped(made: QuestionList) -> tuple[QuestionList, str]:
        questions = tuple(_under_cap(one, rows) for one in made.questions)
        people = [sum(facts(one.target).each_once for one in each) for each in (made.questions, questions)]
        said = "With one row a person a number of rows is one of people. It stays one if you raise the cap again."
        return made.with_(questions=questions), said * (people[0] < people[1])

    rework(table, capped)


def _under_cap(one: Listed, rows: int | None) -> Listed:
    """The question with this cap, where it has any."""
    target: Any = one.target
    return one if rows is None or shared_cap_of(one) is None else replace(one, target=replace(target, rows=rows))


def edited(table: Table) -> int | None:
    """The place of the question that is edited on Explore; None where none is."""
    name, place = st.session_state.get(_EDITED, ("", 0))
    made = current(table)
    return place if made is not None and name == table.name and place < len(made.questions) else None


def edit(table: Table, place: int) -> None:
    """Show a question on Explore, to be put back into the list."""
    made = current(table)
    if made is None:
        return
    state.anew(made.shown(place, table))
    st.session_state[_EDITED] = (table.name, place)


def leave_edited() -> None:
    """The question that was edited stays as it was in the list."""
    st.session_state.pop(_EDITED, None)


def remove(table: Table, place: int) -> None:
    """Without a question; without the last one there is no list."""
    made = current(table)
    if made is None:
        return
    if len(made.questions) == 1:
        change(table, None, "The list is gone.")
    else:
        left = made.without(place)
        attempt(table, lambda: (left.sharing(left.shares, made.total, less=True), ""), "The question was taken out.")


def move(table: Table, place: int, by: int) -> None:
    """A question further up or down."""
    made = current(table)
    if made is not None:
        change(table, made.moved(place, by))
