"""The predicted error along caps on people's rows, limits of their totals, or bounds of values, with its causes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.bounds import Interval
from dpcore.base.counted import counted
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.words import figure as digits
from pages.old.charts.drawn import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    Drawn,
    figure,
    in_unit,
    line,
    logarithmic,
    scatter,
    with_unit,
)
from pages.old.experiment.contributions.cap import Cap
from pages.old.experiment.contributions.limit import Limit
from pages.old.experiment.contributions.predict import Prediction, Split, split

ADDS_UP = (
    "The parts do not simply add up to the total: too much and too little cancel, and parts that are random add up as squares."
)
BY_THE_CAP, _MISSING = "left out by the cap", "missing values"
_SMALL = 100  # times smaller than the least total is invisible in it, and no longer shown
PARTS = {  # name in the legend, colour and line style; what is lost has its name where it is
    "noise": ("noise", VERMILION, "dash"),
    "dropped": ("", GREEN, "dashdot"),
    "clipped_high": ("clipped high", PURPLE, "dot"),
    "clipped_low": ("clipped low", ORANGE, "longdash"),
    "salts": ("which rows are kept", GREY, "longdashdot"),
    "from_noise": ("shift by noise", SKY, "2px,4px"),
}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Along:
    """Along what errors are shown: ``places`` on the axis, the ``symbol`` of one, the axis' ``title`` and ``ticks``, and words
    from the first place to the last (``span``). ``lost``: what a part that is neither noise nor clipping is called."""

    places: FloatArray
    symbol: str
    title: str
    ticks: str
    span: str
    lost: str = BY_THE_CAP


def error_by_cap(of_caps: Sequence[Prediction], chosen: float, *, unit: str = "") -> tuple[Drawn, str]:
    """Of caps or limits in rising order, under the same bounds: the total error, its parts that are not 0, the least total, and
    the total at the ``chosen`` s or B, which is one of them, else InvalidValueError.

    ``ADDS_UP`` is the sentence to stand under it. A part a hundred times smaller than the least total lies below the axis.
    """
    parts, sizes = split(of_caps), np.array([each.cap.size for each in of_caps], dtype=np.float64)
    first, last = f"{sizes[0]:,.10g}", f"{sizes[-1]:,.10g}"
    cap = of_caps[0].cap
    here = _place(f"chosen {symbol_of(cap)}", chosen, sizes.tolist())
    if isinstance(cap, Limit):
        title, span = with_unit("limit of a person's total, B", unit), f"{first} to {last} as the limit of a person's total"
        return _errors(parts, _Along(places=sizes, symbol="B", title=title, ticks=",.9~g", span=span), here, unit)
    title = "rows kept of each person in each group, s" if cap.a_group else "rows kept of each person, s"
    span = f"{first} to {counted(last, ' rows')} kept of each person"
    return _errors(parts, _Along(places=sizes, symbol="s", title=title, ticks=",.0f", span=span), here, unit)


def error_by_bound(
    of_bounds: Sequence[Prediction], chosen: Interval, *, unit: str = "", of_values: str = "", lost: str = _MISSING
) -> tuple[Drawn, str]:
    """The same along bounds of the values, each wider than the last, at one cap: over the end that moves, the upper one unless no
    value is above 0. ``unit`` is the answer's, and ``of_values`` that of the values. ``lost``: whose rows are left out."""
    parts, places = split(of_bounds), np.array([moving_end(each.bounds) for each in of_bounds])
    what = "upper bound of a value, U" if chosen[1] > 0 else "lower bound of a value, its size, L"
    along = _Along(
        places=places,
        symbol="U" if chosen[1] > 0 else "L",
        title=with_unit(what, of_values),
        ticks=",.9~g",
        span=f"{places[0]:,.10g} to {places[-1]:,.10g} as the {what.rsplit(',', 1)[0]}",
        lost=lost,
    )
    return _errors(parts, along, _place("chosen bounds", chosen, [each.bounds for each in of_bounds]), unit)


def moving_end(bounds: Interval) -> float:
    """The end of bounds that is moved, in its size: the upper one, unless no value is above 0."""
    return bounds[1] if bounds[1] > 0 else -bounds[0]


def _place(name: str, chosen: object, shown: Sequence[object]) -> int:
    if chosen not in shown:
        raise InvalidValueError(name, f"one of {', '.join(map(str, shown))}", chosen)
    return shown.index(chosen)


def _errors(parts: Split, along: _Along, here: int, unit: str) -> tuple[Drawn, str]:
    places, symbol, least = along.places, along.symbol, int(np.argmin(parts.total))
    bottom = float(parts.total.min()) / _SMALL or 1.0
    traces = [line("total", places, _above(parts.total, bottom), BLUE, width=3)]
    visible = larger_than(bottom, parts, along.lost)
    traces += [line(name, places, _above(sizes, bottom), colour, dash=dash) for name, colour, dash, sizes in visible]
    traces += [
        _mark(f"least at {symbol} = {places[least]:,.10g}", places[least], parts.total[least], "circle-open", GREEN),
        _mark(f"{symbol} = {places[here]:,.10g}", places[here], parts.total[here], "diamond", VERMILION),
    ]
    sizes = np.concatenate([parts.total, *(sizes for *_, sizes in visible)])
    y = logarithmic(with_unit("error", unit), _above(sizes, bottom))
    made = figure(traces, x=logarithmic(along.title, places, along.ticks), y=y)
    return made, _errors_in_words(along, parts, here, least, unit)


def symbol_of(cap: Cap | Limit) -> str:
    """What a cap, or a limit of totals, is called on a chart."""
    return "s" if isinstance(cap, Cap) else "B"


def larger_than(least: float, parts: Split, lost: str) -> list[tuple[str, str, str, FloatArray]]:
    """Parts of the error that are larger somewhere: name, colour, dash and sizes of each."""
    found = [(name or lost, colour, dash, getattr(parts, part)) for part, (name, colour, dash) in PARTS.items()]
    return [each for each in found if each[-1].max() > least]


def _above(sizes: FloatArray, bottom: float) -> FloatArray:
    """A logarithmic axis has no 0: the line ends there."""
    return np.where(sizes >= bottom, sizes, np.nan)


def _mark(name: str, cap: float, total: float, symbol: str, colour: str) -> dict[str, Any]:
    style = {"color": colour, "size": 12, "symbol": symbol, "line": {"width": 3}}
    return scatter(name, np.array([cap]), np.array([total]), style)


def _errors_in_words(along: _Along, parts: Split, here: int, least: int, unit: str) -> str:
    found = larger_than(0.0, parts, along.lost)
    causes = ", ".join(f"{name} {digits(float(sizes[here]))}" for name, _, _, sizes in found if sizes[here])
    at = [f"{along.symbol} = {along.places[place]:,.10g}" for place in (least, here)]
    return (
        f"Expected error for {along.symbol} from {along.span}. It is least at {at[0]}, "
        f"{in_unit(parts.total[least], unit)}. At {at[1]} it is "
        f"{in_unit(parts.total[here], unit)}: {causes or 'nothing is lost or added'}."
    )
