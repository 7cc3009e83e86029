"""A figure as the text of an SVG, drawn by the same JavaScript that draws it in a browser, in an engine inside this process."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, final

import numpy as np

from dpcore.errors import DpcoreError
from pages.charts.bundle import script
from pages.charts.drawn import DARK_INKS, Drawn
from pages.charts.named import Room, has_legend, named

# Every property that is drawn; any other is refused, so that no new figure is drawn wrongly in silence.


Known = dict[str, Any]  # a property, and those in it: None for a single value


def _all(names: str, **inside: Known) -> Known:
    return dict.fromkeys(names.split()) | inside


MOUSE = _all(
    "clickmode customdata dragmode hoverinfo hoverlabel hovermode hoveron hovertemplate hovertext ids meta selected template "
    "uirevision unselected"
)
"""What only a mouse needs, and a template: the look of what a figure leaves open is the renderer's own."""
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


@dataclass(eq=False)
class NotDrawnError(DpcoreError, ValueError):
    """A property of a figure, or a value of one, that is not drawn: drawn without it, the figure would be wrong."""

    what: str
    got: object

    def __str__(self) -> str:
        return (
            f"A figure must use what pages/charts/drawing can draw; got {self.what} = {self.got!r:.80}. "
            "Leave it out of the figure, or teach pages/charts/drawing to draw it."
        )


def check(ready: dict[str, Any]) -> None:
    """Of what is given: NotDrawnError for a kind of trace or a property that is not drawn."""
    for trace in ready["data"]:
        kind = trace.get("type", "scatter")
        if kind not in _TRACES:
            raise NotDrawnError("the type of a trace", kind)
        _check(trace, _TRACES[kind], kind)
        if (many := max((len(trace[name]) for name in ("x", "y") if trace.get(name) is not None), default=0)) > MOST_POINTS:
            raise NotDrawnError("the number of points of a trace", many)
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


# The picture.


_log = logging.getLogger(__name__)
_LEFT_OUT = "This chart is not shown here: a picture of it would leave something out. The page of the app shows it."
MOST_POINTS = 20_000  # of a trace: more make a picture of megabytes
HEIGHT, _TYPE = 400, 12  # pixels of a figure that has no height of its own, and of its type


@final
class Theme(Enum):
    """The colours around what is drawn, of texts, of the lines behind the data and of the ground; and those of the palette.

    LIGHT and DARK are the same everywhere. PAGE follows the page that the SVG stands in: its custom properties ``--ink``,
    ``--grid`` and ``--ground``, and is light on the page's own ground where it has none.
    """

    LIGHT = ("#31333f", "#e3e4e8", "#ffffff", ())
    DARK = ("#fafafa", "#3b3e48", "#0e1117", tuple(DARK_INKS.items()))
    PAGE = (
        "var(--ink, #31333f)",
        "var(--grid, #e3e4e8)",
        "var(--ground, transparent)",
        tuple((light, f"var(--{light[1:].lower()}, {light})") for light in DARK_INKS),
    )

    def __init__(self, ink: str, grid: str, ground: str, inks: tuple[tuple[str, str], ...]) -> None:
        self.ink, self.grid, self.ground, self.inks = ink, grid, ground, dict(inks)


def svg(
    figure: Drawn,
    *,
    alt: str,
    width: int = 640,
    height: int | None = None,
    theme: Theme = Theme.LIGHT,
    title: str = "",
    says: str = "",
    note: str = "",
) -> str:
    """A figure of pages.charts as SVG, without plotly: the same lines, marks, texts and numbers that plotly draws.

    ``alt`` says in words what is seen. ``width`` and ``height`` in pixels; without a height the figure's own, or 400. ``title``
    stands above it, ``says`` and ``note`` below: the picture is higher by them. Names stand beside their lines, where these have
    room for them; those that need more than half of the height make the picture higher too. Every text is set as text. It has
    no id, no class and no style sheet, so many can stand in one page. NotDrawnError for a property that the renderer does not
    know.
    """
    return sheet([(figure, alt, "")], width=width, height=height, theme=theme, title=title, says=says, note=note)


def sheet(
    figures: Sequence[tuple[Drawn, str, str]],
    *,
    width: int,
    height: int | None = None,
    columns: int = 1,
    theme: Theme = Theme.LIGHT,
    title: str = "",
    says: str = "",
    note: str = "",
) -> str:
    """Figures as one SVG, in rows of so many columns: each with its description, and the words above it. ``height`` is that of
    one; all else is as in ``svg``."""
    across = width // columns
    shown = [{"figure": _checked(figure, across, height), "title": own * (len(figures) > 1)} for figure, _, own in figures]
    colours = {"ink": theme.ink, "grid": theme.grid, "ground": theme.ground, "inks": theme.inks}
    words = {"alt": " ".join(alt for _, alt, _ in figures), "title": title, "says": says, "note": note}
    request = {"figures": shown, "columns": columns, "width": width, "height": height, "theme": colours} | words
    drawn = called("svg", json.dumps(request, separators=(",", ":"), default=plain))
    if drawn.startswith("<"):
        return drawn
    refused = json.loads(drawn)
    raise NotDrawnError(refused["what"], refused["got"])


def drawn_or_said(figures: Sequence[tuple[Drawn, str, str]], **more: Any) -> str:
    """The same as ``sheet``; where a figure is not drawn, a sentence that says so stands in its place."""
    try:
        return sheet(figures, **more)
    except NotDrawnError as error:
        _log.warning("%s", error)
        return sheet([], **(more | {"says": _LEFT_OUT}))


def _checked(figure: Drawn, width: int, height: int | None) -> Any:
    """Its dict, with names beside its lines."""
    if "margin" in figure.ready()["layout"] and has_legend(figure):
        figure, _ = named(figure, Room(width, height or HEIGHT, _TYPE))
    ready = plain(figure.ready())
    check(ready)
    return ready


def called(name: str, request: str) -> str:
    """What a function of the renderer makes of a text. It runs in one thread, as its engine stays in the thread it began in."""
    return _worker().submit(_call, name, request).result()


@lru_cache(maxsize=1)
def _worker() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")


@lru_cache(maxsize=1)
def _engine() -> Any:
    import quickjs

    context = quickjs.Context()
    context.eval(script("svg") + "globalThis.svg = svg;")  # our own file: nothing from outside is in it
    return context


def _call(name: str, request: str) -> str:
    from quickjs import JSException

    try:
        return str(_engine().get(name)(request))
    except JSException as error:  # as where a list was expected, and a text came
        raise NotDrawnError("a value of the figure", str(error).partition("\n")[0]) from None


def plain(value: Any) -> Any:
    """As JSON has it: what is None is not given, arrays are lists, and what is no finite number is null."""
    if isinstance(value, dict):
        if "bdata" in value:
            return plain(_unpacked(value))
        return {name: plain(one) for name, one in value.items() if one is not None}
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            value = np.where(np.isfinite(value), value, np.array(None, dtype=object))
        return value.tolist()
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def _unpacked(packed: dict[str, Any]) -> Any:
    """An array that plotly has written as the text of its bytes."""
    from base64 import b64decode

    flat = np.frombuffer(b64decode(packed["bdata"]), dtype=packed["dtype"])
    shape = packed.get("shape")
    return flat if shape is None else flat.reshape([int(size) for size in str(shape).split(",")])
