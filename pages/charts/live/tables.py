"""The tables that everything under the hand is looked up in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.norms import Norm
from dpcore.base.types import FloatArray
from dpcore.guarantees.guesser import Guesser
from dpcore.guarantees.operating_points import Bound
from dpcore.guarantees.words import figure
from dpcore.sampling.sampler import SensitivitySample
from pages.charts.accuracy_axis import ACCURACIES, title
from pages.charts.live.encoded import drawn, exactly
from pages.charts.operating_points import ACROSS, GAMMAS, LOOKS, NAMES, UP, confidence_for, least_m, shown_bounds
from pages.charts.sampler import BAND, band, edge_of, moved, staircase
from pages.experiment.live.tables import GammaTable, SensitivityTable


def grids(by_gamma: GammaTable, units: tuple[FloatArray, FloatArray], *, edge: FloatArray | None = None) -> dict[str, Any]:
    """What no trial changes. ``units``: ε and the noise's scale at a sensitivity of 1. ``edge``: how often the best guesser is
    right at the edge of what is protected, for each ε."""
    made: dict[str, Any] = {"gamma": by_gamma.gammas.tolist(), "epsilon": units[0].tolist(), "unit": exactly(units[1])}
    return made if edge is None else made | {"edge": exactly(edge)}


def found(
    by_gamma: GammaTable, *, drawn: SensitivityTable | None = None, worst: float | None = None, proved: FloatArray | None = None
) -> dict[str, Any]:
    """What hangs on the trials. ``proved``: where the worst case leads, 1 or 0 for each γ."""
    absent = dict.fromkeys(("delta", "resolution", "covered", "proved"))  # else those of another part would stand
    made: dict[str, Any] = {
        "m": by_gamma.m,
        "k": by_gamma.orders.astype(int).tolist(),
        "needs": np.trim_zeros(by_gamma.needs, "b").astype(int).tolist(),
        "worst": worst,
    } | absent
    if drawn is not None:
        made |= {"delta": exactly(drawn.values), "resolution": drawn.resolution}
        if (drawn.covered != by_gamma.orders).any():  # as where distances are the same
            made["covered"] = drawn.covered.astype(int).tolist()
    if proved is not None:
        made["proved"] = "".join("01"[int(leads)] for leads in proved)
    return made


# How far the target moves, for every γ: what stays of its chart, and where a guesser's accuracies lie.


_KNOTS, _TRUE = 240, 120  # vertices of the staircase, and of the true curve


def sensitivity(
    sample: SensitivitySample[Norm],
    *,
    true: Callable[[FloatArray], FloatArray] | None,
    true_name: str,
    worst: float | None,
    unit: str,
    alt: str,
    guesser: Guesser | None,
    scale: float,
) -> dict[str, Any]:
    """As ``pages.charts.sensitivity_cdf`` draws it, without what γ and ε move. ``scale``: of the noise that the guesser sees."""
    ordered = np.sort(sample.distances)
    right = edge_of(sample, worst)
    x, steps = staircase(ordered, right, most=_KNOTS)
    _, low, high = band(ordered, right, most=_KNOTS)
    made: dict[str, Any] = {
        "title": moved(unit),
        "right": right,
        "band": BAND,
        "trials": counted(len(ordered), " trials"),
        "alt": alt,
        "knots": drawn(x[1:-1:2]),
        "heights": drawn(steps[2::2]),
        "low": drawn(low),
        "high": drawn(high),
        "accuracies": None if guesser is None else _accuracies(guesser, scale),
    }
    if true is not None:
        made["known"] = {"name": true_name, "y": drawn(true(np.linspace(0, right, _TRUE)))}
    if worst is not None:
        made["worst"] = {"value": worst, "name": f"worst case {figure(worst)}"}
    return made


def _accuracies(guesser: Guesser, scale: float) -> dict[str, Any]:
    """The axis of a guesser: the distances at which he is right so often, in units of the noise's scale."""
    far = [(accuracy, guesser.distance(accuracy) / scale) for accuracy in ACCURACIES] if guesser.in_proportion and scale else []
    return {"title": title(guesser), "ratios": far}


# What trials cost: the curves of the bounds, which no choice of γ moves.


_ROOM = 1.25  # beside the outermost points


def trials(bound: Bound, confidence: float | None, *, most_m: int, alt: str) -> dict[str, Any]:
    """As ``pages.charts.operating_points`` draws it. Points of more than ``most_m`` trials are hollow."""
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
