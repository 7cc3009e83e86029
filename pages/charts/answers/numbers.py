"""Numbers: dots or densities of one, bars or marks of several."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.answers.answer import KindOfAnswer, Within
from dpcore.answers.numbers import Numbers
from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure as digits
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import NoiseLaw
from pages.charts.drawn import Drawn
from pages.charts.responses import DOTS, beyond, fifty_dots, of_noise, responses
from pages.experiment.headlines.base import Headline


def chart(shown: Headline) -> tuple[Drawn, str]:
    """Possible private answers, and a description."""
    scenario, exact, answer = shown.scenario, shown.exact, shown.answer
    labels = Numbers(answer.labels).names(exact.value.size)
    figure = responses(
        exact.value,
        shown.noise,
        shown.worst,
        labels=labels,
        raw_name=exact.name,
        unit=answer.unit,
        bars=facts(answer).bars,
        seed=scenario.seed,
    )
    return figure, f"Possible private answers around the one {exact.of}, at ε = {scenario.epsilon:g}."


def density(shown: Headline, noise: Calibrated[Any]) -> tuple[FloatArray, FloatArray] | None:
    """Of one number: the noise around it."""
    law = noise.law
    if shown.exact.value.size > 1 or not isinstance(law, NoiseLaw):
        return None
    offsets = np.linspace(-5 * law.scale, 5 * law.scale, 161)
    return float(shown.exact.value[0]) + offsets, law.density(offsets)


def dots(shown: Headline, noise: Calibrated[Any], off: float) -> tuple[Drawn, str] | None:
    """Fifty private answers of one number, and how many are further off than that; None for several numbers."""
    exact, law = shown.exact, noise.law
    if exact.value.size > 1 or not isinstance(law, NoiseLaw):
        return None
    return dotted(shown, float(exact.value[0]), of_noise(law), off)


def dotted(shown: Headline, raw: float, offsets: FloatArray, off: float) -> tuple[Drawn, str]:
    """The dots of any single number, and a description."""
    exact, answer = shown.exact, shown.answer
    figure = fifty_dots(raw, offsets, off=off, raw_name=exact.name, unit=answer.unit)
    return figure, (
        f"{DOTS} equally likely private answers around the one {exact.of}, at ε = {shown.scenario.epsilon:g}, as dots; "
        f"{beyond(offsets, off)} of {DOTS} are further off than {counted(digits(off), answer.after)}."
    )


def published(response: Any, answer: KindOfAnswer, within: Within = None) -> Drawn | None:
    """Numbers are read, and not drawn."""
    return None
