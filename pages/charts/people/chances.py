"""How likely a private choice takes each candidate, over the error that each brings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure as digits
from dpcore.guarantees.words import percent
from pages.charts.style import BLUE, GREEN, VERMILION, figure, line
from pages.experiment.contributions.private_choice import PrivateChoice

if TYPE_CHECKING:
    import plotly.graph_objects as go


# A logarithmic axis whose numbers fit a narrow chart.


_WIDE, _NARROW = 100.0, 4.0  # from the least to the largest


def logarithmic(title: str, values: FloatArray, tickformat: str = "") -> dict[str, Any]:
    """For these values, all above 0 or NaN; a number at each power of ten, at 2 and 5 times it too where there are few of these,
    and at more places where there is hardly one."""
    known = values[values > 0]
    spread = float(known.max() / known.min()) if known.size else 1.0
    wide = spread >= _WIDE
    ticks: dict[str, Any] = {"dtick": 1} if wide else {"nticks": 6}
    if _NARROW <= spread < _WIDE:
        ticks = {"tickmode": "array", "tickvals": _between(float(known.min()), float(known.max()))}
    axis = {"title": {"text": title, "font": {"size": 13}}, "type": "log", "exponentformat": "power" if wide else "SI"}
    return axis | ({"tickformat": tickformat} if tickformat else {}) | ticks


def _between(low: float, high: float) -> FloatArray:
    """1, 2 and 5 times powers of ten, around numbers that are at most a hundredfold apart."""
    powers = 10.0 ** np.arange(np.floor(np.log10(low)) - 1, np.ceil(np.log10(high)) + 1)
    steps = (powers[:, None] * np.array([1.0, 2.0, 5.0])).ravel()
    return np.asarray(steps[(steps >= low / 2) & (steps <= high * 2)])


NEARLY_ALL = 0.95  # of choices


def chances_of_caps(chosen: PrivateChoice, *, unit: str = "") -> tuple[go.Figure, str]:
    """Above, the chance of each number s of rows as a stem; below, over the same s, the total error with its least marked."""
    return _chances(chosen, "rows kept of each person, s", "s", unit)


def chances_of_bounds(chosen: PrivateChoice, *, unit: str = "", of_values: str = "") -> tuple[go.Figure, str]:
    """The same of each upper bound U; ``unit`` is the answer's, and ``of_values`` that of the values."""
    return _chances(chosen, f"upper bound of a value, U{f' ({of_values})' if of_values else ''}", "U", unit)


def _chances(chosen: PrivateChoice, what: str, symbol: str, unit: str) -> tuple[go.Figure, str]:
    places = np.array(chosen.candidates, dtype=np.float64)
    best, gap = chosen.best, np.full(len(places), np.nan)
    least = f"least at {symbol} = {shown(chosen.candidates[best])}"
    stems = np.stack([np.zeros(len(places)), chosen.chances, gap], axis=1).ravel()
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": np.repeat(places, 3),
            "y": stems,
            "line": {"color": BLUE, "width": 2},
            "hoverinfo": "skip",
            "showlegend": False,
            "name": "",
        },
        {
            "type": "scatter",
            "mode": "markers",
            "name": "chance",
            "x": places,
            "y": chosen.chances,
            "marker": {"color": BLUE, "size": 6},
            "hovertemplate": symbol + " = %{x:,}: %{y:.2%}<extra>chance</extra>",
        },
        line("error", places, chosen.errors, VERMILION, line={"dash": "dash"}, yaxis="y2"),
        {
            "type": "scatter",
            "mode": "markers",
            "name": least,
            "x": places[[best]],
            "y": chosen.errors[[best]],
            "yaxis": "y2",
            "marker": {"color": GREEN, "size": 12, "symbol": "circle-open", "line": {"width": 3}},
        },
    ]
    drawn = figure(
        traces,
        x=logarithmic(what, places, ",.0f" if symbol == "s" else ",.3~g") | {"anchor": "y2"},
        y={"domain": [0.56, 1.0], "title": {"text": "chance"}, "tickformat": "~%", "rangemode": "tozero", "nticks": 4},
        yaxis2=logarithmic(f"error ({unit})" if unit else "error", chosen.errors) | {"domain": [0.0, 0.44]},
    )
    return drawn, _described(chosen, symbol, unit)


def _described(chosen: PrivateChoice, symbol: str, unit: str) -> str:
    least, likely = (shown(chosen.candidates[place]) for place in (chosen.best, chosen.likeliest))
    error = f"{digits(float(chosen.errors.min()))}{f' {unit}' if unit else ''}"
    return (
        f"Chance that each {symbol} is chosen, above the error that it brings. Most often {symbol} = {likely} is chosen, in "
        f"{percent(float(chosen.chances.max()))} of choices. The least error is {error}, at {symbol} = {least}. The error is "
        f"larger than that by {_more(chosen.regret)} on average, and by at most {_more(chosen.regret_within(NEARLY_ALL))} in 19 "
        "of 20 choices."
    )


def shown(candidate: float) -> str:
    """A number of rows or a bound, as people read it."""
    return f"{candidate:,.10g}"


def _more(regret: float) -> str:
    return f"{digits(100 * regret)} %"
