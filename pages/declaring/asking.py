"""Your data: the questions about the file, its rows and its persons, and the editor with a row for each column."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from dpcore.base.users import MOST_ROWS
from dpcore.errors import DpcoreError
from dpcore.guarantees.privacy import LONGEST, ROW, Unit
from pages.declaring import columns
from pages.declaring.columns import codes_in
from pages.declaring.draft import ADDED, KEEP, KNOWN_NUMBER, REPLACED, SEVERAL, STATED, Draft
from pages.escape import escaped
from pages.experiment.error_sentences import plain
from pages.files.declarations.column_types import TYPES
from pages.files.declarations.declaration import MOST_LAST, WholeFile
from pages.files.declarations.declared_table import numbers_written, problems, records, refuse_unknown
from pages.files.header import listed
from pages.files.persons import MOST_PEOPLE, Guesses, Persons
from pages.files.tables import Parquet, Table

_MOST_SAID = 4  # sentences on what is missing
_ROW = 35  # pixels of a row of the editor
_MOST_ROWS = 12  # without scrolling


def ask_whole(draft: Draft, table: Table) -> WholeFile:
    """Return the codes for missing values of the whole file, and its skipped rows. A refusal is a sentence, with none of them."""
    codes = st.text_input(
        "Codes for missing values in every column",
        key="file_codes",
        placeholder="as in: -999; k. A.; n/a",
        help="Cells with these words are missing, as empty cells are. A column can have more codes.",
        **KEEP,
    )
    with st.expander("Leave out a totals row, or lines at the end"):
        st.markdown(
            "Decide by what you know about such files. Lines at the end are not rows. A row that is left out by a column still "
            "counts as a row, with all its cells missing."
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            last = st.number_input("Lines at the end to leave out", 0, MOST_LAST, step=1, key="last_lines", width=230, **KEEP)
            names = list(dict.fromkeys(["", *draft.names, st.session_state["left_out_by"]]))  # a missing one is a sentence
            by: str = st.selectbox(
                "Leave out rows by the column",
                names,
                key="left_out_by",
                width=250,
                format_func=lambda name: escaped(name) or "None: every row counts",
                **KEEP,
            )
            words = ""
            if by:
                words = st.text_input(
                    "where that is",
                    key="left_out_words",
                    width=250,
                    placeholder="without a value",
                    help="Words as the file has them, as in: Total; Sum. Leave it empty for rows without a value there.",
                    **KEEP,
                )
    try:
        whole = WholeFile(codes=codes_in(codes), last=int(last), by=by, words=codes_in(words))
        records(table, whole)
        refuse_unknown(table, whole)
    except DpcoreError as error:
        st.error(escaped(f"{plain(error)} Until then every row counts, and only empty cells are missing."))
        return WholeFile()
    if whole.said:
        stays = " Such a row still counts as a row, so the number of rows does not depend on its cells." if by else ""
        st.markdown(f":material/content_cut: {escaped(whole.said)}{stays}")
    return whole


def ask_unit(draft: Draft) -> Unit | None:
    """Return what one row is, and whether a person can have several; None, with a sentence, if its name is refused."""
    st.markdown("**What is one row?** A guarantee protects one row. So it matters how many rows one person can have.")
    with st.container(horizontal=True):
        name = st.text_input(
            "One row is one …",
            key="unit_name",
            placeholder=ROW,
            max_chars=LONGEST,
            width=240,
            help="A word in the singular, such as stay, patient or order. Every guarantee then names it.",
            **KEEP,
        )
        choice = st.radio("Can one person have several rows?", list(SEVERAL), index=None, key="several_rows", **KEEP)
    try:
        unit = Unit((name or "").strip() or ROW, several=SEVERAL.get(choice or ""), answered=choice is not None)
    except DpcoreError:
        st.error(f"This name cannot be shown. Take a word or a few, of at most {LONGEST} letters.")
        return None
    if unit.answered and not unit.several:
        whose_row = "one person's row" if unit.several is False else f"one {escaped(unit.name)}"
        st.markdown(f"The guarantee will protect {whose_row}.")
    elif not unit.answered:
        still = "A public table needs no answer." if draft.public else ":material/help: **This question is still open.**"
        st.markdown(f"{still} Without an answer nothing is assumed: every guarantee says that only one row is protected.")
    return unit


def ask_persons(draft: Draft, table: Table, unit: Unit) -> Persons | None:
    """Return which column names the person of each row; None if rows are protected, or a number is still to be stated."""
    unread = () if isinstance(table.form, Parquet) else table.unused
    names = ["", *(column.name for column in table.columns), *unread]
    if st.session_state["person_column"] not in names:
        st.session_state["person_column"] = draft.likely
    column: str = st.selectbox(
        "Which column names the person?",
        names,
        key="person_column",
        width=440,
        format_func=lambda name: escaped(name) or "None: each row is protected by itself",
        help="Then people are protected, each with all their rows, and every question is about people. Names are compared as "
        "the file has them, without spaces around them. Only an empty cell names nobody.",
        **KEEP,
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
    if column == draft.likely:
        st.markdown(f"{escaped(column)} seems to name who a row is about. Choose another column if it does not.")
    stated = None
    if st.radio("How many people are in the table?", [KNOWN_NUMBER, STATED], key="people_number", **KEEP) == STATED:
        stated = _ask_stated("About how many people, without a look at the table", "people_stated", MOST_PEOPLE)
        if stated is None:
            st.markdown(":material/edit: State about how many people there are. Until then each row is protected by itself.")
            return None
    try:
        persons = Persons(column, stated)
    except DpcoreError as error:
        st.error(escaped(plain(error)))
        return None
    who = "whether somebody is in the table" if stated else "which person somebody is"
    st.markdown(
        f":material/group: **The guarantee will protect one person, with all rows of that person.** It hides {who}. "
        f"{escaped(persons.words)}"
    )
    return persons


def ask_neighbours(unit: Unit) -> int | None:
    """Return about how many rows there are if added and removed rows are protected; None if replaced ones are."""
    chosen = st.radio(
        "Neighbours",
        [REPLACED, ADDED],
        key="neighbours",
        horizontal=True,
        help="What the guarantee hides. One row replaced: what a row says, in a table whose number of rows everybody may know. "
        "One row added or removed: also whether the row is there at all, so the number of rows is confidential too. Counts by "
        "group then need half the noise. Means that are divided by the number of rows then have no proved worst case.",
        **KEEP,
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
    about = "From what is public. The true number is never shown or compared with yours."
    stated: int | None = st.number_input(label, 1, most, value=None, step=1, key=key, width=240, help=about, **KEEP)
    return stated


def number_is_confidential(persons: Persons | None) -> bool:
    """Return whether the number of rows is not shown, because an added or removed row or person is to be protected."""
    return bool(st.session_state["neighbours"] == ADDED) if persons is None else persons.stated is not None


def ask_guesses(*, people: bool) -> Guesses:
    """Return what is guessed about a confidential table without a look at it. Nothing is filled in from the table."""
    st.markdown(
        f"**{'Two guesses' if people else 'A guess'}, if you can, without a look at the table.** The error of a mean depends "
        "on how many values there are, which is not public. A guess narrows the range of the predicted ±. No guarantee depends "
        "on it."
    )
    rows, look = None, {"value": None, "format": "%.4g", "width": 260} | KEEP
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if people:
            about = "On average. Questions about people begin with this limit, and the oracle simulates people with as many rows."
            rows = st.number_input("About how many rows has one person?", 1.0, 100_000.0, key="guess_rows", help=about, **look)
        about = "About how many of 100 cells are filled in a column with missing values."
        known = st.number_input("Of 100 values, how many are known?", 1.0, 100.0, key="guess_known", help=about, **look)
    try:
        return Guesses(rows, None if known is None else known / 100)
    except DpcoreError as error:
        st.error(escaped(plain(error)))
        return Guesses()


def edit_columns(draft: Draft, table: Table, whole: WholeFile, person: str) -> None:
    """Show the editor with a note for each column, then the columns that are ready and the declarations that are missing."""
    sentences = draft.edit()
    asked = tuple(one for one in draft.declared if one.name != person)
    needs = problems(asked, whole, numbers_written(table))
    notes = [
        columns.note(
            one,
            fit=draft.fit(one, whole),
            needs=needs.get(one.name),
            unread=one.name in table.unused,
            likely=one.name == draft.likely,
            person=one.name == person,
        )
        for one in draft.declared
    ]
    st.markdown(
        "**Columns.** Types are proposed from the file; you can change them. A cell that does not fit its type is missing. Enter "
        "as low and high what the quantity can be, without looking at this table. A value beyond counts as the nearest bound."
    )
    st.data_editor(
        pd.DataFrame([columns.row(one, note) for one, note in zip(draft.begun, notes, strict=True)]),
        key=draft.editor_key,
        hide_index=True,
        height=_ROW * (min(len(notes), _MOST_ROWS) + 1) + 3,
        column_config=_config(public=draft.public),
        disabled=list(columns.FIXED),
        alt="A row for each column of the file, with its type and its public bounds or categories.",
    )
    for sentence in [*sentences, *columns.unfit(asked, lambda one: draft.fit(one, whole))]:
        st.error(escaped(sentence))
    if ready := [escaped(one.name) for one in asked if one.used and one.name not in needs]:
        st.markdown(f"**Ready:** {listed(ready).removesuffix('.')}.")
    for remedy in dict.fromkeys(error.remedy for error in needs.values()):
        said = [error.problem for error in needs.values() if error.remedy == remedy]
        more = f" So do {len(said) - _MOST_SAID} more." if len(said) > _MOST_SAID else ""
        st.markdown(f":material/edit: {escaped(' '.join(said[:_MOST_SAID]))}{more} {escaped(remedy)}")


def _config(*, public: bool) -> dict[str, Any]:
    config, titles = st.column_config, columns.TITLES
    read_off = "Here it may be what the table has." if public else "Never read it off a confidential table."
    ends = f"needed for numbers and dates. What the quantity can be, known without this table. {read_off}"
    texts = {
        "name": (145, ""),
        "label": (80, "What charts and answers call the column."),
        "unit": (
            80,
            "As in: years, €, mg/dl. Numbers in the file may have it beside them, also in another spelling, as in: days; day.",
        ),
        "lowest": (70, f"Lowest value: {ends}"),
        "highest": (70, f"Highest value: {ends}"),
        "categories": (
            115,
            "For a category: all that there can be, as in: a, b, c. Another spelling in the file can be among them with its "
            "meaning, as in: a; b; bb → b (or bb -> b). Any other cell becomes “other”.",
        ),
        "codes": (105, "Cells of this column that are missing, as in: -999; k. A. Empty cells are missing anyway."),
        "note": (310, "Reasons why a column is not used, cells that do not fit, and proposals."),
        "constant": (
            140,
            "Leave it empty, and only known values count. Otherwise a missing value counts as this one, such as 0 or a category.",
        ),
    }
    return {
        "used": config.CheckboxColumn(titles["used"], width=60),
        **{name: config.TextColumn(titles[name], width=width, help=told or None) for name, (width, told) in texts.items()},
        "type": config.SelectboxColumn(titles["type"], options=list(TYPES), required=True, width=120, help="The kind of cells."),
    }
