"""A curve over one dimension: it and its polynomial, a private one, and within what 95 in 100 stay at each point."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.facts import facts
from dpcore.guarantees.words import figure
from pages.charts.answers.fitted_curve import (
    BAND,
    BAND_NAME,
    POLYNOMIAL,
    PRIVATE,
    RECORDS,
    WORST,
    described,
    draws_of,
    private,
    some,
)
from pages.charts.drawn import BLUE, GREEN, GREY, NOT_PROVED, PURPLE, VERMILION
from pages.charts.live.encoded import exactly, roughly
from pages.charts.live.kinds import BY, errors, of_scale_one
from pages.experiment.headlines.fitted_curve import FittedCurveHeadline

_MOST_RECORDS = 200


def names(shown: FittedCurveHeadline) -> tuple[str, ...]:
    """One, of one dimension and a law that clips nothing: then a private curve is the polynomial and a curve of noise, which
    grows with the noise's scale and with nothing else."""
    target: Any = shown.scenario.target
    return ("answers", "error") if len(target.domain) == 1 and facts(shown.noise.law).clip is None else ()


def views(shown: FittedCurveHeadline, off: float) -> dict[str, dict[str, Any]]:
    """Curves of noise in units of its scale, from the same draws as those of the chart that stays."""
    fit, exact, rng, zero = shown.fit, shown.exact, draws_of(shown.scenario.seed), np.zeros_like(shown.exact.value)
    points, labels = fit.points, shown.answer.labels
    drawn = private(of_scale_one(shown.noise), zero, points, rng)
    low, high = np.quantile(drawn, BAND, axis=0)
    lines: list[dict[str, Any]] = [{"mark": {"name": NOT_PROVED, "colour": GREY, "dash": "longdash"}}]
    if shown.worst is not None:
        ends = np.quantile(private(of_scale_one(shown.worst), zero, points, rng), BAND, axis=0)
        lines = [
            {
                "mark": {"name": WORST, "colour": VERMILION, "dash": "longdash", "width": 1.5},
                "by": BY[1],
                "named": WORST,
                "noise": [exactly(end) for end in ends],
                "near": float(np.mean(ends[1] - ends[0])) / 2,
            }
        ]
    lines += [
        {"mark": {"name": exact.name, "colour": GREEN, "dash": "dash"}, "ys": roughly(fit.exact)},
        {"mark": {"name": POLYNOMIAL, "colour": PURPLE, "dash": "dot"}, "ys": roughly(fit.approximation)},
        {"mark": {"name": PRIVATE, "colour": BLUE}, "by": BY[0], "noise": [exactly(drawn[0])]},
    ]
    heights, records = [fit.exact], None
    if exact.database.ndim == 2:
        behind = some(exact.database, _MOST_RECORDS)
        heights.append(behind[:, 1])
        looks = {"name": RECORDS, "colour": GREY, "symbol": "circle", "size": 1.5, "opacity": 0.55}
        records = {"mark": looks, "xs": roughly(behind[:, 0]), "ys": roughly(behind[:, 1])}
    every = np.concatenate(heights)
    return {
        "answers": {
            "x": {"title": labels[0], "range": [float(points[0]), float(points[-1])]},
            "y": {"title": labels[1]},
            "xs": roughly(points),
            "base": exactly(fit.approximation),
            "records": records,
            "lines": lines,
            "still": False,
            "band": {
                "mark": {"name": BAND_NAME, "colour": "none", "width": 0, "fill": BLUE, "opacity": 0.35},
                "low": exactly(low),
                "high": exactly(high),
            },
            "ends": [float(every.min()), float(every.max())],
            "alt": f"{described(shown)}, with the spread at each point.",
        },
        "error": errors(shown) | {"error": _error(shown)},
    }


def said(shown: FittedCurveHeadline) -> dict[str, Any]:
    """By which the error follows from the scale."""
    return {"error": _error(shown), "after": ""}


def _error(shown: FittedCurveHeadline) -> dict[str, Any]:
    a, b, c = shown.error_by_scale()
    return {"a": a, "b": [b], "c": [c]}


def follows(shown: FittedCurveHeadline, noise: Any) -> dict[str, str]:
    """What of its sentences the browser puts in, as it is under this noise."""
    return {"reach": figure(shown.error(noise.law))}
