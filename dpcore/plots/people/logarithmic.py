"""A logarithmic axis whose numbers fit a narrow chart."""

from __future__ import annotations

from typing import Any

from dpcore.base.types import FloatArray

_WIDE = 100.0  # from the least to the largest: then powers of ten alone have a number


def logarithmic(title: str, values: FloatArray, tickformat: str = "") -> dict[str, Any]:
    """For these values, all above 0 or NaN; a number at each power of ten, and at 2 and 5 times it where there are few."""
    known = values[values > 0]
    wide = bool(known.size and known.max() >= _WIDE * known.min())
    axis = {"title": {"text": title, "font": {"size": 13}}, "type": "log", "exponentformat": "power" if wide else "SI"}
    return axis | ({"tickformat": tickformat} if tickformat else {}) | ({"dtick": 1} if wide else {"nticks": 6})
