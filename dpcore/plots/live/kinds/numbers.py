"""One number: fifty dots and a density, of noise in units of its scale."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.guarantees.words import figure
from dpcore.mechanisms.response_law import NoiseLaw
from dpcore.plots.fifty_dots import DOTS, of_noise
from dpcore.plots.live.encoded import exactly, roughly
from dpcore.plots.live.errors import errors
from dpcore.plots.responses import published_in
from dpcore.plots.unproved import UNPROVED
from dpcore.workbench.headlines.base import SHARE_WITHIN, Headline

_REACH, _POINTS = 30.0, 241


def views(shown: Headline, off: float) -> dict[str, dict[str, Any]]:
    """What each chart needs; none for several numbers, or for a law that adds no noise."""
    law: Any = shown.noise.law
    if shown.exact.value.size > 1 or not isinstance(law, NoiseLaw):
        return {}
    one: Any = replace(law, scale=1.0)  # type: ignore[type-var]
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
            "worst": "worst case" if shown.worst is not None else UNPROVED, "worstKnown": shown.worst is not None,
            "alt": f"How likely private answers are, {around}.",
        },
        "error": errors(shown) | {"mean": one.mean_error},
    }  # fmt: skip


def said(shown: Headline) -> dict[str, Any]:
    """Of a ± in units of the noise's scale."""
    law: Any = shown.noise.law
    return {"half": replace(law, scale=1.0).half_width(SHARE_WITHIN), "after": shown.answer.after}
