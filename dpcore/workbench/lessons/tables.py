"""The tables that lessons speak of: those that come with the app, or, away from it, those that were brought along."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dpcore.errors import UnknownKindError
from dpcore.workbench.tables import Table, read_catalog

DATA = Path(__file__).parents[3] / "data"
_BROUGHT: dict[str, Table] = {}


@cache
def ours() -> dict[str, Table]:
    """The tables that come with the app; none where only the library is installed."""
    return read_catalog(DATA) if (DATA / "catalog.json").is_file() else {}


def bring(table: Table) -> None:
    """Bring a table along, for a place where the app's own are not: a notebook."""
    _BROUGHT[table.name] = table


def table(name: str) -> Table:
    """The table of this name; UnknownKindError where there is none."""
    known = _BROUGHT if name in _BROUGHT else ours()
    if name not in known:
        raise UnknownKindError("table", name, (*_BROUGHT, *known))
    return known[name]
