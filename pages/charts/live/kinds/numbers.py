"""Numbers: of one, fifty dots and a density; of several, bars or marks with whiskers. All noise is in units of its scale."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.guarantees.words import figure
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw
from pages.charts.drawn import BLUE, GREEN, GREY, NOT_PROVED, VERMILION
from pages.charts.groups import MOST_DRAWN
from pages.charts.live.encoded import exactly, unit
from pages.charts.live.kinds import BY, Beside, errors, of_scale_one, side_by_side
from pages.charts.responses import DOTS, SIZED_TO, UP_SEVERAL, of_noise, one_private, published_in
from pages.experiment.headlines.base import Headline
from pages.experiment.headlines.numbers import NumbersHeadline, joint_half_width

_REACH, _POINTS = 30.0, 161
_ROOM, _APART = 0.8, 0.24  # of a place that its bars take, and between two marks


def names(shown: NumbersHeadline) -> tuple[str, ...]:
    """None for a law that adds no noise, or for more numbers than can be told apart."""
    if not isinstance(shown.noise.law, NoiseLaw) or shown.exact.value.size > MOST_DRAWN:
        return ()
    return ("answers", "error") if shown.exact.value.size > 1 else ("dots", "density", "error")


def views(shown: NumbersHeadline, off: float) -> dict[str, dict[str, Any]]:
    """What each chart needs."""
    one: Any = of_scale_one(shown.noise).law
    made = {"answers": _several(shown)} if shown.exact.value.size > 1 else _of_one_number(shown, off)
    return made | {"error": errors(shown) | {"mean": one.mean_error}}


def _of_one_number(shown: Headline, off: float) -> dict[str, dict[str, Any]]:
    one: Any = of_scale_one(shown.noise).law
    exact, answer = shown.exact, shown.answer
    at = np.sinh(np.linspace(-1, 1, _POINTS) * np.arcsinh(_REACH))  # closer together where the density bends
    common = {"raw": float(exact.value[0]), "own": exact.name, "title": published_in(answer.unit)}
    around = f"around the one {exact.of}"
    return {
        "dots": common
        | {
            "quantiles": exactly(np.sort(of_noise(one))),
            "off": off,
            "offSaid": counted(figure(off), answer.after),
            "dots": f"{DOTS} equally likely answers",
            "alt": f"{DOTS} equally likely private answers {around}, as dots.",
        },
        "density": common
        | {
            "at": exactly(at),
            "height": exactly(one.density(at)),
            "peak": float(one.density(np.zeros(1))[0]),
            "worst": "worst case" if shown.worst is not None else NOT_PROVED,
            "worstKnown": shown.worst is not None,
            "alt": f"How likely private answers are, {around}.",
        },
    }


def _several(shown: NumbersHeadline) -> dict[str, Any]:
    """The noise of one private answer, sized to Δ̂ and to the worst case: the same as in the chart that stays."""
    exact, zero, bars = shown.exact, np.zeros_like(shown.exact.value), bool(facts(shown.answer).bars)
    noises = [of_scale_one(noise) for noise in (shown.noise, shown.worst) if noise is not None]
    wide = _ROOM / (len(noises) + 1) if bars else 0.0
    first = -wide * len(noises) / 2
    series = [Beside(name=exact.name, colour=GREEN, symbol="flat", wide=wide, apart=first)]
    for place, (noise, name, colour, by) in enumerate(zip(noises, SIZED_TO, (BLUE, VERMILION), BY, strict=False)):
        apart = first + wide * (place + 1) if bars else _APART * (place - (len(noises) - 1) / 2)
        drawn, one = one_private(noise, zero, shown.scenario.seed, place), noise.law
        assert isinstance(one, NoiseLaw)
        series.append(
            Beside(
                name=name,
                colour=colour,
                symbol="circle",
                wide=wide,
                apart=apart,
                by=by,
                noise=drawn,
                half=one.half_width(SHARE_WITHIN),
                ends={"colour": GREY, "width": 1},
            )
        )
    return side_by_side(
        shown.labels,
        exact.value,
        series,
        up=UP_SEVERAL,
        alt=f"Possible private answers around the one {exact.of}.",
        worst=shown.worst is not None,
        zero=bars,
    )


def said(shown: NumbersHeadline) -> dict[str, Any]:
    """Of a ± in units of the noise's scale, ``half``; and of what all numbers keep within at once, ``all``."""
    one: Any = of_scale_one(shown.noise).law
    together = joint_half_width(one, shown.exact.value.size, SHARE_WITHIN)
    return {"half": one.half_width(SHARE_WITHIN), "all": together} | unit(shown.answer.after)


def follows(shown: NumbersHeadline, noise: Any) -> dict[str, str]:
    """What of its sentences the browser puts in, as it is under this noise."""
    reach = counted(figure(joint_half_width(noise.law, shown.exact.value.size, SHARE_WITHIN)), shown.answer.after)
    return {"reach": shown.short_reach(noise), "together": f"± {reach}"}
