"""What readers get: possible private answers around the non-private one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import NoiseLaw
from pages.old.charts import drawn as pieces
from pages.old.charts import moving
from pages.old.charts.drawn import (
    BLUE,
    GREEN,
    GREY,
    VERMILION,
    Drawn,
    axis,
    bar,
    figure,
    line,
    no_proved_worst_case,
    scatter,
    shown,
)
from pages.old.charts.groups import MOST_DRAWN, around, axis_of, fit, room_of
from pages.old.charts.moving import Moving, Numbers
from pages.old.charts.noise_rules import density, half_width, simulated

_SHARE = 0.95  # of possible responses inside an interval
SIZED_TO = ("private, sized to Δ̂", "private, worst case")
UP_SEVERAL = "answer, ± 95 in 100 each alone"
_APART = 0.24  # of a place, between two marks there
HOW_LIKELY = axis("how likely", showticklabels=False, rangemode="tozero")


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
    drawn = []
    for i, (noise, name) in enumerate(zip((sampled, worst_case), SCALES, strict=True)):
        if noise is not None:
            law, scale = _law(noise), moving.named(name, noise.law.scale)
            some = raw[:MOST_DRAWN]
            private = some + simulated(law, len(some), scale, np.random.default_rng([seed, i + 1]))
            drawn.append((private, half_width(law, _SHARE, scale) * np.ones(len(some))))
    return beside(raw, drawn, labels=labels or tuple(map(str, range(raw.size))), raw_name=raw_name, bars=bars)


SCALES = ("sampledScale", "worstScale")  # of the noise sized to Δ̂, and of the worst case's, under the hand


_REACH, _POINTS = 30.0, 161  # in units of the scale, and of a density
ROOM = 1.06


def _density(raw: float, sampled: Calibrated[Any], worst_case: Calibrated[Any] | None, raw_name: str, unit: str) -> Drawn:
    at = np.sinh(np.linspace(-1, 1, _POINTS) * np.arcsinh(_REACH))  # closer together where the density bends
    noises = [noise for noise in (sampled, worst_case) if noise is not None]
    scales = [moving.named(name, noise.law.scale) for name, noise in zip(SCALES, noises, strict=False)]
    curves = [(raw + at * scale, density(_law(noise), at, scale)) for noise, scale in zip(noises, scales, strict=True)]
    top = moving.most(density(_law(sampled), np.zeros(1), scales[0]))
    far = 5 * scales[0]
    if len(scales) > 1:
        far = moving.most(far, moving.least(5 * scales[1], 6 * far))
    half = moving.round_up(far)
    return likely(curves, raw, raw_name, unit, top=top, shown=(raw - half, raw + half))


def likely(
    curves: Sequence[tuple[Numbers, Numbers]],
    raw: float,
    raw_name: str,
    unit: str,
    *,
    top: float | Moving,
    shown: tuple[Moving, Moving] | None = None,
) -> Drawn:
    """How likely private answers are, around the one without noise: (x, y) under the noise that is sized to Δ̂, and under that of
    the worst case where there is one. ``top``: how high the line of the answer without noise is. ``shown``: both ends of the
    axis, where they are not those of the curves."""
    looks = (("noise sized to Δ̂", BLUE, "solid"), ("worst case", VERMILION, "dash"))
    traces = [line(name, x, y, colour, dash=dash) for (name, colour, dash), (x, y) in zip(looks, curves, strict=False)]
    if len(curves) < len(looks):
        traces.append(no_proved_worst_case())
    traces.append(line(raw_name, np.array([raw, raw]), moving.joined(0, top), GREEN, dash="dot"))
    x = axis(published_in(unit), nticks=6) | ({} if shown is None else {"range": list(shown)})
    return figure(traces, x=x, y=HOW_LIKELY if shown is None else HOW_LIKELY | {"range": [0, ROOM * top]})


def published_in(unit: str) -> str:
    """What the axis of private answers says."""
    return pieces.with_unit("what may be published", unit)


def beside(
    raw: FloatArray, drawn: Sequence[tuple[Numbers, Numbers]], *, labels: tuple[str, ...], raw_name: str, bars: bool = False
) -> Drawn:
    """Several numbers, and beside them simulated private ones with the half-width of an interval each: those sized to Δ̂, and
    those of the worst case where there are some. Of more than 256, the first: all that is given of private ones."""
    labels, raw, size = labels[:MOST_DRAWN], raw[:MOST_DRAWN], min(len(raw), MOST_DRAWN)
    piece = bar if bars else scatter
    places = np.arange(size, dtype=np.float64)
    told = {"customdata": [shown(label) for label in labels], "hovertemplate": "%{customdata}: %{y:.6~g}"}
    own = {} if bars else {"symbol": "line-ew-open", "size": fit(16, size)}
    traces, reaches = [piece(raw_name, places, raw.copy(), {"color": GREEN} | own, **told)], []
    for place, (name, colour, (private, widths)) in enumerate(zip(SIZED_TO, (BLUE, VERMILION), drawn, strict=False)):
        error = {"type": "data", "array": widths, "color": GREY, "thickness": 1}
        apart = 0.0 if bars else _APART * (place - (len(drawn) - 1) / 2)
        own = {} if bars else {"size": fit(8, size)}
        traces.append(piece(name, places + apart, private, {"color": colour} | own, error_y=error, **told))
        reaches.append(moving.most(private + widths - raw, raw - private + widths))
    if len(drawn) == 1:
        traces.append(no_proved_worst_case())
    y = axis(UP_SEVERAL, **around(raw, reaches, zero=bars))
    return figure(traces, x=axis_of(labels), y=y, barmode="group", margin={"b": room_of(labels)})


def _law(calibrated: Calibrated[Any]) -> NoiseLaw:
    law = calibrated.law  # those of curves and choices have figures of their own
    if not isinstance(law, NoiseLaw):
        expected = "one whose law says its density, for this figure draws that"
        raise InvalidValueError("mechanism", expected, type(law).__name__)
    return law
