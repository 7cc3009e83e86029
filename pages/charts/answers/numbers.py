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
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw
from pages.charts import moving
from pages.charts.answers import ANSWERS, DENSITY, ERROR, Described
from pages.charts.answers import DOTS as AS_DOTS
from pages.charts.drawn import Drawn
from pages.charts.fifty_dots import DOTS, LEVELS, beyond, fifty_dots
from pages.charts.groups import MOST_DRAWN
from pages.charts.moving import Moving, value_of
from pages.charts.moving import Numbers as Values
from pages.charts.noise_rules import even, follows, half_width, mean_error
from pages.charts.responses import responses
from pages.experiment.headlines.base import Headline
from pages.experiment.headlines.numbers import NumbersHeadline, joint_share


def chart(shown: NumbersHeadline) -> Described:
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
    at = moving.at_epsilon(scenario.epsilon)
    return figure, moving.words_of(f"Possible private answers around the one {exact.of}, ", at, ".")


def views(shown: NumbersHeadline) -> tuple[str, ...]:
    """None under a law that adds no noise, nor of more numbers than can be told apart."""
    if not follows(shown.noise.law) or shown.exact.value.size > MOST_DRAWN:
        return ()
    return (ANSWERS, ERROR) if shown.exact.value.size > 1 else (AS_DOTS, DENSITY, ERROR)


def said(shown: NumbersHeadline, noise: Calibrated[Any], scale: Moving) -> dict[str, Moving]:
    """The ± of a number, and of all numbers at once."""
    law, after, size = noise.law, shown.answer.after, shown.exact.value.size
    reach = moving.words_of("± ", moving.counted(half_width(law, SHARE_WITHIN, scale), after))
    every = half_width(law, joint_share(size, SHARE_WITHIN), scale)
    return {
        "reach": Moving(shown.short_reach(noise), reach.rule),
        "together": moving.words_of("± ", moving.counted(every, after)),
    }


def error_by_scale(shown: NumbersHeadline) -> Any:
    """E|noise|."""
    return lambda scale: mean_error(shown.noise.law, scale)


def density(shown: Headline, noise: Calibrated[Any]) -> tuple[FloatArray, FloatArray] | None:
    """Of one number: the noise around it."""
    law = noise.law
    if shown.exact.value.size > 1 or not isinstance(law, NoiseLaw):
        return None
    offsets = np.linspace(-5 * law.scale, 5 * law.scale, 161)
    return float(shown.exact.value[0]) + offsets, law.density(offsets)


def dots(shown: Headline, noise: Calibrated[Any], off: float) -> Described | None:
    """Fifty private answers of one number, and how many are further off than that; None for several numbers."""
    exact, law = shown.exact, noise.law
    if exact.value.size > 1 or not follows(law):
        return None
    return dotted(shown, float(exact.value[0]), even(law, LEVELS, moving.named("scale", law.scale)), off)


def dotted(shown: Headline, raw: float, offsets: Values, off: float) -> Described:
    """The dots of any single number, and a description. ``offsets`` rise."""
    exact, answer = shown.exact, shown.answer
    figure = fifty_dots(raw, offsets, off=off, raw_name=exact.name, unit=answer.unit)
    return figure, moving.words_of(
        f"{DOTS} equally likely private answers around the one {exact.of}, ",
        moving.at_epsilon(shown.scenario.epsilon),
        ", as dots; ",
        moving.whole(moving.call("beyond", beyond(value_of(offsets), off), offsets, off)),
        f" of {DOTS} are further off than {counted(digits(off), answer.after)}.",
    )


def published(response: Any, answer: KindOfAnswer, within: Within = None) -> Drawn | None:
    """Numbers are read, and not drawn."""
    return None
