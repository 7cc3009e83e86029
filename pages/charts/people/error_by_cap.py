"""The predicted error against s, and what causes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.words import figure as digits
from pages.charts.people.chances import logarithmic
from pages.charts.style import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, figure, line
from pages.experiment.contributions.predict import Prediction, Split, split

if TYPE_CHECKING:
    import plotly.graph_objects as go

ADDS_UP = (
    "The parts do not simply add up to the total: too much and too little cancel, and parts that are random add up as squares."
)
_SMALL = 100  # times smaller than the least total is invisible in it, and no longer shown
_PARTS = {  # name in the legend, colour and line style
    "noise": ("noise", VERMILION, "dash"),
    "dropped": ("left out by the cap", GREEN, "dashdot"),
    "clipped_high": ("clipped high", PURPLE, "dot"),
    "clipped_low": ("clipped low", ORANGE, "longdash"),
    "salts": ("which rows are kept", GREY, "longdashdot"),
    "from_noise": ("shift by noise", SKY, "2px,4px"),
}


def error_by_cap(of_caps: Sequence[Prediction], chosen: int, *, unit: str = "") -> tuple[go.Figure, str]:
    """Of caps in rising order, under the same bounds: the total error, its parts that are not 0, the least total, and the
    total at the ``chosen`` s, which is one of the caps, else InvalidValueError.

    ``ADDS_UP`` is the sentence to stand under it. A part a hundred times smaller than the least total lies below the axis.
    """
    caps, parts = np.array([each.cap.rows for each in of_caps], dtype=np.float64), split(of_caps)
    if chosen not in caps:
        raise InvalidValueError("chosen s", f"one of {', '.join(f'{cap:g}' for cap in caps)}", chosen)
    here, least = int(np.flatnonzero(caps == chosen)[0]), int(np.argmin(parts.total))
    bottom = float(parts.total.min()) / _SMALL or 1.0
    traces = [line("total", caps, _above(parts.total, bottom), BLUE, line={"width": 3})]
    traces += [
        line(name, caps, _above(sizes, bottom), colour, line={"dash": dash})
        for name, colour, dash, sizes in _shown(parts, bottom)
    ]
    traces += [
        _mark(f"least at s = {caps[least]:,.0f}", caps[least], parts.total[least], "circle-open", GREEN),
        _mark(f"s = {chosen:,}", caps[here], parts.total[here], "diamond", VERMILION),
    ]
    return figure(traces, x=_caps(of_caps[0], caps), y=_errors(unit, parts, bottom)), _described(
        of_caps, parts, here, least, unit
    )


def _shown(parts: Split, bottom: float) -> list[tuple[str, str, str, FloatArray]]:
    found = [(name, colour, dash, getattr(parts, part)) for part, (name, colour, dash) in _PARTS.items()]
    return [each for each in found if each[-1].max() > bottom]


def _above(sizes: FloatArray, bottom: float) -> FloatArray:
    """A logarithmic axis has no 0: the line ends there."""
    return np.where(sizes >= bottom, sizes, np.nan)


def _mark(name: str, cap: float, total: float, symbol: str, colour: str) -> dict[str, Any]:
    style = {"color": colour, "size": 12, "symbol": symbol, "line": {"width": 3}}
    return {"type": "scatter", "mode": "markers", "name": name, "x": np.array([cap]), "y": np.array([total]), "marker": style}


def _caps(one: Prediction, caps: FloatArray) -> dict[str, Any]:
    where = "rows kept of each person in each group, s" if one.cap.a_group else "rows kept of each person, s"
    return logarithmic(where, caps, ",.0f")


def _errors(unit: str, parts: Split, bottom: float) -> dict[str, Any]:
    sizes = [parts.total, *(each[-1] for each in _shown(parts, bottom))]
    return logarithmic(f"error ({unit})" if unit else "error", _above(np.concatenate(sizes), bottom))


def _described(of_caps: Sequence[Prediction], parts: Split, here: int, least: int, unit: str) -> str:
    def error(place: int) -> str:
        return f"{digits(float(parts.total[place]))}{f' {unit}' if unit else ''}"

    causes = ", ".join(f"{name} {digits(float(sizes[here]))}" for name, _, _, sizes in _shown(parts, 0.0) if sizes[here])
    caps = [each.cap.rows for each in of_caps]
    return (
        f"Expected error for s from {caps[0]:,} to {counted(caps[-1], ' rows')} kept of each person. It is least at "
        f"s = {caps[least]:,}, {error(least)}. At s = {caps[here]:,} it is {error(here)}: {causes or 'nothing is lost or added'}."
    )
