"""Of 100 possible answers so many, as icons: filled ones in place of rings, so that no meaning hangs on colour."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from pages.old.charts import moving
from pages.old.charts.drawn import GREY, Drawn, figure, scatter
from pages.old.charts.moving import Moving

OF = "of 100"
_EACH, _ROW, _PIXELS = 100, 10, 30  # icons, those of a row, and how large one is in a chart of 325 pixels


def icons(filled: int | Moving, said: str | Moving, of: str | Moving, colour: str) -> tuple[Drawn, Moving]:
    """The first ``filled`` icons have the ``colour``, row by row; and a description. ``said``: what they stand for, as *over 99*;
    ``of``: which answers these are."""
    x, y = (moving.sent_once(values, name, _EACH) for name, values in _places(_EACH).items())
    across, up = (moving.call(name, values, filled) for name, values in _places(int(moving.value_of(filled))).items())
    ring = {"color": GREY, "symbol": "circle-open", "size": _PIXELS - 6, "line": {"width": 2.5}}
    traces = [scatter("", x, y, ring), scatter("", across, up, {"color": colour, "symbol": "circle", "size": _PIXELS - 3})]
    axis: dict[str, Any] = {"visible": False, "range": [-0.5, _ROW - 0.5]}
    drawn = figure(traces, x=axis, y=dict(axis), margin=dict.fromkeys("lrtb", 0), showlegend=False)
    return drawn, moving.words_of("Icons for ", said, f" {OF}: ", of, ".")


def _places(many: int) -> dict[str, FloatArray]:
    """Where so many icons stand, by the name of the rule."""
    place = np.arange(many, dtype=np.float64)
    return {"iconX": place % _ROW, "iconY": _ROW - 1 - place // _ROW}
