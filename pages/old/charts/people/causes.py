"""The error of one answer as bars: the whole of it, and each of its causes."""

from __future__ import annotations

import numpy as np

from dpcore.guarantees.words import figure as digits
from pages.old.charts import drawn
from pages.old.charts.drawn import BLUE, SILENT, Drawn, figure, in_unit, with_unit
from pages.old.charts.people.errors import BY_THE_CAP, larger_than
from pages.old.experiment.contributions.predict import Prediction, split

_LEAST = 1e-3  # of the whole error: a smaller cause would be no bar
_SHORT = {BY_THE_CAP: "left out", "which rows are kept": "rows kept"}  # as there is room for, under a bar


def causes_of_error(chosen: Prediction, *, unit: str = "") -> tuple[Drawn, str]:
    """Of one configuration; a cause smaller than a thousandth of the whole error has no bar. ``ADDS_UP`` holds of them too."""
    parts = split([chosen])
    whole = float(parts.total[0])
    found = [(name, colour, float(sizes[0])) for name, colour, _, sizes in larger_than(_LEAST * whole, parts, BY_THE_CAP)]
    bars = [("whole error", BLUE, whole), *sorted(found, key=lambda one: -one[2])]
    names = [_SHORT.get(name, name) for name, _, _ in bars]
    top = 1.2 * max(size for *_, size in bars) or 1.0
    places, sizes = np.arange(len(bars), dtype=np.float64), np.array([size for *_, size in bars])
    told = {"width": 0.7, "hovertemplate": "%{y:.3g}<extra></extra>"}
    above = {"type": "scatter", "mode": "text", "text": [digits(size) for size in sizes], "textposition": "top center"}
    traces = [
        drawn.bar("error", places, sizes, {"color": [colour for _, colour, _ in bars]}, **told),
        above | {"x": places, "y": sizes} | SILENT,
    ]
    x = drawn.axis("", range=[-0.6, len(bars) - 0.4]) | drawn.names_along(names, len(names))
    y = drawn.axis(with_unit("error", unit), range=[0, top], nticks=5, exponentformat="SI")
    made = figure(traces, x=x, y=y, showlegend=False, margin={"t": 16, "b": 32})
    said = ", ".join(f"{name} {digits(size)}" for name, _, size in bars[1:])
    return made, f"Expected error, {in_unit(whole, unit)}, beside its causes: {said or 'none'}."
