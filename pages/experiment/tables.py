"""The tables that come with the app."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dpcore.base.types import Database
from dpcore.errors import UnknownKindError
from pages.files.tables import Table, read_catalog

DATA = Path(__file__).parents[2] / "data"


@cache
def ours() -> dict[str, Table]:
    """Return the tables that come with the app, by name."""
    return read_catalog(DATA)


def table(name: str) -> Table:
    """Return a table that comes with the app.

    Args:
        name: Its name.

    Raises:
        UnknownKindError: If the name is unknown.
    """
    if name not in ours():
        raise UnknownKindError("table", name, tuple(ours()))
    return ours()[name]


def column(table_name: str, name: str) -> Database:
    """Return the values of one column.

    Args:
        table_name: Name of a table that comes with the app.
        name: Name of the column.
    """
    return table(table_name).values[name]
