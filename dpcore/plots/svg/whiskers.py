"""Whiskers: from each number down and up, with ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.plots.svg.axis import Axis
from dpcore.plots.svg.looks import paint
from dpcore.plots.svg.paths import FAR, number
from dpcore.plots.svg.refused import NotDrawnError
from dpcore.plots.svg.values import numbers, several

_CAP = 4.0  # pixels of an end, to each side


def lengths(trace: dict[str, Any]) -> FloatArray | None:
    """Of one whisker down and up from each number; None of a trace without."""
    error = trace.get("error_y")
    if not error or error.get("visible") is False:
        return None
    if error.get("type", "data") != "data" or not several(error.get("array")):
        raise NotDrawnError("error_y", error.get("type"))
    return numbers(error["array"], "error_y.array")


def whiskers(trace: dict[str, Any], x: FloatArray, y: Axis) -> str:
    """``x`` in pixels."""
    reach = lengths(trace)
    if reach is None:
        return ""
    error, values, wide = trace["error_y"], y.counted(trace["y"]), number(2 * _CAP)
    low, high = (np.clip(y.at(values + sign * reach), -FAR, FAR) for sign in (-1, 1))
    d = "".join(
        f"M{number(a - _CAP)} {number(c)}h{wide}m-{number(_CAP)} 0V{number(b)}m-{number(_CAP)} 0h{wide}"
        for a, b, c in zip(x.tolist(), low.tolist(), high.tolist(), strict=False)
        if np.isfinite([a, b, c]).all()
    )
    look = f'{paint("stroke", error.get("color") or "#444444")} stroke-width="{number(float(error.get("thickness", 2)))}"'
    return f'<path d="{d}" fill="none"{look}/>' if d else ""
