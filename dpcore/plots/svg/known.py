"""Every property that this writer draws; any other is refused, so that no new figure is drawn wrongly in silence."""

from __future__ import annotations

import re
from typing import Any

from dpcore.plots.svg.refused import NotDrawnError

Known = dict[str, Any]  # a property, and those in it: None for a single value


def _all(names: str, **inside: Known) -> Known:
    return dict.fromkeys(names.split()) | inside


MOUSE = _all(
    "clickmode customdata dragmode hoverinfo hoverlabel hovermode hoveron hovertemplate hovertext ids meta selected template "
    "uirevision unselected"
)
"""What only a mouse needs, and a template: the look of what a figure leaves open is the writer's own."""
_FONT = _all("size weight color family")
_TITLE = _all("text standoff", font=_FONT)
_LINE = _all("color width dash shape")
_EDGE = _all("color width")
_PLACE = "type name x y xaxis yaxis visible showlegend legend legendgroup legendrank opacity"
_TICKS = "tickmode tickvals ticktext tickformat dtick nticks exponentformat separatethousands tickangle ticks ticklen"
_AXIS = _all(
    f"{_TICKS} type range rangemode autorange domain anchor overlaying side matches visible showgrid showticklabels zeroline "
    "automargin",
    title=_TITLE,
    tickfont=_FONT,
)
_LEGEND = _all("orientation x y xanchor yanchor entrywidth entrywidthmode bgcolor", font=_FONT)
_TRACES: dict[str, Known] = {
    "scatter": _all(
        f"{_PLACE} mode text textposition fill fillcolor cliponaxis offsetgroup",
        line=_LINE,
        marker=_all("color size symbol opacity", line=_EDGE),
        textfont=_FONT,
        error_y=_all("type array color thickness visible"),
    ),
    "bar": _all(
        f"{_PLACE} width",
        marker=_all("color opacity", line=_EDGE, pattern=_all("shape")),
        error_y=_all("type array color thickness visible"),
    ),
    "heatmap": _all(
        f"{_PLACE} z zmin zmax colorscale showscale xgap ygap text texttemplate",
        textfont=_FONT,
        colorbar=_all("thickness xpad tickvals ticktext nticks", title=_all("text", font=_FONT)),
    ),
    "contour": _all(f"{_PLACE} z colorscale showscale ncontours", contours=_all("coloring"), line=_LINE),
}
_LAYOUT = _all(
    "paper_bgcolor plot_bgcolor height showlegend barmode bargap scattermode",
    margin=_all("l r t b"),
    font=_FONT,
    title=_all("text x xanchor y yref yanchor", pad=_all("t"), font=_FONT),
    annotations=_all(
        "text x y xref yref xanchor yanchor xshift yshift showarrow ax ay axref ayref arrowhead arrowwidth arrowcolor align",
        font=_FONT,
    ),
    shapes=_all("type x0 x1 y0 y1 xref yref fillcolor layer opacity", line=_LINE),
)
_NUMBERED = re.compile(r"(xaxis|yaxis|legend)\d*\Z")


def check(ready: dict[str, Any]) -> None:
    """Of what is given: NotDrawnError for a kind of trace or a property that is not drawn."""
    for trace in ready["data"]:
        kind = trace.get("type", "scatter")
        if kind not in _TRACES:
            raise NotDrawnError("the type of a trace", kind)
        _check(trace, _TRACES[kind], kind)
    for name, given in ready["layout"].items():
        numbered = _NUMBERED.match(name)
        known = _LAYOUT if numbered is None else {name: _LEGEND if numbered[1] == "legend" else _AXIS}
        _check({name: given}, known, "layout")


def _check(given: dict[str, Any], known: Known, where: str) -> None:
    for name, value in given.items():
        if name in MOUSE:
            continue
        if name not in known:
            raise NotDrawnError(f"{where}.{name}", value)
        if (inside := known[name]) is not None:
            for part in [value] if isinstance(value, dict) else value:
                _check(part, inside, f"{where}.{name}")
