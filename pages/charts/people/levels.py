"""Three noises at one ε, one under another, each with what it protects."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.words import figure as digits
from pages.charts.people.chances import logarithmic
from pages.charts.style import BLUE, VERMILION, figure, shown
from pages.experiment.contributions.predict import Level, split

if TYPE_CHECKING:
    import plotly.graph_objects as go

_LETTERS = 44  # of a line of words on a narrow chart
_LINE, _MARKS, _AROUND = 17, 34, 92  # pixels: a line of words, the room of the marks, and what is around all levels


def levels(compared: Sequence[Level], *, unit: str = "") -> tuple[go.Figure, str]:
    """Each level's noise and its whole error as two marks on one logarithmic axis, under a sentence on what it protects.

    They are as far apart as the cap and the bounds cost. The figure has the height that its words need. InvalidValueError for
    no level.
    """
    if not compared:
        raise InvalidValueError("levels", "at least one", tuple(compared))
    parts = split([each.prediction for each in compared])
    words = [_words(each) for each in compared]
    room = _MARKS + _LINE * max(len(each) for each in words)
    at = -np.arange(len(compared), dtype=np.float64)
    low, high = _range(parts.noise, parts.total)
    left, above = np.full(len(compared), 10**low), at + 0.6 * _MARKS / room
    traces = [
        _joined(parts.noise, parts.total, at),
        _marks("noise alone", parts.noise, at, {"color": BLUE, "size": 12, "symbol": "circle"}),
        _marks("whole error", parts.total, at, {"color": VERMILION, "size": 12, "symbol": "diamond-open", "line": {"width": 3}}),
        {
            "type": "scatter",
            "mode": "text",
            "x": left,
            "y": above,
            "text": ["<br>".join(each) for each in words],
            "textposition": "top right",
            "textfont": {"size": 12},
            "hoverinfo": "skip",
            "showlegend": False,
            "cliponaxis": False,
        },
    ]
    drawn = figure(
        traces,
        x=logarithmic(f"error ({unit})" if unit else "error", 10 ** np.array([low, high])) | {"range": [low, high]},
        y={"visible": False, "range": [float(at[-1]) - 0.6 * _MARKS / room, 1 - 0.4 * _MARKS / room]},
        margin={"l": 12, "r": 12, "t": 40, "b": 48},
        height=_AROUND + room * len(compared),
    )
    return drawn, _described(compared, parts.noise, parts.total, unit)


def _marks(name: str, sizes: FloatArray, at: FloatArray, style: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": sizes,
        "y": at,
        "marker": style,
        "hovertemplate": f"%{{x:.3g}}<extra>{name}</extra>",
    }


def _joined(low: FloatArray, high: FloatArray, at: FloatArray) -> dict[str, Any]:
    gap = np.full(len(at), np.nan)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": np.stack([low, high, gap], axis=1).ravel(),
        "y": np.repeat(at, 3),
        "line": {"color": VERMILION, "width": 2, "dash": "dot"},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _range(*sizes: FloatArray) -> tuple[float, float]:
    """Whole decades, so that the axis has two numbers at least."""
    known = np.concatenate(sizes)
    known = known[known > 0] if (known > 0).any() else np.ones(1)
    return float(np.floor(np.log10(known.min() / 1.05))), float(np.ceil(np.log10(known.max() * 1.05)))


def _words(level: Level) -> list[str]:
    return [f"<b>{shown(level.name)}</b>", *(shown(part) for part in wrap(level.protects, _LETTERS))]


def _described(compared: Sequence[Level], noise: FloatArray, total: FloatArray, unit: str) -> str:
    after = f" {unit}" if unit else ""
    said = [
        f"{each.name}: noise {digits(float(noise[i]))}{after}, whole error {digits(float(total[i]))}{after}."
        for i, each in enumerate(compared)
    ]
    return " ".join(["Noise and whole error at one ε.", *said])
