"""Entering a release of the same table that was made elsewhere: by a form, or from its JSON."""

from __future__ import annotations

from datetime import date
from typing import Any

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.guarantees.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Table
from pages.release import loaded
from pages.shared.escape import escaped
from pages.state import ledger, state
from pages.wording.sentences import plain

_PURE, _APPROX, _RANDOM = "pure DP (ε)", "approximate DP (ε, δ)", "random DP (ε, δ, γ)"
_BEFORE, _AFTER = "before the answers listed here", "after them"
_OPEN = "Choose whether it was made before or after the answers listed here. Nothing was entered."
_MOST_NOTE = 200
_EMPTY = {"entered_kind": _PURE, "entered_note": ""} | dict.fromkeys(
    ("entered_epsilon", "entered_delta", "entered_gamma", "entered_confidence", "entered_date", "entered_when")
)


_ABOUT = {
    Adjacency.REPLACE_ONE_RECORD: "Here a guarantee is about replacing one record. If yours is about adding or removing one, "
    "enter twice its ε and 1 + exp(ε) times its δ.",
    Adjacency.REPLACE_ONE_USER: "Here a guarantee is about replacing one person. If yours is about adding or removing one, enter "
    "twice its ε and 1 + exp(ε) times its δ. One about a single row protects no person.",
    Adjacency.ADD_OR_REMOVE_ONE_USER: "Here a guarantee is about adding or removing one person. One about a single row protects "
    "no person.",
}


def show(scenario: Scenario, table: Table) -> None:
    """A form that is there while it is open; what was typed stays until it is entered."""
    if st.session_state.pop("entered_done", False):
        for key, empty in _EMPTY.items():
            st.session_state[key] = empty
    with st.expander("Enter a release that was made elsewhere", icon=":material/edit_note:"):
        st.markdown(
            "The ledger knows only what this tab released. Enter here what was released of this table in another tab, on another "
            "day or by another program. It counts in the totals and the budget, except random DP, which joins no total. An entry "
            f"cannot be taken back. {_ABOUT[table.adjacency]}"
        )
        answered = bool(ledger.book().ledgers.get(table.digest))  # or planned
        with st.form("entered", border=False):
            kind = st.radio("Its guarantee", [_PURE, _APPROX, _RANDOM], key="entered_kind", horizontal=True)
            with st.container(horizontal=True):
                epsilon = st.number_input("ε", value=None, key="entered_epsilon", format="%g", width=110)
                delta = st.number_input("δ", value=None, key="entered_delta", format="%g", width=110, placeholder="none")
                gamma = st.number_input("γ", value=None, key="entered_gamma", format="%g", width=110, placeholder="none")
                confidence = st.number_input(
                    "Confidence",
                    value=None,
                    key="entered_confidence",
                    format="%g",
                    width=110,
                    placeholder="none",
                    help="The confidence over the draws, where one was stated with γ.",
                )
            made = st.date_input("Its date", value=None, key="entered_date", max_value=date.today())
            note = st.text_input("What it was", key="entered_note", max_chars=_MOST_NOTE, placeholder="a table in the report")
            when = _when("entered_when") if answered else _BEFORE
            if st.form_submit_button("Enter it", key="enter"):
                values = (epsilon, delta, gamma, confidence)
                _enter(scenario, table, kind, values, "" if made is None else made.isoformat(), note, when=when)
        file = st.file_uploader(
            "Or load the JSON that was downloaded on this page", type=["json"], key=f"entered_file_{_round()}", max_upload_size=10
        )
        if file is not None:
            when = _when("loaded_when") if answered else _BEFORE
            st.button("Enter the loaded release", key="enter_loaded", on_click=_load, args=(table, file.getvalue(), when))


def _when(key: str) -> str | None:
    """Before or after: asked with nothing preselected, for the first cannot be taken back and takes guarantees away."""
    st.markdown(
        "Was it made before the plan or one of the answers listed here, or after all of them? If before, what was sampled here "
        "was asked after an answer: it loses its guarantee or gets a larger γ, and a plan ends. If you don't know, choose before."
    )
    return st.radio("It was made", [_BEFORE, _AFTER], index=None, key=key, horizontal=True)


def _round() -> int:
    current: int = st.session_state.get("entered_round", 0)
    return current


def _enter(
    scenario: Scenario, table: Table, kind: str, values: tuple[Any, Any, Any, Any], made: str, note: str, *, when: str | None
) -> None:
    try:
        guarantee = guarantee_of(kind, *values)
    except DpcoreError as error:
        st.error(escaped(plain(error)))
        return
    if isinstance(guarantee, str):
        st.error(guarantee)
        return
    if when is None:
        st.error(_OPEN)
        return
    book, what = ledger.book(), note.strip() or "made elsewhere"
    with book.lock:
        first = when == _BEFORE
        book.enter(table, scenario.n, guarantee, made=made or "no date", note=what, first=first, adjacency=table.adjacency)
    st.session_state["entered_done"] = True
    st.rerun()


def guarantee_of(
    kind: str, epsilon: float | None, delta: float | None, gamma: float | None, confidence: float | None = None
) -> Guarantee | str:
    """The guarantee of the form's numbers, or a sentence on which is missing or too many."""
    if epsilon is None:
        return "Its ε is needed: the number above 0 that was stated with it."
    if confidence is not None and kind != _RANDOM:
        return "Only random DP has a confidence over the draws. Choose random DP if one was stated, or leave that field empty."
    if kind == _PURE:
        if delta or gamma:
            return "Pure DP has neither δ nor γ. Choose the guarantee that was stated, or leave these fields empty."
        return PureDP(epsilon)
    if kind == _APPROX:
        if gamma:
            return "Approximate DP has no γ. Choose random DP if a γ was stated, or leave that field empty."
        return ApproxDP(epsilon, delta) if delta is not None else "Approximate DP has a δ, which is needed too."
    if gamma is None:
        return "Random DP has a γ, which is needed too."
    return RandomDP(epsilon, delta or 0.0, gamma, confidence)


def _load(table: Table, content: bytes, when: str | None) -> None:
    st.session_state["notices"] = []
    try:
        found = loaded.read(content)
    except DpcoreError as error:
        state.say(plain(error))
        return
    book = ledger.book()
    with book.lock:
        made = {line.charge for one in book.ledgers.get(table.digest, []) for line in one.lines}
        here = found.identity in book.loaded or any(loaded.identity_of(entry) == found.identity for entry in book.entries)
        if here or (found.charge and found.charge in made):
            state.say("This release is in this tab's ledger already: nothing was entered.")
            return
        if when is None:
            state.say(_OPEN)
            return
        book.loaded.add(found.identity)
        if found.looked:
            book.looked.add(table.digest)
        book.enter(
            table,
            found.n,
            found.guarantee,
            made=found.made,
            note=found.note,
            first=when == _BEFORE,
            adjacency=found.adjacency,
            name=found.charge,
        )
    st.session_state["entered_round"] = _round() + 1
