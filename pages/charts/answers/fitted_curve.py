"""A curve with its private versions (Figure 1 of the diffpriv paper): with the spread of one dimension, over two as a map."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from dpcore.answers.answer import KindOfAnswer, Within
from dpcore.answers.fitted_curve import drawing_curves
from dpcore.base.facts import facts
from dpcore.base.polynomials import BernsteinPolynomial
from dpcore.base.types import Database, FloatArray
from dpcore.guarantees.words import figure as digits
from dpcore.mechanisms.base import Calibrated
from pages.charts import moving
from pages.charts.answers import ANSWERS, ERROR, Described
from pages.charts.drawn import (
    BLUE,
    CIVIDIS,
    GREEN,
    GREY,
    PURPLE,
    VERMILION,
    Drawn,
    area_between,
    faded,
    figure,
    line,
    no_proved_worst_case,
    scatter,
    thinned,
)
from pages.charts.moving import Moving
from pages.charts.noise_rules import of_scale_one
from pages.charts.responses import SCALES
from pages.experiment.headlines.fitted_curve import Fit, FittedCurveHeadline, grid

# A curve of two dimensions and a private version of it: a map, with the curve without noise as lines over it.


_COMPACT = {"l": 62, "r": 12, "t": 12, "b": 48}


def surface(
    fitted: Fit,
    value: FloatArray,
    sampled: Calibrated[Any],
    worst_case: Calibrated[Any] | None,
    *,
    names: tuple[str, ...],
    raw_name: str = "non-private",
    seed: int = 0,
) -> Drawn:
    """One seeded private curve as a map over the first two dimensions, the others in their middle, and lines of equal height
    of the exact one. ``value`` are the lattice values. Every private curve here is simulated."""
    law = drawing_curves(sampled.law)
    coefficients = sampled.simulate(value, size=1, rng=np.random.default_rng([seed, 5]))
    private = law.curves(coefficients, fitted.at)[0]
    lines = {"type": "contour", "name": raw_name, "contours": {"coloring": "lines"}, "showscale": False, "showlegend": True}
    traces = [_map("private", fitted.at, private), _map(raw_name, fitted.at, fitted.exact) | lines]
    traces[-1] |= {"line": {"color": GREEN, "dash": "dash"}, "colorscale": [[0, GREEN], [1, GREEN]], "ncontours": 8}
    if worst_case is None:
        traces.append(no_proved_worst_case())
    return _axes(traces, names)


def _map(name: str, at: FloatArray, heights: FloatArray) -> dict[str, Any]:
    across, up = np.unique(at[:, 0]), np.unique(at[:, 1])
    heights = heights.reshape(len(up), len(across))  # the first dimension is the fastest
    return {"type": "heatmap", "name": name, "x": across, "y": up, "z": heights, "colorscale": CIVIDIS, "showscale": True}


def _axes(traces: list[dict[str, Any]], names: tuple[str, ...], **layout: Any) -> Drawn:
    across, up = (*names, "x", "y")[:2] if len(names) > 1 else ("x", "y")
    return figure(traces, x={"title": {"text": across}, "nticks": 6}, y={"title": {"text": up}, "nticks": 6}, **layout)


_DRAWS = 200
BAND, BAND_NAME = (0.025, 0.975), "95 in 100 at each point"
WORST, POLYNOMIAL, PRIVATE, RECORDS = "worst ± ", "polynomial", "private", "records"
_MOST_RECORDS = 400
_POINTS = 201


def fit(
    fitted: Fit,
    value: FloatArray,
    sampled: Calibrated[Any],
    worst_case: Calibrated[Any] | None,
    *,
    records: Database | None = None,
    names: tuple[str, str] = ("x", "f(x)"),
    raw_name: str = "non-private",
    seed: int = 0,
) -> Drawn:
    """The exact curve, its Bernstein polynomial, one seeded private curve, and bands that hold 95 in 100 at each point.

    ``value`` are the lattice values, ``records`` (n, 2) a scatter behind. Every private curve here is simulated. The view
    follows the sampled band and the records; how wide the worst case's band is on average, the legend says.
    """
    points = fitted.points
    rng, moves = draws_of(seed), facts(sampled.law).clip is None
    drawn = _Private.of(fitted, value, sampled, SCALES[0], points, rng, moves=moves)
    ends_of_noise = np.quantile(drawn.noise, BAND, axis=0)
    low, high = (drawn.curve(end) for end in ends_of_noise)
    traces: list[dict[str, Any]] = []
    if records is not None:
        shown = some(records, _MOST_RECORDS)
        marker = {"color": GREY, "size": 3, "opacity": 0.55}
        traces.append(scatter(RECORDS, shown[:, 0], shown[:, 1], marker))
    traces += area_between(BAND_NAME, points, low, high, BLUE, faded(BLUE, 0.35))
    ends = [fitted.exact.min(), fitted.exact.max()]
    if records is not None and len(shown):
        ends += [shown[:, 1].min(), shown[:, 1].max()]
    bottom, top = float(min(ends)), float(max(ends))
    over = moving.most(0, bottom - moving.least(low), moving.most(high) - top)
    more = moving.where(moving.at_most(over, 0), 0, moving.round_up(over))
    margin = 0.06 * moving.where(moving.at_most(top - bottom + 2 * more, 0), 1, top - bottom + 2 * more) + more
    if worst_case is not None:
        traces += _worst(_Private.of(fitted, value, worst_case, SCALES[1], points, rng, moves=moves), points)
    else:
        traces.append(no_proved_worst_case())
    traces += [
        line(raw_name, points, fitted.exact, GREEN, line={"dash": "dash"}),
        line(POLYNOMIAL, points, fitted.approximation, PURPLE, line={"dash": "dot"}),
        line(PRIVATE, points, drawn.curve(drawn.noise[0]), BLUE),
    ]
    return figure(
        traces,
        x={"title": {"text": names[0]}, "nticks": 6},
        y={"title": {"text": names[1]}, "range": [bottom - margin, top + margin]},
    )


@final
@dataclass(frozen=True, eq=False)
class _Private:
    """Private curves: one without noise, ``base`` (p,), and ``scale`` times curves of ``noise`` (k, p). Under a law that clips
    they are not that: then their noise is what they are away, as they are now."""

    base: FloatArray
    scale: Any
    noise: FloatArray

    @classmethod
    def of(
        cls,
        fitted: Fit,
        value: FloatArray,
        noise: Calibrated[Any],
        name: str,
        points: FloatArray,
        rng: np.random.Generator,
        *,
        moves: bool,
    ) -> _Private:
        """200 of them at the points."""
        if not moves:
            return cls(fitted.approximation, 1.0, private(noise, value, points, rng) - fitted.approximation)
        away = private(replace(noise, law=of_scale_one(noise.law)), np.zeros_like(value), points, rng)
        return cls(fitted.approximation, moving.named(name, noise.law.scale), away)

    def curve(self, noise: FloatArray) -> Any:
        """One that is so far away."""
        return self.base + self.scale * noise


def _worst(drawn: _Private, points: FloatArray) -> list[dict[str, Any]]:
    low, high = np.quantile(drawn.noise, BAND, axis=0)
    name = moving.words_of(WORST, moving.figure(float(np.mean(high - low)) / 2 * drawn.scale))
    style = {"dash": "longdash", "width": 1.5}
    return [
        line(name, points, drawn.curve(low), VERMILION, line=style, legendgroup="worst"),
        line(name, points, drawn.curve(high), VERMILION, line=style, legendgroup="worst", showlegend=False),
    ]


def some(records: Database, most: int) -> Database:
    """So many of the records that are all numbers, from the first to the last."""
    records = records[np.isfinite(records).all(axis=1)]
    return np.asarray(records[thinned(len(records), most)])


def draws_of(seed: int) -> np.random.Generator:
    """Of the private curves of a figure: those sized to Δ̂ first."""
    return np.random.default_rng([seed, 5])


def private(calibrated: Calibrated[Any], value: FloatArray, points: FloatArray, rng: np.random.Generator) -> FloatArray:
    """200 simulated curves at the points, the first of which is shown: (200, points)."""
    coefficients = calibrated.simulate(value, size=_DRAWS, rng=rng)
    law = drawing_curves(calibrated.law)
    return law.curves(coefficients, points[:, None])


def polynomial(response: BernsteinPolynomial, *, names: tuple[str, ...] = ("x", "f(x)")) -> Drawn:
    """A released curve over its domain."""
    if response.dims > 1:
        lattice = grid(response.domain)
        return _axes([_map("private", lattice, response(lattice))], names, margin=_COMPACT)
    low, high = response.domain[0]
    points = np.linspace(low, high, _POINTS)
    return figure(
        [line("private", points, response(points), BLUE)],
        x={"nticks": 6, "title": {"text": names[0]}},
        y={"nticks": 5, "title": {"text": names[1]}},
        margin=_COMPACT,
    )


def chart(shown: FittedCurveHeadline) -> Described:
    """The curve, its polynomial and a private one, and a description."""
    exact, names, seed = shown.exact, shown.answer.labels, shown.scenario.seed
    at = moving.at_epsilon(shown.scenario.epsilon)
    if shown.fit.at.shape[1] > 1:
        figure = surface(shown.fit, exact.value, shown.noise, shown.worst, names=names, raw_name=exact.name, seed=seed)
        return figure, moving.words_of("A map of a private curve ", at, f", with lines of equal height of the one {exact.of}.")
    regression = exact.database.ndim == 2
    figure = fit(
        shown.fit,
        exact.value,
        shown.noise,
        shown.worst,
        records=exact.database if regression else None,
        names=(names[0], names[1]),
        raw_name=exact.name,
        seed=seed,
    )
    return figure, moving.words_of(f"{described(shown)} ", at, ", with the spread at each point.")


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
    first = "The records, the" if shown.exact.database.ndim == 2 else "The"
    return f"{first} curve {shown.exact.of}, its Bernstein polynomial and a private one"


def published(response: Any, answer: KindOfAnswer, within: Within = None) -> Drawn | None:
    """The released curve over its domain."""
    return polynomial(response, names=answer.labels)
