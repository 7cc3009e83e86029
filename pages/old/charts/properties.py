"""Which properties of a figure are drawn, and which of their values: any other is refused, not drawn wrongly in silence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from dpcore.errors import DpcoreError

Known = dict[str, Any]
"""A property, and what it may be: anything (None), what this pattern allows, or what has properties of its own (Known)."""


def _all(names: str, **more: Any) -> Known:
    return dict.fromkeys(names.split()) | more


MOUSE = _all(
    "clickmode customdata dragmode hoverinfo hoverlabel hovermode hoveron hovertemplate hovertext ids meta selected template "
    "uirevision unselected"
)
"""What only a mouse needs, and a template: the look of what a figure leaves open is the renderer's own."""
_COLOUR = r"#[0-9a-fA-F]{3}([0-9a-fA-F]{3})?|[a-z]+|rgba?\(\s*[\d.]+(\s*,\s*[\d.]+){2,3}\s*\)"
_STOP = r"\[[\d.e-]+, '#[0-9a-fA-F]{6}'\]"  # of a scale of colours
_ACROSS, _UP = "left|center|right", "bottom|middle|top"
_FONT = _all("size weight family", color=_COLOUR)
_TITLE = _all("text standoff", font=_FONT)
_EDGE = _all("width", color=_COLOUR)
_LINE = _EDGE | {"dash": r"solid|(long)?dash(dot)?|dot|\d+px(,\d+px)*", "shape": "linear|hvh?"}
_ERROR = _all("array thickness", type="data", color=_COLOUR)
_PLACE = "type name x y xaxis yaxis showlegend legend legendgroup legendrank opacity"
_AXIS = _all(
    "tickvals ticktext dtick nticks separatethousands tickangle ticklen range domain overlaying matches visible showgrid "
    "showticklabels zeroline automargin",
    type="linear|log|category",
    rangemode="normal|tozero",
    tickmode="array",
    ticks="(outside)?",
    tickformat=r",?(\.\d+)?~?[fg%]",
    exponentformat="B|SI|power|none",
    anchor=r"[xy]\d*",
    side="bottom|top|left",
    title=_TITLE,
    tickfont=_FONT,
)
_LEGEND = _all("x y entrywidth entrywidthmode orientation", xanchor=_ACROSS, yanchor=_UP, bgcolor=_COLOUR, font=_FONT)
_TRACES: dict[str, Known] = {
    "scatter": _all(
        f"{_PLACE} text cliponaxis offsetgroup",
        mode=r"none|(lines|markers|text)(\+(markers|text))*",
        textposition=f"({_UP}) ({_ACROSS})",
        fill="none|tonexty|toself",
        fillcolor=_COLOUR,
        line=_LINE,
        marker=_all(
            "size opacity",
            color=_COLOUR,
            symbol="(circle|square|diamond|triangle-up|x|x-thin|line-ew|line-ns)(-open)?",
            line=_EDGE,
        ),
        textfont=_FONT,
        error_y=_ERROR,
    ),
    "bar": _all(
        f"{_PLACE} width", marker=_all("opacity", color=_COLOUR, line=_EDGE, pattern=_all("", shape="/?")), error_y=_ERROR
    ),
    "heatmap": _all(
        f"{_PLACE} z zmin zmax showscale xgap ygap text",
        colorscale=_STOP,
        texttemplate=re.escape("%{text}"),
        textfont=_FONT,
        colorbar=_all("thickness xpad tickvals ticktext nticks", title=_all("text", font=_FONT)),
    ),
    "contour": _all(f"{_PLACE} z showscale ncontours", colorscale=_STOP, contours=_all("", coloring="lines"), line=_LINE),
}
_LAYOUT = _all(
    "height showlegend bargap",
    paper_bgcolor=_COLOUR,
    plot_bgcolor=_COLOUR,
    barmode="group",
    scattermode="group|overlay",
    margin=_all("l r t b"),
    font=_FONT,
    title=_all("text x", xanchor=_ACROSS, y=r"1(\.0)?", yref="container", yanchor="top", pad=_all("t"), font=_FONT),
    annotations=_all(
        "text x y xref yref xshift yshift", showarrow="False", align="left", xanchor=_ACROSS, yanchor=_UP, font=_all("size")
    ),
    shapes=_all("x0 x1 y0 y1 xref yref layer opacity", type="rect", fillcolor=_COLOUR, line=_LINE),
)
_NUMBERED = re.compile(r"(xaxis|yaxis|legend)\d*\Z")
MOST_POINTS = 20_000  # of a trace: more make a picture of megabytes


@dataclass(eq=False)
class NotDrawnError(DpcoreError, ValueError):
    """A property of a figure, or a value of one, that is not drawn: drawn without it, the figure would be wrong."""

    what: str
    got: object

    def __str__(self) -> str:
        return (
            f"A figure must use what pages/old/charts/drawing can draw; got {self.what} = {self.got!r:.80}. "
            "Leave it out of the figure, or teach pages/old/charts/drawing to draw it."
        )


def check(ready: dict[str, Any]) -> None:
    """Of what is given: NotDrawnError for a kind of trace or a property that is not drawn."""
    for trace in ready["data"]:
        kind = trace.get("type", "scatter")
        if kind not in _TRACES:
            raise NotDrawnError("the type of a trace", kind)
        _check(trace, _TRACES[kind], kind)
        for name in {"x", "y"} - trace.keys():
            raise NotDrawnError(f"{kind}.{name}", None)
        if (many := max(len(trace["x"]), len(trace["y"]))) > MOST_POINTS:
            raise NotDrawnError("the number of points of a trace", many)
    for name, value in ready["layout"].items():
        numbered = _NUMBERED.match(name)
        known = _LAYOUT if numbered is None else {name: _LEGEND if numbered[1] == "legend" else _AXIS}
        _check({name: value}, known, "layout")


def _check(given: dict[str, Any], known: Known, where: str) -> None:
    for name, value in given.items():
        if name in MOUSE or known.get(name, name) is None:
            continue
        right = known.get(name)
        for part in value if right and isinstance(value, list) else [value]:
            if isinstance(right, dict) and isinstance(part, dict):
                _check(part, right, f"{where}.{name}")
            elif not isinstance(right, str) or not re.fullmatch(right, str(part)):
                raise NotDrawnError(f"{where}.{name}", part)
