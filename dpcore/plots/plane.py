"""The plane that a figure of lines and dots is drawn in: what its axes show, and where in it a trace runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self, final

import numpy as np

from dpcore.base.types import FloatArray

_ABOVE, _BELOW, _BESIDE = 0.1, 0.05, 0.02  # room beyond the data, in shares of their range; beside them where there are dots
_STEP, _MOST = 3.0, 20_000  # pixels between two points along a line, and the most points
Trace = dict[str, Any]
Range = tuple[float, float]


@final
@dataclass(frozen=True, slots=True)
class Plane:
    """What both axes show, as plotly counts it: of a logarithmic one the exponents of ten."""

    x: Range
    y: Range
    logarithmic: tuple[bool, bool]

    @classmethod
    def of(cls, data: list[Trace], layout: dict[str, Any]) -> Self | None:
        """That of a figure's traces. None where something is drawn that is no line and no dot, or on further axes, or where
        categories stand at an axis."""
        if not data or not all(map(_in_numbers, data)):
            return None
        logarithmic = tuple(layout[name].get("type") == "log" for name in ("xaxis", "yaxis"))
        x, y = (_range(data, layout, axis, log) for axis, log in zip("xy", logarithmic, strict=True))
        return cls(x, y, (logarithmic[0], logarithmic[1])) if x[0] < x[1] and y[0] < y[1] else None

    def run(self, trace: Trace, size: tuple[float, float]) -> FloatArray:
        """Points of a trace that lie inside, (n, 2) in pixels from the lower left of a plane of this size: along a line a few
        pixels apart."""
        x, y = (np.asarray(trace[axis], dtype=np.float64) for axis in "xy")
        mode = trace.get("mode", "lines")
        if "lines" in mode and (trace.get("line") or {}).get("shape") == "hv":
            x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
        axes = zip((x, y), (self.x, self.y), size, self.logarithmic, strict=True)
        at = np.column_stack([(_exponents(v, log) - low) / (high - low) * pixels for v, (low, high), pixels, log in axes])
        at = at[np.all(np.isfinite(at), axis=1)]
        at = _along(at) if "lines" in mode else at
        return np.asarray(at[np.all((at >= -1) & (at <= np.array(size) + 1), axis=1)])

    def back(self, at: FloatArray, size: tuple[float, float]) -> tuple[float, float]:
        """A point in pixels, as plotly places an annotation there."""
        (left, right), (low, high) = self.x, self.y
        return left + float(at[0]) / size[0] * (right - left), low + float(at[1]) / size[1] * (high - low)


def _in_numbers(trace: Trace) -> bool:
    """Whether it is lines or dots, on the first axes, at numbers."""
    first = trace.get("type") == "scatter" and trace.get("xaxis", "x") == "x" and trace.get("yaxis", "y") == "y"
    return first and all(np.asarray(trace[axis]).dtype.kind in "fiu" for axis in "xy")


def _range(data: list[Trace], layout: dict[str, Any], axis: str, log: bool) -> Range:
    """The axis's own range, or as far as the data reach, with some room."""
    own = layout[f"{axis}axis"]
    if (given := own.get("range")) is not None:
        return float(given[0]), float(given[1])
    every = _exponents(np.concatenate([np.asarray(trace[axis], dtype=np.float64) for trace in data]), log)
    every = every[np.isfinite(every)]
    low, high = (float(every.min()), float(every.max())) if every.size else (0.0, 0.0)
    if axis == "x":
        room = _BESIDE * (high - low) if any("markers" in trace.get("mode", "lines") for trace in data) else 0.0
        return low - room, high + room
    if own.get("rangemode") == "tozero" and low >= 0 and not log:
        return 0.0, high * (1 + _ABOVE)
    return low - _BELOW * (high - low), high + _ABOVE * (high - low)


def _exponents(values: FloatArray, logarithmic: bool) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log10(values) if logarithmic else values


def _along(points: FloatArray) -> FloatArray:
    """Points at equal distances along a line."""
    if len(points) < 2:
        return points
    far = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    at = np.linspace(0, far[-1], int(np.clip(far[-1] / _STEP, 2, _MOST)))
    return np.column_stack([np.interp(at, far, points[:, axis]) for axis in (0, 1)])
