"""What privacy costs: the expected error against ε (Figures 6 and 7 of Rubinstein & Aldà 2017)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure as digits
from pages.old.charts import moving
from pages.old.charts.drawn import (
    BLUE,
    GREEN,
    PURPLE,
    VERMILION,
    Drawn,
    decades,
    figure,
    line,
    no_proved_worst_case,
    scatter,
    with_unit,
)
from pages.old.charts.moving import Moving
from pages.old.experiment.error_curve import ErrorCurve

DECADES = 9  # shown of an error, at most
ACROSS = "ε: less protection to the right"


def errors(
    curve: ErrorCurve, *, epsilon: float, chosen: float, unit: str = "", rule: Callable[[Moving], Moving] | None = None
) -> Drawn:
    """Sampled and worst case, what is left without privacy, and the chosen ε. An error of 0 lies below a logarithmic axis:
    its line runs along the bottom, and the legend says 0. ``rule``: scale -> error, where the chart follows a hand."""
    sampled, worst = _followed(curve, rule)
    values = [curve.sampled] if curve.worst_case is None else [curve.sampled, curve.worst_case]
    nothing = (math.log10(1 / 1.5), math.log10(1.5))  # as of candidates whose scores are all the same: no choice is an error
    bottom, top = error_range(np.concatenate([*values, [curve.no_privacy, chosen]]), nothing)
    proved = curve.worst_case is not None
    traces = [
        line("sampled", curve.epsilons, sampled, BLUE),
        line("worst case", curve.epsilons, worst, VERMILION, dash="longdash") if proved else no_proved_worst_case(),
    ]
    axes = error_axes(curve.what, unit, bottom, top)
    low: Any = 10**bottom
    here = chosen if rule is None else Moving(chosen, rule(moving.named("scale", math.nan)).rule)
    if rule is not None:
        some = [rule(moving.named(name, math.nan) * curve.units) for name in ("leastDelta", "mostDelta")]
        every = *some, worst, curve.no_privacy
        axes["y"]["range"] = [moving.call("errorLow", bottom, DECADES, *every), moving.call("errorHigh", top, DECADES, *every)]
        low = moving.call("power", low, axes["y"]["range"][0])
    floor = moving.joined(*[moving.most(curve.no_privacy, low)] * 2)
    at = moving.named("epsilon", epsilon)
    name = moving.words_of("ε = ", moving.general(at), ": ", moving.figure(here))
    traces += [
        line(f"no privacy: {digits(curve.no_privacy)}", curve.epsilons[[0, -1]], floor, GREEN, dash="dot"),
        scatter(name, moving.joined(at), moving.joined(here), {"color": PURPLE, "size": 12, "symbol": "diamond"}),
    ]
    return figure(traces, **axes)


def _followed(curve: ErrorCurve, rule: Callable[[Moving], Moving] | None) -> tuple[Any, Any]:
    """Both curves, which follow a hand by the rule."""
    if rule is None:
        return curve.sampled, curve.worst_case
    sampled, worst = (rule(moving.named(name, math.nan) * curve.units).rule for name in ("delta", "worst"))
    return Moving(curve.sampled, sampled), Moving(curve.worst_case, worst) if curve.worst_case is not None else math.nan


def error_range(errors: FloatArray, nothing: tuple[float, float]) -> tuple[float, float]:
    """Exponents of ten where a logarithmic axis of these errors begins and ends; ``nothing`` where none is above 0."""
    known = errors[(errors > 0) & np.isfinite(errors)]
    if not known.size:
        return nothing
    top = float(np.log10(known.max() * 1.5))
    return max(float(np.log10(known.min() / 1.5)), top - DECADES), top


def error_axes(what: str, unit: str, bottom: float, top: float) -> dict[str, Any]:
    """Axes of an error against ε, both logarithmic; from ``bottom`` to ``top``, as exponents of ten."""
    every = 1 if top - bottom < 7 else 2
    up = decades(with_unit(what, unit), size=12, range=[bottom, top], exponentformat="power") | {"dtick": every}
    return {"x": decades(ACROSS, tickformat="~g"), "y": up}
