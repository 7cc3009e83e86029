"""The list of questions of each table in this session, and changes of it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import streamlit as st

from dpcore.errors import DpcoreError, TableError
from pages import state
from pages.experiment.blocks import in_blocks
from pages.experiment.error_sentences import plain
from pages.experiment.offered_questions import Asked, asked_by
from pages.experiment.question_list import QuestionList, question_of
from pages.experiment.scenario import Noise, Scenario, TableRecords
from pages.exports.link import REFUSED, suits
from pages.files.tables import Table
from pages.ledger import press
from pages.ledger import session as ledger

_KEY, _RECEIPT = "lists", "receipt"
_Made = tuple[QuestionList, str]  # another list, and a sentence on what it could not keep


def stored(name: str) -> QuestionList | None:
    """Return the list of questions of the table of this name, or None."""
    kept: dict[str, QuestionList] = st.session_state.get(_KEY, {})
    return kept.get(name)


def adopt(name: str, made: QuestionList | None) -> None:
    """Make this the list of the table of this name; None: it has none."""
    others = {table: one for table, one in st.session_state.get(_KEY, {}).items() if table != name}
    st.session_state[_KEY] = others if made is None else {**others, name: made}


def begun(table: Table) -> QuestionList:
    """Return the list that the table has; without one, a list of the question that Explore shows."""
    return stored(table.name) or QuestionList.of(state.scenario())


def current(table: Table) -> tuple[QuestionList, list[Noise]]:
    """Return the table's list as it would be released now, and the kinds of noise that are offered for it.

    Sampled noise is offered only before the first answer. A list that was released stays as it was, without a choice.
    """
    made = begun(table)
    last: QuestionList = st.session_state.get(_RECEIPT, (made,))[0]
    if replace(last, noise=made.noise) == made and released(last, table):
        return last, []
    try:
        kinds = made.kinds_of_noise(table, may_sample=not ledger.book().ledger(table).sampling_ended_by)
    except DpcoreError:  # the receipt says why
        kinds = [made.noise]
    return replace(made, noise=made.noise if made.noise in kinds else kinds[0]), kinds


def asked(made: QuestionList, table: Table) -> press.Press:
    """Return what one click releases: the same, with the same ticket, until the list or the table is another.

    Raises:
        DpcoreError: If a question does not suit the table or the others.
    """
    kept = st.session_state.get(_RECEIPT)
    if kept is None or kept[0] != made or kept[1] is not table:
        if stored(table.name) is not None:
            _refuse_unfit(made, table)
        kept = st.session_state[_RECEIPT] = (made, table, press.of_list(secrets.token_hex(8), made, table))
    found: press.Press = kept[2]
    return found


def released(made: QuestionList, table: Table) -> press.Press | None:
    """Return what was released of this list; None if it was not released yet."""
    kept, of, found = st.session_state.get(_RECEIPT, (None, None, None))
    return found if kept == made and of is table and found.ticket in ledger.book().spent else None


def begin_again() -> None:
    """Begin another release with the same questions."""
    state.begin()
    st.session_state.pop(_RECEIPT, None)


def begin_empty(table: Table) -> None:
    """Begin a list of this table without a question."""
    adopt(table.name, replace(QuestionList.of(state.scenario()), questions=()))


def change(table: Table, make: Callable[[QuestionList], _Made], said: str = "") -> None:
    """Replace the table's list. A refused change is reported, and the list stays.

    Args:
        table: The table.
        make: Returns the new list, and a sentence or nothing.
        said: Another sentence.
    """
    state.begin()
    try:
        made, more = make(begun(table))
    except DpcoreError as error:
        state.say(f"{plain(error)} The list stays as it was.")
        return
    adopt(table.name, made)
    if sentence := f"{said} {more}".strip():
        state.say(sentence)


def settle(table: Table, **changes: Any) -> None:
    """Change what all questions share."""
    change(table, lambda made: made.settled(**changes))


def add(table: Table, scenario: Scenario) -> None:
    """Add the question of Explore with its settings, at the end; a list that was released is followed by a new one."""
    kept, asked_last = stored(table.name), st.session_state.get(_RECEIPT)
    released = asked_last is not None and asked_last[2].ticket in ledger.book().spent and asked_last[0].table == table.name
    if kept is None or not kept.questions or released:
        change(table, lambda _: (QuestionList.of(scenario), ""))
    elif [(one.target, one.columns) for one in kept.questions] == [(scenario.target, scenario.columns)]:
        noise = kept.noise if scenario.noise is Noise.SAMPLED else scenario.noise
        change(table, lambda _: (replace(QuestionList.of(scenario), noise=noise), ""))
    elif not holds(kept, scenario, table):
        change(table, lambda made: made.with_question(_chosen(scenario, table), table))


def holds(made: QuestionList, scenario: Scenario, table: Table) -> bool:
    """Return whether a list has the question of a scenario."""
    chosen = _chosen(scenario, table)
    asked_of = [(one.target, one.columns) for one in made.questions]
    return any((one.target, one.columns) in asked_of for one in (scenario, chosen, question_of(chosen, table)))


def _chosen(scenario: Scenario, table: Table) -> Scenario:
    """Return the question of Explore, asked of blocks if its noise is that of blocks."""
    return (in_blocks(scenario) if scenario.noise is Noise.BLOCKS else None) or scenario


def add_offered(table: Table, several: Sequence[Asked]) -> None:
    """Add questions at the end."""

    def added(made: QuestionList) -> _Made:
        said = ""
        for one in several:
            made, said = made.with_question(one.scenario(table, state.scenario()), table)
        return made, said

    change(table, added)


def ask(table: Table, place: int, other: Callable[[Asked, Scenario], Asked]) -> None:
    """Ask the question at a place otherwise; everything that ``other`` leaves stays."""

    def asked_otherwise(made: QuestionList) -> _Made:
        shown = made.shown(place, table)
        return made.with_other(place, other(asked_by(shown), shown).scenario(table, state.scenario()), table)

    change(table, asked_otherwise)


def _refuse_unfit(made: QuestionList, table: Table) -> None:
    """Raise TableError for the first question that the table cannot be asked, as it is declared now."""
    for number, one in enumerate(made.questions, 1):
        fits = False
        with suppress(*REFUSED):
            fits = suits(one.target, one.columns, table)
        if not fits:
            problem = f"Question {number} cannot be asked of the table as it is declared now."
            raise TableError(problem, "Remove it, or declare the table as it was on the page Your data.")


def mend_oracle(table: Table) -> str:
    """Replace an oracle of the table's own rows after the table became confidential; return a sentence if it was."""
    made = stored(table.name)
    if made is None or table.public or not isinstance(made.oracle, TableRecords):
        return ""
    adopt(table.name, made.fitted(table))
    return (
        "The table is confidential now, so its rows cannot be the oracle. Each column has the first distribution that suits it."
    )
