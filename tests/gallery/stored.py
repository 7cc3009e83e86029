"""The stored exhibits, read once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pages.old.learn.exhibits.exhibit import Exhibit, read_exhibit

FOLDER = Path(__file__).parents[2] / "data" / "gallery"


@cache
def stored(name: str) -> Exhibit:
    """The exhibit that is in the folder under this name."""
    return read_exhibit((FOLDER / f"{name}.json").read_bytes(), name)
