"""Your data: the meaning of a row, the protected person, skipped rows, and guesses without the table."""

from __future__ import annotations

import streamlit as st

from dpcore.base.people import MOST_ROWS
from dpcore.errors import DpcoreError
from dpcore.guarantees.privacy import LONGEST, ROW, Unit
from pages.declaring.draft import (
    ADDED,
    ALONE,
    KNOWN_NUMBER,
    LEFT_OUT,
    REPLACED,
    SEVERAL,
    STATED,
    Draft,
    ask,
)
from pages.declaring.lists import codes_in
from pages.escape import escaped
from pages.experiment.error_sentences import plain
from pages.files.declarations.whole_file import MOST_LAST, WholeFile, records, refuse_unknown
from pages.files.persons import MOST_PEOPLE, Guesses, Persons
from pages.files.tables import Parquet, Table


def ask_whole(draft: Draft, table: Table) -> WholeFile:
    """Return the codes for missing values of the whole file, and its skipped rows. A refusal is a sentence, with none of them."""
    ask(draft, "file_codes", "last_lines", "left_out_by", "left_out_words")
    likely = " Likely ones of this public table are proposed below." if draft.public else ""
    codes = st.text_input(
        "Codes for missing values in every column",
        key="file_codes",
        placeholder="as in: -999; k. A.; n/a",
        help=f"Cells with these words are missing, as empty cells are. A column can have more codes.{likely}",
    )
    with st.expander("Leave out a totals row, or lines at the end"):
        last, by, words = _ask_rows(draft)
    try:
        whole = WholeFile(codes=codes_in(codes, "the file"), last=last, by=by, words=codes_in(words, by) if by else ())
        records(table, whole)
        refuse_unknown(table, whole)
    except DpcoreError as error:
        st.error(escaped(f"{plain(error)} Until then every row counts, and only empty cells are missing."))
        return WholeFile()
    if whole.said:
        stays = " Such a row still counts as a row, so the number of rows does not depend on its cells." if by else ""
        st.markdown(f":material/content_cut: {escaped(whole.said)}{stays}")
    return whole


def _ask_rows(draft: Draft) -> tuple[int, str, str]:
    st.markdown(
        "Say it from what you know about such files. Lines at the end are not rows. A row that is left out by a column still "
        "counts as a row, with all its cells missing."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        last = st.number_input("Last lines that are no rows", 0, MOST_LAST, step=1, key="last_lines", width=230)
        names = list(dict.fromkeys(["", *draft.names, draft.answers["left_out_by"]]))  # a missing one is a sentence
        by: str = st.selectbox(
            "Leave out rows by the column",
            names,
            key="left_out_by",
            width=250,
            format_func=lambda name: escaped(name) or "None: every row counts",
        )
        words = ""
        if by:
            words = st.text_input(
                "where that is",
                key="left_out_words",
                width=250,
                placeholder="without a value",
                help="Words as the file has them, as in: Total; Sum. Leave it empty for rows without a value there.",
            )
    return int(last), by, words


def ask_unit(draft: Draft) -> Unit | None:
    """Return what one row is, and whether a person can have several; None, with a sentence, if its name is refused."""
    ask(draft, "unit_name", "several_rows")
    st.markdown("**What is one row?** A guarantee protects one row. So it matters how many rows one person can have.")
    with st.container(horizontal=True):
        name = st.text_input(
            "One row is one …",
            key="unit_name",
            placeholder=ROW,
            max_chars=LONGEST,
            width=240,
            help="A word in the singular, such as stay, patient or order. Every guarantee then names it.",
        )
        choice = st.radio("Can one person have several rows?", list(SEVERAL), index=None, key="several_rows")
    try:
        return Unit((name or "").strip() or ROW, several=SEVERAL.get(choice or ""), answered=choice is not None)
    except DpcoreError:
        st.error(f"This name cannot be shown. Take a word or a few, of at most {LONGEST} letters.")
        return None


def say_unit(unit: Unit, *, public: bool) -> None:
    """Say what a guarantee protects if no person has several rows."""
    if unit.answered:
        whose_row = "one person's row" if unit.several is False else f"one {escaped(unit.name)}"
        st.markdown(f"The guarantee will protect {whose_row}.")
        return
    still = "A public table needs no answer." if public else ":material/help: **This question is still open.**"
    st.markdown(f"{still} Without an answer nothing is assumed: every guarantee says that only one row is protected.")


def ask_persons(draft: Draft, table: Table, unit: Unit) -> Persons | None:
    """Return which column names the person of each row; None if rows are protected, or a number is still to be stated."""
    unread = () if isinstance(table.form, Parquet) else table.unused
    names = ["", *(column.name for column in table.columns), *unread]
    if draft.answers["person_column"] not in names:
        draft.answers["person_column"] = draft.likely
        st.session_state.pop("person_column", None)
    ask(draft, "person_column", "people_number", "people_stated", "people_nameless")
    column: str = st.selectbox(
        "Which column names the person?",
        names,
        key="person_column",
        width=440,
        format_func=lambda name: escaped(name) or "None: each row is protected by itself",
        help="Then people are protected, each with all their rows, and every question is about people. Names are compared as "
        "the file has them, without spaces around them. Only an empty cell names nobody.",
    )
    if not column:
        st.warning(
            f"**The guarantee will protect one {escaped(unit.name)}, not one person.** Differential privacy protects a person "
            "with 10 rows at 10 times ε in the worst case, and δ grows even more. Random DP promises nothing for all rows of one "
            "person together. So an answer can give away what the rows of one person have in common. If a column names the "
            "person, choose it above.",
            icon=":material/warning:",
        )
        return None
    if column == draft.likely or column in draft.padded:
        why = "numbers have leading zeros" if column in draft.padded else "name says so"
        st.markdown(f"{escaped(column)} seems to name who a row is about: its {why}. Choose another column if it does not.")
    number = st.radio("How many people are in the table?", [KNOWN_NUMBER, STATED], key="people_number")
    if number == KNOWN_NUMBER:
        return _persons(column, None, left_out=False)
    stated = _ask_stated("About how many people, without a look at the table", "people_stated", MOST_PEOPLE)
    nameless = st.radio(
        "Rows that name nobody",
        [ALONE, LEFT_OUT],
        key="people_nameless",
        horizontal=True,
        help="A person without a name is protected by that one row only.",
    )
    if stated is None:
        st.markdown(":material/edit: State about how many people there are. Until then each row is protected by itself.")
        return None
    return _persons(column, stated, left_out=nameless == LEFT_OUT)


def _persons(column: str, stated: int | None, *, left_out: bool) -> Persons | None:
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


def ask_neighbours(draft: Draft, unit: Unit) -> int | None:
    """Return about how many rows there are if added and removed rows are protected; None if replaced ones are."""
    ask(draft, "neighbours", "rows_stated")
    chosen = st.radio(
        "Neighbours",
        [REPLACED, ADDED],
        key="neighbours",
        horizontal=True,
        help="What the guarantee hides. One row replaced: what a row says, in a table whose number of rows everybody may know. "
        "One row added or removed: also whether the row is there at all, so the number of rows is confidential too. Counts by "
        "group then need half the noise. Means that are divided by the number of rows then have no proved worst case.",
    )
    if chosen != ADDED:
        return None
    stated = _ask_stated("About how many rows, without a look at the table", "rows_stated", MOST_ROWS)
    if stated is None:
        st.markdown(":material/edit: State about how many rows there are. Until then the guarantee hides one row replaced.")
    else:
        st.markdown(f"Two tables are neighbours if one has one {escaped(unit.name)} more. Everybody is told “about {stated:,}”.")
    return stated


def _ask_stated(label: str, key: str, most: int) -> int | None:
    stated: int | None = st.number_input(
        label,
        1,
        most,
        value=None,
        step=1,
        key=key,
        width=240,
        help="From what is public. The true number is never shown or compared with yours.",
    )
    return stated


def number_is_confidential(draft: Draft, persons: Persons | None) -> bool:
    """Return whether the number of rows is not shown, because an added or removed row or person is to be protected."""
    return bool(draft.answers["neighbours"] == ADDED) if persons is None else persons.stated is not None


def ask_guesses(draft: Draft, *, people: bool) -> Guesses:
    """Return what is guessed about a confidential table without a look at it. Nothing is filled in from the table."""
    ask(draft, "guess_rows", "guess_known")
    st.markdown(
        f"**{'Two guesses' if people else 'A guess'}, if you can, without a look at the table.** The error of a mean depends "
        "on how many values there are, which is not public. A guess narrows the range of the predicted ±. No guarantee depends "
        "on it."
    )
    rows = None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if people:
            rows = _ask_guess(
                "About how many rows has one person?",
                "guess_rows",
                100_000.0,
                "On average. Questions about people begin with this limit, and the oracle simulates people with as many rows.",
            )
        known = _ask_guess(
            "Of 100 values, how many are known?",
            "guess_known",
            100.0,
            "About how many of 100 cells are filled in a column with missing values.",
        )
    try:
        return Guesses(rows, None if known is None else known / 100)
    except DpcoreError as error:
        st.error(escaped(plain(error)))
        return Guesses()


def _ask_guess(label: str, key: str, most: float, told: str) -> float | None:
    guess: float | None = st.number_input(label, 1.0, most, value=None, key=key, format="%.4g", width=260, help=told)
    return guess
