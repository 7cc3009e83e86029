"""Numbers: dots or densities of one, bars or marks of several."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.answers.numbers import Numbers
from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure as digits
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw
from pages.old.charts import moving
from pages.old.charts.answers import ANSWERS, DENSITY, ERROR, Described
from pages.old.charts.answers import DOTS as AS_DOTS
from pages.old.charts.fifty_dots import DOTS, LEVELS, beyond, fifty_dots
from pages.old.charts.groups import MOST_DRAWN
from pages.old.charts.moving import Moving, value_of
from pages.old.charts.moving import Numbers as Values
from pages.old.charts.noise_rules import even, follows, half_width, mean_error
from pages.old.charts.responses import responses
from pages.old.experiment.headlines.base import Headline
from pages.old.experiment.headlines.numbers import NumbersHeadline, joint_share


def chart(shown: NumbersHeadline) -> Described:
    """Possible private answers, and a description."""
    exact, answer, size = shown.exact, shown.answer, shown.exact.value.size
    labels, bars, seed = Numbers(answer.labels).names(size), facts(answer).bars, shown.scenario.seed
    looks: dict[str, Any] = {"labels": labels, "raw_name": exact.name, "unit": answer.unit, "bars": bars, "seed": seed}
    at = moving.at_epsilon(shown.scenario.epsilon)
    drawn = responses(exact.value, shown.noise, shown.worst, **looks)
    return drawn, moving.words_of(f"Possible private answers around the one {exact.of}, ", at, ".")


def views(shown: NumbersHeadline) -> tuple[str, ...]:
    """None under a law that adds no noise, nor of more numbers than can be told apart."""
    if not follows(shown.noise.law) or shown.exact.value.size > MOST_DRAWN:
        return ()
    return (ANSWERS, ERROR) if shown.exact.value.size > 1 else (AS_DOTS, DENSITY, ERROR)


def said(shown: NumbersHeadline, noise: Calibrated[Any], scale: Moving) -> dict[str, Moving]:
    """The ± of a number, and of all numbers at once."""
    shares = SHARE_WITHIN, joint_share(shown.exact.value.size, SHARE_WITHIN)
    half, every = (half_width(noise.law, share, scale) for share in shares)
    return plus_minus(shown, noise, half, every)


def plus_minus(shown: Any, noise: Calibrated[Any], half: Moving, every: Moving) -> dict[str, Moving]:
    """Of one of the numbers, and of all at once."""
    reach = moving.words_of("± ", moving.distance(half, shown.answer.after))
    together = moving.words_of("± ", moving.counted(every, shown.answer.after))
    return {"reach": Moving(shown.short_reach(noise), reach.rule), "together": together}


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
    many = moving.whole(moving.call("beyond", beyond(value_of(offsets), off), offsets, off))
    looks: dict[str, Any] = {"raw_name": shown.exact.name, "unit": shown.answer.unit}
    return fifty_dots(raw, offsets, off=off, **looks), moving.words_of(
        f"{DOTS} equally likely private answers around the one {shown.exact.of}, ",
        moving.at_epsilon(shown.scenario.epsilon),
        ", as dots; ",
        many,
        f" of {DOTS} are further off than {counted(digits(off), shown.answer.after)}.",
    )
