"""What readers get: possible private answers around the non-private one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import NoiseLaw
from dpcore.plots.style import BLUE, GREEN, GREY, VERMILION, figure, line
from dpcore.plots.unproved import no_proved_worst_case

if TYPE_CHECKING:
    import plotly.graph_objects as go

_SHARE = 0.95  # of possible responses inside an interval
SIZED_TO = ("private, sized to Δ̂", "private, worst case")
UP_SEVERAL = "answer, ± 95 in 100 each alone"


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
) -> go.Figure:
    """Densities for one number; for several, one simulated response beside the non-private answer, with intervals
    that hold 95 in 100 of each number taken alone.

    Every private value here is simulated: none is a release.
    """
    if raw.size == 1:
        return _density(float(raw[0]), sampled, worst_case, raw_name, unit)
    return _several(raw, sampled, worst_case, labels or tuple(map(str, range(raw.size))), raw_name, bars, seed)


def _density(raw: float, sampled: Calibrated[Any], worst_case: Calibrated[Any] | None, raw_name: str, unit: str) -> go.Figure:
    reach = 5 * sampled.law.scale
    if worst_case is not None:
        reach = max(reach, min(5 * worst_case.law.scale, 6 * reach))
    offsets = np.linspace(-reach, reach, 161)
    densities = [("noise sized to Δ̂", sampled, BLUE, "solid")]
    if worst_case is not None:
        densities.append(("worst case", worst_case, VERMILION, "dash"))
    traces = [
        line(name, raw + offsets, _law(calibrated).density(offsets), colour, line={"dash": dash})
        for name, calibrated, colour, dash in densities
    ]
    if worst_case is None:
        traces.append(no_proved_worst_case())
    top = float(_law(sampled).density(np.zeros(1))[0])
    traces.append(line(raw_name, np.array([raw, raw]), np.array([0, top]), GREEN, line={"dash": "dot"}))
    return figure(
        traces,
        x={"title": {"text": published_in(unit)}, "nticks": 6},
        y={"title": {"text": "how likely"}, "showticklabels": False, "rangemode": "tozero"},
    )


def published_in(unit: str) -> str:
    """What the axis of private answers says."""
    return "what may be published" + (f" ({unit})" if unit else "")


def _several(
    raw: FloatArray,
    sampled: Calibrated[Any],
    worst_case: Calibrated[Any] | None,
    labels: tuple[str, ...],
    raw_name: str,
    bars: bool,
    seed: int,
) -> go.Figure:
    drawn = [
        (one_private(calibrated, raw, seed, i), np.full(raw.size, _law(calibrated).half_width(_SHARE)))
        for i, calibrated in enumerate((sampled, worst_case))
        if calibrated is not None
    ]
    return beside(raw, drawn, labels=labels, raw_name=raw_name, bars=bars)


def one_private(calibrated: Calibrated[Any], raw: FloatArray, seed: int, place: int) -> FloatArray:
    """The simulated answer that stands in the figure. ``place``: 0 of noise sized to Δ̂, 1 of the worst case."""
    drawn: FloatArray = calibrated.simulate(raw, size=1, rng=np.random.default_rng([seed, place + 1]))[0]
    return drawn


def beside(
    raw: FloatArray, drawn: Sequence[tuple[FloatArray, FloatArray]], *, labels: tuple[str, ...], raw_name: str, bars: bool = False
) -> go.Figure:
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
        expected = "one whose law inherits NoiseLaw, for this figure draws its density"
        raise InvalidValueError("mechanism", expected, type(law).__name__)
    return law
