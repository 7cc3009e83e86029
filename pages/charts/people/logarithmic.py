"""A logarithmic axis whose numbers fit a narrow chart."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.types import FloatArray

_WIDE, _NARROW = 100.0, 4.0  # from the least to the largest


def logarithmic(title: str, values: FloatArray, tickformat: str = "") -> dict[str, Any]:
    """For these values, all above 0 or NaN; a number at each power of ten, at 2 and 5 times it too where there are few of these,
    and at more places where there is hardly one."""
    known = values[values > 0]
    spread = float(known.max() / known.min()) if known.size else 1.0
    wide = spread >= _WIDE
    ticks: dict[str, Any] = {"dtick": 1} if wide else {"nticks": 6}
    if _NARROW <= spread < _WIDE:
        ticks = {"tickmode": "array", "tickvals": _between(float(known.min()), float(known.max()))}
    axis = {"title": {"text": title, "font": {"size": 13}}, "type": "log", "exponentformat": "power" if wide else "SI"}
    return axis | ({"tickformat": tickformat} if tickformat else {}) | ticks


def _between(low: float, high: float) -> FloatArray:
    """1, 2 and 5 times powers of ten, around numbers that are at most a hundredfold apart."""
    powers = 10.0 ** np.arange(np.floor(np.log10(low)) - 1, np.ceil(np.log10(high)) + 1)
    steps = (powers[:, None] * np.array([1.0, 2.0, 5.0])).ravel()
    return np.asarray(steps[(steps >= low / 2) & (steps <= high * 2)])
