"""Colours, axes and the layout that all figures share."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

# Okabe and Ito's colours that have a contrast of at least 3:1 on white and on the dark ground.
BLUE, VERMILION, GREEN, PURPLE, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#7f7f7f"
HEIGHT = 300  # pixels
_MARGIN = {"l": 56, "r": 16, "t": 34, "b": 44}
_LEGEND = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"size": 11}}


def figure(traces: list[dict[str, Any]], *, x: dict[str, Any], y: dict[str, Any], **layout: Any) -> go.Figure:
    """Return a figure of these traces with the shared layout.

    Args:
        traces: Plotly traces.
        x: The horizontal axis, as ``axis`` gives it.
        y: The vertical axis.
        **layout: Other properties of the layout, which take precedence.
    """
    shared: dict[str, Any] = {
        "xaxis": x,
        "yaxis": y,
        "height": HEIGHT,
        "margin": _MARGIN,
        "legend": _LEGEND,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
    }
    return go.Figure(data=traces, layout=shared | layout)


def axis(title: str, **more: Any) -> dict[str, Any]:
    """Return a linear axis."""
    return {"title": {"text": title, "standoff": 6}, "zeroline": False, "gridcolor": "rgba(128,128,128,0.2)"} | more


def log_axis(title: str, **more: Any) -> dict[str, Any]:
    """Return a logarithmic axis."""
    return axis(title, type="log", tickformat="~g", **more)


def with_unit(text: str, unit: str) -> str:
    """Return ``text`` with its unit in brackets, if there is one."""
    return f"{text} ({unit})" if unit else text


def line(name: str, x: Any, y: Any, color: str, *, dash: str = "solid", **more: Any) -> dict[str, Any]:
    """Return a line trace."""
    return {"type": "scatter", "mode": "lines", "name": name, "x": x, "y": y, "line": {"color": color, "dash": dash}} | more


def markers(name: str, x: Any, y: Any, color: str, **more: Any) -> dict[str, Any]:
    """Return a trace of points."""
    return {"type": "scatter", "mode": "markers", "name": name, "x": x, "y": y, "marker": {"color": color}} | more


def transparent(color: str, opacity: float) -> str:
    """Return a colour ``#rrggbb`` with an opacity."""
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"
