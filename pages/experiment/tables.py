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
    """Each by its name."""
    return read_catalog(DATA)


def table(name: str) -> Table:
    """The table of this name; UnknownKindError where there is none."""
    if name not in ours():
        raise UnknownKindError("table", name, tuple(ours()))
    return ours()[name]


def column(table_name: str, name: str) -> Database:
    """One column's values."""
    return table(table_name).values[name]
