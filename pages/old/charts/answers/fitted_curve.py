"""A released curve: a line over one dimension, a map over two."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.answers.answer import KindOfAnswer, Within
from dpcore.base.polynomials import BernsteinPolynomial
from dpcore.base.types import FloatArray
from pages.experiment.accuracy import curve_points as grid
from pages.old.charts import drawn
from pages.old.charts.drawn import BLUE, Drawn, figure, line

_COMPACT = {"l": 62, "r": 12, "t": 12, "b": 48}


def _map(name: str, at: FloatArray, heights: FloatArray) -> dict[str, Any]:
    across, up = np.unique(at[:, 0]), np.unique(at[:, 1])
    heights = heights.reshape(len(up), len(across))  # the first dimension is the fastest
    return drawn.heatmap(name, across, up, heights, drawn.CIVIDIS, showscale=True)


def _axes(traces: list[dict[str, Any]], names: tuple[str, ...], **layout: Any) -> Drawn:
    across, up = (*names, "x", "y")[:2] if len(names) > 1 else ("x", "y")
    return figure(traces, x={"title": {"text": across}, "nticks": 6}, y={"title": {"text": up}, "nticks": 6}, **layout)


_POINTS = 201


def published(response: BernsteinPolynomial, answer: KindOfAnswer, within: Within = None) -> Drawn:
    """A released curve over its domain."""
    names = answer.labels
    if response.dims > 1:
        lattice = grid(response.domain)
        return _axes([_map("private", lattice, response(lattice))], names, margin=_COMPACT)
    points = np.linspace(*response.domain[0], _POINTS)
    axes = {letter: {"nticks": many, "title": {"text": name}} for letter, many, name in zip("xy", (6, 5), names, strict=False)}
    return figure([line("private", points, response(points), BLUE)], **axes, margin=_COMPACT)
