"""How likely a private choice takes each s, over the error that each brings."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpcore.guarantees.words import figure as digits
from dpcore.guarantees.words import percent
from dpcore.plots.people.logarithmic import logarithmic
from dpcore.plots.style import BLUE, GREEN, VERMILION, figure, line
from dpcore.workbench.contributions.private_cap import PrivateCap

NEARLY_ALL = 0.95  # of choices


def chances_of_caps(chosen: PrivateCap, *, unit: str = "") -> tuple[go.Figure, str]:
    """Above, each s's chance as a stem; below, over the same s, the total error with its least marked."""
    caps = np.array([cap.rows for cap in chosen.caps], dtype=np.float64)
    best, gap = chosen.best, np.full(len(caps), np.nan)
    stems = np.stack([np.zeros(len(caps)), chosen.chances, gap], axis=1).ravel()
    traces: list[dict[str, Any]] = [
        {"type": "scatter", "mode": "lines", "x": np.repeat(caps, 3), "y": stems, "line": {"color": BLUE, "width": 2},
         "hoverinfo": "skip", "showlegend": False, "name": ""},
        {"type": "scatter", "mode": "markers", "name": "chance", "x": caps, "y": chosen.chances,
         "marker": {"color": BLUE, "size": 6}, "hovertemplate": "s = %{x:,}: %{y:.2%}<extra>chance</extra>"},
        line("error", caps, chosen.errors, VERMILION, line={"dash": "dash"}, yaxis="y2"),
        {"type": "scatter", "mode": "markers", "name": f"least at s = {caps[best]:,.0f}", "x": caps[[best]],
         "y": chosen.errors[[best]], "yaxis": "y2",
         "marker": {"color": GREEN, "size": 12, "symbol": "circle-open", "line": {"width": 3}}},
    ]  # fmt: skip
    drawn = figure(
        traces, x=logarithmic("rows kept of each person, s", caps, ",.0f") | {"anchor": "y2"},
        y={"domain": [0.56, 1.0], "title": {"text": "chance"}, "tickformat": "~%", "rangemode": "tozero", "nticks": 4},
        yaxis2=logarithmic(f"error ({unit})" if unit else "error", chosen.errors) | {"domain": [0.0, 0.44]},
    )  # fmt: skip
    return drawn, _described(chosen, unit)


def _described(chosen: PrivateCap, unit: str) -> str:
    least, likely = chosen.caps[chosen.best].rows, chosen.caps[chosen.likeliest].rows
    error = f"{digits(float(chosen.errors.min()))}{f' {unit}' if unit else ''}"
    return (
        f"Chance that each s is chosen, above the error that it brings. Most often s = {likely:,} is chosen, in "
        f"{percent(float(chosen.chances.max()))} of choices. The least error is {error}, at s = {least:,}. The error is larger "
        f"than that by {_more(chosen.regret)} on average, and by at most {_more(chosen.regret_within(NEARLY_ALL))} in 19 of 20 "
        "choices."
    )


def _more(regret: float) -> str:
    return f"{digits(100 * regret)} %"
