"""What a kind of answer has under the hand, in a file of its name; and its error, where that hangs on the noise alone."""

from __future__ import annotations

from typing import Any

from dpcore.answers.answer import KindOfAnswer
from dpcore.guarantees.words import figure
from dpcore.mechanisms.base import Calibrated
from dpcore.registry.beside import beside, has
from pages.charts.drawn import NOT_PROVED, with_unit
from pages.charts.responses import ACROSS, DECADES
from pages.experiment.headlines.base import Headline


def has_kind(answer: KindOfAnswer) -> bool:
    """Whether there are charts for this kind of answer."""
    return has(answer, __name__)


def has_charts(shown: Headline) -> bool:
    """Whether there is any for this very answer. What leads must hang on γ alone, not on whether an error at this ε is free."""
    return shown.nothing_lost is None and bool(views(shown))


def answers(shown: Headline, view: str, off: float) -> dict[str, Any]:
    """What the chart of a view needs, with the names of the kind and the view."""
    return {"kind": kind(shown), "view": view, **beside(shown.answer, __name__).views(shown, off)[view]}


def views(shown: Headline) -> tuple[str, ...]:
    """The names of its charts."""
    return tuple(beside(shown.answer, __name__).names(shown)) if has_kind(shown.answer) else ()


def said(shown: Headline) -> dict[str, Any]:
    """What is said of it under the hand."""
    return {"kind": kind(shown), **beside(shown.answer, __name__).said(shown)}


def follows(shown: Headline, noise: Calibrated[Any]) -> dict[str, str]:
    """What of a kind's sentences the browser puts in, by its slot, as it is under this noise; empty where a sentence stays. A
    reach without one is all the browser's."""
    made = getattr(beside(shown.answer, __name__), "follows", None)
    reach = shown.short_reach(noise)
    found: dict[str, str] = made(shown, noise) if made is not None else {"reach": reach} if reach else {}
    return found


def kind(shown: Headline) -> str:
    """By which the module finds its drawings: the name of the kind's file."""
    return type(shown.answer).__module__.rpartition(".")[2]


def errors(shown: Headline) -> dict[str, Any]:
    """As ``pages.charts.errors`` draws it, without what γ and ε move. Its kind adds what the error is worked out from."""
    floor = shown.least_error
    return {
        "across": ACROSS,
        "up": with_unit(shown.error_words, shown.answer.after.strip()),
        "decades": DECADES,
        "floor": floor,
        "none": f"no privacy: {figure(floor)}",
        "worstKnown": shown.worst is not None,
        "worst": "worst case" if shown.worst is not None else NOT_PROVED,
        "alt": "Expected error against ε: sampled, worst case and without privacy.",
    }
