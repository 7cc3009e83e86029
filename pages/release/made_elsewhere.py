"""Entering a release of the same table that was made elsewhere: by a form, or from its JSON."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import date
from typing import Any, final

import streamlit as st

from dpcore.errors import DpcoreError, TableError
from dpcore.guarantees.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.reports.saved.everything import is_saved
from pages.shared.escape import escaped
from pages.state import ledger, state
from pages.state.release_entry import Entry, charge_of
from pages.wording.sentences import plain

# A release that was made elsewhere, from the JSON that this app gave of it.


MOST_BYTES = 10 * 2**20  # a curve of a million lattice points is below it
_KINDS: dict[str, Any] = {"PureDP": PureDP, "ApproxDP": ApproxDP, "RandomDP": RandomDP}
_LONGEST = 200  # characters of a note
_MOST_RECORDS = 2**53  # as a ledger's file has them
_TEXTS = (("question", "A release"), ("table", "a table"), ("date", ""))
_REMEDY = "Load the JSON that was downloaded on this page, as it is, or fill in the fields instead."


@final
@dataclass(frozen=True, slots=True)
class Loaded:
    """What counts of it for a ledger. ``identity`` is the same for the same release, whatever the file's spaces."""

    guarantee: Guarantee | None
    n: int
    made: str
    note: str
    identity: str
    adjacency: Adjacency
    charge: str = ""  # the name of its charge in the ledger that it was made for


def read(content: bytes) -> Loaded:
    """The release of a download; TableError, in a sentence on what came and one on what to do, for anything else."""
    if len(content) > MOST_BYTES:
        raise TableError(
            f"The file has {len(content) / 2**20:.0f} MB, and a release has {MOST_BYTES // 2**20} MB at most.", _REMEDY
        )
    if is_saved(content):
        raise TableError("This is a settings file, and not one release.", "Load it below, under “Load what you saved”.")
    try:
        said = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        raise TableError("The file is no JSON in UTF-8.", _REMEDY) from None
    if not isinstance(said, dict):
        raise TableError("The file is JSON, and not of a release.", _REMEDY)
    known = {one.value: one for one in Adjacency}
    if (adjacency := known.get(str(said.get("adjacency")))) is None:
        raise TableError("The file does not say whether its guarantee is about one row or one person.", _REMEDY)
    n = said.get("records")
    if not isinstance(n, int) or isinstance(n, bool) or not 1 <= n <= _MOST_RECORDS:
        raise TableError("The file does not say how many rows the table had.", _REMEDY)
    question, table, made = (_text(said.get(name), otherwise) for name, otherwise in _TEXTS)
    note = f"{question} in {table}"[:_LONGEST]
    return Loaded(_guarantee(said), n, made, note, _identity(said), adjacency, _charge(said))


def _text(said: object, otherwise: str) -> str:
    return said[:_LONGEST] if isinstance(said, str) and not any("\ud800" <= letter <= "\udfff" for letter in said) else otherwise


def _charge(said: dict[str, Any]) -> str:
    ticket = said.get("release")
    return charge_of(ticket) if isinstance(ticket, str) and 0 < len(ticket) <= _LONGEST and ticket.isprintable() else ""


def identity_of(entry: Entry) -> str:
    """Of a release that this tab made itself."""
    return "" if entry.release is None else _identity(json.loads(entry.as_json()))


def _identity(said: dict[str, Any]) -> str:
    what = json.dumps([said.get("release"), said.get("response"), said.get("date"), said.get("provenance")], sort_keys=True)
    return hashlib.sha256(what.encode()).hexdigest()


def _guarantee(said: dict[str, Any]) -> Guarantee | None:
    kind, given = said.get("guarantee"), said.get("parameters")
    if kind == "none":
        return None
    if not isinstance(kind, str) or kind not in _KINDS or not isinstance(given, dict):
        raise TableError("The file does not say which guarantee the release has.", _REMEDY)
    try:
        guarantee: Guarantee = _KINDS[kind](**given)
    except (DpcoreError, TypeError):
        raise TableError("The file's guarantee has numbers that no guarantee can have.", _REMEDY) from None
    return guarantee


_PURE, _APPROX, _RANDOM = "pure DP (ε)", "approximate DP (ε, δ)", "random DP (ε, δ, γ)"
_BEFORE, _AFTER = "before the answers listed here", "after them"
_OPEN = "Choose whether it was made before or after the answers listed here. Nothing was entered."
_NUMBERS = (  # label, name, what stands where there is none, and help
    ("ε", "epsilon", None, None),
    ("δ", "delta", "none", None),
    ("γ", "gamma", "none", None),
    ("Confidence", "confidence", "none", "The confidence over the draws, where one was stated with γ."),
)
_EMPTY = {"entered_kind": _PURE, "entered_note": ""} | dict.fromkeys(
    ("entered_epsilon", "entered_delta", "entered_gamma", "entered_confidence", "entered_date", "entered_when")
)


_ABOUT = {
    Adjacency.REPLACE_ONE_RECORD: "Here a guarantee is about replacing one row. If yours is about adding or removing one, "
    "enter twice its ε and 1 + exp(ε) times its δ.",
    Adjacency.ADD_OR_REMOVE_ONE_RECORD: "Here a guarantee is about adding or removing one row. One about replacing a "
    "row does not join it.",
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
    with st.expander("Add an answer from elsewhere", icon=":material/edit_note:"):
        st.markdown(
            "The ledger knows only what this tab released. Enter here what was released of this table in another tab, on another "
            "day or by another program. It counts in the totals and the budget, except random DP, which joins no total. An entry "
            f"cannot be taken back. {_ABOUT[table.adjacency]}"
        )
        answered = bool(ledger.book().ledgers.get(table.digest))  # or planned
        with st.form("entered", border=False):
            kind = st.radio("Its guarantee", [_PURE, _APPROX, _RANDOM], key="entered_kind", horizontal=True)
            with st.container(horizontal=True):
                values = tuple(
                    st.number_input(
                        label, value=None, key=f"entered_{name}", format="%g", width=110, placeholder=empty, help=about
                    )
                    for label, name, empty, about in _NUMBERS
                )
            made = st.date_input("Its date", value=None, key="entered_date", max_value=date.today())
            note = st.text_input("What it was", key="entered_note", max_chars=_LONGEST, placeholder="a table in the report")
            when = _when("entered_when") if answered else _BEFORE
            if st.form_submit_button("Enter it", key="enter"):
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
    scenario: Scenario, table: Table, kind: str, values: tuple[Any, ...], made: str, note: str, *, when: str | None
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
        found = read(content)
    except DpcoreError as error:
        state.say(plain(error))
        return
    book = ledger.book()
    with book.lock:
        made = {line.charge for one in book.ledgers.get(table.digest, []) for line in one.lines}
        here = found.identity in book.loaded or any(identity_of(entry) == found.identity for entry in book.entries)
        if here or (found.charge and found.charge in made):
            state.say("This release is in this tab's ledger already: nothing was entered.")
            return
        if when is None:
            state.say(_OPEN)
            return
        book.loaded.add(found.identity)
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
