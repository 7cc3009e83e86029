"""Colours, axes, traces, and the chart that all figures return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, final

import numpy as np

# Colours of Okabe and Ito with a contrast of at least 3:1 on a white and on a dark background.
BLUE, VERMILION, GREEN, PURPLE, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#7f7f7f"
HEIGHT = 262  # pixels
GRID = "rgba(128,128,128,0.2)"
_MARGIN = {"l": 54, "r": 12, "t": 46, "b": 36}
_MOST_NAMES = 30  # that are legible below a chart
_LEGEND = {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "font": {"size": 11}, "itemwidth": 30, "tracegroupgap": 0}


@final
@dataclass(frozen=True, eq=False)
class Chart:
    """A plotly figure with its description and its numbers.

    Args:
        title: Title of the chart.
        traces: Plotly traces.
        layout: Axes and other properties of the layout.
        alt: Description of the chart for people who cannot see it.
        rows: Its numbers as a table.
        moves: Rules by which its traces follow the sliders in the browser (``pages/live``).
    """

    title: str
    traces: list[dict[str, Any]]
    layout: dict[str, Any]
    alt: str
    rows: list[dict[str, Any]] = field(default_factory=list)
    moves: list[dict[str, Any]] = field(default_factory=list)

    def figure(self, subtitle: str = "", *, height: int = HEIGHT, size: int = 12) -> dict[str, Any]:
        """Return the plotly figure with its title and the guarantee, so both are part of every downloaded picture.

        Args:
            subtitle: The guarantee, after the title.
            height: Height in pixels; the layout may override it.
            size: Size of the font in pixels.
        """
        small = f"  <span style='font-size:{size - 2}px'>{subtitle}</span>" if subtitle else ""
        title = {
            "text": f"<b>{self.title}</b>{small}",
            "font": {"size": size + 2},
            "x": 0,
            "xanchor": "left",
            "xref": "container",
            "y": 1,
            "yref": "container",
            "yanchor": "top",
            "pad": {"t": 4, "l": 4},
        }
        shared: dict[str, Any] = {
            "title": title,
            "height": height,
            "font": {"size": size},
            "margin": _MARGIN,
            "legend": _LEGEND,
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
        }
        return {"data": [plain(trace) for trace in self.traces], "layout": shared | plain(self.layout)}


def plain(value: Any) -> Any:
    """Return plain data for JSON: arrays as lists, and numbers that are not finite as None."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def axis(title: str, **more: Any) -> dict[str, Any]:
    """Return a linear axis. Plotly reads tags in texts, and names of columns come from outside.

    Args:
        title: Title of the axis.
        **more: Other properties of the axis.
    """
    return {"title": {"text": escape(title, quote=False), "standoff": 4}, "zeroline": False, "gridcolor": GRID} | more


def names_axis(names: Sequence[str], title: str = "", **more: Any) -> dict[str, Any]:
    """Return an axis of names, which are written if there is room for them.

    Args:
        names: The names.
        title: Title of the axis.
        **more: Other properties of the axis.
    """
    return axis(title, type="category", showticklabels=len(names) <= _MOST_NAMES) | {"automargin": True} | more


def log_axis(title: str, low: float, high: float, **more: Any) -> dict[str, Any]:
    """Return a logarithmic axis.

    Args:
        title: Title of the axis.
        low: Lower end.
        high: Upper end.
        **more: Other properties of the axis.
    """
    ends = [float(np.log10(low)), float(np.log10(high))]
    return axis(title, type="log", range=ends, tickformat="~g", dtick=1 if ends[1] - ends[0] > 1.5 else "D2", **more)


def with_unit(text: str, unit: str) -> str:
    """Return a text with a unit in brackets.

    Args:
        text: The text.
        unit: The unit; may be empty.
    """
    return f"{text} ({unit})" if unit else text


def line(name: str, x: Any, y: Any, color: str, *, dash: str = "solid", **more: Any) -> dict[str, Any]:
    """Return a line trace.

    Args:
        name: Name in the legend.
        x: Horizontal positions.
        y: Vertical positions.
        color: Colour of the trace.
        dash: Style of the line.
        **more: Other properties of the trace.
    """
    name = escape(name, quote=False)
    return {"type": "scatter", "mode": "lines", "name": name, "x": x, "y": y, "line": {"color": color, "dash": dash}} | more


def markers(name: str, x: Any, y: Any, color: str, **more: Any) -> dict[str, Any]:
    """Return a trace of points.

    Args:
        name: Name in the legend.
        x: Horizontal positions.
        y: Vertical positions.
        color: Colour of the trace.
        **more: Other properties of the trace.
    """
    name = escape(name, quote=False)
    return {"type": "scatter", "mode": "markers", "name": name, "x": x, "y": y, "marker": {"color": color}} | more


def chosen(x: Any, y: Any, **more: Any) -> dict[str, Any]:
    """Return the point that the sliders select.

    Args:
        x: Horizontal position.
        y: Vertical position.
        **more: Other properties of the trace.
    """
    marker = {"color": GREEN, "size": 12, "symbol": "diamond", "line": {"width": 1, "color": "white"}}
    return markers("this point", [x], [y], GREEN, marker=marker, **more)


def transparent(color: str, opacity: float) -> str:
    """Return a transparent colour.

    Args:
        color: The colour as ``#rrggbb``.
        opacity: From 0 to 1.
    """
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"


def short(names: Sequence[str], most: int = 24) -> list[str]:
    """Return names that fit below a chart.

    Args:
        names: The names.
        most: Largest number of characters.
    """
    return [escape(name if len(name) <= most else f"{name[: most - 1]}…", quote=False) for name in names]
