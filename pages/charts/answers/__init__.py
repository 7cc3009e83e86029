"""The chart of what would be published, and of what is: as each kind of answer has it, in a file of its name."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from dpcore.answers.answer import KindOfAnswer, Within
from dpcore.base.types import FloatArray
from dpcore.mechanisms.base import Calibrated
from dpcore.registry.beside import beside, defined
from pages.charts import moving
from pages.charts.drawn import Drawn
from pages.charts.errors import errors
from pages.charts.moving import Moving, value_of
from pages.experiment.error_curve import ErrorCurve
from pages.experiment.headlines.base import Headline

ErrorRule = Callable[[Moving], Moving]
Described = tuple[Drawn, str | Moving]  # a chart, and what is seen in it


def answer(shown: Headline) -> tuple[Drawn, str]:
    """An answer beside its private versions, all simulated, and a description of the chart."""
    drawn, alt = described(shown)
    return drawn, str(value_of(alt))


def described(shown: Headline) -> Described:
    """The same, with what of the description follows a hand."""
    drawn: Described = beside(shown.answer, __name__).chart(shown)
    return drawn


DOTS, DENSITY, ANSWERS, ERROR = "dots", "density", "answers", "error"


def views(shown: Headline) -> tuple[str, ...]:
    """Which charts of this very answer follow a hand on γ and ε: its private versions are those of noise that grows with its
    scale. What leads must hang on γ alone, not on whether an error at this ε is free."""
    of_kind = defined(shown.answer, __name__, "views")
    return () if shown.nothing_lost is not None or of_kind is None else tuple(of_kind(shown))


def error_by_scale(shown: Headline) -> ErrorRule | None:
    """scale -> the expected error under noise of that scale, which moves; None of a kind whose error hangs on more."""
    of_kind = defined(shown.answer, __name__, "error_by_scale")
    rule: ErrorRule | None = of_kind(shown) if of_kind is not None and ERROR in views(shown) else None
    return rule


def errors_of(shown: Headline, curve: ErrorCurve, chosen: float) -> Described:
    """How its error falls with ε, marked at this one, where it is ``chosen``; and a description."""
    epsilon, rule = shown.scenario.epsilon, error_by_scale(shown)
    drawn = errors(curve, epsilon=epsilon, chosen=chosen, unit=shown.answer.after.strip(), rule=rule)
    error = chosen if rule is None else Moving(chosen, rule(moving.named("scale", math.nan)).rule)
    at, off = moving.at_epsilon(epsilon), moving.figure(error)
    return drawn, moving.words_of("Expected error against ε: sampled, worst case and without privacy; ", at, " it is ", off, ".")


def said(shown: Headline, noise: Calibrated[Any], scale: Moving) -> dict[str, Moving]:
    """What of a kind's sentences follows a hand, by its slot, under this noise; nothing where a sentence stays."""
    made: dict[str, Moving] = beside(shown.answer, __name__).said(shown, noise, scale)
    return made


def density(shown: Headline, noise: Calibrated[Any]) -> tuple[FloatArray, FloatArray] | None:
    """(x, y) of how likely private answers under this noise are; None of a kind that is no one number."""
    of_kind = defined(shown.answer, __name__, "density")
    drawn: tuple[FloatArray, FloatArray] | None = None if of_kind is None else of_kind(shown, noise)
    return drawn


def as_dots(shown: Headline, noise: Calibrated[Any], off: float) -> tuple[Drawn, str] | None:
    """Fifty equally likely private answers under this noise, with lines so far off on either side, and a description; None for
    a kind of answer that is not drawn so."""
    found = dots(shown, noise, off)
    return None if found is None else (found[0], str(value_of(found[1])))


def dots(shown: Headline, noise: Calibrated[Any], off: float) -> Described | None:
    """The same, with what of the description follows a hand."""
    made = defined(shown.answer, __name__, "dots")
    drawn: Described | None = None if made is None else made(shown, noise, off)
    return drawn


def published(response: Any, kind: KindOfAnswer, within: Within = None) -> Drawn | None:
    """A response that was released, and how close 95 in 100 lie; None for a kind that is read and not drawn."""
    drawn: Drawn | None = beside(kind, __name__).published(response, kind, within)
    return drawn
