"""What a cap on each person's rows drops, and the predicted error that it leaves, with its causes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.words import figure as digits
from dpcore.guarantees.words import percent
from pages.charts.drawn import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    Drawn,
    figure,
    line,
    logarithmic,
    scatter,
    with_unit,
)
from pages.experiment.contributions.cap import Cap
from pages.experiment.contributions.limit import Limit
from pages.experiment.contributions.parts import Dropped, RowsAPerson
from pages.experiment.contributions.predict import Prediction, Split, split

MOST_BARS = 24
_MOST_NAMES = 8  # on the axis of a narrow chart


def rows_a_person(people: RowsAPerson, cap: Cap, lost: Dropped) -> tuple[Drawn, str]:
    """One bar a number of rows; where people have very unlike numbers, bars that stand for several numbers, more the larger.

    Beside each bar's share of the people, its share of all rows. ``lost``: what this cap drops.
    """
    bars = Bars.of(people)
    at = bars.place(cap.rows)
    top = 1.05 * float(max(bars.of_people.max(), bars.of_rows.max()))
    data = [[name, f"{number:,.0f}"] for name, number in zip(bars.names, bars.people, strict=True)]
    told = "%{customdata[0]}<br>%{customdata[1]} people, "
    traces: list[dict[str, Any]] = [
        {
            "type": "bar",
            "name": "people",
            "x": bars.places,
            "y": bars.of_people,
            "width": 0.9,
            "customdata": data,
            "marker": {"color": BLUE, "opacity": 0.6},
            "hovertemplate": f"{told}%{{y:.2%}} of them<extra></extra>",
        },
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": "their rows",
            "x": bars.places,
            "y": bars.of_rows,
            "customdata": data,
            "line": {"color": VERMILION, "width": 2, "dash": "dot"},
            "marker": {"size": 5, "symbol": "square"},
            "hovertemplate": f"{told}%{{y:.2%}} of the rows<extra></extra>",
        },
        {
            "type": "scatter",
            "mode": "lines",
            "name": f"s = {cap.rows:,}",
            "x": np.array([at, at]),
            "y": np.array([0.0, top]),
            "line": {"color": GREY, "width": 3, "dash": "dash"},
            "hoverinfo": "skip",
        },
    ]
    every = -(-len(bars.places) // _MOST_NAMES)
    x = {
        "title": {"text": "rows of a person"},
        "tickmode": "array",
        "tickvals": bars.places[::every],
        "ticktext": [f"{low:,.0f}" for low in bars.lows[:-1:every]],
        "tickangle": 0,
        "showgrid": False,
        "range": [-0.6, len(bars.places) - 0.4],
    }
    y = {"title": {"text": "share of all"}, "tickformat": "~%", "range": [0, top], "nticks": 6}
    return figure(traces, x=x, y=y), _rows_in_words(people, cap, lost)


@final
@dataclass(frozen=True, eq=False)
class Bars:
    """``lows``: the least number of rows of each bar, and behind the last one the first that has none, (bars + 1,)."""

    lows: FloatArray
    people: FloatArray
    rows: FloatArray

    @classmethod
    def of(cls, people: RowsAPerson) -> Bars:
        """Whole numbers from the least that there is; some of them together from 24 on, each bar wider than that before."""
        first, last = int(people.rows[0]), int(people.rows[-1])
        ends = np.arange(first, last + 2.0) if last - first < MOST_BARS else np.geomspace(first, last + 1, MOST_BARS + 1)
        lows = np.unique(np.ceil(ends - 1e-9))
        inside, size = np.searchsorted(lows, people.rows, side="right") - 1, len(lows) - 1
        numbers, rows = people.people.astype(np.float64), (people.people * people.rows).astype(np.float64)
        return cls(lows, *(np.asarray(np.bincount(inside, each, size), dtype=np.float64) for each in (numbers, rows)))

    @property
    def places(self) -> FloatArray:
        """Of each bar on the axis."""
        return np.arange(len(self.people), dtype=np.float64)

    @property
    def of_people(self) -> FloatArray:
        """The share of all people that has so many rows."""
        return np.asarray(self.people / self.people.sum())

    @property
    def of_rows(self) -> FloatArray:
        """The share of all rows that is theirs."""
        return np.asarray(self.rows / self.rows.sum())

    @property
    def names(self) -> list[str]:
        """The numbers of rows that each bar stands for."""
        ends = zip(self.lows[:-1], self.lows[1:] - 1, strict=True)
        return [f"{low:,.0f}" if low == high else f"{low:,.0f}–{high:,.0f}" for low, high in ends]

    def place(self, rows: int) -> float:
        """On the axis, right of whoever has so many rows and left of whoever has more."""
        ends = np.arange(len(self.lows)) - 0.5
        return float(np.interp(rows + 1, self.lows, ends))


def _rows_in_words(people: RowsAPerson, cap: Cap, lost: Dropped) -> str:
    number, most = int(people.people.sum()), int(people.rows[-1])
    middle = int(people.rows[np.searchsorted(np.cumsum(people.people), number / 2)])
    inside, everybody = " in each group" if cap.a_group else "", counted(number, " people")
    return (
        f"Rows a person: {everybody} with at most {counted(most, ' rows')}, half of them with at most {middle:,}. "
        f"Keeping s = {cap.rows:,} of each person's rows{inside} drops {percent(lost.rows)} of the rows and "
        f"{percent(lost.value)} of the value, and {percent(lost.people)} of the people lose some of theirs."
    )


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


def error_by_cap(of_caps: Sequence[Prediction], chosen: float, *, unit: str = "") -> tuple[Drawn, str]:
    """Of caps or limits in rising order, under the same bounds: the total error, its parts that are not 0, the least total, and
    the total at the ``chosen`` s or B, which is one of them, else InvalidValueError.

    ``ADDS_UP`` is the sentence to stand under it. A part a hundred times smaller than the least total lies below the axis.
    """
    caps, parts = np.array([each.cap.size for each in of_caps], dtype=np.float64), split(of_caps)
    symbol = symbol_of(of_caps[0].cap)
    if chosen not in caps:
        raise InvalidValueError(f"chosen {symbol}", f"one of {', '.join(f'{cap:g}' for cap in caps)}", chosen)
    here, least = int(np.flatnonzero(caps == chosen)[0]), int(np.argmin(parts.total))
    bottom = float(parts.total.min()) / _SMALL or 1.0
    traces = [line("total", caps, _above(parts.total, bottom), BLUE, line={"width": 3})]
    visible = _larger_than(bottom, parts)
    traces += [line(name, caps, _above(sizes, bottom), colour, line={"dash": dash}) for name, colour, dash, sizes in visible]
    traces += [
        _mark(f"least at {symbol} = {caps[least]:,.10g}", caps[least], parts.total[least], "circle-open", GREEN),
        _mark(f"{symbol} = {chosen:,.10g}", caps[here], parts.total[here], "diamond", VERMILION),
    ]
    sizes = np.concatenate([parts.total, *(sizes for *_, sizes in visible)])
    y = logarithmic(with_unit("error", unit), _above(sizes, bottom))
    return figure(traces, x=logarithmic(*_axis(of_caps[0].cap, caps, unit)), y=y), _errors_in_words(
        of_caps, parts, here, least, unit
    )


def symbol_of(cap: Cap | Limit) -> str:
    """What a cap, or a limit of totals, is called on a chart."""
    return "s" if isinstance(cap, Cap) else "B"


def _axis(cap: Cap | Limit, sizes: FloatArray, unit: str) -> tuple[str, FloatArray, str]:
    if isinstance(cap, Limit):
        return with_unit("limit of a person's total, B", unit), sizes, ",.9~g"
    return "rows kept of each person in each group, s" if cap.a_group else "rows kept of each person, s", sizes, ",.0f"


def _larger_than(least: float, parts: Split) -> list[tuple[str, str, str, FloatArray]]:
    """Parts of the error that are larger somewhere: name, colour, dash and sizes of each."""
    found = [(name, colour, dash, getattr(parts, part)) for part, (name, colour, dash) in _PARTS.items()]
    return [each for each in found if each[-1].max() > least]


def _above(sizes: FloatArray, bottom: float) -> FloatArray:
    """A logarithmic axis has no 0: the line ends there."""
    return np.where(sizes >= bottom, sizes, np.nan)


def _mark(name: str, cap: float, total: float, symbol: str, colour: str) -> dict[str, Any]:
    style = {"color": colour, "size": 12, "symbol": symbol, "line": {"width": 3}}
    return scatter(name, np.array([cap]), np.array([total]), style)


def _errors_in_words(of_caps: Sequence[Prediction], parts: Split, here: int, least: int, unit: str) -> str:
    def error(place: int) -> str:
        return f"{digits(float(parts.total[place]))}{f' {unit}' if unit else ''}"

    causes = ", ".join(f"{name} {digits(float(sizes[here]))}" for name, _, _, sizes in _larger_than(0.0, parts) if sizes[here])
    symbol, caps = symbol_of(of_caps[0].cap), [f"{each.cap.size:,.10g}" for each in of_caps]
    last = (
        f"{counted(caps[-1], ' rows')} kept of each person" if symbol == "s" else f"{caps[-1]} as the limit of a person's total"
    )
    return (
        f"Expected error for {symbol} from {caps[0]} to {last}. It is least at {symbol} = {caps[least]}, {error(least)}. At "
        f"{symbol} = {caps[here]} it is {error(here)}: {causes or 'nothing is lost or added'}."
    )
