"""What this writer refuses to draw, as it would draw it wrongly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from dpcore.errors import DpcoreError

T = TypeVar("T")


@dataclass(eq=False)
class NotDrawnError(DpcoreError, ValueError):
    """A property of a figure, or a value of one, that the writer of SVG does not know."""

    what: str
    got: object

    def __str__(self) -> str:
        return (
            f"The SVG of a figure must use what dpcore.plots.svg can draw; got {self.what} = {self.got!r:.80}. "
            "Leave it out of the figure, or teach dpcore.plots.svg to draw it."
        )


def one_of(known: Mapping[str, T], got: Any, what: str) -> T:
    """What a name stands for; NotDrawnError for one that is not known."""
    if not isinstance(got, str) or got not in known:
        raise NotDrawnError(what, got)
    return known[got]
