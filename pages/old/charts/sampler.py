"""What the sampler saw: the sensitivity CDF (Figure 1 of Rubinstein & Aldà 2017)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.norms import Norm
from dpcore.base.types import FloatArray
from dpcore.guarantees.operating_points import half_width
from dpcore.guarantees.words import figure as digits
from dpcore.sampling.sampler import SensitivitySample
from pages.old.charts.drawn import BLUE, GREEN, GREY, VERMILION, Drawn, area_between, axis, faded, figure, line

BAND = "95 %, whole curve"  # as short as the legend of a narrow chart needs it


def sensitivity_cdf(
    sample: SensitivitySample[Norm], *, true: Callable[[FloatArray], FloatArray], true_name: str, unit: str
) -> Drawn:
    """The empirical CDF of finite distances with its DKW band, the true one, and the inversion at k.

    The band is Φ_m ± √(log(2/0.05)/(2m)) (Massart 1990): in 95 % of samples it holds the true CDF everywhere at once.
    """
    ordered, m = np.sort(sample.distances), len(sample.distances)
    value, share = sample.order_statistic, sample.point.k / m
    right = 1.05 * float(ordered[-1])
    across = np.concatenate([[0.0], np.repeat(ordered, 2), [right]])
    up = np.repeat(np.arange(m + 1) / m, 2)
    low, high = np.maximum(up - half_width(m), 0), np.minimum(up + half_width(m), 1)
    points = np.linspace(0, right, 200)
    inversion = line(f"Δ̂ = {digits(value)}", (0, value, value), (share, share, 0), GREEN, dash="dash")
    traces = [
        *area_between(BAND, across, low, high, GREY, faded(GREY, 0.25)),
        line(true_name, points, true(points), BLUE),
        line(counted(m, " trials"), across, up, VERMILION, dash="dot"),
        inversion | {"mode": "lines+markers", "marker": {"size": [0, 9, 0], "color": GREEN, "opacity": 1}},
    ]
    x = axis(f"how far the answer moves ({unit})", range=[0, right], exponentformat="power", nticks=6)
    return figure(traces, x=x, y=axis("share of changes", range=[0, 1.02]))
