"""What privacy costs: the expected error against ε (Figures 6 and 7 of Rubinstein & Aldà 2017)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.guarantees.words import figure as digits
from dpcore.plots.style import BLUE, GREEN, PURPLE, VERMILION, figure, line
from dpcore.plots.unproved import no_proved_worst_case
from dpcore.workbench.error_curve import ErrorCurve

if TYPE_CHECKING:
    import plotly.graph_objects as go

DECADES = 9  # shown of an error, at most
ACROSS = "ε: less protection to the right"


def errors(curve: ErrorCurve, *, epsilon: float, chosen: float, unit: str = "") -> go.Figure:
    """Sampled and worst case, what is left without privacy, and the chosen ε. An error of 0 lies below a logarithmic axis:
    its line runs along the bottom, and the legend says 0."""
    values = [curve.sampled] if curve.worst_case is None else [curve.sampled, curve.worst_case]
    positive = np.concatenate([*values, [curve.no_privacy, chosen]])
    positive = positive[(positive > 0) & np.isfinite(positive)]
    if not positive.size:  # as of candidates whose scores are all the same: no choice among them is an error
        positive = np.ones(1)
    bottom, top = (float(np.log10(end)) for end in (positive.min() / 1.5, positive.max() * 1.5))
    bottom = max(bottom, top - DECADES)
    traces: list[dict[str, Any]] = [line("sampled", curve.epsilons, curve.sampled, BLUE)]
    if curve.worst_case is not None:
        traces.append(line("worst case", curve.epsilons, curve.worst_case, VERMILION, line={"dash": "longdash"}))
    else:
        traces.append(no_proved_worst_case())
    floor = np.full(2, max(curve.no_privacy, 10**bottom))
    ends = curve.epsilons[[0, -1]]
    traces += [
        line(f"no privacy: {digits(curve.no_privacy)}", ends, floor, GREEN, line={"dash": "dot"}),
        {
            "type": "scatter",
            "mode": "markers",
            "name": f"ε = {epsilon:g}: {digits(chosen)}",
            "x": [epsilon],
            "y": [chosen],
            "marker": {"color": PURPLE, "size": 12, "symbol": "diamond"},
        },
    ]
    return figure(
        traces,
        x={"title": {"text": ACROSS}, "type": "log", "tickformat": "~g", "dtick": 1},
        y={
            "title": {"text": up(curve.what, unit), "font": {"size": 12}},
            "type": "log",
            "range": [bottom, top],
            "exponentformat": "power",
            "dtick": 1 if top - bottom < 7 else 2,
        },
    )


def up(what: str, unit: str) -> str:
    """What the axis of errors says."""
    return what + (f" ({unit})" if unit else "")
