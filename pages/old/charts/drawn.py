"""What every figure is made of: a dict that plotly checks where somebody looks into it, with colours, lines and marks.

The colours have Okabe and Ito's hues, at least 3 : 1 on white, each with a line style: no meaning hangs on colour alone.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Any, final

import numpy as np
import plotly.graph_objects as go
import plotly.io
from _plotly_utils.utils import is_skipped_key, to_typed_array_spec

from dpcore.base.types import FloatArray


@final
class Drawn(go.Figure):
    """A plotly figure from a ready dict of ``data`` and ``layout``; its JSON is that of the same figure, checked.

    Plotly needs longer to check the properties of a figure than a redraw needs for all else. So they are checked at the first
    look into the figure, or at its first change, and not where it is only written. The tests check what they make, of each shape.
    """

    def __init__(self, ready: dict[str, Any]) -> None:
        self.__dict__["_ready"] = ready

    def __getattr__(self, name: str) -> Any:
        """What a checked figure has. Python asks here only for what is not there: so the figure was not checked yet."""
        ready = self.__dict__.pop("_ready", None)
        if ready is None:
            raise AttributeError(f"a figure has no attribute {name!r}", name=name, obj=self)
        try:
            super().__init__(ready, skip_invalid=False)
        except ValueError:
            self.__dict__["_ready"] = ready
            raise
        return getattr(self, name)

    def ready(self) -> dict[str, Any]:
        """Its ``data`` and ``layout``, to make another figure of: not to be changed."""
        ready: dict[str, Any] | None = self.__dict__.get("_ready")
        return dict(self.to_plotly_json()) if ready is None else ready

    def to_dict(self) -> dict[str, Any]:
        """A copy as plotly writes it: arrays as text of their bytes, and the default template where there is no other."""
        ready = self.__dict__.get("_ready")
        if ready is None:
            return dict(super().to_dict())
        written: dict[str, Any] = _written(ready)
        if "template" not in written["layout"] and (template := _template(plotly.io.templates.default)) is not None:
            written["layout"]["template"] = json.loads(template)
        return written


def _written(part: Any) -> Any:
    """As plotly writes it; a property that is None is one that was not given."""
    if isinstance(part, dict):
        given = ((key, value) for key, value in part.items() if value is not None)
        return {key: value if is_skipped_key(key) else _written(value) for key, value in given}
    if isinstance(part, (list, tuple)):
        return [_written(item) for item in part]
    return _bytes(part) if isinstance(part, np.ndarray) else part


def _bytes(array: Any) -> Any:
    """As plotly writes an array, which takes it long to recognise; nearly all arrays here are plain ones of numbers."""
    if array.dtype == np.float64 and array.ndim == 1 and array.size:
        return {"dtype": "f8", "bdata": b64encode(array.tobytes()).decode("ascii")}
    return to_typed_array_spec(array)


def inked(figure: Drawn) -> Drawn:
    """The same figure on a dark ground: the palette's colours are those of dark grounds."""
    return Drawn(_inked(figure.ready()))


def titled(figure: Drawn, *lines: str) -> Drawn:
    """The same figure below a title of some lines, which goes into each picture of it too."""
    ready = figure.ready()
    layout, text = ready["layout"], "<br>".join(map(shown, lines))
    place = {"x": 0.01, "xanchor": "left", "yref": "container", "y": 0.97, "yanchor": "top"}
    more = {
        "title": {"text": text, "font": {"size": 12}} | place,
        "margin": layout["margin"] | {"t": layout["margin"]["t"] + 20 * len(lines)},
    }
    return Drawn(ready | {"layout": layout | more})


def _inked(part: Any) -> Any:
    if isinstance(part, str):
        return _DARK.get(part, part)
    if isinstance(part, dict):
        return {name: _inked(one) for name, one in part.items()}
    return [_inked(one) for one in part] if isinstance(part, list) else part


@lru_cache(maxsize=8)
def _template(name: str | None) -> str | None:
    """A template's properties as text, from which a copy is made quickly."""
    return None if name is None else json.dumps(plotly.io.templates[name].to_plotly_json())


BLUE, VERMILION, GREEN, PURPLE, GREY = "#0072B2", "#D55E00", "#009E73", "#C2689B", "#7F7F7F"
ORANGE, SKY = "#B87D00", "#2F8FC4"
DARK_INKS = {
    BLUE: "#56B4E9",
    VERMILION: "#FF8A4C",
    GREEN: "#2CC295",
    PURPLE: "#E3A2C5",
    GREY: "#A6A6A6",
    ORANGE: "#F2B134",
    SKY: "#9AD5F5",
}
"""The same colours as they are on a dark ground: each at least 4.5 : 1, in the same order of hues."""
INK, ON_INK = "#31333F", "#FFFFFF"
"""Of letters that are read as text is; and of those on an area that is filled with one of these colours. On a dark ground the one
is light, and the other dark."""
_SHARES = (0.14, 0.18, 0.2, 0.25, 0.35)


def faded(colour: str, share: float) -> str:
    """A colour of the palette for an area: so opaque, one of a few shares."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    assert share in _SHARES, "add it to those that a dark ground knows"
    return f"rgba({red},{green},{blue},{share:g})"


_FADED = {faded(light, share): faded(dark, share) for light, dark in DARK_INKS.items() for share in _SHARES}
_DARK = DARK_INKS | _FADED | {INK: "#FAFAFA", ON_INK: "#0E1117"}
MOST_POINTS = 1_000
MARGIN = {"l": 62, "r": 12, "t": 56, "b": 48}
LEGEND = {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "font": {"size": 12}}


def figure(traces: list[dict[str, Any]], *, x: dict[str, Any], y: dict[str, Any], **layout: Any) -> Drawn:
    """A figure from one dict, which is checked only where somebody looks into it (``Drawn``).

    Names of traces, titles of axes and categories, which can come from outside, are shown as they are; ``text`` and templates
    of hovers are ours alone, and may have tags.
    """
    base: dict[str, Any] = {
        "margin": MARGIN | layout.pop("margin", {}),
        "legend": LEGEND,
        "xaxis": {"automargin": False, "zeroline": False} | x,
        "yaxis": {"automargin": False, "zeroline": False} | y,
        "hovermode": "closest",
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
    }
    for trace in traces:
        trace.update({key: shown(trace[key]) for key in ("name", "x") if key in trace})
    whole = base | layout
    for title in (one.get("title") for name, one in whole.items() if name[1:].startswith("axis")):
        if title:
            title["text"] = shown(title["text"])
    return Drawn({"data": traces, "layout": whole})


def shown(text: Any) -> Any:
    """A text, or each of several, as it is: Plotly reads a few tags of HTML, and links among them. Numbers stay."""
    if isinstance(text, str):
        return escape(text, quote=False)
    several = isinstance(text, (list, tuple)) and any(isinstance(item, str) for item in text)
    return [shown(item) for item in text] if several else text


# The pieces of a figure.


def line(name: Any, x: Any, y: Any, colour: str, *, dash: str = "", width: float = 2, **more: Any) -> dict[str, Any]:
    """A line trace; of at most 1,000 points. A coordinate that is one number is that of all points: so
    a rule across a figure is a line with one."""
    style = {"color": colour, "width": width} | ({"dash": dash} if dash else {}) | more.pop("line", {})
    x, y = np.broadcast_arrays(np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64))
    keep = thinned(len(x))
    x, y = x[keep], y[keep]
    return {"type": "scatter", "mode": "lines", "name": name, "x": x, "y": y, "line": style} | more


SILENT: dict[str, Any] = {"hoverinfo": "skip", "showlegend": False}
"""Of a trace that is not named and says nothing."""


def area_between(name: str, x: Any, low: Any, high: Any, colour: str, fill: str, **hover: Any) -> list[dict[str, Any]]:
    """Both edges of an area, neither of which is drawn: the lower one carries its name."""
    lower = {"fill": "tonexty", "fillcolor": fill} | (hover or {"hoverinfo": "skip"})
    return [line(name, x, high, colour, width=0, **SILENT), line(name, x, low, colour, width=0, **lower)]


def scatter(name: Any, x: Any, y: Any, marker: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A trace of marks alone."""
    return {"type": "scatter", "mode": "markers", "name": name, "x": x, "y": y, "marker": marker} | more


def bar(name: Any, x: Any, y: Any, marker: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A trace of bars."""
    return {"type": "bar", "name": name, "x": x, "y": y, "marker": marker} | more


def heatmap(name: str, x: Any, y: Any, z: Any, colorscale: Any, **more: Any) -> dict[str, Any]:
    """A trace of cells whose colours are numbers, (y, x)."""
    return {"type": "heatmap", "name": name, "x": x, "y": y, "z": z, "colorscale": colorscale} | more


def note(text: Any, x: Any, y: Any, *, size: int = 12, **where: Any) -> dict[str, Any]:
    """A text at a place."""
    return {"text": text, "x": x, "y": y, "showarrow": False, "font": {"size": size}} | where


def axis(title: str, *, size: int = 0, **more: Any) -> dict[str, Any]:
    """An axis that says in words what it shows, in type of this size where it has one of its own."""
    return {"title": {"text": title} | ({"font": {"size": size}} if size else {})} | more


def names_along(names: Sequence[str], most: int) -> dict[str, Any]:
    """What an axis has with a name at each of the places 0, 1, 2, …, or at each so many-th where there are more than ``most``."""
    every = max(1, -(-len(names) // most))
    places = {"tickmode": "array", "tickvals": np.arange(len(names), dtype=np.float64)[::every], "ticktext": list(names[::every])}
    return places | {"showgrid": False, "tickangle": 0}


def gapped(*ends: FloatArray) -> FloatArray:
    """One coordinate of many lines that are one trace: the ends of each line, (n,) each, and a gap before the next line."""
    return np.stack([*ends, np.full(len(ends[0]), np.nan)], axis=1).ravel()


def thinned(size: int, most: int = MOST_POINTS) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Indices of at most ``most`` of ``size`` points, the first and the last among them."""
    return np.unique(np.linspace(0, size - 1, min(size, most)).astype(np.int64))


def with_unit(what: str, unit: str) -> str:
    """What an axis says, with the unit of its numbers where they have one."""
    return f"{what} ({unit})" if unit else what


# What stands in a legend where no worst case is proved: there may be one that nobody has shown.


# Scales of colours by name: the colours are plotly's, and are here so that a figure needs no plotly.


_CIVIDIS = ("#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838")
CIVIDIS = [[i / 9, colour] for i, colour in enumerate(_CIVIDIS)]
"""Cividis of Nuñez, Anderton and Renslow (2018): as light as its number, and read by those who tell no red from green."""
