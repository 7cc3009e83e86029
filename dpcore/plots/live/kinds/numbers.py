"""Numbers: of one, fifty dots and a density; of several, bars or marks with whiskers. All noise is in units of its scale."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.guarantees.words import figure
from dpcore.mechanisms.response_law import NoiseLaw
from dpcore.plots.fifty_dots import DOTS, of_noise
from dpcore.plots.groups import MOST_DRAWN
from dpcore.plots.live.encoded import exactly, roughly
from dpcore.plots.live.side_by_side import of_scale_one, over_names
from dpcore.plots.responses import SIZED_TO, UP_SEVERAL, one_private, published_in
from dpcore.plots.unproved import NOT_PROVED
from dpcore.workbench.headlines.base import SHARE_WITHIN, Headline
from dpcore.workbench.headlines.numbers import NumbersHeadline, joint_half_width

_REACH, _POINTS = 30.0, 241


def views(shown: NumbersHeadline, off: float) -> dict[str, dict[str, Any]]:
    """What each chart needs; none for a law that adds no noise, or for more numbers than can be told apart."""
    if not isinstance(shown.noise.law, NoiseLaw) or shown.exact.value.size > MOST_DRAWN:
        return {}
    return {"answers": _several(shown)} if shown.exact.value.size > 1 else _one(shown, off)


def _one(shown: Headline, off: float) -> dict[str, dict[str, Any]]:
    one: Any = of_scale_one(shown.noise).law
    exact, answer = shown.exact, shown.answer
    at = np.sinh(np.linspace(-1, 1, _POINTS) * np.arcsinh(_REACH))  # closer together where the density bends
    common = {"raw": float(exact.value[0]), "own": exact.name, "title": published_in(answer.unit)}
    around = f"around the one {exact.of}"
    return {
        "dots": common | {
            "quantiles": exactly(np.sort(of_noise(one))), "off": off, "offSaid": counted(figure(off), answer.after),
            "dots": f"{DOTS} equally likely answers", "alt": f"{DOTS} equally likely private answers {around}, as dots.",
        },
        "density": common | {
            "at": roughly(at), "height": roughly(one.density(at)), "peak": float(one.density(np.zeros(1))[0]),
            "worst": "worst case" if shown.worst is not None else NOT_PROVED, "worstKnown": shown.worst is not None,
            "alt": f"How likely private answers are, {around}.",
        },
    }  # fmt: skip


def _several(shown: NumbersHeadline) -> dict[str, Any]:
    """The noise of one private answer, sized to Δ̂ and to the worst case: the same as in the chart that stays."""
    exact, zero = shown.exact, np.zeros_like(shown.exact.value)
    noises = [of_scale_one(noise) for noise in (shown.noise, shown.worst) if noise is not None]
    one: Any = noises[0].law
    drawn = [one_private(noise, zero, shown.scenario.seed, place) for place, noise in enumerate(noises)]
    return over_names(shown.labels, exact.value) | {
        "up": UP_SEVERAL, "own": exact.name, "bars": bool(getattr(shown.answer, "bars", False)),
        "private": [{"name": name, "noise": exactly(noise)} for name, noise in zip(SIZED_TO, drawn, strict=False)],
        "half": one.half_width(SHARE_WITHIN), "lacks": "" if shown.worst is not None else NOT_PROVED,
        "alt": f"Possible private answers around the one {exact.of}.",
    }  # fmt: skip


def said(shown: NumbersHeadline) -> dict[str, Any]:
    """Of a ± in units of the noise's scale, ``half``; and of what all numbers keep within at once, ``all``."""
    one: Any = of_scale_one(shown.noise).law
    after, together = shown.answer.after, joint_half_width(one, shown.exact.value.size, SHARE_WITHIN)
    return {"half": one.half_width(SHARE_WITHIN), "all": together, "after": after, "one": counted("1", after)[1:]}


def follows(shown: NumbersHeadline, noise: Any) -> dict[str, str]:
    """What of its sentences the browser puts in, as it is under this noise."""
    reach = counted(figure(joint_half_width(noise.law, shown.exact.value.size, SHARE_WITHIN)), shown.answer.after)
    return {"reach": shown.short_reach(noise), "together": f"± {reach}"}
