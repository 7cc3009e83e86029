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
from pages.charts import drawn
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
    in_unit,
    line,
    logarithmic,
    scatter,
)
from pages.experiment.contributions.cap import Cap
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
    half, square = {"color": BLUE, "opacity": 0.6}, {"size": 5, "symbol": "square"}
    people_of, rows_of = (f"{told}%{{y:.2%}} of {whose}<extra></extra>" for whose in ("them", "the rows"))
    traces = [
        drawn.bar("people", bars.places, bars.of_people, half, width=0.9, customdata=data, hovertemplate=people_of),
        line("their rows", bars.places, bars.of_rows, VERMILION, dash="dot", customdata=data, hovertemplate=rows_of)
        | {"mode": "lines+markers", "marker": square},
        line(f"s = {cap.rows:,}", at, (0, top), GREY, width=3, dash="dash", hoverinfo="skip"),
    ]
    x = drawn.axis("rows of a person", range=[-0.6, len(bars.places) - 0.4])
    x |= drawn.names_along([f"{low:,.0f}" for low in bars.lows[:-1]], _MOST_NAMES)
    y = drawn.axis("share of all", tickformat="~%", range=[0, top], nticks=6)
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


def error_by_cap(of_caps: Sequence[Prediction], chosen: int, *, unit: str = "") -> tuple[Drawn, str]:
    """Of caps in rising order, under the same bounds: the total error, its parts that are not 0, the least total, and the
    total at the ``chosen`` s, which is one of the caps, else InvalidValueError.

    ``ADDS_UP`` is the sentence to stand under it. A part a hundred times smaller than the least total lies below the axis.
    """
    caps, parts = np.array([each.cap.rows for each in of_caps], dtype=np.float64), split(of_caps)
    if chosen not in caps:
        raise InvalidValueError("chosen s", f"one of {', '.join(f'{cap:g}' for cap in caps)}", chosen)
    here, least = int(np.flatnonzero(caps == chosen)[0]), int(np.argmin(parts.total))
    bottom = float(parts.total.min()) / _SMALL or 1.0
    traces = [line("total", caps, _above(parts.total, bottom), BLUE, width=3)]
    visible = _larger_than(bottom, parts)
    traces += [line(name, caps, _above(sizes, bottom), colour, dash=dash) for name, colour, dash, sizes in visible]
    traces += [
        _mark(f"least at s = {caps[least]:,.0f}", caps[least], parts.total[least], "circle-open", GREEN),
        _mark(f"s = {chosen:,}", caps[here], parts.total[here], "diamond", VERMILION),
    ]
    sizes = np.concatenate([parts.total, *(sizes for *_, sizes in visible)])
    kept = "rows kept of each person in each group, s" if of_caps[0].cap.a_group else "rows kept of each person, s"
    y = logarithmic(drawn.with_unit("error", unit), _above(sizes, bottom))
    return figure(traces, x=logarithmic(kept, caps, ",.0f"), y=y), _errors_in_words(of_caps, parts, here, least, unit)


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
    causes = ", ".join(f"{name} {digits(float(sizes[here]))}" for name, _, _, sizes in _larger_than(0.0, parts) if sizes[here])
    caps = [each.cap.rows for each in of_caps]
    lowest, error = in_unit(parts.total[least], unit), in_unit(parts.total[here], unit)
    return (
        f"Expected error for s from {caps[0]:,} to {counted(caps[-1], ' rows')} kept of each person. It is least at "
        f"s = {caps[least]:,}, {lowest}. At s = {caps[here]:,} it is {error}: {causes or 'nothing is lost or added'}."
    )
