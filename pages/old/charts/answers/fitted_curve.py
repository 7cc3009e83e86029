"""A curve with its private versions (Figure 1 of the diffpriv paper): with the spread of one dimension, over two as a map."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore.answers.answer import KindOfAnswer, Within
from dpcore.answers.fitted_curve import drawing_curves
from dpcore.base.facts import facts
from dpcore.base.polynomials import BernsteinPolynomial
from dpcore.base.types import Database, FloatArray
from dpcore.guarantees.words import figure as digits
from dpcore.mechanisms.base import Calibrated
from pages.old.charts import drawn, moving
from pages.old.charts.answers import ANSWERS, ERROR, Described
from pages.old.charts.drawn import BLUE, GREEN, GREY, PURPLE, VERMILION, Drawn, figure, line
from pages.old.charts.moving import Moving
from pages.old.charts.private_versions import Versions
from pages.old.experiment.headlines.fitted_curve import Fit, FittedCurveHeadline, grid

# A curve of two dimensions and a private version of it: a map, with the curve without noise as lines over it.


_COMPACT = {"l": 62, "r": 12, "t": 12, "b": 48}


def surface(fitted: Fit, shown: FittedCurveHeadline) -> Drawn:
    """One seeded private curve as a map over the first two dimensions, the others in their middle, and lines of equal height
    of the exact one. Every private curve here is simulated."""
    exact, law = shown.exact, drawing_curves(shown.noise.law)
    coefficients = shown.noise.simulate(exact.value, size=1, rng=draws_of(shown.scenario.seed))
    lines = {"type": "contour", "contours": {"coloring": "lines"}, "showscale": False, "showlegend": True, "ncontours": 8}
    lines |= {"line": {"color": GREEN, "dash": "dash"}, "colorscale": [[0, GREEN], [1, GREEN]]}
    traces = [
        _map("private", fitted.at, law.curves(coefficients, fitted.at)[0]),
        _map(exact.name, fitted.at, fitted.exact) | lines,
    ]
    traces += [] if shown.worst is not None else [drawn.no_proved_worst_case()]
    return _axes(traces, shown.answer.labels)


def _map(name: str, at: FloatArray, heights: FloatArray) -> dict[str, Any]:
    across, up = np.unique(at[:, 0]), np.unique(at[:, 1])
    heights = heights.reshape(len(up), len(across))  # the first dimension is the fastest
    return drawn.heatmap(name, across, up, heights, drawn.CIVIDIS, showscale=True)


def _axes(traces: list[dict[str, Any]], names: tuple[str, ...], **layout: Any) -> Drawn:
    across, up = (*names, "x", "y")[:2] if len(names) > 1 else ("x", "y")
    return figure(traces, x={"title": {"text": across}, "nticks": 6}, y={"title": {"text": up}, "nticks": 6}, **layout)


_DRAWS = 200
BAND_NAME, WORST, RECORDS = "95 in 100 at each point", "worst ± ", "rows"
_MOST_RECORDS, _POINTS = 400, 201
_MARGIN = 0.06  # of what is seen, above it and below


def fit(
    fitted: Fit,
    value: FloatArray,
    sampled: Calibrated[Any],
    worst_case: Calibrated[Any] | None,
    *,
    records: Database | None = None,
    names: tuple[str, ...] = ("x", "f(x)"),
    raw_name: str = "non-private",
    seed: int = 0,
) -> Drawn:
    """The exact curve, its Bernstein polynomial, one seeded private curve, and bands that hold 95 in 100 at each point.

    ``value`` are the lattice values, ``records`` (n, 2) a scatter behind. Every private curve here is simulated. The view
    follows the sampled band and the records; how wide the worst case's band is on average, the legend says.
    """
    points, rng = fitted.points, draws_of(seed)

    def versions(noise: Calibrated[Any], which: int) -> Versions:
        away = None if facts(noise.law).clip is not None else lambda one: private(one, np.zeros_like(value), points, rng)
        return Versions.of(fitted.approximation, noise, which, away, lambda one: private(one, value, points, rng))

    own = versions(sampled, 0)
    low, high = map(own.at, own.ends)
    seen, traces = [fitted.exact], []
    if records is not None:
        x, y = some(records, _MOST_RECORDS)[:, :2].T
        seen.append(y)
        traces.append(drawn.scatter(RECORDS, x, y, {"color": GREY, "size": 3, "opacity": 0.55}))
    traces += drawn.area_between(BAND_NAME, points, low, high, BLUE, drawn.faded(BLUE, 0.35))
    traces += [drawn.no_proved_worst_case()] if worst_case is None else _worst(versions(worst_case, 1), points)
    traces += [
        line(raw_name, points, fitted.exact, GREEN, line={"dash": "dash"}),
        line("polynomial", points, fitted.approximation, PURPLE, line={"dash": "dot"}),
        line("private", points, own.first, BLUE),
    ]
    y_axis = {"title": {"text": names[1]}, "range": _around(np.concatenate(seen), low, high)}
    return figure(traces, x={"title": {"text": names[0]}, "nticks": 6}, y=y_axis)


def _around(seen: FloatArray, low: Any, high: Any) -> list[Any]:
    """The ends of an axis that has all that is seen, and the band around it in steps, so that it does not move all the time."""
    bottom, top = float(seen.min()), float(seen.max())
    over = moving.most(0, bottom - moving.least(low), moving.most(high) - top)
    more = moving.where(moving.at_most(over, 0), 0, moving.round_up(over))
    whole = top - bottom + 2 * more
    margin = _MARGIN * moving.where(moving.at_most(whole, 0), 1, whole) + more
    return [bottom - margin, top + margin]


def _worst(versions: Versions, points: FloatArray) -> list[dict[str, Any]]:
    low, high = versions.ends
    name = moving.words_of(WORST, moving.figure(float(np.mean(high - low)) / 2 * versions.scale))
    style: dict[str, Any] = {"line": {"dash": "longdash", "width": 1.5}, "legendgroup": "worst"}
    edge = line(name, points, versions.at(high), VERMILION, **style, showlegend=False)
    return [line(name, points, versions.at(low), VERMILION, **style), edge]


def some(records: Database, most: int) -> Database:
    """So many of the records that are all numbers, from the first to the last."""
    records = records[np.isfinite(records).all(axis=1)]
    return np.asarray(records[drawn.thinned(len(records), most)])


def draws_of(seed: int) -> np.random.Generator:
    """Of the private curves of a figure: those sized to Δ̂ first."""
    return np.random.default_rng([seed, 5])


def private(calibrated: Calibrated[Any], value: FloatArray, points: FloatArray, rng: np.random.Generator) -> FloatArray:
    """200 simulated curves at the points, the first of which is shown: (200, points)."""
    coefficients = calibrated.simulate(value, size=_DRAWS, rng=rng)
    return drawing_curves(calibrated.law).curves(coefficients, points[:, None])


def chart(shown: FittedCurveHeadline) -> Described:
    """The curve, its polynomial and a private one, and a description."""
    exact, names, seed = shown.exact, shown.answer.labels, shown.scenario.seed
    at = moving.at_epsilon(shown.scenario.epsilon)
    if shown.fit.at.shape[1] > 1:
        said = moving.words_of("A map of a private curve ", at, f", with lines of equal height of the one {exact.of}.")
        return surface(shown.fit, shown), said
    of: dict[str, Any] = {"names": names, "raw_name": exact.name, "seed": seed}
    records = exact.database if exact.database.ndim == 2 else None
    curves = fit(shown.fit, exact.value, shown.noise, shown.worst, records=records, **of)
    return curves, moving.words_of(f"{described(shown)} ", at, ", with the spread at each point.")


def views(shown: FittedCurveHeadline) -> tuple[str, ...]:
    """Those of one dimension and a law that clips nothing: then a private curve is the polynomial and a curve of noise, which
    grows with the noise's scale and with nothing else."""
    target: Any = shown.scenario.target
    return (ANSWERS, ERROR) if len(target.domain) == 1 and facts(shown.noise.law).clip is None else ()


def said(shown: FittedCurveHeadline, noise: Calibrated[Any], scale: Moving) -> dict[str, Moving]:
    """The error."""
    return {"reach": Moving(digits(shown.error(noise.law)), moving.counted(error_by_scale(shown)(scale), "").rule)}


def error_by_scale(shown: FittedCurveHeadline) -> Any:
    """√(a + b·scale + c·scale²)"""
    a, b, c = shown.error_by_scale()
    return lambda scale: moving.call("rooted", math.nan, a, np.array([b]), np.array([c]), scale)


def described(shown: FittedCurveHeadline) -> str:
    """The beginning of a description, of one dimension."""
    first = "The rows, the" if shown.exact.database.ndim == 2 else "The"
    return f"{first} curve {shown.exact.of}, its Bernstein polynomial and a private one"


def published(response: BernsteinPolynomial, answer: KindOfAnswer, within: Within = None) -> Drawn:
    """A released curve over its domain."""
    names = answer.labels
    if response.dims > 1:
        lattice = grid(response.domain)
        return _axes([_map("private", lattice, response(lattice))], names, margin=_COMPACT)
    points = np.linspace(*response.domain[0], _POINTS)
    axes = {letter: {"nticks": many, "title": {"text": name}} for letter, many, name in zip("xy", (6, 5), names, strict=False)}
    return figure([line("private", points, response(points), BLUE)], **axes, margin=_COMPACT)
