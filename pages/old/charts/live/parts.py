"""Figures as a browser takes them, with the rules by which they follow a hand."""

from __future__ import annotations

import math
from copy import deepcopy
from typing import Any

from dpcore.answers.answer import KindOfAnswer
from dpcore.registry.beside import defined
from pages.old.charts import answers as of_kinds
from pages.old.charts.drawn import DARK_INKS, Drawn
from pages.old.charts.encoded import plain, roughly, text
from pages.old.charts.moving import FUNCTIONS, Moving, named, rule_of, words_of
from pages.old.experiment.error_curve import error_curve
from pages.old.experiment.headlines.base import Headline

_OF_PLOTLY = frozenset({"clickmode", "hoveron", "hovermode", "paper_bgcolor", "plot_bgcolor", "unselected"})


def followed(figure: Drawn, alt: str | Moving, *, there: bool | Moving = True) -> dict[str, Any]:
    """What draws a figure under the hand. ``there``: whether it is seen."""
    made = _Once()
    given = {"figure": plain(_without(figure), roughly), "moves": list(figure.moves()), "alt": rule_of(words_of(alt))}
    drawn = {name: made.kept(one) for name, one in given.items()}
    return drawn | {"parts": made.parts, "inks": DARK_INKS, "there": rule_of(there)}


def _without(figure: Drawn) -> dict[str, Any]:
    """Its dict without what a hand moves, which the browser works out, and what plotly alone reads."""
    ready: Any = deepcopy(figure.ready())
    for part in (ready["layout"], *ready["data"]):
        for name in _OF_PLOTLY & set(part):
            del part[name]
    for place, _ in figure.moves():
        part = ready
        for name in place[:-1]:
            part = part[name]
        part[place[-1]] = None
    return dict(ready)


class _Once:
    """Arrays and rules that occur again, each sent once: ``parts``, which {"part": i} stands for. A rule that is the same is then
    worked out once too."""

    def __init__(self) -> None:
        self.parts: list[Any] = []
        self._known: dict[str, dict[str, int]] = {}

    def kept(self, part: Any) -> Any:
        if isinstance(part, dict):
            made: Any = {name: self.kept(one) for name, one in part.items()}
            return self._put(made) if {"f8", "f4", "u2"} & set(made) else made
        if isinstance(part, (list, tuple)):
            made = [self.kept(one) for one in part]
            return self._put(made) if len(made) > 1 and isinstance(made[0], str) and made[0] in FUNCTIONS else made
        return part

    def _put(self, made: Any) -> dict[str, int]:
        key = text(made)
        if key not in self._known:
            self._known[key] = {"part": len(self.parts)}
            self.parts.append(made)
        return self._known[key]


def of_a_kind(answer: KindOfAnswer) -> bool:
    """Whether charts of this kind of answer can follow a hand."""
    return defined(answer, of_kinds.__name__, "views") is not None


def answers(shown: Headline, view: str, off: float) -> dict[str, Any]:
    """What the chart of a view needs. ``off``: how far off a dot is wrong."""
    if view == of_kinds.ERROR:
        drawn: Any = of_kinds.errors_of(shown, error_curve(shown), shown.error(shown.noise.law))
    else:
        drawn = of_kinds.dots(shown, shown.noise, off) if view == of_kinds.DOTS else of_kinds.described(shown)
    return followed(*drawn, there=named("answered", 1.0))


def said(shown: Headline) -> dict[str, Moving]:
    """What its sentences say, by their slots: under the noise that leads, and ``weaker`` under that of Δ̂."""
    found = of_kinds.said(shown, shown.noise, named("scale", math.nan))
    return found | {"weaker": of_kinds.said(shown, shown.noise, named("sampledScale", math.nan))["reach"]}
