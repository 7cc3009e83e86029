"""A curve of two dimensions and a private version of it: a map, with the curve without noise as lines over it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.answers.fitted_curve import drawing_curves
from dpcore.base.polynomials import BernsteinPolynomial
from dpcore.base.types import FloatArray
from dpcore.mechanisms.base import Calibrated
from dpcore.plots.colour_scales import CIVIDIS
from dpcore.plots.style import GREEN, figure
from dpcore.plots.unproved import no_proved_worst_case
from dpcore.workbench.grids import grid
from dpcore.workbench.headlines.fitted_curve import Fit

if TYPE_CHECKING:
    import plotly.graph_objects as go

_COMPACT = {"l": 62, "r": 12, "t": 12, "b": 48}


def surface(
    fitted: Fit,
    value: FloatArray,
    sampled: Calibrated[Any],
    worst_case: Calibrated[Any] | None,
    *,
    names: tuple[str, ...],
    raw_name: str = "non-private",
    seed: int = 0,
) -> go.Figure:
    """One seeded private curve as a map over the first two dimensions, the others in their middle, and lines of equal height
    of the exact one. ``value`` are the lattice values. Every private curve here is simulated."""
    law = drawing_curves(sampled.law)
    coefficients = sampled.simulate(value, size=1, rng=np.random.default_rng([seed, 5]))
    private = law.curves(coefficients, fitted.at)[0]
    lines = {"type": "contour", "name": raw_name, "contours": {"coloring": "lines"}, "showscale": False, "showlegend": True}
    traces = [_map("private", fitted.at, private), _map(raw_name, fitted.at, fitted.exact) | lines]
    traces[-1] |= {"line": {"color": GREEN, "dash": "dash"}, "colorscale": [[0, GREEN], [1, GREEN]], "ncontours": 8}
    if worst_case is None:
        traces.append(no_proved_worst_case())
    return _axes(traces, names)


def polynomial_map(response: BernsteinPolynomial, names: tuple[str, ...]) -> go.Figure:
    """A released curve of two dimensions or more over its domain."""
    points = grid(response.domain)
    return _axes([_map("private", points, response(points))], names, margin=_COMPACT)


def _map(name: str, at: FloatArray, heights: FloatArray) -> dict[str, Any]:
    across, up = np.unique(at[:, 0]), np.unique(at[:, 1])
    heights = heights.reshape(len(up), len(across))  # the first dimension is the fastest
    return {"type": "heatmap", "name": name, "x": across, "y": up, "z": heights, "colorscale": CIVIDIS, "showscale": True}


def _axes(traces: list[dict[str, Any]], names: tuple[str, ...], **layout: Any) -> go.Figure:
    across, up = (*names, "x", "y")[:2] if len(names) > 1 else ("x", "y")
    return figure(traces, x={"title": {"text": across}, "nticks": 6}, y={"title": {"text": up}, "nticks": 6}, **layout)
