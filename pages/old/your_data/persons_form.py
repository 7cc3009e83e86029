"""Whose a row is: the column that names the person, and whether the number of people is public."""

from __future__ import annotations

import streamlit as st

from dpcore.base.people import MOST_ROWS
from dpcore.errors import DpcoreError
from dpcore.guarantees.unit import LONGEST, ROW, Unit
from pages.files.declarations.proposal import identifiers, whose
from pages.files.persons import MOST_PEOPLE, Guesses, Persons
from pages.files.tables import Parquet, Table
from pages.old.shared.escape import escaped
from pages.old.shared.widgets import drop, hold
from pages.old.wording.sentences import plain

# What one row of an upload is, and whether one person can have several: asked of its holder, never assumed.


NO, YES, NO_PERSONS = "No, one row is one person", "Yes", "The rows are not about persons"
_SEVERAL = {NO: False, YES: True, NO_PERSONS: None}
_WHOSE = ("person_column", "people_number", "people_stated", "people_nameless")
_GUESSES = ("guess_rows", "guess_known")
_NEIGHBOURS = ("neighbours", "rows_stated")
REPLACED, ADDED = "One row replaced", "One row added or removed"
_NONE = ""
_PUBLIC, _STATED = "It may be known to all", "It is confidential, and I state about how many there are"
_ALONE, _LEFT_OUT = "Each is a person of its own", "They are left out"


def forget() -> None:
    """Another file: what was answered and guessed for the last one does not hold for it."""
    st.session_state.update(several_rows=None, unit_name="")
    drop(*_WHOSE, *_GUESSES, *_NEIGHBOURS)


def fill(unit: Unit, persons: Persons | None, guesses: Guesses, stated: int | None) -> None:
    """The answers that stand in settings, before the questions are shown."""
    drop(*_WHOSE, *_GUESSES, *_NEIGHBOURS)
    if stated is not None:
        st.session_state.update(neighbours=ADDED, rows_stated=stated)
    said = next(words for words, several in _SEVERAL.items() if several is unit.several)
    known = None if guesses.known is None else round(100 * guesses.known, 6)
    st.session_state.update(
        unit_name="" if unit.name == ROW else unit.name,
        several_rows=said if unit.answered else None,
        guess_rows=guesses.rows,
        guess_known=known,
    )
    if persons is not None:
        st.session_state.update(
            person_column=persons.column,
            people_stated=persons.stated,
            people_number=_PUBLIC if persons.stated is None else _STATED,
            people_nameless=_LEFT_OUT if persons.left_out else _ALONE,
        )


def ask_unit() -> Unit | None:
    """The holder's answer as it stands, an open one too; None where the name is refused, in a sentence beside it."""
    hold("unit_name", "several_rows")
    st.markdown(
        "**What is one row?** A guarantee protects one row of the table, whoever it is about. So it matters how many rows one "
        "person can have."
    )
    with st.container(horizontal=True):
        name = st.text_input(
            "One row is one …",
            key="unit_name",
            placeholder=ROW,
            max_chars=LONGEST,
            width=240,
            help="A word in the singular, such as stay, patient or order. Every guarantee then names it.",
        )
        choice = st.radio("Can one person have several rows?", list(_SEVERAL), index=None, key="several_rows")
    try:
        unit = Unit((name or "").strip() or ROW, several=_SEVERAL.get(choice or ""), answered=choice is not None)
    except DpcoreError:
        st.error(f"This name cannot be shown. Take a word or a few, of at most {LONGEST} letters.")
        return None
    return unit


def say(unit: Unit, *, public: bool) -> None:
    """What the answer means for the guarantee, where no person has several rows."""
    if unit.answered:
        whose = "one person's row" if unit.several is False else f"one {escaped(unit.name)}"
        st.markdown(f"The guarantee will protect {whose}.")
    else:
        still = "A public table needs no answer." if public else ":material/help: **This question is still open.**"
        st.markdown(f"{still} Without an answer nothing is assumed: every guarantee says that only one row is protected.")


def ask_neighbours(unit: Unit) -> int | None:
    """About how many rows there are, where one that is added or removed is what is protected; None where one is replaced, and
    while the number is still to be stated."""
    hold(*_NEIGHBOURS)
    chosen = st.radio(
        "Neighbours",
        [REPLACED, ADDED],
        key="neighbours",
        horizontal=True,
        help="What the guarantee hides. One row replaced: what a row says, in a table whose number of rows everybody may know. "
        "One row added or removed: also whether the row is there at all, so the number of rows is confidential too. Counts by "
        "group then need half the noise; means that are divided by the number of rows have no proved worst case.",
    )
    if chosen != ADDED:
        return None
    stated: int | None = st.number_input(
        "About how many rows, without a look at the table",
        1,
        MOST_ROWS,
        value=None,
        step=1,
        key="rows_stated",
        width=240,
        help="From what is public. The true number is never shown or compared with yours.",
    )
    if stated is None:
        st.markdown(":material/edit: State about how many rows there are. Until then one row replaced is what is protected.")
    else:
        st.markdown(f"Two tables are neighbours if one has one {escaped(unit.name)} more. Everybody is told “about {stated:,}”.")
    return stated


def number_is_protected(persons: Persons | None) -> bool:
    """Whether how many rows there are is not shown: where a person, or a row, that is added or removed is to be protected."""
    return bool(st.session_state.get("neighbours") == ADDED) if persons is None else persons.stated is not None


def ask_whose(draft: Table, unit: Unit) -> Persons | None:
    """The holder's answers; None where the rows stay what is protected, and while a number is still to be stated."""
    hold(*_WHOSE)
    unread = () if isinstance(draft.form, Parquet) else draft.unused
    names = [_NONE, *(column.name for column in draft.columns), *unread]
    likely = whose(draft)
    if "person_column" not in st.session_state:
        st.session_state["person_column"] = likely
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
        st.warning(
            f"**The guarantee will protect one {escaped(unit.name)}, not one person.** Differential privacy protects somebody "
            "with 10 rows at 10 times ε at worst, which is far weaker; a δ grows by even more. Random DP promises nothing for "
            "all rows of one person together. So an answer can give away what the rows of one person have in common. If one "
            "column says whose a row is, choose it above: then people are protected.",
            icon=":material/warning:",
        )
        return None
    if column in (likely, *identifiers(draft)):
        why = "numbers have leading zeros" if column in identifiers(draft) else "name says so"
        st.markdown(
            f"{escaped(column)} seems to tell who or what a row is about: its {why}. Choose another column if that is not the "
            "person."
        )
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
    return _checked_persons(column, stated, left_out=nameless == _LEFT_OUT)


def _checked_persons(column: str, stated: int | None, *, left_out: bool) -> Persons | None:
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


# What a holder guesses of a confidential table without a look at it: typed, and never filled in from the table.


def ask_guesses(*, people: bool) -> Guesses:
    """The holder's guesses; of what was left open none."""
    hold(*_GUESSES)
    what = "Two guesses, if you can make them" if people else "A guess, if you can make it"
    st.markdown(
        f"**{what} without a look at the table.** How far off a mean will be hangs on how many values it is of, which is not "
        "public. With a guess the ± is foretold in a narrower range. No guarantee rests on a guess."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rows = _rows() if people else None
        known = st.number_input(
            "Of 100 values, how many are known?",
            1.0,
            100.0,
            value=None,
            key="guess_known",
            format="%.4g",
            width=260,
            help="Of a column with missing values, about how many of 100 are there.",
        )
    try:
        return Guesses(rows, None if known is None else known / 100)
    except DpcoreError as error:
        st.error(escaped(plain(error)))
        return Guesses()


def _rows() -> float | None:
    said: float | None = st.number_input(
        "About how many rows has one person?",
        1.0,
        100_000.0,
        value=None,
        key="guess_rows",
        format="%.4g",
        width=260,
        help="In the mean over people. Every question about people begins by counting so many rows of each, and the oracle makes "
        "up people with as many.",
    )
    return said
