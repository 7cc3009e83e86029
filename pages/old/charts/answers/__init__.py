"""The chart of what would be published, and of what is: as each kind of answer has it, in a file of its name."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from dpcore.answers.answer import KindOfAnswer, Within
from dpcore.base.types import FloatArray
from dpcore.mechanisms.base import Calibrated
from dpcore.registry.beside import beside, defined
from pages.old.charts import moving
from pages.old.charts.drawn import Drawn
from pages.old.charts.errors import errors
from pages.old.charts.moving import Moving, value_of
from pages.old.experiment.error_curve import ErrorCurve
from pages.old.experiment.headlines.base import Headline

ErrorRule = Callable[[Moving], Moving]
Described = tuple[Drawn, str | Moving]  # a chart, and what is seen in it
DOTS, DENSITY, ANSWERS, ERROR = "dots", "density", "answers", "error"


def described(shown: Headline) -> Described:
    """An answer beside its private versions, all simulated, and a description of the chart."""
    drawn: Described = beside(shown.answer, __name__).chart(shown)
    return drawn


def answer(shown: Headline) -> tuple[Drawn, str]:
    """The same as it is now."""
    return _now(described(shown))


def dots(shown: Headline, noise: Calibrated[Any], off: float) -> Described | None:
    """Fifty equally likely private answers under this noise, with lines so far off on either side, and a description; None for
    a kind of answer that is not drawn so."""
    drawn: Described | None = _if_defined(shown.answer, "dots", shown, noise, off)
    return drawn


def as_dots(shown: Headline, noise: Calibrated[Any], off: float) -> tuple[Drawn, str] | None:
    """The same as it is now."""
    found = dots(shown, noise, off)
    return None if found is None else _now(found)


def _now(drawn: Described) -> tuple[Drawn, str]:
    return drawn[0], str(value_of(drawn[1]))


def views(shown: Headline) -> tuple[str, ...]:
    """Which charts of this very answer follow a hand on γ and ε: its private versions are those of noise that grows with its
    scale. What leads must hang on γ alone, not on whether an error at this ε is free."""
    return () if shown.nothing_lost is not None else _if_defined(shown.answer, "views", shown) or ()


def error_by_scale(shown: Headline) -> ErrorRule | None:
    """scale -> the expected error under noise of that scale, which moves; None of a kind whose error hangs on more."""
    return _if_defined(shown.answer, "error_by_scale", shown) if ERROR in views(shown) else None


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
    drawn: tuple[FloatArray, FloatArray] | None = _if_defined(shown.answer, "density", shown, noise)
    return drawn


def published(response: Any, kind: KindOfAnswer, within: Within = None) -> Drawn | None:
    """A response that was released, and how close 95 in 100 lie; None for a kind that is read and not drawn."""
    drawn: Drawn | None = _if_defined(kind, "published", response, kind, within)
    return drawn


def _if_defined(kind: KindOfAnswer, name: str, *given: Any) -> Any:
    """By the function of this name of the kind, where it has one."""
    of_kind = defined(kind, __name__, name)
    return None if of_kind is None else of_kind(*given)
