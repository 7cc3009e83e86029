"""What the sampler saw: the sensitivity CDF (Figure 1 of Rubinstein & Aldà 2017), and the miss of a drawn Δ̂."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.norms import Norm
from dpcore.base.types import FloatArray
from dpcore.guarantees.every_gamma import order_interval
from dpcore.guarantees.guesser import Guesser
from dpcore.guarantees.operating_points import OperatingPoint, half_width
from dpcore.guarantees.words import figure as digits
from dpcore.sampling.sampler import SensitivitySample
from pages.old.charts import moving
from pages.old.charts.accuracy_axis import shaded, with_accuracies
from pages.old.charts.drawn import (
    BLUE,
    GREEN,
    GREY,
    MOST_POINTS,
    VERMILION,
    Drawn,
    area_between,
    axis,
    faded,
    figure,
    line,
    with_unit,
)

# An empirical CDF drawn with few vertices: its staircase, and a band that contains the band of the whole staircase.


_MOST_KNOTS = MOST_POINTS // 2 - 1  # a knot is two vertices, and each end is one more
Indices = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def furthest(distances: FloatArray) -> float:
    """The largest that is finite; 0 where none is."""
    return float(distances[np.isfinite(distances)].max(initial=0.0))


def right_edge(most: float) -> float:
    """Where a chart of distances up to ``most`` ends: 5 % further, at 1 where all are 0."""
    return min(1.05 * most, sys.float_info.max) if most > 0 else 1.0


def staircase(ordered: FloatArray, right: float, *, most: int = _MOST_KNOTS) -> tuple[FloatArray, FloatArray]:
    """(x, y) of the empirical CDF of distances in order, from (0, 0) to the right edge, with at most so many steps.

    The edge is at least the largest finite distance, and the infinite ones lie beyond it. Where there are many steps, those
    at the knots are kept, and there the staircase has its true height.
    """
    values, heights, knots = _knots(ordered, most)
    level = np.concatenate([[0.0], heights[knots]])
    return _corners(values[knots], right), np.repeat(level, 2)


def band(ordered: FloatArray, right: float, *, most: int = _MOST_KNOTS) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(x, low, high): with straight lines between its vertices it contains Φ_m ± ``half_width`` of all m distances.

    Between two knots each edge is the chord of the steps there, moved outwards until it passes all of them. Where a line
    would leave [0, 1], it is moved to 0 or 1 as a whole: cut at its ends alone, it would pass through the band.
    """
    values, heights, knots = _knots(ordered, most)
    first, last = heights[knots], np.append(heights[knots[1:] - 1], heights[-1:])  # at each knot, and just before the next
    drop, lift = _excess(values, heights, knots)
    chords, width = np.stack([first, last], axis=1), half_width(max(1, len(ordered)))
    low = np.concatenate([np.zeros((1, 2)), chords - drop[:, None]]) - width
    high = np.concatenate([np.zeros((1, 2)), chords + lift[:, None]]) + width
    low[low[:, 0] < 0] = 0.0
    high[high[:, 1] > 1] = 1.0
    return _corners(values[knots], right), low.ravel(), high.ravel()


def _knots(ordered: FloatArray, most: int) -> tuple[FloatArray, FloatArray, Indices]:
    """The finite distances without their ties, the empirical CDF there, and which are kept: by rank, so a large tie is."""
    finite = ordered[: np.searchsorted(ordered, np.inf)]
    final = np.flatnonzero(np.append(finite[1:], np.inf) != finite)  # the last of each tie
    every = len(final) <= most
    knots = np.arange(len(final)) if every else np.unique(np.searchsorted(final, np.linspace(0, final[-1], most)))
    return finite[final], (final + 1) / max(1, len(ordered)), knots


def _corners(at: FloatArray, right: float) -> FloatArray:
    """The x of a line from 0 to the right edge with a vertical piece at each knot."""
    return np.concatenate([[0.0], np.repeat(at, 2), [right]])


def _excess(values: FloatArray, heights: FloatArray, knots: Indices) -> tuple[FloatArray, FloatArray]:
    """How far the steps from each knot up to the next pass below their chord and above it."""
    begin, end = knots[:-1], knots[1:]
    size, before = end - begin, heights[:-1]
    rise, run = heights[end - 1] - heights[begin], values[end] - values[begin]
    along = (values[:-1] - np.repeat(values[begin], size)) / np.repeat(run, size)
    above = np.repeat(heights[begin], size) + along * np.repeat(rise, size) - before  # the chord above the step that begins
    jump = np.diff(before, prepend=0.0)
    jump[begin] = 0.0  # at a knot the chord jumps too
    flat = np.zeros(min(1, len(knots)))  # after the last knot
    return np.append(np.maximum.reduceat(above + jump, begin), flat), np.append(-np.minimum.reduceat(above, begin), flat)


WHOLE = [0, 1.02]  # what an axis of shares shows
BAND = "95 %, whole curve"  # as short as the legend of a narrow chart needs it


def sensitivity_cdf(
    sample: SensitivitySample[Norm],
    *,
    true: Callable[[FloatArray], FloatArray] | None = None,
    true_name: str = "true",
    global_sensitivity: float | None = None,
    unit: str = "",
    guesser: Guesser | None = None,
    covered: float | None = None,
    scale: float = 0.0,
    most: int = _MOST_KNOTS,
) -> Drawn:
    """The empirical CDF of the distances with its DKW band, the true one, the inversion at k, the global sensitivity.

    The band is Φ_m ± √(log(2/0.05)/(2m)) (Massart 1990): in 95 % of samples it holds the true CDF everywhere at once. Infinite
    distances lie beyond the right edge. With a ``guesser``, who sees noise of this ``scale``, there is a second axis, how often
    he is right; what lies beyond ``covered`` is shaded. At most so many steps of the staircase are drawn.
    """
    distances = np.sort(sample.distances)
    value, order = sample.order_statistic, moving.named("k", sample.point.k)
    right = edge_of(sample, global_sensitivity)
    traces = band_traces(distances, right, most=most)
    if true is not None:
        points = np.linspace(0, right, 200)
        across, up = (moving.sent_once(one, "joined", one) for one in (points, true(points)))
        traces.append(line(true_name, across, up, BLUE))
    traces.append(line(counted(len(distances), " trials"), *_stairs(distances, right, most), VERMILION, dash="dot"))
    delta, share = moving.named("delta", value), order / len(distances)
    found = moving.words_of("Δ̂ = ", moving.figure(delta))
    found = moving.where(moving.at_most(1, order), found, moving.words_of("γ is out of reach"))
    inversion = line(found, moving.joined(0, delta, delta), moving.joined(share, share, 0), GREEN, dash="dash")
    traces.append(inversion | {"mode": "lines+markers", "marker": {"size": [0, 9, 0], "color": GREEN, "opacity": 1}})
    if global_sensitivity is not None:
        traces.append(line(f"worst case {digits(global_sensitivity)}", global_sensitivity, (0, 1), GREY, dash="longdash"))
    layout: dict[str, Any] = {}
    if guesser is not None:
        trace, layout = with_accuracies(guesser, right, value if covered is None else covered, scale)
        traces.append(trace)
    layout["shapes"], words = shaded(moving.named("beyond", np.nan if covered is None else covered), right)
    layout["annotations"] = [*layout.get("annotations", ()), *words]
    return figure(traces, x=distances_to(right, unit), y=axis("share of changes", range=WHOLE), **layout)


def _stairs(ordered: FloatArray, right: float, most: int) -> tuple[moving.Moving, moving.Moving]:
    """The empirical CDF, as it is sent."""
    x, y = staircase(ordered, right, most=most)
    return _at_corners(x), moving.sent_once(y, "twice", y[::2])


def _at_corners(x: FloatArray) -> moving.Moving:
    """The x of ``_corners``, each knot of which is sent once."""
    return moving.Moving(x, ["joined", 0.0, moving.sent_once(x, "twice", x[1:-1:2]).rule, float(x[-1])])


def band_traces(ordered: FloatArray, right: float, *, most: int = _MOST_KNOTS) -> list[dict[str, Any]]:
    """The band's edges as they are drawn, the upper one first, for distances in order."""
    x, low, high = band(ordered, right, most=most)
    lower, upper = (moving.sent_once(edge, "joined", edge) for edge in (low, high))
    hover = {"hoveron": "fills", "hoverinfo": "text", "text": "In 95 % of runs this band<br>holds the whole true curve."}
    return area_between(BAND, _at_corners(x), lower, upper, GREY, faded(GREY, 0.25), **hover)


def miss(point: OperatingPoint) -> Drawn:
    """The law of the share of pairs that the drawn Δ̂ misses, Beta(m−k+1, k) for continuous distances.

    Mathematics, section 1.3: the certified γ is met on average over the draws; one run can miss more.
    """
    from scipy.special import betainc

    shares = np.linspace(0, min(1.0, 4 * point.gamma + 2 / point.m), 200)
    exceeded = 1 - betainc(point.m - point.k + 1, point.k, shares)
    return figure(
        [
            line(f"m = {point.m:,}, k = {point.k:,}", shares, exceeded, BLUE),
            line(f"γ = {point.gamma:g}", point.gamma, (0, 1), GREEN, dash="dash"),
        ],
        x=axis("share of changes not protected by the drawn Δ̂", tickformat="~%"),
        y=axis("chance of more", range=WHOLE),
    )


def losses(
    sample: SensitivitySample[Norm], *, true: Callable[[FloatArray], FloatArray] | None = None, true_name: str = "true"
) -> Drawn:
    """P(loss > tε) = 1 − Φ(tΔ̂): on how many pairs more than t times the promised ε is lost (mathematics, section 12.1).

    The draws chose Δ̂ themselves, so their share beyond tΔ̂ is taken of m + 1 pairs, a fresh one counted as beyond. Exact for
    Laplace noise; under any mechanism of pure DP a pair at distance G loses at most ε·G/Δ̂; under Gaussian noise it can lose more.
    """
    value, distances = sample.order_statistic, np.sort(sample.distances)
    finite = distances[np.isfinite(distances)]
    most = float(min(max(1.5, 1.1 * finite[-1] / value), 20.0)) if len(finite) and 0 < value < np.inf else 2.0
    times = np.linspace(0, most, 200)
    reach = times * value if np.isfinite(value) else np.where(times > 0, np.inf, 0.0)
    m = len(distances)
    beyond = np.asarray(1 - sample.cdf(reach) * m / (m + 1))
    traces = [line(true_name, times, 1 - true(reach), BLUE)] if true is not None else []
    traces += [
        line(counted(m, " trials"), times, beyond, VERMILION, dash="dot"),
        line(f"γ = {sample.point.gamma:g}", (0, most), sample.point.gamma, GREEN, dash="dash"),
    ]
    y = axis("share of changes that lose more", range=WHOLE, tickformat="~%")
    return figure(traces, x=axis("times the promised ε, t", range=[0, most]), y=y)


def distances_to(right: float, unit: str) -> dict[str, Any]:
    """The axis of distances."""
    return axis(with_unit("how far the answer moves", unit), range=[0, right], exponentformat="power", nticks=6)


def edge_of(sample: SensitivitySample[Norm], global_sensitivity: float | None) -> float:
    """Where the chart of these distances ends: the worst case is in it where it is not far off."""
    right = furthest(sample.distances)
    if global_sensitivity is not None and (right == 0 or global_sensitivity <= 4 * right):
        right = max(right, global_sensitivity)
    return right_edge(right)


# Draws that are still arriving: their CDF as it grows, and where Δ̂ will about lie.
CONFIDENCE = 0.95


def growing_cdf(distances: FloatArray, point: OperatingPoint, *, unit: str = "") -> Drawn:
    """The empirical CDF of what arrived of m draws, with a 95 % interval for Δ̂, the k-th smallest of all m.

    For looking: the interval holds at one look, and of many looks some misses Δ̂ more often (``order_interval``). The draws
    that arrive first are not like the others, and a number that was looked at calibrates nothing.
    """
    ordered = np.sort(distances)
    right = right_edge(furthest(ordered))
    low, high = order_interval(distances, point, confidence=CONFIDENCE)
    grid, steps = staircase(ordered, right)
    ends = np.minimum([low, low, high, high], right)
    area = {"fill": "toself", "fillcolor": faded(BLUE, 0.18), "hoverinfo": "skip"}
    traces = [
        line(interval_words(low, high), ends, (0, 1, 1, 0), BLUE, width=0, **area),
        line(f"{len(ordered):,} of {counted(point.m, ' trials')}", grid, steps, VERMILION, dash="dot"),
        line("k/m", (0, right), point.k / point.m, GREEN, dash="dash"),
    ]
    return figure(traces, x=distances_to(right, unit), y=axis("share of changes", range=WHOLE))


def interval_words(low: float, high: float) -> str:
    """Δ̂'s interval for people. It holds at one look that was fixed beforehand."""
    if np.isfinite(high):
        return f"Δ̂, 95 % at one look: {digits(low)} to {digits(high)}"
    if np.isinf(low):
        return "Δ̂: ∞, too many trials fail"
    return f"Δ̂, 95 % at one look: {digits(low)} or more" if low > 0 else "Δ̂: not known yet"
