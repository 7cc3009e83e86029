"""A line with its private versions, all simulated: over one feature as lines, of several as coefficients."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.answers.answer import KindOfAnswer, Within
from dpcore.base.types import FloatArray
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw
from pages.charts import moving
from pages.charts.answers import ANSWERS, ERROR, Described
from pages.charts.drawn import (
    BLUE,
    GREEN,
    GREY,
    IN_TWO_COLUMNS,
    PURPLE,
    VERMILION,
    Drawn,
    faded,
    figure,
    gapped,
    line,
    no_proved_worst_case,
    thinned,
    with_unit,
)
from pages.charts.moving import Moving
from pages.charts.noise_rules import of_scale_one
from pages.charts.responses import SCALES
from pages.experiment.headlines.fitted_line import LEAST_SQUARES, FittedLineHeadline

FAN, BAND = 8, 400  # private lines in grey, and those that the band is of
BAND_NAME, FAN_NAME, WORST, PRIVATE, RECORDS = "noise, 95 in 100", f"{FAN} more private", "worst case", "private", "records"
_MOST_RECORDS, _PLACES = 400, 41
_MARGIN = 0.06
_FILL = faded(BLUE, 0.2)
ENDS = (0.5 - SHARE_WITHIN / 2, 0.5 + SHARE_WITHIN / 2)


def lines(shown: FittedLineHeadline) -> Drawn:
    """Records of one feature, the line without noise, least squares, one private line, eight more in grey, and a band that holds
    95 in 100 private lines at each x: it is of the noise alone. The view is the records', whatever the noise."""
    x, y, points = records(shown)
    seed, of_worst = seeds(shown)
    drawn = _Private.of(shown, shown.noise, 0, BAND, seed, points)
    low, high = (drawn.line(end) for end in np.quantile(drawn.noise, ENDS, axis=0))
    dots = {
        "type": "scatter",
        "mode": "markers",
        "name": RECORDS,
        "x": x,
        "y": y,
        "hoverinfo": "skip",
        "marker": {"color": GREY, "size": 4, "opacity": 0.5},
    }
    traces = [dots, *_band(points, low, high), _fan(points, drawn)]
    traces += [
        _worst(shown, points, of_worst),
        *(
            line(name, points, heights_of(at[None], points)[0], colour, line={"dash": dash})
            for name, at, colour, dash in exact(shown)
        ),
        line(PRIVATE, points, drawn.line(drawn.noise[0]), BLUE),
    ]
    across, up = (column.words for column in shown.columns)
    room = _MARGIN * (np.ptp(y) or 1.0)
    return figure(
        traces,
        x={"title": {"text": across}, "nticks": 6},
        y={"title": {"text": up}, "range": [float(y.min() - room), float(y.max() + room)], "nticks": 6},
        legend=IN_TWO_COLUMNS,
    )


def records(shown: FittedLineHeadline) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Feature and label of those that are drawn, and the places that lines are drawn at."""
    features, label = shown.answer.features(shown.exact.database)
    kept = thinned(len(label), _MOST_RECORDS)
    x = features[kept, 0]
    return x, label[kept], np.linspace(x.min(), x.max(), _PLACES)


def seeds(shown: FittedLineHeadline) -> tuple[list[int], list[int]]:
    """Of the private lines sized to Δ̂, and of that of the worst case."""
    return [shown.scenario.seed, 7], [shown.scenario.seed, 8]


def coefficients(shown: FittedLineHeadline) -> Drawn:
    """Of several features what each adds to the prediction from its lower bound to its upper, so that all are in the label's
    unit; whiskers hold 95 in 100 of the noise, each alone."""
    target = shown.answer.target
    assert target is not None
    widths = np.array([high - low for low, high in target.spans])
    names = shown.answer.labels[:-1]
    marks = {"dash": "line-ew-open", "dot": "x-thin-open"}
    traces = [_marks(name, names, at[:-1] * widths, colour, marks[dash]) for name, at, colour, dash in exact(shown)]
    noises = [("private, ± noise", shown.noise, BLUE)]
    noises += [] if shown.worst is None else [("worst case, ± noise", shown.worst, VERMILION)]
    for name, noise, colour in noises:
        drawn = shown.private(noise.law, 1, [shown.scenario.seed, len(traces)])[0, :-1]
        whiskers = {"type": "data", "array": shown.spread(noise)[:-1] * widths, "color": GREY, "thickness": 1}
        traces.append(_marks(name, names, drawn * widths, colour, "circle") | {"error_y": whiskers})
    if shown.worst is None:
        traces.append(no_proved_worst_case())
    return figure(
        traces,
        x={"type": "category"},
        scattermode="group",
        y={"title": {"text": with_unit("part in the prediction", shown.answer.predicted_unit), "font": {"size": 12}}},
        legend=IN_TWO_COLUMNS,
    )


def exact(shown: FittedLineHeadline) -> list[tuple[str, FloatArray, str, str]]:
    """The line without noise and least squares, (d+1,) each, with colour and dash; one where they are the same."""
    if shown.is_least_squares:
        return [(LEAST_SQUARES, shown.own[0], GREEN, "dash")]
    return [(LEAST_SQUARES, shown.least_squares, PURPLE, "dot"), (shown.exact.name, shown.own[0], GREEN, "dash")]


def heights_of(coefficients: FloatArray, points: FloatArray) -> FloatArray:
    """Of lines (k, 2) at points (p,): (k, p)."""
    return np.asarray(coefficients[:, :1] * points + coefficients[:, 1:])


@final
@dataclass(frozen=True, eq=False)
class _Private:
    """Private lines: one without noise, ``base`` (p,), and ``scale`` times lines of ``noise`` (k, p)."""

    base: FloatArray
    scale: Any
    noise: FloatArray

    @classmethod
    def of(
        cls, shown: FittedLineHeadline, noise: Calibrated[Any], which: int, size: int, seed: list[int], points: FloatArray
    ) -> _Private:
        """So many of them at the points; sized to Δ̂, or to the worst case. Where a response is no line, their noise is what they
        are away, as they are now."""
        base = heights_of(shown.own[:1], points)[0]
        if views(shown):
            away = heights_of(shown.away(of_scale_one(noise.law), size, seed), points)
            return cls(base, moving.named(SCALES[which], noise.law.scale), away)
        return cls(base, 1.0, heights_of(shown.private(noise.law, size, seed), points) - base)

    def line(self, noise: FloatArray) -> Any:
        """One that is so far away."""
        return self.base + self.scale * noise


def _band(x: FloatArray, low: Any, high: Any) -> list[dict[str, Any]]:
    return [
        line("band", x, high, BLUE, line={"width": 0}, hoverinfo="skip", showlegend=False),
        line(BAND_NAME, x, low, BLUE, line={"width": 0}, fill="tonexty", fillcolor=_FILL, hoverinfo="skip"),
    ]


def _fan(points: FloatArray, drawn: _Private) -> dict[str, Any]:
    """One trace, a gap between any two of its lines."""
    noise, own = drawn.noise[1 : FAN + 1], np.array([drawn.base[0], drawn.base[-1], np.nan])
    heights = np.tile(own, len(noise)) + drawn.scale * gapped(noise[:, 0], noise[:, -1])
    ends = np.tile(np.array([points[0], points[-1], np.nan]), len(noise))
    return line(FAN_NAME, ends, heights, GREY, line={"width": 1}, hoverinfo="skip")


def _worst(shown: FittedLineHeadline, points: FloatArray, seed: list[int]) -> dict[str, Any]:
    """One private line under the proved worst case, where there is one."""
    if shown.worst is None:
        return no_proved_worst_case()
    drawn = _Private.of(shown, shown.worst, 1, 1, seed, points)
    return line(WORST, points, drawn.line(drawn.noise[0]), VERMILION, line={"dash": "longdash"})


def _marks(name: str, names: tuple[str, ...], values: FloatArray, colour: str, symbol: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": names,
        "y": values,
        "offsetgroup": name,
        "marker": {"color": colour, "symbol": symbol, "size": 10},
    }


def chart(shown: FittedLineHeadline) -> Described:
    """Records with the lines, or what each feature adds to the prediction; and a description."""
    at, exact = moving.at_epsilon(shown.scenario.epsilon), shown.exact
    if len(shown.columns) == 2 and len(shown.answer.labels) == 2:
        return lines(shown), moving.words_of(f"{described(shown)} ", at, ", with a band that holds 95 in 100.")
    return coefficients(shown), moving.words_of(
        f"What each feature adds to the prediction {exact.of}, and privately ", at, ", ± the noise."
    )


def views(shown: FittedLineHeadline) -> tuple[str, ...]:
    """Those of one feature and a target whose response is the line: else a private line is not noise times its scale away."""
    one = len(shown.columns) == len(shown.answer.labels) == 2
    return (ANSWERS, ERROR) if one and isinstance(shown.noise.law, NoiseLaw) and shown.is_the_response else ()


def said(shown: FittedLineHeadline, noise: Calibrated[Any], scale: Moving) -> dict[str, Moving]:
    """The errors on the records of the table, and on fresh ones where they are said."""
    after = f" {shown.answer.predicted_unit}" if shown.answer.predicted_unit else ""
    fresh = None if shown.fresh_columns_alone else shown.afresh
    reach = moving.counted(error_by_scale(shown)(scale), after)
    made = {"reach": Moving(shown.off(shown.error(noise.law)), reach.rule), "afresh": moving.words_of()}
    if fresh is not None:
        made["afresh"] = Moving(shown.off(fresh.error(noise.law)), moving.counted(error_by_scale(fresh)(scale), after).rule)
    return made


def error_by_scale(shown: FittedLineHeadline) -> Any:
    """The mean of √(a + b·scale + c·scale²) over draws."""
    a, b, c = shown.error_by_scale()
    return lambda scale: moving.call("rooted", math.nan, a, b, c, scale)


def described(shown: FittedLineHeadline) -> str:
    """The beginning of a description, of one feature."""
    return f"The records, the line {shown.exact.of}, least squares, and private lines"


def published(response: Any, answer: KindOfAnswer, within: Within = None) -> Drawn | None:
    """Coefficients are read, and not drawn."""
    return None
