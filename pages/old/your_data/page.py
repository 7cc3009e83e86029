"""Your data: upload a table, declare what it is and what its columns can hold, and explore it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpcore.base.counted import counted
from dpcore.errors import TableError
from pages import address as address_of_explore
from pages import state
from pages.experiment.choices import target_kinds
from pages.files.csv_columns.header import listed
from pages.files.declarations.settings import Settings
from pages.files.persons import Guesses
from pages.files.tables import Table
from pages.ledger import browser, table_identity
from pages.ledger import session as ledger
from pages.old.shared import dropzone, notices
from pages.old.shared.escape import escaped
from pages.old.state import address, draws
from pages.old.wording.sentences import plain
from pages.old.your_data import (
    column_lists,
    declare,
    example,
    kept_declarations,
    persons_form,
    reading,
    whole_file_form,
)
from pages.releasing import current_list
from pages.server import uploads
from pages.server.page_list import link_to

TITLE = "Your data"
ORDER = 1
_PUBLIC, _CONFIDENTIAL = "Public", "Confidential"
_WHICH = "A CSV, Excel, ODS or Parquet file of at most 50 MB"


def show() -> None:
    """The file, then its declarations; every refusal is a sentence beside what it is about."""
    kept_declarations.apply_waiting()
    st.markdown("# Your data")
    notices.show()
    file = example.brought(st.file_uploader(_WHICH, key="file", on_change=_another_file), _another_file)
    dropzone.mend()
    kind = st.radio(
        "This table is",
        [_CONFIDENTIAL, _PUBLIC],
        key="kind",
        horizontal=True,
        help="Public: anybody may see every row. Confidential: nothing of it is shown before you ask for it or publish it.",
    )
    if file is not None:
        reading.show(file, public=kind == _PUBLIC)
    draft: Table | None = st.session_state.get("draft")
    if draft is not None:
        _declare(draft, public=kind == _PUBLIC)


def _another_file() -> None:
    """What was said of the last file is not said of this one."""
    example.let_go()
    if "draft_file" in st.session_state:
        st.session_state["kind"] = _CONFIDENTIAL


def _declare(draft: Table, *, public: bool) -> None:
    heading = st.empty()
    earlier = _earlier(draft, public=public)
    whole = whole_file_form.ask(draft, public=public)
    declared = declare.show(draft, reading.turn(), public=public)
    where_each_stands = st.container()
    unit, persons = persons_form.ask_unit(), None
    if unit is not None and unit.several:
        persons = persons_form.ask_whose(draft, unit)
    elif unit is not None:
        persons_form.say(unit, public=public)
    of_rows = not public and unit is not None and persons is None
    stated = persons_form.ask_neighbours(unit) if of_rows and unit is not None else None
    draft = replace(draft, stated=stated)  # whatever names it from here on tells no true number of records that is protected
    guessed = Guesses() if public else persons_form.ask_guesses(people=persons is not None)
    with where_each_stands:
        found = column_lists.lists(draft, declared, whole, persons.column if persons else "")
        column_lists.show(found, declared)
    rows = whole_file_form.still_there(draft, whole)
    size = f": about {stated:,} rows" if stated else ""
    if public or not (stated or persons_form.number_is_protected(persons)):
        size = f": {counted(rows, ' rows')}"
    heading.markdown(f"## {escaped(draft.title)}{size}")
    settings = None
    if draft.form is not None and unit is not None:
        settings = Settings(draft.form, public, unit, declared, persons, guessed, stated, whole)
    if settings is not None:
        kept_declarations.remember(settings)
    if earlier is None:
        st.markdown(":material/edit: Say first whether these rows are about the same people or things as an earlier table.")
    ready = settings is not None and earlier is not None and browser.known() is not None
    with st.container(horizontal=True):
        explored = st.button("Explore this table", key="use_table", disabled=not ready, icon=":material/monitoring:")
        asked = st.button("Ask questions of it", key="ask_table", disabled=not ready, icon=":material/playlist_add:")
    if not (explored or asked) or settings is None or earlier is None:
        return
    if _use(draft, settings, earlier=earlier):
        if asked:
            current_list.begin_empty(state.table())
        st.switch_page(link_to("release" if asked else "explore"))


def _earlier(draft: Table, *, public: bool) -> str | None:
    """The name in this browser's book of the table that this one is about the same people or things as, as its holder says; empty
    if of none, None while it was not said."""
    known = table_identity.of(ledger.book())
    with ledger.book().lock:  # another tab may bring a table meanwhile
        found, in_doubt, names = known.found(draft), known.in_doubt(draft), dict(known.titles)
    if found:
        titles = listed([f"**{escaped(names[name])}**" for name in found])
        st.markdown(
            f"This browser has had this table before, or one with a column in common: {titles}. What was released of it counts."
        )
    if public or not in_doubt:
        return ""
    said: str | None = st.selectbox(
        "Are these rows about the same people or things as a table that this browser has had before?",
        ["", *in_doubt],
        index=None,
        key="new_version",
        width=440,
        placeholder="Choose",
        format_func=lambda name: f"Yes, about the same as {in_doubt[name]}" if name else "No, about others",
        help="They are where a table is a new version of the earlier one, with rows added, left out or changed, and where it "
        "has other columns of the same people. What was released of the earlier table then counts for this one too, because "
        "it is the same people who are protected less with each answer.",
    )
    return said


def _use(draft: Table, said: Settings, *, earlier: str) -> bool:
    """Whether the table can be used; else a sentence says why not."""
    public, persons = said.public, said.persons
    try:
        content = st.session_state["draft_content"]
        table = uploads.declared(draft, content, said.columns, public=public, persons=persons, whole=said.whole)
        table = replace(table, unit=said.unit, guesses=said.guesses, stated=said.stated)
        _refuse_unusable(table)
    except TableError as error:
        st.error(escaped(plain(error)))
        return False
    named = table_identity.settle(ledger.book(), draft, earlier)
    state.rename_tables(ledger.book().same)
    name = f"{draft.name} (uploaded)" if draft.name in state.catalog() else draft.name  # other than that of a table of ours
    table = replace(
        table,
        name=name,
        about=f"Your upload, {_extent(table)}.",
        digest=named,
    )
    state.add_table(table)
    uploads.keep(table.name)
    draws.forget()
    if not (address.take_up(table.name) or address_of_explore.take_up(table.name)):
        state.pick_table(table.name)
    shown = state.scenario().columns
    if public and persons is None and (dropped := len(table) - table.size(shown, state.scenario().target)):
        wanted = "finite" if table.column(shown[0]).role != "text" else "text in"
        have, are = ("has", "is") if dropped == 1 else ("have", "are")
        who = counted(dropped, " rows")
        state.say(f"{who} {have} no {wanted} {', '.join(shown)} and {are} left out, as in any public table.")
    return True


def _refuse_unusable(table: Table) -> None:
    """TableError where no target can work on the columns, or a public table has no two records with a value in all of them."""
    numbers = tuple(column.name for column in table.number_columns)
    for together in (numbers, *((column.name,) for column in table.text_columns)):
        if table.public and table.persons is None and together and table.size(together) < 2:
            problem = f"Fewer than 2 rows have a value in all of {', '.join(sorted(together))}."
            raise TableError(problem, "Use other columns.")
    if not target_kinds(table):
        names = listed([column.name for column in table.columns])
        raise TableError(
            f"There is no question that can be asked of {names} alone.", "Use another column, or give it another type."
        )


def _extent(table: Table) -> str:
    """How much it holds: rows of people where their number is public; a number that is stated tells no other one."""
    if table.stated is not None:
        return f"about {counted(table.stated, ' rows')}, as you state"
    rows = counted(len(table), " rows")
    if table.persons is None:
        return rows
    people = counted(table.size(()), " people")
    return f"about {people}, as you state" if table.persons.stated else f"{rows} of {people}"
