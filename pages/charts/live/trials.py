"""What trials cost: the curves of the bounds, which no choice of γ moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.guarantees.operating_points import Bound
from dpcore.plots.operating_points import ACROSS, GAMMAS, LOOKS, NAMES, UP, confidence_for, least_m, shown_bounds
from pages.charts.live.encoded import exactly

_ROOM = 1.25  # beside the outermost points


def trials(bound: Bound, confidence: float | None, *, most_m: int, alt: str) -> dict[str, Any]:
    """As ``plots.operating_points`` draws it. Points of more than ``most_m`` trials are hollow."""
    curves: list[dict[str, Any]] = []
    largest = most_m
    for each in shown_bounds(bound):
        colour, dash = LOOKS[each]
        sizes = np.array(least_m(each, confidence_for(each, confidence)), dtype=np.float64)
        largest = max(largest, int(sizes.max()))
        named = {"name": NAMES[each], "colour": colour, "dash": dash}
        curves.append(named | {"gamma": exactly(np.array(GAMMAS)), "m": exactly(sizes)})
    return {
        "across": ACROSS,
        "up": UP,
        "gammas": [GAMMAS[0] / _ROOM, GAMMAS[-1] * _ROOM],
        "trials": [1 / _ROOM, _ROOM * largest],
        "curves": curves,
        "most": most_m,
        "over": f"over {most_m:,} trials" if largest > most_m else None,
        "why": f"More than {most_m:,} trials: not offered here",
        "alt": alt,
    }
