"""The ε that others chose as marks on one axis, in a row for each unit of protection: no two units are compared unseen."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure as digits
from pages.charts.drawn import BLUE, GREY, PURPLE, SILENT, VERMILION, Drawn, decades, figure, line, scatter, shown
from pages.charts.made_up_table import heights
from pages.experiment.registered import PROTECTED, Deployment, Registered

_LOOKS = {  # name, colour and mark of each model
    "Central": ("noise by the holder", BLUE, "circle"),
    "Local": ("noise on each device", VERMILION, "diamond-open"),
    "Varies": ("either", GREY, "square-open"),
}
_WIDE, _HIGH = 0.045, 0.2  # of a mark: powers of ten, and rows
_AROUND, _ROW = 116, 54  # pixels: what is around all rows, and one row
_LEAST, _MOST = -2.25, 2.0  # powers of ten, if no ε is beyond


def others_epsilon(found: Registered, epsilon: float) -> tuple[Drawn, str]:
    """A mark a deployment, on a logarithmic axis; ``epsilon``: the reader's own, a line through all rows."""
    rows = [what for what in PROTECTED if found.protecting(what)]
    each = [one for what in rows for one in found.protecting(what)]
    x = np.array([one.epsilon for one in each], dtype=np.float64)
    at = np.array([-float(rows.index(one.protects)) for one in each])
    y = at + np.concatenate([_stacked(x[at == -float(row)]) for row in range(len(rows))])
    low, high = min(_LEAST, np.log10(epsilon) - 0.1), max(_MOST, np.log10(epsilon) + 0.1)
    ends = np.array([1 - len(rows) - 0.3, 0.95])
    titles = [f"<b>{shown(_capital(PROTECTED[what]))}</b>" for what in rows]
    labels = {"text": titles, "textposition": "top right", "textfont": {"size": 12}, "cliponaxis": False}
    above = 0.42 - np.arange(len(rows), dtype=np.float64)
    traces = [
        *(_marks(model, each, x, y) for model in _LOOKS if any(one.model == model for one in each)),
        line(f"your ε = {digits(epsilon)}", np.full(2, epsilon), ends, PURPLE, dash="dot", width=2, hoverinfo="skip"),
        {"type": "scatter", "mode": "text", "x": np.full(len(rows), 10**low), "y": above} | labels | SILENT,
    ]
    made = figure(
        traces,
        x=decades("ε, logarithmic", range=[low, high]),
        y={"visible": False, "range": ends.tolist()},
        margin={"l": 12, "r": 12, "t": 56, "b": 44},
        height=_AROUND + _ROW * len(rows),
    )
    return made, _said(found, rows, epsilon)


def _stacked(epsilons: FloatArray) -> FloatArray:
    """How high each mark of a row lies, so that none hides another of nearly the same ε."""
    return _HIGH * heights(np.floor(np.log10(epsilons) / _WIDE / 2))


def _marks(model: str, each: list[Deployment], x: FloatArray, y: FloatArray) -> dict[str, Any]:
    name, colour, symbol = _LOOKS[model]
    its = np.array([one.model == model for one in each])
    marker = {"color": colour, "symbol": symbol, "size": 10, "line": {"width": 2}}
    hover = [[shown(one.product), shown(", ".join(one.organisations))] for one in each if one.model == model]
    told = "%{customdata[0]}, %{customdata[1]}<br>ε = %{x:.4g}<extra></extra>"
    return scatter(name, x[its], y[its], marker, customdata=hover, hovertemplate=told)


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


def _said(found: Registered, rows: list[str], epsilon: float) -> str:
    said = [_in_words(PROTECTED[what], [float(one.epsilon or 0) for one in found.protecting(what)]) for what in rows]
    return f"The ε of {len(found.epsilons)} deployments by what each ε protects. {' '.join(said)} Your ε is {digits(epsilon)}."


def _in_words(what: str, epsilons: list[float]) -> str:
    span = " to ".join(dict.fromkeys(map(digits, (epsilons[0], epsilons[-1]))))
    return f"{_capital(what)}: {counted(len(epsilons), ' deployments')}, ε {span}."
