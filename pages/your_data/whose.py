"""Whose a row is: the column that names the person, and whether the number of people is public."""

from __future__ import annotations

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.guarantees.unit import Unit
from dpcore.workbench.persons import MOST_PEOPLE, Persons
from dpcore.workbench.tables import Parquet, Table
from pages.shared.escape import escaped
from pages.shared.held import drop, hold
from pages.wording.sentences import plain

_KEYS = ("person_column", "people_number", "people_stated", "people_nameless")
_NONE = ""
_PUBLIC, _STATED = "It may be known to all", "It is confidential, and I state about how many there are"
_ALONE, _LEFT_OUT = "Each is a person of its own", "They are left out"


def forget() -> None:
    """Another file: what was answered for the last one does not hold for it."""
    drop(*_KEYS)


def set_to(persons: Persons | None) -> None:
    """The answers that stand in settings, before the questions are shown."""
    forget()
    if persons is not None:
        stated = persons.stated is not None
        st.session_state.update(
            person_column=persons.column,
            people_stated=persons.stated,
            people_number=_STATED if stated else _PUBLIC,
            people_nameless=_LEFT_OUT if persons.left_out else _ALONE,
        )


def ask(draft: Table, unit: Unit) -> Persons | None:
    """The holder's answers; None where the rows stay what is protected, and while a number is still to be stated."""
    hold(*_KEYS)
    unread = () if isinstance(draft.form, Parquet) else draft.unused
    names = [_NONE, *(column.name for column in draft.columns), *unread]
    if st.session_state.get("person_column", _NONE) not in names:
        st.session_state["person_column"] = _NONE
    column = st.selectbox(
        "Which column says whose a row is?",
        names,
        key="person_column",
        width=440,
        format_func=lambda name: escaped(name) or "None: each row is protected by itself",
        help="Then people are protected, each with all their rows, and every question is about people. Names are compared as "
        "they are written, without the blanks around them, and only a blank names nobody.",
    )
    if not column:
        _warn(unit)
        return None
    number = st.radio("How many people are in the table?", [_PUBLIC, _STATED], key="people_number")
    stated = None
    if number == _STATED:
        stated = st.number_input(
            "About how many people, without a look at the table",
            1,
            MOST_PEOPLE,
            value=None,
            step=1,
            key="people_stated",
            width=240,
            help="From what is public. The true number is never shown or compared with yours.",
        )
    nameless = _ALONE
    if number == _STATED:
        nameless = st.radio(
            "Rows that name nobody",
            [_ALONE, _LEFT_OUT],
            key="people_nameless",
            horizontal=True,
            help="A person without a name is protected by that one row alone.",
        )
        if stated is None:
            st.markdown(":material/edit: State about how many people there are. Until then each row is protected by itself.")
            return None
    return _made(column, stated, left_out=nameless == _LEFT_OUT)


def _made(column: str, stated: int | None, *, left_out: bool) -> Persons | None:
    try:
        persons = Persons(column, stated, left_out)
    except DpcoreError as error:
        st.error(escaped(plain(error)))
        return None
    who = "whether somebody is in the table" if stated else "which person somebody is"
    st.markdown(
        f":material/group: **The guarantee will protect one person, with all rows of that person.** It hides {who}. "
        f"{escaped(persons.words)}"
    )
    return persons


def _warn(unit: Unit) -> None:
    st.warning(
        f"**The guarantee will protect one {escaped(unit.name)}, not one person.** Differential privacy protects somebody "
        "with 10 rows at 10 times ε at worst, which is far weaker; a δ grows by even more. Random DP promises nothing for "
        "all rows of one person together. So an answer can give away what the rows of one person have in common. If one column "
        "says whose a row is, choose it above: then people are protected.",
        icon=":material/warning:",
    )
