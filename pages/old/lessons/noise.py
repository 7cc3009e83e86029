"""Noise of a fixed width, and how often a guess from a private answer is right."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.audits.best_guess import in_a_hundred
from dpcore.base.counted import counted
from dpcore.base.types import FloatArray
from dpcore.guarantees import words
from dpcore.guarantees.words import figure
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw
from pages.experiment.scenario import Scenario
from pages.old.charts.lessons import RULER, curves, ruled, untold
from pages.old.experiment.lessons.example import Example
from pages.old.experiment.lessons.step import Asked, Choice, Found, Mark, Step
from pages.old.experiment.lessons.to_try import scenario

ORDER = 2
_LESS, _MORE = 0.5, 5.0  # ε, beside the example's
_SHOWN = 0.98  # of the noise, in a figure


def _law(epsilon: float) -> NoiseLaw:
    law: NoiseLaw = Example(epsilon=epsilon).law()
    return law


def _apart() -> float:
    """Δ̂ of the example: the furthest move that is protected."""
    return Example().sample().order_statistic


def _times(epsilon: float) -> float:
    """Of a hundred guesses, how many are right."""
    return in_a_hundred(_law(epsilon), _apart())


def _guesser() -> Found:
    of = Example()
    return Found(
        truth=_times(of.epsilon),
        figure=lambda: _with_ruler(of.epsilon, told=True),
        asked=lambda: Asked(*_with_ruler(of.epsilon, told=False)),
        numbers={
            "apart": figure(_apart()),
            "epsilon": figure(of.epsilon),
            "right": figure(_times(of.epsilon)),
            "most": words.guess(of.privacy),
        },
    )


def _two_tables(epsilon: float) -> tuple[Any, str]:
    """How likely each private answer is with one table, and with its neighbour."""
    law, apart = _law(epsilon), _apart()
    reach = law.half_width(_SHOWN)
    at = np.linspace(-reach, apart + reach, 400)
    lines = (("first table", at, law.density(at)), ("its neighbour", at, law.density(at - apart)))
    chart = curves(lines, x="private answer, from that of the first table (years)", y="how likely", likelihood=True)
    return chart, (
        f"How likely each private answer is with two neighbouring tables, whose own answers are "
        f"{counted(figure(apart), ' years')} apart, at "
        f"ε = {figure(epsilon)}. The two curves overlap, and cross halfway."
    )


def _with_ruler(epsilon: float, *, told: bool) -> tuple[Any, str]:
    """The same above a ruler of right guesses."""
    chart, alt = _two_tables(epsilon)
    truth = _times(epsilon)
    ruler = f" A ruler below goes from a coin to a sure guess{f'; a mark stands at {figure(truth)}' if told else ''}."
    return ruled(chart, "right guesses in a hundred (a coin: 50)", truth if told else None), alt + ruler


def _half() -> Found:
    of = Example()
    reach = [_law(epsilon).half_width(SHARE_WITHIN) for epsilon in (of.epsilon, _LESS)]
    return Found(
        truth="twice",
        figure=lambda: _two_noises(of.epsilon, _LESS),
        asked=lambda: Asked(
            untold(_two_noises(of.epsilon, _LESS)[0], f"ε = {figure(of.epsilon)}"),
            f"How likely noise is at ε = {figure(of.epsilon)}. 95 in 100 lie within ± {counted(figure(reach[0]), ' years')}.",
        ),
        numbers={
            "epsilon": figure(of.epsilon),
            "less": figure(_LESS),
            "narrow": figure(reach[0]),
            "wide": figure(reach[1]),
            "right": figure(_times(_LESS)),
            "before": figure(_times(of.epsilon)),
        },
    )


def _two_noises(*epsilons: float) -> tuple[Any, str]:
    laws = [_law(epsilon) for epsilon in epsilons]
    at: FloatArray = np.linspace(-1, 1, 401) * max(law.half_width(_SHOWN) for law in laws)
    lines = tuple((f"ε = {figure(epsilon)}", at, law.density(at)) for epsilon, law in zip(epsilons, laws, strict=True))
    chart = curves(lines, x="noise (years)", y="how likely", likelihood=True)
    widths = ", ".join(
        f"± {counted(figure(law.half_width(SHARE_WITHIN)), ' years')} at {name}"
        for (name, *_), law in zip(lines, laws, strict=True)
    )
    return chart, f"How likely each noise is. 95 in 100 lie within {widths}."


def _large() -> Found:
    of = Example()
    return Found(
        truth=_times(_MORE),
        figure=lambda: _with_ruler(_MORE, told=True),
        asked=lambda: Asked(*_with_ruler(_MORE, told=False)),
        numbers={
            "more": figure(_MORE),
            "epsilon": figure(of.epsilon),
            "right": figure(_times(_MORE)),
            "reach": figure(_law(_MORE).half_width(SHARE_WITHIN)),
            "before": figure(_law(of.epsilon).half_width(SHARE_WITHIN)),
        },
    )


def to_try() -> Scenario:
    """The example with less ε."""
    return scenario(Example(epsilon=_LESS))


STEPS = {
    "guesser": Step(Mark(50, 100, 1, 90, "{} in 100", RULER), _guesser),
    "half": Step(Choice(), _half),
    "large": Step(Mark(50, 100, 1, 75, "{} in 100", RULER), _large),
}
