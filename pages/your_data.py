"""The page Your data: upload a table, declare its columns and rows, and use it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpcore.base.text import counted
from dpcore.errors import DpcoreError, TableError
from pages import jobs, state
from pages.declaring import asking, reading, saved
from pages.declaring.draft import CONFIDENTIAL, KEEP, PUBLIC, Draft
from pages.escape import escaped
from pages.experiment.choices import target_kinds
from pages.experiment.error_sentences import plain
from pages.exports.link import list_to_plain, saved_list
from pages.files.declarations.declaration import Settings
from pages.files.declarations.declared_table import records
from pages.files.header import listed
from pages.files.persons import Guesses
from pages.files.tables import Table
from pages.ledger import session as ledger
from pages.releasing import current_list
from pages.server import uploads
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
    earlier = _ask_earlier_table(draft, table)
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
    _show_buttons(draft, table, settings, earlier)


def _show_buttons(draft: Draft, table: Table, settings: Settings | None, earlier: str | None) -> None:
    """Show the buttons that use the table and that save and load declarations."""
    if earlier is None:
        st.markdown(":material/edit: Say first whether these rows are about the same people or things as an earlier table.")
    waits = settings is None or earlier is None or ledger.known() is None
    with st.container(horizontal=True):
        explored = st.button("Use this table", key="use_table", type="primary", disabled=waits, icon=":material/monitoring:")
        asked = st.button("Ask questions of it", key="ask_table", disabled=waits, icon=":material/playlist_add:")
    _show_declarations(draft, settings)
    if (explored or asked) and settings is not None and earlier is not None and _use(draft, table, settings, earlier):
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
                saved.write(settings, None if made is None else list_to_plain(made)),
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


def _ask_earlier_table(draft: Draft, table: Table) -> str | None:
    """Return the ledger's name of the earlier table about the same people or things.

    It is empty if there is none, and None if the user has to say it first.
    """
    book = ledger.book()
    with book.lock:  # another tab may upload a table meanwhile
        found, titles = book.found(table), dict(book.titles)
    if found:
        had = listed([f"**{escaped(titles[name])}**" for name in found])
        st.markdown(f"This browser has had this table before, or one with a column in common: {had}. Its releases count.")
    if draft.public or found or not titles:
        return ""
    said: str | None = st.selectbox(
        "Are these rows about the same people or things as a table that this browser has had before?",
        ["", *titles],
        index=None,
        key="new_version",
        width=440,
        placeholder="Choose",
        format_func=lambda name: f"Yes, about the same as {titles[name]}" if name else "No, about others",
        help="They are if this table is a new version of the earlier one, or has other columns about the same people. What was "
        "released of the earlier table then counts for this one too, because each answer protects the same people less.",
        **KEEP,
    )
    return said


def _use(draft: Draft, table: Table, settings: Settings, earlier: str) -> bool:
    """Add the declared table to this tab and show it on Explore. Return whether that is possible; if not, a sentence says why."""
    public, persons = settings.public, settings.persons
    try:
        made = uploads.declared(table, draft.file.content, settings.columns, public=public, persons=persons, whole=settings.whole)
        made = replace(made, unit=settings.unit, guesses=settings.guesses, stated=settings.stated)
        _refuse_unusable(made)
    except TableError as error:
        st.error(escaped(plain(error)))
        return False
    named = ledger.book().settle(table, earlier)
    state.rename_tables(ledger.book().same)
    number, what = (made.stated or len(made), " rows") if persons is None else (made.size(()), " people")
    about = "about " if made.stated or (persons is not None and persons.stated) else ""
    made = replace(made, name=draft.table_name, about=f"Your upload, {about}{counted(number, what)}.", digest=named)
    state.add_table(made)
    uploads.keep(made.name)
    jobs.forget()
    state.pick_table(made.name)
    if draft.questions is not None:  # of a settings file; a sentence for each that the table cannot have
        found, refused = saved_list(draft.questions, made)
        draft.questions = None
        current_list.adopt(made.name, found)
        for sentence in refused:
            state.say(sentence)
    if made.public and made.persons is None:
        shown = state.scenario().columns
        if dropped := len(made) - made.size(shown, state.scenario().target):
            rows = counted(dropped, " rows")
            state.say(f"{rows} without a usable value in {', '.join(shown)}: left out, as in any public table.")
    draft.used = True
    return True


def _refuse_unusable(table: Table) -> None:
    """Raise TableError if no target works on the columns, or a public table has no two rows with a value in all of them."""
    numbers = tuple(column.name for column in table.number_columns)
    for together in (numbers, *((column.name,) for column in table.text_columns)):
        if table.public and table.persons is None and together and table.size(together) < 2:
            problem = f"Fewer than 2 rows have a value in all of {', '.join(sorted(together))}."
            raise TableError(problem, "Use other columns.")
    if not target_kinds(table):
        names = listed([column.name for column in table.columns])
        raise TableError(f"No question can be asked about {names}.", "Use another column, or give it another type.")
