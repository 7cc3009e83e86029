"""The plan: releases that are fixed before the first answer about a table, so that each keeps its guarantee."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dpcore.guarantees import words
from dpcore.ledger.accounting import Line, Standing
from dpcore.registry.fit import fits, usable
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.shared.escape import escaped
from pages.state import ledger, state
from pages.state.book import Book, PlannedRelease

_HELP = "Is there more than one question? Plan all before the first answer, and each keeps its guarantee."
_BY_WORD = (
    "This plan came from a file, with an answer there or here, or was made after answers that the server forgot: it is **fixed "
    "beforehand by its holder's word**. What is sampled for it is a guarantee of its own, and joins no total. "
)


def show(scenario: Scenario, table: Table, *, worst_case: bool) -> None:
    """What is planned, and before the first answer a way to add to it."""
    book = ledger.book()
    listed, answered = book.plans.get(table.digest, []), book.responded(table)
    if answered and not listed:
        return
    left = [line for one in book.ledgers.get(table.digest, []) for line in one.pending]
    to_come = [_taken(left, item.line) for item in reversed(listed)][::-1]  # of equal ones the first are made
    st.markdown("## Plan", help=_HELP)
    if answered:
        by_word = any(item.line.standing is Standing.HELD for item in listed)
        said = _BY_WORD if by_word else "The first answer has come, so the plan is fixed. "
        rest = "The γ of what is still to come counts already, made or not." if any(to_come) else "All of it was made."
        st.markdown(said + rest)
    for place, item in enumerate(listed):
        _row(table, place, item, to_come=to_come[place], answered=answered)
    if not answered:
        st.button(
            "Add this release to the plan",
            key="plan_add",
            icon=":material/playlist_add:",
            on_click=partial(_add, scenario, table, worst_case=worst_case),
        )


def _taken(left: list[Line], line: Line) -> bool:
    if line in left:
        left.remove(line)
        return True
    return False


def _row(table: Table, place: int, item: PlannedRelease, *, to_come: bool, answered: bool) -> None:
    alone = item.line.without_earlier or item.scenario.privacy
    with st.container(horizontal=True, vertical_alignment="center", key=f"planned_{place}"):
        made = "" if to_come else " :material/check: made"
        st.markdown(f"{place + 1}. {escaped(item.line.about)}: {words.name(alone)}{made}", width="stretch")
        st.button("Show", key=f"plan_show_{place}", on_click=partial(_show, table, item))
        if not answered:
            st.button("Remove", key=f"plan_remove_{place}", on_click=partial(_change, lambda book: book.unplan(table, place)))


def _show(table: Table, item: PlannedRelease) -> None:
    """The planned release on the receipt, with its way."""
    st.session_state["notices"] = []
    if item.scenario.table not in state.tables() or state.tables()[item.scenario.table].digest != table.digest:
        state.say("The table of this plan is not here under its old name: bring it again on the page Your data.")
        return
    if problem := unfit(item.scenario, state.tables()[item.scenario.table]):
        state.say(problem)
        return
    state.adopt(item.scenario)
    ledger.choose_way(item.scenario, ledger.WORST if item.worst_case else ledger.SAMPLED)


def unfit(scenario: Scenario, table: Table, of: str = "The plan") -> str:
    """Why a planned release, or what else was kept, no longer fits the table, whose columns may have been declared anew; empty
    where it does."""
    names = [column.name for column in (*table.columns, *table.persons_column)]
    gone = [name for name in scenario.columns if name not in names]
    if gone:
        return f"{of}'s question needs the column {', '.join(gone)}, which is not in use now: pick it on the page Your data."
    columns = tuple(table.column(name) for name in scenario.columns)
    if not fits(scenario.target, columns) or usable(scenario.target, columns) != columns:
        anew = f"{of}'s question does not fit the columns as they are declared now."
        return f"{anew} Declare them as they were, or ask without the plan."
    if scenario.adjacency is not table.adjacency:
        return f"{of} protects another unit than the table now does: it was declared anew since. Declare it as it was."
    records = table.size(scenario.columns, scenario.target)
    if records != scenario.n:
        return (
            f"{of} was made for {scenario.n:,} {words.counted_in(scenario.adjacency)}, and the table now has {records:,} for "
            "this question: it was declared anew since. Declare it as it was, or ask without the plan."
        )
    return ""


def _add(scenario: Scenario, table: Table, *, worst_case: bool) -> None:
    line = ledger.line(scenario, table, worst_case=worst_case)
    _change(lambda book: book.plan(scenario, table, line, worst_case=worst_case))


def _change(act: Callable[[Book], str]) -> None:
    """Change the plan, or say why it cannot be changed."""
    book = ledger.book()
    with book.lock:
        refused = act(book)
    st.session_state["notices"] = []
    if refused:
        state.say(refused)
