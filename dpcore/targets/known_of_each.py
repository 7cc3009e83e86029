"""How many values of each of several columns are known, as one target."""

from __future__ import annotations

from dpcore.targets.capped import Capped
from dpcore.targets.known_count import KnownCount
from dpcore.targets.on import On
from dpcore.targets.together import Together


def known_of_each(columns: tuple[str, ...], person: str | None = None, rows: int = 1) -> Together:
    """How many values of each of these columns are known: one number a column, under equal noise. Of people nobody counts for
    more than so many rows a column."""
    questions = tuple(On(KnownCount(), (name,)) for name in columns)
    parts = questions if person is None else tuple(Capped(question, person, rows) for question in questions)
    return Together(parts, (1.0,) * len(parts))
