"""The chart of what would be published, and of what is: as each kind of answer has it, in a file of its name."""

from __future__ import annotations

from typing import Any

from dpcore.answers.answer import KindOfAnswer, Within
from dpcore.base.types import FloatArray
from dpcore.mechanisms.base import Calibrated
from dpcore.registry.beside import beside, defined
from pages.charts.drawn import Drawn
from pages.experiment.headlines.base import Headline


def answer(shown: Headline) -> tuple[Drawn, str]:
    """An answer beside its private versions, all simulated, and a description of the chart."""
    drawn: tuple[Drawn, str] = beside(shown.answer, __name__).chart(shown)
    return drawn


def density(shown: Headline, noise: Calibrated[Any]) -> tuple[FloatArray, FloatArray] | None:
    """(x, y) of how likely private answers under this noise are; None of a kind that is no one number."""
    of_kind = defined(shown.answer, __name__, "density")
    drawn: tuple[FloatArray, FloatArray] | None = None if of_kind is None else of_kind(shown, noise)
    return drawn


def as_dots(shown: Headline, noise: Calibrated[Any], off: float) -> tuple[Drawn, str] | None:
    """Fifty equally likely private answers under this noise, with lines so far off on either side, and a description; None for
    a kind of answer that is not drawn so."""
    made = defined(shown.answer, __name__, "dots")
    drawn: tuple[Drawn, str] | None = None if made is None else made(shown, noise, off)
    return drawn


def published(response: Any, kind: KindOfAnswer, within: Within = None) -> Drawn | None:
    """A response that was released, and how close 95 in 100 lie; None for a kind that is read and not drawn."""
    drawn: Drawn | None = beside(kind, __name__).published(response, kind, within)
    return drawn
