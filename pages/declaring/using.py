"""Your data: the draft becomes a table of this tab, under the name that the browser's ledger has for it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpcore.base.counted import counted
from dpcore.errors import TableError
from pages import address, jobs, state
from pages.declaring.draft import Draft, ask
from pages.escape import escaped
from pages.experiment.choices import target_kinds
from pages.experiment.error_sentences import plain
from pages.exports import list_link
from pages.files.declarations.declaration import Settings
from pages.files.header import listed
from pages.files.tables import Table
from pages.ledger import session as ledger
from pages.ledger import table_identity
from pages.releasing import current_list
from pages.server import uploads


def earlier_tables(draft: Draft, table: Table) -> str | None:
    """Return the ledger's name of the earlier table about the same people or things.

    It is empty if there is none, and None if the user has to say it first.
    """
    known = table_identity.of(ledger.book())
    with ledger.book().lock:  # another tab may upload a table meanwhile
        found, in_doubt, names = known.found(table), known.in_doubt(table), dict(known.titles)
    if found:
        titles = listed([f"**{escaped(names[name])}**" for name in found])
        st.markdown(f"This browser has had this table before, or one with a column in common: {titles}. Its releases count.")
    if draft.public or not in_doubt:
        return ""
    ask(draft, "new_version")
    said: str | None = st.selectbox(
        "Are these rows about the same people or things as a table that this browser has had before?",
        ["", *in_doubt],
        index=None,
        key="new_version",
        width=440,
        placeholder="Choose",
        format_func=lambda name: f"Yes, about the same as {in_doubt[name]}" if name else "No, about others",
        help="They are if this table is a new version of the earlier one, or has other columns about the same people. What was "
        "released of the earlier table then counts for this one too, because each answer protects the same people less.",
    )
    return said


def use(draft: Draft, table: Table, settings: Settings, earlier: str) -> bool:
    """Add the declared table to this tab and show it on Explore. Return whether that is possible; if not, a sentence says why."""
    public, persons = settings.public, settings.persons
    try:
        made = uploads.declared(table, draft.file.content, settings.columns, public=public, persons=persons, whole=settings.whole)
        made = replace(made, unit=settings.unit, guesses=settings.guesses, stated=settings.stated)
        _refuse_unusable(made)
    except TableError as error:
        st.error(escaped(plain(error)))
        return False
    named = table_identity.settle(ledger.book(), table, earlier)
    state.rename_tables(ledger.book().same)
    made = replace(made, name=draft.table_name, about=f"Your upload, {_extent(made)}.", digest=named)
    state.add_table(made)
    uploads.keep(made.name)
    jobs.forget()
    if not address.take_up(made.name):
        state.pick_table(made.name)
    _take_questions(draft, made)
    _say_dropped(made)
    draft.used = True
    return True


def _take_questions(draft: Draft, made: Table) -> None:
    """Give the table the questions of a settings file, with a sentence for each that it cannot have."""
    if draft.questions is None:
        return
    found, said = list_link.read_saved(draft.questions, made)
    draft.questions = None
    current_list.adopt(made.name, found)
    for sentence in said:
        state.say(sentence)


def _say_dropped(made: Table) -> None:
    """Say how many rows of a public table are left out, because they have no value in a column that is shown."""
    shown = state.scenario().columns
    dropped = len(made) - made.size(shown, state.scenario().target) if made.public and made.persons is None else 0
    if dropped:
        wanted = "finite" if made.column(shown[0]).role != "text" else "text in"
        have, are = ("has", "is") if dropped == 1 else ("have", "are")
        who = counted(dropped, " rows")
        state.say(f"{who} {have} no {wanted} {', '.join(shown)} and {are} left out, as in any public table.")


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


def _extent(table: Table) -> str:
    """Return how many rows or people a table has: as stated, if the true number is confidential."""
    if table.stated is not None:
        return f"about {counted(table.stated, ' rows')}, as you state"
    rows = counted(len(table), " rows")
    if table.persons is None:
        return rows
    people = counted(table.size(()), " people")
    return f"about {people}, as you state" if table.persons.stated else f"{rows} of {people}"
