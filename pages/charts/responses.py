"""What readers get: possible private answers around the non-private one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.words import figure as digits
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import NoiseLaw
from pages.charts.drawn import BLUE, GREEN, GREY, PURPLE, VERMILION, Drawn, figure, line, no_proved_worst_case, scatter, with_unit
from pages.experiment.error_curve import ErrorCurve

_SHARE = 0.95  # of possible responses inside an interval
SIZED_TO = ("private, sized to Δ̂", "private, worst case")
UP_SEVERAL = "answer, ± 95 in 100 each alone"
HOW_LIKELY = {"title": {"text": "how likely"}, "showticklabels": False, "rangemode": "tozero"}


def responses(
    raw: FloatArray,
    sampled: Calibrated[Any],
    worst_case: Calibrated[Any] | None,
    *,
    labels: tuple[str, ...] = (),
    raw_name: str = "non-private",
    unit: str = "",
    bars: bool = False,
    seed: int = 0,
) -> Drawn:
    """Densities for one number; for several, one simulated response beside the non-private answer, with intervals
    that hold 95 in 100 of each number taken alone.

    Every private value here is simulated: none is a release.
    """
    if raw.size == 1:
        return _density(float(raw[0]), sampled, worst_case, raw_name, unit)
    drawn = [
        (one_private(noise, raw, seed, i), np.full(raw.size, _law(noise).half_width(_SHARE)))
        for i, noise in enumerate((sampled, worst_case))
        if noise is not None
    ]
    return beside(raw, drawn, labels=labels or tuple(map(str, range(raw.size))), raw_name=raw_name, bars=bars)


def _density(raw: float, sampled: Calibrated[Any], worst_case: Calibrated[Any] | None, raw_name: str, unit: str) -> Drawn:
    reach = 5 * sampled.law.scale
    if worst_case is not None:
        reach = max(reach, min(5 * worst_case.law.scale, 6 * reach))
    offsets = np.linspace(-reach, reach, 161)
    laws = [_law(noise) for noise in (sampled, worst_case) if noise is not None]
    curves = [(raw + offsets, law.density(offsets)) for law in laws]
    return likely(curves, raw, raw_name, unit, top=float(laws[0].density(np.zeros(1))[0]))


def likely(curves: Sequence[tuple[FloatArray, FloatArray]], raw: float, raw_name: str, unit: str, *, top: float) -> Drawn:
    """How likely private answers are, around the one without noise: (x, y) under the noise that is sized to Δ̂, and under that of
    the worst case where there is one. ``top``: how high the line of the answer without noise is."""
    looks = (("noise sized to Δ̂", BLUE, "solid"), ("worst case", VERMILION, "dash"))
    traces = [line(name, x, y, colour, line={"dash": dash}) for (name, colour, dash), (x, y) in zip(looks, curves, strict=False)]
    if len(curves) < len(looks):
        traces.append(no_proved_worst_case())
    traces.append(line(raw_name, np.array([raw, raw]), np.array([0, top]), GREEN, line={"dash": "dot"}))
    return figure(traces, x={"title": {"text": published_in(unit)}, "nticks": 6}, y=HOW_LIKELY)


def published_in(unit: str) -> str:
    """What the axis of private answers says."""
    return with_unit("what may be published", unit)


def one_private(calibrated: Calibrated[Any], raw: FloatArray, seed: int, place: int) -> FloatArray:
    """The simulated answer that stands in the figure. ``place``: 0 of noise sized to Δ̂, 1 of the worst case."""
    drawn: FloatArray = calibrated.simulate(raw, size=1, rng=np.random.default_rng([seed, place + 1]))[0]
    return drawn


def beside(
    raw: FloatArray, drawn: Sequence[tuple[FloatArray, FloatArray]], *, labels: tuple[str, ...], raw_name: str, bars: bool = False
) -> Drawn:
    """Several numbers, and beside them simulated private ones with the half-width of an interval each: those sized to Δ̂, and
    those of the worst case where there is one."""
    kind: dict[str, Any] = {"type": "bar"} if bars else {"type": "scatter", "mode": "markers"}
    raw_marker = {"color": GREEN} if bars else {"color": GREEN, "symbol": "line-ew-open", "size": 16}
    traces: list[dict[str, Any]] = [kind | {"name": raw_name, "x": labels, "y": raw.copy(), "marker": raw_marker}]
    for name, colour, (private, widths) in zip(SIZED_TO, (BLUE, VERMILION), drawn, strict=False):
        error = {"type": "data", "array": widths, "color": GREY, "thickness": 1}
        traces.append(kind | {"name": name, "x": labels, "y": private, "marker": {"color": colour}, "error_y": error})
    if len(drawn) == 1:
        traces.append(no_proved_worst_case())
    return figure(traces, x={"type": "category"}, y={"title": {"text": UP_SEVERAL}}, barmode="group")


def _law(calibrated: Calibrated[Any]) -> NoiseLaw:
    law = calibrated.law  # those of curves and choices have figures of their own
    if not isinstance(law, NoiseLaw):
        expected = "one whose law says its density, for this figure draws that"
        raise InvalidValueError("mechanism", expected, type(law).__name__)
    return law


# Fifty equally likely private answers as dots, and how many of them are too far off (a quantile dotplot).


DOTS = 50
_COLUMNS = 27  # of dots, from the lowest to the highest
_SIZE, _HIGH = 9, 10.0  # pixels of a dot; dots that a column has room for, at least
_FURTHEST = 2.0  # times the furthest dot, up to which a line is drawn


def of_noise(law: NoiseLaw) -> FloatArray:
    """How far off each dot is, (50,): h_i for even i, −h_i for odd ones, with P(|noise| <= h_i) = (i − ½)/50.

    They are quantiles of the noise at levels that are 1/50 apart (mathematics, section 16.6).
    """
    half = np.array([law.half_width((i - 0.5) / DOTS) for i in range(1, DOTS + 1)])
    return half * np.where(np.arange(1, DOTS + 1) % 2, -1.0, 1.0)


def of_places(offsets: FloatArray, chances: FloatArray) -> FloatArray:
    """The same of a choice among places: in the order of how far off they are, those that hold the levels (i − ½)/50."""
    order = np.argsort(np.abs(offsets), kind="stable")
    levels = (np.arange(DOTS) + 0.5) / DOTS
    held = np.searchsorted(np.cumsum(chances[order]), levels)
    return np.asarray(offsets[order[np.minimum(held, len(order) - 1)]], dtype=np.float64)


def beyond(offsets: FloatArray, off: float) -> int:
    """How many dots are further off than that: 50·P(|response − answer| > off), rounded (mathematics, section 16.6)."""
    return int(np.count_nonzero(np.abs(offsets) > off))


def fifty_dots(raw: float, offsets: FloatArray, *, off: float, raw_name: str = "without noise", unit: str = "") -> Drawn:
    """Dots around an answer, stacked, with a line on either side at ``off``; those beyond are of another colour and shape."""
    noise = np.sort(offsets)
    reach = float(np.abs(noise).max())
    x, y = stacked(noise, reach, off)
    wrong = np.abs(noise) > off
    top, edge = max(_HIGH, float(y.max()) + 1), min(off, _FURTHEST * reach)
    traces = [
        _marks(f"{DOTS} equally likely answers", raw + x[~wrong], y[~wrong], BLUE, "circle"),
        _marks(f"wrong beyond ± {digits(off)}: {int(wrong.sum())} of {DOTS}", raw + x[wrong], y[wrong], VERMILION, "diamond"),
        line(raw_name, np.array([raw, raw]), np.array([0.0, top]), GREEN, line={"dash": "dot"}),
    ]
    if off <= _FURTHEST * reach:
        traces.append(_lines(raw, off, top))
    half = 1.06 * max(reach, edge) or 1.0
    return figure(
        traces,
        x={"title": {"text": published_in(unit)}, "nticks": 6, "range": [raw - half, raw + half]},
        y={"range": [0, top], "showticklabels": False, "showgrid": False},
    )


def _lines(raw: float, off: float, top: float) -> dict[str, Any]:
    ends = np.array([raw - off, raw - off, np.nan, raw + off, raw + off])
    style = {"dash": "dash", "width": 1.5}
    return line("", ends, np.array([0, top, np.nan, 0, top]), GREY, line=style, showlegend=False, hoverinfo="skip")


def stacked(noise: FloatArray, reach: float, off: float) -> tuple[FloatArray, FloatArray]:
    """(x, y) of each dot, from noise in order: the middle of its column, and how high it lies there.

    No column straddles ``off`` or −off, so that each dot is on the side of the line that its own distance is on.
    """
    width, inside = 2 * reach / _COLUMNS or 1.0, min(off, reach)
    many = max(1.0, np.floor(2 * inside / width + 1e-9))
    narrow = 2 * inside / many  # no narrower than the others, unless the lines are nearer to each other than that
    within = np.clip(np.floor((noise + inside) / (narrow or 1.0)), 0, many - 1)
    outside = np.floor(np.maximum(np.abs(noise) - inside, 0) / width)
    beyond_it = np.sign(noise) * (inside + (outside + 0.5) * width)
    x = np.where(np.abs(noise) > off, beyond_it, (within + 0.5) * narrow - inside)
    return x, np.asarray(np.arange(len(noise)) - np.searchsorted(x, x) + 0.5, dtype=np.float64)


def _marks(name: str, x: FloatArray, y: FloatArray, colour: str, symbol: str) -> dict[str, Any]:
    """Dots of one kind; where there is none, its name stays in the legend."""
    marker = {"color": colour, "symbol": symbol, "size": _SIZE}
    some = {"x": x, "y": y} if len(x) else {"x": [None], "y": [None]}
    return {"type": "scatter", "mode": "markers", "name": name, "marker": marker, "hoverinfo": "skip"} | some


# What privacy costs: the expected error against ε (Figures 6 and 7 of Rubinstein & Aldà 2017).


DECADES = 9  # shown of an error, at most
ACROSS = "ε: less protection to the right"


def errors(curve: ErrorCurve, *, epsilon: float, chosen: float, unit: str = "") -> Drawn:
    """Sampled and worst case, what is left without privacy, and the chosen ε. An error of 0 lies below a logarithmic axis:
    its line runs along the bottom, and the legend says 0."""
    values = [curve.sampled] if curve.worst_case is None else [curve.sampled, curve.worst_case]
    nothing = (
        float(np.log10(1 / 1.5)),
        float(np.log10(1.5)),
    )  # as of candidates whose scores are all the same: no choice is an error
    bottom, top = error_range(np.concatenate([*values, [curve.no_privacy, chosen]]), nothing)
    traces: list[dict[str, Any]] = [line("sampled", curve.epsilons, curve.sampled, BLUE)]
    if curve.worst_case is not None:
        traces.append(line("worst case", curve.epsilons, curve.worst_case, VERMILION, line={"dash": "longdash"}))
    else:
        traces.append(no_proved_worst_case())
    floor = np.full(2, max(curve.no_privacy, 10**bottom))
    ends = curve.epsilons[[0, -1]]
    traces += [
        line(f"no privacy: {digits(curve.no_privacy)}", ends, floor, GREEN, line={"dash": "dot"}),
        scatter(f"ε = {epsilon:g}: {digits(chosen)}", [epsilon], [chosen], {"color": PURPLE, "size": 12, "symbol": "diamond"}),
    ]
    return figure(traces, **error_axes(curve.what, unit, bottom, top))


def error_range(errors: FloatArray, nothing: tuple[float, float]) -> tuple[float, float]:
    """Exponents of ten where a logarithmic axis of these errors begins and ends; ``nothing`` where none is above 0."""
    known = errors[(errors > 0) & np.isfinite(errors)]
    if not known.size:
        return nothing
    top = float(np.log10(known.max() * 1.5))
    return max(float(np.log10(known.min() / 1.5)), top - DECADES), top


def error_axes(what: str, unit: str, bottom: float, top: float) -> dict[str, Any]:
    """Axes of an error against ε, both logarithmic; from ``bottom`` to ``top``, as exponents of ten."""
    return {
        "x": {"title": {"text": ACROSS}, "type": "log", "tickformat": "~g", "dtick": 1},
        "y": {
            "title": {"text": with_unit(what, unit), "font": {"size": 12}},
            "type": "log",
            "range": [bottom, top],
            "exponentformat": "power",
            "dtick": 1 if top - bottom < 7 else 2,
        },
    }
