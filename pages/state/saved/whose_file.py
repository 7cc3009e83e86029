"""Which of a tab's tables a file is of: by the values, and where these are others and all columns agree, by its holder's word."""

from __future__ import annotations

from collections.abc import Mapping

from dpcore.workbench.csv_columns.listed import listed, quoted
from dpcore.workbench.tables import Table
from pages.reports.saved.whose import Whose
from pages.state import identity
from pages.state.book import Book


def found(whose: Whose, tables: Mapping[str, Table], book: Book, shown: str) -> Table | None:
    """The table that has the file's values or one of its telling columns; that of the name ``shown`` before others."""
    known = identity.of(book)
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
