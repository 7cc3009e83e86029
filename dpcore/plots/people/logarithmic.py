"""A logarithmic axis whose numbers fit a narrow chart."""

from __future__ import annotations

from typing import Any

from dpcore.base.types import FloatArray

_WIDE, _NARROW = 100.0, 4.0  # from the least to the largest


def logarithmic(title: str, values: FloatArray, tickformat: str = "") -> dict[str, Any]:
    """For these values, all above 0 or NaN; a number at each power of ten, at 2 and 5 times it too where there are few of these,
    and at more places where there is hardly one."""
    known = values[values > 0]
    spread = float(known.max() / known.min()) if known.size else 1.0
    wide = spread >= _WIDE
    ticks: dict[str, Any] = {"dtick": 1} if wide else {"dtick": "D2"} if spread >= _NARROW else {"nticks": 6}
    axis = {"title": {"text": title, "font": {"size": 13}}, "type": "log", "exponentformat": "power" if wide else "SI"}
    return axis | ({"tickformat": tickformat} if tickformat else {}) | ticks
