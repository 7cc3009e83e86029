"""The charts of the page People: causes of the error, and the error against a limit or a bound."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpcore.guarantees.descriptions import figure
from dpcore.targets.user_limits import ContributionBounded
from pages.experiment.people import (
    HIGH,
    LEFT_OUT,
    LOW,
    NOISE,
    SHIFT,
    Contributions,
    Prediction,
    least,
)
from pages.figures.theme import BLUE, GREEN, GREY, PURPLE, VERMILION, Chart, axis, chosen, line, log_axis, markers, with_unit

CAUSES, BY_LIMIT, BY_BOUND = "causes", "by_limit", "by_bound"  # names of the charts
ADDS_UP = "The causes do not add up to the error: too much and too little cancel, and random parts add up as squares."
_LOOKS = {
    NOISE: (VERMILION, "dash"),
    LEFT_OUT: (PURPLE, "dashdot"),
    HIGH: (GREEN, "dot"),
    LOW: (GREY, "longdash"),
    SHIFT: (GREY, "dot"),
}
_SMALL = 100  # a cause that is this many times smaller than the least error is not shown


def causes_chart(prediction: Prediction, *, unit: str = "") -> Chart:
    """Return the error of one prediction and its causes as bars, the largest first."""
    total = prediction.total
    parts = sorted(prediction.parts.items(), key=lambda part: -part[1])
    bars = [("whole error", total, BLUE), *((name, size, _LOOKS[name][0]) for name, size in parts if size > total / _SMALL)]
    names, sizes, colours = ([*each] for each in zip(*bars, strict=True))
    trace: dict[str, Any] = {"type": "bar", "orientation": "h", "x": sizes, "y": names, "marker": {"color": colours}}
    trace |= {"text": [figure(size) for size in sizes], "textposition": "outside", "cliponaxis": False}
    trace |= {"hovertemplate": "%{y}: %{x:.3g}<extra></extra>", "showlegend": False}
    said = ", ".join(f"{name} {figure(size)}" for name, size, _ in bars[1:])
    return Chart(
        title="Causes of the error",
        traces=[trace],
        layout={
            "xaxis": axis(with_unit("error", unit), range=[0, 1.25 * max(sizes)], nticks=5, exponentformat="power"),
            "yaxis": {"autorange": "reversed", "automargin": True},
            "margin": {"l": 10, "r": 12, "t": 30, "b": 36},
        },
        alt=f"Expected error: {figure(total)}. Its causes: {said or 'none'}.",
        rows=[{"cause": name, "error": figure(size)} for name, size, _ in bars],
    )


def error_by_size_chart(
    predictions: Sequence[Prediction], own: Prediction, *, symbol: str, along: str, unit: str = "", size_unit: str = ""
) -> Chart:
    """Return the error and its causes against a limit of each person, or against a bound of the values.

    Args:
        predictions: Predictions in ascending order of their sizes.
        own: The prediction of the scenario, which is one of them.
        symbol: Symbol of the size.
        along: The size in words.
        unit: Unit of the error.
        size_unit: Unit of the size.
    """
    sizes = np.array([one.size for one in predictions], dtype=np.float64)
    totals, best = np.array([one.total for one in predictions]), least(predictions)
    bottom = float(totals.min()) / _SMALL
    parts = {name: np.array([one.parts[name] for one in predictions]) for name in _LOOKS}
    lines = {name: np.where(values >= bottom, values, np.nan) for name, values in parts.items() if values.max() > bottom}
    hover = {"hovertemplate": f"{symbol} = %{{x:,.6~g}}: %{{y:,.3~g}}<extra></extra>"}
    traces = [line("whole error", sizes, totals, BLUE, **hover) | {"line": {"color": BLUE, "width": 3}}]
    traces += [line(name, sizes, values, _LOOKS[name][0], dash=_LOOKS[name][1], **hover) for name, values in lines.items()]
    ring = {"color": BLUE, "size": 13, "symbol": "circle-open", "line": {"width": 2}}
    traces.append(markers(f"least, {symbol} = {best.size:,.10g}", [best.size], [best.total], BLUE, marker=ring, **hover))
    traces.append(chosen(own.size, own.total, **hover) | {"name": f"{symbol} = {own.size:,.10g}"})
    shown = np.concatenate([totals, *lines.values()])
    causes = ", ".join(f"{name} {figure(size)}" for name, size in own.parts.items() if size > bottom)
    return Chart(
        title=f"Error against {symbol}",
        traces=traces,
        layout={
            "xaxis": log_axis(with_unit(f"{along}, {symbol}", size_unit), 0.9 * sizes[0], 1.1 * sizes[-1]),
            "yaxis": log_axis(with_unit("error", unit), 0.7 * float(np.nanmin(shown)), 1.5 * float(np.nanmax(shown)))
            | {"exponentformat": "power", "tickformat": ""},
            "margin": {"l": 54, "r": 12, "t": 66, "b": 36},
        },
        alt=f"Expected error for {symbol} from {sizes[0]:,.10g} to {sizes[-1]:,.10g}. "
        f"It is least at {symbol} = {best.size:,.10g}: {figure(best.total)}. "
        f"At {symbol} = {own.size:,.10g} it is {figure(own.total)}: {causes}.",
        rows=[
            {symbol: f"{one.size:,.10g}", "error": figure(one.total)} | {name: figure(one.parts[name]) for name in lines}
            for one in predictions
        ],
    )


def charts_of(found: Contributions) -> dict[str, Chart]:
    """Return the charts of predictions by name. There is none against bounds if they do not change the noise."""
    unit, symbol, own = found.unit, found.symbol, found.chosen
    of_rows = isinstance(found.target, ContributionBounded)
    along = "rows of each person that count" if of_rows else "limit of each person’s total"
    charts = {
        CAUSES: causes_chart(own, unit=unit),
        BY_LIMIT: error_by_size_chart(
            found.by_limit, own, symbol=symbol, along=along, unit=unit, size_unit="" if of_rows else unit
        ),
    }
    if found.bounds is not None and found.by_bounds:
        end = "U" if found.bounds[1] > 0 else "L"
        charts[BY_BOUND] = error_by_size_chart(
            found.by_bounds,
            next(one for one in found.by_bounds if one.target == found.target),
            symbol=end,
            along="upper bound of a value" if end == "U" else "lower bound of a value, its size",
            unit=unit,
            size_unit=found.columns[0].unit,
        )
    return charts
