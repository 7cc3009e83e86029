"""The chart of what would be published, and of what is: as each kind of answer has it, in a file of its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpcore.answers.answer import KindOfAnswer, Within
from dpcore.base.types import FloatArray
from dpcore.mechanisms.base import Calibrated
from dpcore.registry.beside import beside
from pages.experiment.headlines.base import Headline

if TYPE_CHECKING:
    import plotly.graph_objects as go

_ROOM = "pages.charts.answers"


def answer(shown: Headline) -> tuple[go.Figure, str]:
    """An answer beside its private versions, all simulated, and a description of the chart."""
    drawn: tuple[go.Figure, str] = beside(shown.answer, _ROOM).chart(shown)
    return drawn


def density(shown: Headline, noise: Calibrated[Any]) -> tuple[FloatArray, FloatArray] | None:
    """(x, y) of how likely private answers under this noise are; None of a kind that is no one number."""
    of_kind: Any = getattr(beside(shown.answer, _ROOM), "density", None)
    drawn: tuple[FloatArray, FloatArray] | None = None if of_kind is None else of_kind(shown, noise)
    return drawn


def as_dots(shown: Headline, noise: Calibrated[Any], off: float) -> tuple[go.Figure, str] | None:
    """Fifty equally likely private answers under this noise, with lines so far off on either side, and a description; None for
    a kind of answer that is not drawn so."""
    made = getattr(beside(shown.answer, _ROOM), "dots", None)
    drawn: tuple[go.Figure, str] | None = None if made is None else made(shown, noise, off)
    return drawn


def published(response: Any, kind: KindOfAnswer, within: Within = None) -> go.Figure | None:
    """A response that was released, and how close 95 in 100 lie; None for a kind that is read and not drawn."""
    drawn: go.Figure | None = beside(kind, _ROOM).published(response, kind, within)
    return drawn
