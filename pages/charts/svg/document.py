"""A figure as the text of an SVG."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from itertools import groupby
from typing import Any, final

from pages.charts.drawn import Drawn
from pages.charts.svg import axes as axis_marks
from pages.charts.svg.axis import Axis
from pages.charts.svg.bars import bars, slots
from pages.charts.svg.contours import contours
from pages.charts.svg.maps import cells
from pages.charts.svg.notes import Band, Notes
from pages.charts.svg.picture import Picture, Plot
from pages.charts.svg.scatter import points
from pages.charts.svg.text import ANCHORS, escaped, write
from pages.charts.svg.values import NotDrawnError, given, number, one_of

# Every property that this writer draws; any other is refused, so that no new figure is drawn wrongly in silence.


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
    f"{_TICKS} type range rangemode domain anchor overlaying side matches visible showgrid showticklabels zeroline automargin",
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
        "text x y xref yref xanchor yanchor xshift yshift showarrow ax ay axref ayref arrowhead arrowwidth arrowcolor",
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
    for name, value in ready["layout"].items():
        numbered = _NUMBERED.match(name)
        known = _LAYOUT if numbered is None else {name: _LEGEND if numbered[1] == "legend" else _AXIS}
        _check({name: value}, known, "layout")


def _check(given: dict[str, Any], known: Known, where: str) -> None:
    for name, value in given.items():
        if name in MOUSE:
            continue
        if name not in known:
            raise NotDrawnError(f"{where}.{name}", value)
        if (inside := known[name]) is not None:
            for part in [value] if isinstance(value, dict) else value:
                _check(part, inside, f"{where}.{name}")


FONTS = "system-ui, 'Source Sans 3', 'Source Sans', sans-serif"
HEIGHT = 400
_LAYERS = ("heatmap", "contour", "bar", "scatter")
_HEADING, _NOTE = 15.0, 12.0  # pixels of the type of a heading and of a note
_BOLD = 600
_RISE = 0.78  # of the type, to its top


@final
class Theme(Enum):
    """The colours around what is drawn: of texts, of the lines behind the data, and of the ground.

    LIGHT and DARK are the same everywhere. PAGE follows the page that the SVG stands in: its custom properties ``--ink``,
    ``--grid`` and ``--ground``, and is light on the page's own ground where it has none. Lines and marks keep the figure's own
    colours in each theme.
    """

    LIGHT = ("#31333f", "#e3e4e8", "#ffffff")
    DARK = ("#fafafa", "#3b3e48", "#0e1117")
    PAGE = ("var(--ink, #31333f)", "var(--grid, #e3e4e8)", "var(--ground, transparent)")

    def __init__(self, ink: str, grid: str, ground: str) -> None:
        self.ink, self.grid, self.ground = ink, grid, ground


def svg(
    figure: Drawn,
    *,
    alt: str,
    width: int = 640,
    height: int | None = None,
    theme: Theme = Theme.LIGHT,
    title: str = "",
    note: str = "",
) -> str:
    """A figure of pages.charts as SVG, without plotly: the same lines, marks, texts and numbers that plotly draws.

    ``alt`` says in words what is seen. ``width`` and ``height`` in pixels; without a height the figure's own, or 400. ``title``
    stands above, and ``note`` below, both within the height. Names that need more than half of it make the picture higher.
    Every text is set as text. It has no id, no class and no style sheet, so many can stand in one page. NotDrawnError for a
    property that the writer does not know.
    """
    ready = given(figure.ready())
    check(ready)
    whole = float(height or ready["layout"].get("height") or HEIGHT)
    above, below = Band.of(title, _HEADING, width), Band.of(note, _NOTE, width)
    picture = Picture.of(ready, float(width), max(1.0, whole - above.high - below.high))
    whole = picture.margins.high + above.high + below.high
    inside = "".join(_layers(picture, theme))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {number(whole)}" width="{width}" height="{number(whole)}" '
        f'role="img" font-family="{FONTS}" fill="{theme.ink}" color="{theme.ink}">',
        f"<title>{escaped(title or alt)}</title>",
        f"<desc>{escaped(alt)}</desc>" if title else "",
        f'<rect width="100%" height="100%" fill="{theme.ground}"/>',
        above.write(0.0),
        f'<g transform="translate(0 {number(above.high)})">{inside}</g>' if above.high else inside,
        below.write(whole - below.high),
        "</svg>",
    ]
    return "".join(parts)


def _layers(picture: Picture, theme: Theme) -> Iterator[str]:
    """From behind to before."""
    notes = Notes(picture)
    shapes = picture.layout.get("shapes") or ()
    yield _behind(picture, theme)
    yield from (notes.shape(one) for one in shapes if one.get("layer") == "below")
    for plot in picture.plots:
        yield from _clipped(_traces(plot, picture.layout), plot)
    yield from (notes.shape(one) for one in shapes if one.get("layer") != "below")
    yield from (_labels(axis, picture) for axis in picture.axes.values())
    (left, right), (_, top) = picture.margins.across, picture.margins.up
    if picture.bar is not None:
        yield picture.bar.write(right, top, picture.margins.plot)
    yield from (one.write(left, top, picture.margins.plot) for one in picture.legends)
    yield from (notes.note(one) for one in picture.layout.get("annotations") or ())
    yield _title(picture)


def _behind(picture: Picture, theme: Theme) -> str:
    """The lines at the numbers of each axis, on each of its plots, and at 0."""
    grids, zeros = "", ""
    for name, axis in picture.axes.items():
        others = [plot.y if axis.letter == "x" else plot.x for plot in picture.plots if name in (plot.x.name, plot.y.name)]
        across = list(dict.fromkeys(other.pixels for other in others))
        grids, zeros = grids + axis_marks.grid(axis, across), zeros + axis_marks.zero_line(axis, across)
    lines = f'<path d="{grids}" fill="none" stroke="{theme.grid}"/>' if grids else ""
    return lines + (f'<path d="{zeros}" fill="none" stroke="{theme.grid}" stroke-width="2"/>' if zeros else "")


def _traces(plot: Plot, layout: dict[str, Any]) -> Iterator[tuple[bool, str]]:
    """Each trace of a plot, and whether it is cut off at its edges. What lies behind comes first."""
    of_kind = {kind: [trace for trace in plot.traces if trace["type"] == kind] for kind in _LAYERS}
    yield from ((True, cells(trace, plot.x, plot.y)) for trace in of_kind["heatmap"])
    yield from ((True, contours(trace, plot.x, plot.y)) for trace in of_kind["contour"])
    standing = of_kind["bar"]
    taken = slots(standing, [plot.x.counted(trace["x"]) for trace in standing], layout)
    yield from ((True, bars(trace, plot.x, plot.y, taken, i)) for i, trace in enumerate(standing))
    for one in points(of_kind["scatter"], plot.x, plot.y, layout):
        yield one.trace.get("cliponaxis") is not False, one.write(plot.x, plot.y)


def _clipped(drawn: Iterator[tuple[bool, str]], plot: Plot) -> Iterator[str]:
    """What may not leave its plot stands in a picture of its own, so that nothing needs a name."""
    (left, right), (bottom, top) = plot.x.pixels, plot.y.pixels
    box = f"{number(left)} {number(top)} {number(right - left)} {number(bottom - top)}"
    x, y, wide, high = box.split()
    for cut, group in groupby((one for one in drawn if one[1]), key=lambda one: one[0]):
        inside = "".join(text for _, text in group)
        yield f'<svg x="{x}" y="{y}" width="{wide}" height="{high}" viewBox="{box}">{inside}</svg>' if cut else inside


def _labels(axis: Axis, picture: Picture) -> str:
    """Numbers and title where the plot ends that the axis belongs to."""
    anchor = axis.given.get("anchor") or ("y" if axis.letter == "x" else "x")
    if anchor == "free":
        raise NotDrawnError("anchor", anchor)
    across, up = picture.margins.across, picture.margins.up
    around = up if axis.letter == "x" else across
    ends = picture.axes[anchor].pixels if anchor in picture.axes else around
    line = ends[0] if axis_marks.side(axis) in ("bottom", "left") else ends[1]
    return axis_marks.labels(axis, line, picture.type_size, (picture.margins.wide, picture.margins.high))


def _title(picture: Picture) -> str:
    """The figure's own title, at the top of the picture."""
    said = picture.layout.get("title") or {}
    if not said.get("text"):
        return ""
    if (said.get("yref", "container"), said.get("y", 1.0), said.get("yanchor", "top")) != ("container", 1.0, "top"):
        raise NotDrawnError("layout.title.y", said.get("y"))
    font, anchor = said.get("font") or {}, said.get("xanchor", "left")
    size = float(font.get("size", 17))
    x, y = picture.margins.wide * float(said.get("x", 0.05)), float((said.get("pad") or {}).get("t", 0)) + _RISE * size
    bold = float(font.get("weight", 400)) >= _BOLD
    return write(said["text"], x, y, size, anchor=one_of(ANCHORS, anchor, "layout.title.xanchor"), bold=bold)
