"""Which list a table has in this session, and another one in its place, with a way back."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpcore.errors import DpcoreError
from pages import state
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.ledger import session as ledger
from pages.old.experiment.listed.question_list import QuestionList
from pages.old.wording.sentences import plain

_KEY = "lists"


class ListRefusedError(Exception):
    """Why a list cannot be changed so, in a sentence."""


def current(table: Table) -> QuestionList | None:
    """The table's list; None where there is none. If nothing sampled is released of the table any more, its noise is sized to the
    worst case where one is proved."""
    made = all_of_them().get(table.name)
    if made is not None and not made.worst_case and not may_be_sampled(made, table):
        made = made.with_(worst_case=True)
        adopt(table.name, made)
    return made


def may_be_sampled(made: QuestionList, table: Table) -> bool:
    """Whether its noise may be sized by trials: the table has no answer yet, or the press of this very list was its first."""
    if not ledger.book().ledger(table).sampling_ended_by:
        return True
    try:
        return ledger.released("_list", lines(made, table), table) == ledger.SAMPLED
    except DpcoreError:
        return False


def all_of_them() -> dict[str, QuestionList]:
    """By the table's name."""
    kept: dict[str, QuestionList] = st.session_state.get(_KEY, {})
    return kept


def adopt(name: str, made: QuestionList | None) -> None:
    """This is the table's list from now on, or it has none."""
    others = {table: one for table, one in all_of_them().items() if table != name}
    st.session_state[_KEY] = others if made is None else {**others, name: made}
    if made is not None:
        await_first(None)


def lines(made: QuestionList, table: Table) -> tuple[Scenario, ...]:
    """Every line that a press is charged, worked out once for a list: much on a page asks for them."""
    kept: tuple[QuestionList, Table, tuple[Scenario, ...]] | None = st.session_state.get("list_lines")
    if kept is None or kept[0] is not made or kept[1] is not table:
        kept = st.session_state["list_lines"] = (made, table, made.lines(table))
    return kept[2]


def await_first(table: Table | None) -> None:
    """The next list about this table begins with its first question, not with the one on Explore; None: no list does."""
    st.session_state["list_awaited"] = None if table is None else table.name


def awaits_first(table: Table) -> bool:
    """Whether a list about the table is awaited, and has no question yet."""
    return bool(st.session_state.get("list_awaited") == table.name) and current(table) is None


def change(table: Table, made: QuestionList | None, said: str = "") -> None:
    """Another list, with a way back."""
    state.begin()
    state.offer_undo(**{_KEY: all_of_them()})
    adopt(table.name, made)
    if said:
        state.say(said)


def attempt(table: Table, make: Callable[[], tuple[QuestionList | None, str]], said: str = "") -> None:
    """What ``make`` gives is the list from now on; what it refuses is said, and the list stays."""
    try:
        made, more = make()
    except (ListRefusedError, DpcoreError) as error:
        state.begin()
        state.say(f"{plain(error) if isinstance(error, DpcoreError) else error} The list stays as it was.")
        return
    change(table, made, " ".join(filter(None, (said, more))))


def rework(table: Table, make: Callable[[QuestionList], tuple[QuestionList, str]], said: str = "") -> None:
    """What ``make`` gives of the table's list takes its place, as by ``attempt``; where there is no list, nothing happens."""
    before = current(table)
    if before is not None:
        attempt(table, lambda: make(before), said)
