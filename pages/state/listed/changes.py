"""Questions that come to a list, go, change and move."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from dpcore.base.types import person_of, settles
from dpcore.guarantees.privacy import ApproxDP
from pages.experiment.defaults import columns_for, first_mechanism, oracle_for, oracle_kinds, target_for, title
from pages.experiment.listed.distances import own_width
from pages.experiment.listed.question_list import Listed, QuestionList, question_of
from pages.experiment.listed.union import united
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.state import state
from pages.state.listed.current_list import attempt, change, current
from pages.state.listed.wanted import kept

_EDITED = "list_edited"
_DELTA = 1e-6  # where a mechanism of approximate DP comes first


def begin(table: Table, *, worst_case: bool) -> None:
    """A list with the question shown; its ε, γ, m and bound are those of the scenario shown, and its way that of the receipt."""
    attempt(table, lambda: _begun(state.scenario(), table, worst_case=worst_case))


def _begun(scenario: Scenario, table: Table, *, worst_case: bool) -> tuple[QuestionList, str]:
    first = question_of(scenario, table)
    oracle, said = united((first,), table, None, scenario) if first.oracle is None else (first.oracle, "")
    mechanism = scenario.mechanism if first.joins else first_mechanism(_number)
    made = QuestionList(
        table.name,
        (first,),
        oracle,
        mechanism,
        scenario.epsilon,
        scenario.delta if first.joins else None,
        scenario.m,
        scenario.gamma,
        scenario.bound,
        scenario.confidence,
        scenario.seed,
        worst_case=worst_case,
    )
    return _with_width(made, 0, table), said


def _number(database: Any, /) -> Any:
    """What is released by noise on numbers, whatever else a table is asked."""
    raise NotImplementedError


def add_shown(table: Table) -> None:
    """The question shown, at the end of the list, or in the place of the one that is edited."""
    add(table, state.scenario())


def add(table: Table, scenario: Scenario) -> None:
    """The question of a scenario at the end of the list; where one is edited, in its place."""
    before = current(table)
    if before is None:
        attempt(table, lambda: _begun(scenario, table, worst_case=not table.public))
        return
    attempt(table, lambda: _added(before, scenario, table, edited(table)))
    st.session_state.pop(_EDITED, None)


def add_kind(table: Table, kind: str, column: str) -> None:
    """A question of this kind about a column, with the first that suits it."""

    def made() -> tuple[QuestionList | None, str]:
        scenario = asked_of(table, kind, column)
        before = current(table)
        if before is None:
            return _begun(scenario, table, worst_case=not table.public)
        return _added(before, scenario, table, None)

    attempt(table, made)


def asked_of(table: Table, kind: str, column: str) -> Scenario:
    """The scenario of a kind of target on a column, with the choices of the sampler of the scenario shown."""
    names = columns_for(kind, table, (column,))
    columns = table.taken(names, kind)
    target = target_for(kind, tuple(table.column(name) for name in names))
    mechanism = first_mechanism(target)
    shown = state.scenario()
    return shown.with_(
        table=table.name,
        columns=names,
        target=target,
        oracle=oracle_for(oracle_kinds(table, columns)[0], table, columns),
        mechanism=mechanism,
        norm=mechanism.norm,
        n=table.size(names, target),
        adjacency=table.adjacency_of_rows,
        delta=(shown.delta or _DELTA) if mechanism.privacy is ApproxDP else None,
    )


def _added(before: QuestionList, scenario: Scenario, table: Table, place: int | None) -> tuple[QuestionList, str]:
    new = question_of(scenario, table)
    if place is None:
        # one cap on a person's rows holds for the whole list: that of its first question about people
        capped = next((one.target for one in before.questions if _capped(one.target)), None)
        questions, place = (*before.questions, _under_cap(new, capped)), len(before.questions)
    else:
        old = before.questions[place]
        new = replace(new, width=old.width) if new.joins and old.joins else new
        questions = tuple(_under_cap(one, new.target) for one in (*before.questions[:place], new, *before.questions[place + 1 :]))
    oracle, said = united(questions, table, before.oracle, scenario) if new.oracle is None else (before.oracle, "")
    made = before.with_(questions=questions, oracle=oracle)
    if new.joins and type(scenario.mechanism) is not type(before.mechanism):
        said = f"{said} All numbers of a list get {title(type(before.mechanism).__name__)} noise, this answer too.".strip()
    return kept(before, _with_width(made, place, table), table), said


def _under_cap(one: Listed, like: Any) -> Listed:
    """The question with the cap of another, where both add up people's rows."""
    if not _capped(one.target) or not _capped(like):
        return one
    target: Any = one.target
    return replace(one, target=replace(target, rows=like.rows))


def _capped(target: object) -> bool:
    return person_of(target) is not None and not settles(target)


def _with_width(made: QuestionList, place: int, table: Table) -> QuestionList:
    """A question's width where it begins: how far it moves by itself, so that each begins with as large a part of the noise."""
    one = made.questions[place]
    if not one.joins:
        return made
    scenario = made.with_(questions=(replace(one, width=1.0),)).together(table)
    assert scenario is not None
    return made.with_question(place, replace(one, width=own_width(scenario, scenario.resolved_oracle(table))))


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
        attempt(table, lambda: (kept(made, made.without(place), table), ""), "The question was taken out.")


def move(table: Table, place: int, by: int) -> None:
    """A question further up or down."""
    made = current(table)
    if made is not None:
        change(table, made.moved(place, by))
