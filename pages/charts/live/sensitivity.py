"""How far the target moves, for every γ: what stays of its chart, and where a guesser's accuracies lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.norms import Norm
from dpcore.base.types import FloatArray
from dpcore.guarantees.guesser import Guesser
from dpcore.guarantees.words import figure
from dpcore.plots.accuracy_axis import ACCURACIES, title
from dpcore.plots.sampler import BAND, edge_of, moved
from dpcore.plots.steps import band, staircase
from dpcore.sampling.sampler import SensitivitySample
from pages.charts.live.encoded import drawn

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
    """As ``plots.sensitivity_cdf`` draws it, without what γ and ε move. ``scale``: of the noise that the guesser sees."""
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
