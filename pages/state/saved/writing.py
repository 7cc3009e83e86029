"""All that this tab knows of a table as a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from pages.files.csv_columns.header import listed, quoted
from pages.files.declarations.settings import Settings
from pages.files.tables import Table
from pages.reports.saved.everything import Saved, SavedPlan, Whose
from pages.state import ledger, pins, state, table_identity
from pages.state.book import Book
from pages.state.listed import current_list
from pages.state.release_entry import now
from pages.state.saved import plans_and_views

# Which of a tab's tables a file is of: by the values, and where these are others and all columns agree, by its holder's word.


def found(whose: Whose, tables: Mapping[str, Table], book: Book, shown: str) -> Table | None:
    """The table that has the file's values or one of its telling columns; that of the name ``shown`` before others."""
    known = table_identity.of(book)
    for name in sorted(tables, key=lambda name: (name != shown, name)):
        table = tables[name]
        if whose.has(known.known_by(table) | {table.digest}):
            return table
    return None


def in_doubt(whose: Whose, tables: Mapping[str, Table]) -> list[Table]:
    """Confidential and uploaded tables with the very columns of the file: each may be a new version of its table."""
    return [table for table in tables.values() if table.form is not None and names(table) == whose.columns and table.digest]


def names(table: Table) -> tuple[str, ...]:
    """Its columns' names, as a file has them."""
    return tuple(sorted(column.name for column in (*table.persons_column, *table.columns)))


def not_here(whose: Whose) -> str:
    """Of which table the file is, and what to do."""
    return (
        f"The file is of the table “{whose.title}”, with {listed(quoted(list(whose.columns)))}, which is not here. Bring that "
        "table on the page Your data and use it: what the file holds is offered then."
    )


_KEY = "declared_of"


def remember(table: Table, settings: Settings | None) -> None:
    """How a table of this session was declared, by its name."""
    kept: dict[str, Settings] = st.session_state.setdefault(_KEY, {})
    kept.pop(table.name, None)
    if settings is not None:
        kept[table.name] = settings


def everything(table: Table) -> Callable[[], str]:
    """What writes the file, as the ledger stands when it is asked: outside of the page's own run."""
    kept: dict[str, Settings] = st.session_state.get(_KEY, {})
    try:
        seen = plans_and_views.to_plain(state.scenario(), pins.scenarios(), current_list.current(table))
    except TypeError:  # a target of somebody's own, which no file can hold
        seen = None
    return partial(_written, ledger.book(), table, kept.get(table.name), seen)


def view() -> str:
    """The scenario shown, the pins and the list alone: settings, never data."""
    views = plans_and_views.to_plain(state.scenario(), pins.scenarios(), current_list.current(state.table()))
    return Saved(made=now(), views=views).to_json()


def declared(settings: Settings) -> str:
    """How a file is read and its columns are declared, alone: settings, never data."""
    return Saved(made=now(), declarations=settings).to_json()


def _written(book: Book, table: Table, settings: Settings | None, seen: dict[str, Any] | None) -> str:
    name = table.digest
    with book.lock:
        known = table_identity.of(book).known_by(table) or {name}
        return Saved(
            made=now(),
            declarations=settings,
            views=seen,
            table=Whose.of(table.name, table.title or table.name, names(table), known),
            ledgers=tuple(one for one in book.ledgers.get(name, []) if one.lines or one.plan or one.after_responses),
            plan=tuple(SavedPlan(one.name, one.scenario.to_json(), one.worst_case, one.line) for one in book.plans.get(name, [])),
            budget=book.budgets.get(name),
        ).to_json()


def worth_it(table: Table) -> bool:
    """Whether a restart of the server would forget a release of the table, or a plan."""
    return any(one.lines or one.plan for one in ledger.book().ledgers.get(table.digest, []))
