"""Whether a file fits what is declared of it: a look for its holder alone, or a private count of the cells that do not fit."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from dpcore.base.counted import counted
from dpcore.errors import DpcoreError
from pages.experiment.scenario import LEAST_EPSILON, MOST_EPSILON
from pages.files.declarations.misfits import Misfits, misfits
from pages.files.declarations.whole_file import WholeFile
from pages.files.persons import Guesses, Persons
from pages.files.tables import Table
from pages.server import uploads
from pages.shared import badges, escape
from pages.shared.escape import escaped
from pages.state import ledger, misfit_counts
from pages.state.book import LOOKED
from pages.wording.sentences import plain
from pages.your_data import kept_declarations, looks

_HELP = (
    "Shows how many cells of the table do not fit, with examples. It is for you alone, and it is a look at the table: whatever "
    "you declare, change or choose after it is covered by no guarantee, and every release of this table says so. Settings that "
    "you save after it carry the mark, for tables of the same people."
)


def show(
    draft: Table,
    declared: kept_declarations.Declared,
    whole: WholeFile,
    persons: Persons | None,
    guesses: Guesses,
    *,
    public: bool,
    named: Callable[[], str] | None,
) -> None:
    """``named`` gives the draft its name in the tab's book; None while its holder has not said which table it is."""
    turn = st.session_state.get("draft_turn", 0)
    st.markdown("**Does the file fit what you declared?**")
    on = st.toggle(
        "Compare with the table", key=f"compare_declared_{turn}", disabled=named is None, help=None if public else _HELP
    )
    whose = persons.column if persons else ""
    if on and named is not None:
        if not public:
            looks.look(named(), f"{draft.title}, which you compared with its declarations")
        _tell(draft, declared, whole, whose, public=public)
    elif not public and named is not None:
        with st.expander("Count such cells privately, without a look"):
            _private(draft, declared, whole, persons, guesses, named)


def _found(draft: Table, declared: kept_declarations.Declared, whole: WholeFile, whose: str) -> dict[str, Misfits]:
    """Worked out once for the same declarations."""
    key, (known, found) = (draft.digest, declared, whole, whose), st.session_state.get("misfits_found", (None, {}))
    if known != key:
        found = misfits(draft, st.session_state["draft_content"], declared, whole, whose)
        st.session_state["misfits_found"] = (key, found)
    return dict(found)


def _tell(draft: Table, declared: kept_declarations.Declared, whole: WholeFile, whose: str, *, public: bool) -> None:
    badges.show(badges.PUBLIC_TABLE if public else badges.CONFIDENTIAL)
    try:
        found = _found(draft, declared, whole, whose)
    except DpcoreError as error:
        st.error(escaped(plain(error)))
        return
    bad = [(name, one) for name, one in found.items() if one.count]
    if not bad:
        st.markdown("Every cell of the columns that are ready fits, or is empty.")
        return
    rows = [
        {
            "Column": name,
            "Cells that do not fit": f"{one.count:,}",
            "The most frequent": "; ".join(f"“{word}”" for word in one.examples),
        }
        for name, one in bad
    ]
    escape.table(rows, "cells that do not fit", marks=None if public else {"Do not publish": "made from the confidential table"})
    st.markdown(
        "Such a cell is missing, or “other” in a column of categories; a number outside its bounds is clipped to them. The other "
        "columns that are ready fit."
    )


_SHOWN = "misfits_counted"  # by draft: what was released


def _private(
    draft: Table,
    declared: kept_declarations.Declared,
    whole: WholeFile,
    persons: Persons | None,
    guesses: Guesses,
    named: Callable[[], str],
) -> None:
    turn = st.session_state.get("draft_turn", 0)
    st.markdown(
        "This gives the number of cells that do not fit in each ready column, with noise and without examples. It is a release "
        "under pure DP and spends its ε in this table's ledger. It is an answer about the table, too: afterwards noise is no "
        "longer sized by trials, only to proved worst cases."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "ε of these counts", LEAST_EPSILON, MOST_EPSILON, value=None, key=f"misfit_epsilon_{turn}", format="%.4g", width=200
        )
        if persons is not None:
            st.number_input("Rows a person counts for", 1, 1_000, guesses.cap, step=1, key=f"misfit_cap_{turn}", width=220)
        ticket = st.session_state.setdefault("misfit_ticket", secrets.token_hex(8))
        act = partial(_count, draft, declared, whole, persons, named, turn, ticket)
        st.button("Count privately", key="count_misfits", on_click=act, icon=":material/verified_user:")
    if looks.in_settings() or looks.looked_at(draft):
        st.warning(LOOKED)
    if problem := st.session_state.pop("misfit_problem", ""):
        st.error(escaped(problem))
    known, told = st.session_state.get(_SHOWN, ("", None))
    if told is not None and known == draft.digest:
        _tell_counts(told)


def _count(
    draft: Table,
    declared: kept_declarations.Declared,
    whole: WholeFile,
    persons: Persons | None,
    named: Callable[[], str],
    turn: int,
    ticket: str,
) -> None:
    """With what stands in the fields at the press: it may have been typed just before, and the page not drawn since."""
    epsilon, cap = st.session_state[f"misfit_epsilon_{turn}"], int(st.session_state.get(f"misfit_cap_{turn}", 1))
    if epsilon is None:
        st.session_state["misfit_problem"] = "The counts need an ε, and none was given. Type one, such as 0.1, and press again."
        return
    try:
        content = st.session_state["draft_content"]
        table = uploads.declared(draft, content, declared, public=False, persons=persons, whole=whole)
        found = misfits(draft, content, declared, whole, persons.column if persons else "")
        asked = misfit_counts.as_table(replace(table, digest=named()), found)
        in_view = looks.in_settings()
        told = misfit_counts.count(ledger.book(), asked, epsilon=epsilon, cap=cap, ticket=ticket, in_view=in_view)
    except DpcoreError as error:
        st.session_state["misfit_problem"] = plain(error)
        return
    if told is not None:
        st.session_state[_SHOWN] = (draft.digest, told)
        st.session_state["misfit_ticket"] = secrets.token_hex(8)


def _tell_counts(told: misfit_counts.Counted) -> None:
    badges.show(badges.of_response(covered=not told.caveats))
    for caveat in told.caveats:
        st.warning(caveat)
    each = "" if told.cap is None else f" Each person counted for at most {counted(told.cap, ' rows')} in a column."
    st.markdown(
        f"Under ε = {told.epsilon:g}, each number within {told.within:.3g} of the true one in 95 of 100 such releases.{each} "
        "Another count spends its ε again."
    )
    rows = [{"Column": name, "Cells that do not fit, about": f"{max(0.0, number):,.0f}"} for name, number in told.counts.items()]
    escape.table(rows, "private counts of cells that do not fit")
