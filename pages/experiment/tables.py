"""The tables that come with the app."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pages.files.tables import Table, read_catalog

DATA = Path(__file__).parents[2] / "data"


@cache
def ours() -> dict[str, Table]:
    """Return the tables that come with the app, by name."""
    return read_catalog(DATA)
