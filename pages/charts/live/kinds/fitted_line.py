"""A line of one feature: it and least squares, private ones, and within what 95 in 100 stay at each place."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.mechanisms.response_law import NoiseLaw
from pages.charts.answers.fitted_line import (
    BAND,
    BAND_NAME,
    ENDS,
    FAN,
    FAN_NAME,
    PRIVATE,
    RECORDS,
    WORST,
    described,
    exact,
    heights_of,
    records,
    seeds,
)
from pages.charts.drawn import BLUE, GREY, NOT_PROVED, VERMILION, thinned
from pages.charts.live.encoded import exactly, roughly, unit
from pages.charts.live.kinds import BY, errors, of_scale_one
from pages.experiment.headlines.fitted_line import FittedLineHeadline

_MOST_RECORDS = 200
_BESIDE = 0.03  # of the width, to the left and the right of all records


def names(shown: FittedLineHeadline) -> tuple[str, ...]:
    """One, of one feature and a target whose response is the line: else a private line is not so many times one of noise away."""
    one = len(shown.columns) == len(shown.answer.labels) == 2
    return ("answers", "error") if one and isinstance(shown.noise.law, NoiseLaw) and shown.is_the_response else ()


def views(shown: FittedLineHeadline, off: float) -> dict[str, dict[str, Any]]:
    """Lines of noise in units of its scale, from the same draws as those of the chart that stays."""
    x, y, points = records(shown)
    seed, of_worst = seeds(shown)
    drawn = heights_of(shown.away(of_scale_one(shown.noise).law, BAND, seed), points)
    low, high = np.quantile(drawn, ENDS, axis=0)
    fan = [roughly(each) for each in drawn[1 : FAN + 1]]
    lines: list[dict[str, Any]] = [{"mark": {"name": FAN_NAME, "colour": GREY, "width": 1}, "by": BY[0], "noise": fan}]
    if shown.worst is None:
        lines.append({"mark": {"name": NOT_PROVED, "colour": GREY, "dash": "longdash"}})
    else:
        far = heights_of(shown.away(of_scale_one(shown.worst).law, 1, of_worst), points)
        lines.append({"mark": {"name": WORST, "colour": VERMILION, "dash": "longdash"}, "by": BY[1], "noise": [exactly(far[0])]})
    for name, at, colour, dash in exact(shown):
        lines.append({"mark": {"name": name, "colour": colour, "dash": dash}, "ys": roughly(_along(at, points))})
    lines.append({"mark": {"name": PRIVATE, "colour": BLUE}, "by": BY[0], "noise": [exactly(drawn[0])]})
    across, up = (column.words for column in shown.columns)
    every = thinned(len(x), _MOST_RECORDS)
    room = _BESIDE * (points[-1] - points[0] or 1.0)
    return {
        "answers": {
            "x": {"title": across, "range": [float(points[0] - room), float(points[-1] + room)]},
            "y": {"title": up},
            "xs": roughly(points),
            "base": exactly(_along(shown.own[0], points)),
            "lines": lines,
            "still": True,
            "records": {
                "mark": {"name": RECORDS, "colour": GREY, "symbol": "circle", "size": 2, "opacity": 0.5},
                "xs": roughly(x[every]),
                "ys": roughly(y[every]),
            },
            "band": {
                "mark": {"name": BAND_NAME, "colour": "none", "width": 0, "fill": BLUE, "opacity": 0.2},
                "low": exactly(low),
                "high": exactly(high),
            },
            "ends": [float(y.min()), float(y.max())],
            "alt": f"{described(shown)}, with a band that holds 95 in 100.",
        },
        "error": errors(shown) | {"error": _error(shown)},
    }


def said(shown: FittedLineHeadline) -> dict[str, Any]:
    """By which the errors follow from the scale: on the records of the table, and on fresh ones where they are said."""
    after = f" {shown.answer.predicted_unit}" if shown.answer.predicted_unit else ""
    fresh = None if shown.fresh_columns_alone else shown.afresh
    return {
        "error": _error(shown),
        "fresh": None if fresh is None else _error(fresh),
    } | unit(after)


def follows(shown: FittedLineHeadline, noise: Any) -> dict[str, str]:
    """What of its sentences the browser puts in, as it is under this noise."""
    fresh = None if shown.fresh_columns_alone else shown.afresh
    afresh = "" if fresh is None else shown.off(fresh.error(noise.law))
    return {"reach": shown.off(shown.error(noise.law)), "afresh": afresh}


def _error(shown: FittedLineHeadline) -> dict[str, Any]:
    a, b, c = shown.error_by_scale()
    return {"a": a, "b": exactly(b), "c": exactly(c)}


def _along(line: FloatArray, points: FloatArray) -> FloatArray:
    return np.asarray(heights_of(line[None], points)[0])
