"""The page Your data: upload a table, declare its columns and rows, and use it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpcore.base.counted import counted
from dpcore.errors import DpcoreError
from pages import state
from pages.declaring import editor, reading, rows, saved
from pages.declaring.draft import CONFIDENTIAL, PUBLIC, Draft, ask, remember
from pages.declaring.using import earlier_tables, use
from pages.escape import escaped
from pages.experiment.error_sentences import plain
from pages.exports import list_link
from pages.files.declarations.declaration import Settings, WholeFile
from pages.files.declarations.declared_table import records
from pages.files.persons import Guesses
from pages.files.tables import Table
from pages.ledger import browser
from pages.releasing import current_list
from pages.server.page_list import link_to
from pages.widgets import notices

TITLE = "Your data"


def show() -> None:
    """Show the file and its declarations. A refusal is a sentence beside the widget that it is about."""
    st.markdown("# Your data")
    notices.show()
    draft = reading.ask_file()
    if draft is not None:
        ask(draft, "kind")
        reading.show(draft)
    if draft is not None and draft.table is not None:
        _declare(draft, draft.table)


def _declare(draft: Draft, table: Table) -> None:
    heading = st.empty()
    st.radio(
        "This table is",
        [CONFIDENTIAL, PUBLIC],
        key="kind",
        horizontal=True,
        help="Public: everybody may see every row. Confidential: after the preview nothing of it is shown until you release it.",
    )
    earlier = earlier_tables(draft, table)
    whole = rows.ask_whole(draft, table)
    place = st.container()
    unit, persons = rows.ask_unit(draft), None
    if unit is not None and unit.several:
        persons = rows.ask_persons(draft, table, unit)
    elif unit is not None:
        rows.say_unit(unit, public=draft.public)
    of_rows = not draft.public and unit is not None and persons is None
    stated = rows.ask_neighbours(draft, unit) if of_rows and unit is not None else None
    table = replace(table, stated=stated)
    guesses = Guesses() if draft.public else rows.ask_guesses(draft, people=persons is not None)
    with place:
        editor.show(draft, table, whole, "" if persons is None else persons.column)
    heading.markdown(
        f"## {escaped(table.title)}{_size(draft, table, whole, confidential=rows.number_is_confidential(draft, persons))}"
    )
    settings = None
    if table.form is not None and unit is not None:
        settings = Settings(table.form, draft.public, unit, draft.declared, persons, guesses, stated, whole)
        remember(draft, settings)
    _finish(draft, table, settings, earlier)


def _size(draft: Draft, table: Table, whole: WholeFile, *, confidential: bool) -> str:
    """Return the number of rows, if it may be shown, or about how many there are, if that is stated."""
    if not draft.public and table.stated is not None:
        return f": about {table.stated:,} rows"
    return "" if confidential and not draft.public else f": {counted(records(table, whole), ' rows')}"


def _finish(draft: Draft, table: Table, settings: Settings | None, earlier: str | None) -> None:
    """Show the buttons that use the table and that save and load declarations."""
    if earlier is None:
        st.markdown(":material/edit: Say first whether these rows are about the same people or things as an earlier table.")
    ready = settings is not None and earlier is not None and browser.known() is not None
    with st.container(horizontal=True):
        explored = st.button("Use this table", key="use_table", type="primary", disabled=not ready, icon=":material/monitoring:")
        asked = st.button("Ask questions of it", key="ask_table", disabled=not ready, icon=":material/playlist_add:")
    _keep(draft, settings)
    if not (explored or asked) or settings is None or earlier is None:
        return
    if use(draft, table, settings, earlier):
        if asked:
            current_list.begin_empty(state.table())
        st.switch_page(link_to("release" if asked else "explore"))


def _keep(draft: Draft, settings: Settings | None) -> None:
    """Show how declarations are saved as a file and loaded for the next one."""
    with st.expander("Save the declarations, or load those of an earlier file"):
        if settings is not None:
            made = current_list.stored(draft.table_name)
            st.download_button(
                "Save the declarations",
                saved.write(settings, None if made is None else list_link.to_plain(made)),
                "declarations.json",
                "application/json",
                key="save_declarations",
                on_click="ignore",
                icon=":material/download:",
                help="What you declare, how the file is read, and the list of questions of this table. It holds no row.",
            )
        key = f"declarations_{draft.file.key}"
        st.file_uploader("Declarations of an earlier file", key=key, on_change=_load, args=(draft, key))
    if said := st.session_state.pop("declarations_said", ""):
        st.markdown(f":material/check: {escaped(said)}")
    if problem := st.session_state.pop("declarations_problem", ""):
        st.error(escaped(problem))


def _load(draft: Draft, key: str) -> None:
    """Take the declarations of a settings file. A refusal leaves everything as it was."""
    file = st.session_state[key]
    if file is None:
        return
    before = draft.form
    try:
        settings, questions = saved.read(file.getvalue())
        draft.read_like(settings)
        said = saved.difference(settings, draft.names)
    except DpcoreError as error:
        if before is not None:
            draft.read(before)
        st.session_state["declarations_problem"] = f"{file.name}: {plain(error)} What was declared here stays."
        return
    draft.apply(settings)
    draft.questions = questions
    st.session_state["declarations_said"] = said
