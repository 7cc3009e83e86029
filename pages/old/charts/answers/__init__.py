"""The chart of a released answer: as each kind of answer has it, in a file of its name."""

from __future__ import annotations

from typing import Any

from dpcore.answers.answer import KindOfAnswer, Within
from dpcore.registry.beside import beside, has
from pages.old.charts.drawn import Drawn


def published(response: Any, kind: KindOfAnswer, within: Within = None) -> Drawn | None:
    """A response that was released, and how close 95 in 100 lie; None for a kind that is read and not drawn."""
    if not has(kind, __name__):
        return None
    drawn: Drawn = beside(kind, __name__).published(response, kind, within)
    return drawn
