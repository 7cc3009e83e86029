"""A line with its private versions, all simulated: over one feature as lines, of several as coefficients."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import NoiseLaw
from pages.old.charts import drawn, moving
from pages.old.charts.answers import ANSWERS, ERROR, Described
from pages.old.charts.drawn import BLUE, GREEN, GREY, PURPLE, VERMILION, Drawn, line, scatter
from pages.old.charts.moving import Moving
from pages.old.charts.private_versions import Versions
from pages.old.experiment.headlines.fitted_line import LEAST_SQUARES, FittedLineHeadline

FAN, BAND = 8, 400  # private lines in grey, and those that the band is of
BAND_NAME, FAN_NAME, WORST, PRIVATE, RECORDS = "noise, 95 in 100", f"{FAN} more private", "worst case", "private", "rows"
_MOST_RECORDS, _PLACES = 400, 41
_MARGIN = 0.06


def lines(shown: FittedLineHeadline) -> Drawn:
    """Records of one feature, the line without noise, least squares, one private line, eight more in grey, and a band that holds
    95 in 100 private lines at each x: it is of the noise alone. The view is the records', whatever the noise."""
    x, y, points = records(shown)
    own = _versions(shown, shown.noise, 0, BAND, points)
    low, high = map(own.at, own.ends)
    traces = [scatter(RECORDS, x, y, {"color": GREY, "size": 4, "opacity": 0.5}, hoverinfo="skip")]
    traces += [*drawn.area_between(BAND_NAME, points, low, high, BLUE, drawn.faded(BLUE, 0.2)), _fan(points, own)]
    if shown.worst is None:
        traces.append(drawn.no_proved_worst_case())
    else:
        worst = _versions(shown, shown.worst, 1, 1, points)
        traces.append(line(WORST, points, worst.first, VERMILION, line={"dash": "longdash"}))
    for name, at, colour, dash in exact(shown):
        traces.append(line(name, points, heights_of(at[None], points)[0], colour, line={"dash": dash}))
    traces.append(line(PRIVATE, points, own.first, BLUE))
    across, up = ({"title": {"text": column.words}, "nticks": 6} for column in shown.columns)
    room = _MARGIN * (np.ptp(y) or 1.0)
    up |= {"range": [float(y.min() - room), float(y.max() + room)]}
    return drawn.figure(traces, x=across, y=up, legend=drawn.IN_TWO_COLUMNS)


def records(shown: FittedLineHeadline) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Feature and label of those that are drawn, and the places that lines are drawn at."""
    features, label = shown.answer.features(shown.exact.database)
    kept = drawn.thinned(len(label), _MOST_RECORDS)
    x = features[kept, 0]
    return x, label[kept], np.linspace(x.min(), x.max(), _PLACES)


def _versions(shown: FittedLineHeadline, noise: Calibrated[Any], which: int, size: int, points: FloatArray) -> Versions:
    """So many private lines at the points: sized to Δ̂, or to the worst case."""
    seed = [shown.scenario.seed, 7 + which]

    def of(lines: Any) -> Any:
        return lambda one: heights_of(lines(one.law, size, seed), points)

    own = heights_of(shown.own[:1], points)[0]
    return Versions.of(own, noise, which, of(shown.away) if views(shown) else None, of(shown.private))


def coefficients(shown: FittedLineHeadline) -> Drawn:
    """Of several features what each adds to the prediction from its lower bound to its upper, so that all are in the label's
    unit; whiskers hold 95 in 100 of the noise, each alone."""
    target = shown.answer.target
    assert target is not None
    widths = np.array([high - low for low, high in target.spans])
    names = shown.answer.labels[:-1]

    def marks(name: str, at: FloatArray, colour: str, symbol: str, **more: Any) -> dict[str, Any]:
        look = {"color": colour, "symbol": symbol, "size": 10}
        return scatter(name, names, at[:-1] * widths, look, offsetgroup=name, **more)

    symbols = {"dash": "line-ew-open", "dot": "x-thin-open"}
    traces = [marks(name, at, colour, symbols[dash]) for name, at, colour, dash in exact(shown)]
    for name, noise, colour in (("private, ± noise", shown.noise, BLUE), ("worst case, ± noise", shown.worst, VERMILION)):
        if noise is not None:
            private = shown.private(noise.law, 1, [shown.scenario.seed, len(traces)])[0]
            near = {"type": "data", "array": shown.spread(noise)[:-1] * widths, "color": GREY, "thickness": 1}
            traces.append(marks(name, private, colour, "circle", error_y=near))
    if shown.worst is None:
        traces.append(drawn.no_proved_worst_case())
    title = drawn.with_unit("part in the prediction", shown.answer.predicted_unit)
    y = {"title": {"text": title, "font": {"size": 12}}}
    return drawn.figure(traces, x={"type": "category"}, y=y, scattermode="group", legend=drawn.IN_TWO_COLUMNS)


def exact(shown: FittedLineHeadline) -> list[tuple[str, FloatArray, str, str]]:
    """The line without noise and least squares, (d+1,) each, with colour and dash; one where they are the same."""
    if shown.is_least_squares:
        return [(LEAST_SQUARES, shown.own[0], GREEN, "dash")]
    return [(LEAST_SQUARES, shown.least_squares, PURPLE, "dot"), (shown.exact.name, shown.own[0], GREEN, "dash")]


def heights_of(coefficients: FloatArray, points: FloatArray) -> FloatArray:
    """Of lines (k, 2) at points (p,): (k, p)."""
    return np.asarray(coefficients[:, :1] * points + coefficients[:, 1:])


def _fan(points: FloatArray, own: Versions) -> dict[str, Any]:
    """One trace, a gap between any two of its lines."""
    noise = own.noise[1 : FAN + 1]
    x, base = (np.tile([ends[0], ends[-1], np.nan], len(noise)) for ends in (points, own.base))
    heights = base + own.scale * drawn.gapped(noise[:, 0], noise[:, -1])
    return line(FAN_NAME, x, heights, GREY, line={"width": 1}, hoverinfo="skip")


def chart(shown: FittedLineHeadline) -> Described:
    """Records with the lines, or what each feature adds to the prediction; and a description."""
    at = moving.at_epsilon(shown.scenario.epsilon)
    if _of_one_feature(shown):
        return lines(shown), moving.words_of(f"{described(shown)} ", at, ", with a band that holds 95 in 100.")
    what = f"What each feature adds to the prediction {shown.exact.of}, and privately "
    return coefficients(shown), moving.words_of(what, at, ", ± the noise.")


def _of_one_feature(shown: FittedLineHeadline) -> bool:
    return len(shown.columns) == len(shown.answer.labels) == 2


def views(shown: FittedLineHeadline) -> tuple[str, ...]:
    """Those of one feature and a target whose response is the line: else a private line is not noise times its scale away."""
    follows = _of_one_feature(shown) and isinstance(shown.noise.law, NoiseLaw) and shown.is_the_response
    return (ANSWERS, ERROR) if follows else ()


def said(shown: FittedLineHeadline, noise: Calibrated[Any], scale: Moving) -> dict[str, Moving]:
    """The errors on the records of the table, and on fresh ones where they are said."""
    fresh = None if shown.fresh_columns_alone else shown.afresh
    each = {"reach": shown} | ({} if fresh is None else {"afresh": fresh})
    after = f" {shown.answer.predicted_unit}" if shown.answer.predicted_unit else ""
    return {"afresh": moving.words_of()} | {
        slot: Moving(shown.off(one.error(noise.law)), moving.counted(error_by_scale(one)(scale), after).rule)
        for slot, one in each.items()
    }


def error_by_scale(shown: FittedLineHeadline) -> Any:
    """The mean of √(a + b·scale + c·scale²) over draws."""
    a, b, c = shown.error_by_scale()
    return lambda scale: moving.call("rooted", math.nan, a, b, c, scale)


def described(shown: FittedLineHeadline) -> str:
    """The beginning of a description, of one feature."""
    return f"The rows, the line {shown.exact.of}, least squares, and private lines"
