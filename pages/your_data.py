"""The page Your data: upload a table, declare its columns and rows, and use it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpcore.base.counted import counted
from dpcore.errors import DpcoreError
from pages import state
from pages.declaring import asking, reading, saved
from pages.declaring.draft import CONFIDENTIAL, KEEP, PUBLIC, Draft, remember
from pages.declaring.using import earlier_tables, use
from pages.escape import escaped
from pages.experiment.error_sentences import plain
from pages.exports import list_link
from pages.files.declarations.whole_file import Settings, records
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
        reading.show(draft)
        if draft.table is not None:
            _declare(draft, draft.table)


def _declare(draft: Draft, table: Table) -> None:
    draft.begin(table)
    heading = st.empty()
    st.radio(
        "This table is",
        [CONFIDENTIAL, PUBLIC],
        key="kind",
        horizontal=True,
        help="Public: everybody may see every row. Confidential: after the preview nothing of it is shown until you release it.",
        **KEEP,
    )
    earlier = earlier_tables(draft, table)
    whole = asking.ask_whole(draft, table)
    place = st.container()
    unit = asking.ask_unit(draft)
    persons = asking.ask_persons(draft, table, unit) if unit is not None and unit.several else None
    stated = asking.ask_neighbours(unit) if not draft.public and unit is not None and persons is None else None
    guesses = Guesses() if draft.public else asking.ask_guesses(people=persons is not None)
    table = replace(table, stated=stated)
    with place:
        asking.edit_columns(draft, table, whole, "" if persons is None else persons.column)
    size = f": {counted(records(table, whole), ' rows')}"
    if not draft.public and (stated is not None or asking.number_is_confidential(persons)):
        size = "" if stated is None else f": about {stated:,} rows"
    heading.markdown(f"## {escaped(table.title)}{size}")
    settings = None
    if table.form is not None and unit is not None:
        settings = Settings(table.form, draft.public, unit, draft.declared, persons, guesses, stated, whole)
        remember(draft, settings)
    _show_buttons(draft, table, settings, earlier)


def _show_buttons(draft: Draft, table: Table, settings: Settings | None, earlier: str | None) -> None:
    """Show the buttons that use the table and that save and load declarations."""
    if earlier is None:
        st.markdown(":material/edit: Say first whether these rows are about the same people or things as an earlier table.")
    waits = settings is None or earlier is None or browser.known() is None
    with st.container(horizontal=True):
        explored = st.button("Use this table", key="use_table", type="primary", disabled=waits, icon=":material/monitoring:")
        asked = st.button("Ask questions of it", key="ask_table", disabled=waits, icon=":material/playlist_add:")
    _show_declarations(draft, settings)
    if (explored or asked) and settings is not None and earlier is not None and use(draft, table, settings, earlier):
        if asked:
            current_list.begin_empty(state.table())
        st.switch_page(link_to("release" if asked else "explore"))


def _show_declarations(draft: Draft, settings: Settings | None) -> None:
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
    file, before = st.session_state[key], draft.form
    if file is None:
        return
    try:
        settings, questions = saved.read(file.getvalue())
        draft.read_like(settings)
        said = saved.difference(settings, draft.names)
    except DpcoreError as error:
        if before is not None:
            draft.read(before)
        st.session_state["declarations_problem"] = f"{file.name}: {plain(error)} What was declared here stays."
    else:
        draft.apply(settings)
        draft.questions, st.session_state["declarations_said"] = questions, said
