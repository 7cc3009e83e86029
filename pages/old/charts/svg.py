"""A figure as the text of an SVG, drawn by the same JavaScript that draws it in a browser, in an engine inside this process."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from functools import lru_cache
from typing import Any, final

from pages.old.charts.bundle import script
from pages.old.charts.drawn import DARK_INKS, INK, ON_INK, Drawn
from pages.old.charts.encoded import plain
from pages.old.charts.named import Room, has_legend, named
from pages.old.charts.properties import NotDrawnError, check

_log = logging.getLogger(__name__)
_LEFT_OUT = "This chart is not shown here: a picture of it would leave something out. The page of the app shows it."
HEIGHT, _TYPE = 400, 12  # pixels of a figure that has no height of its own, and of its type


@final
class Theme(Enum):
    """The colours around what is drawn, of texts, of the lines behind the data and of the ground; and those of the palette.

    They are the same everywhere.
    """

    LIGHT = ("#31333f", "#e3e4e8", "#ffffff", ())
    DARK = ("#fafafa", "#3b3e48", "#0e1117", tuple(DARK_INKS.items()))

    def __init__(self, ink: str, grid: str, ground: str, inks: tuple[tuple[str, str], ...]) -> None:
        self.ink, self.grid, self.ground = ink, grid, ground
        self.inks = dict(inks) | ({INK: ink, ON_INK: ground} if inks else {})


def svg(figure: Drawn, *, alt: str, width: int = 640, **more: Any) -> str:
    """A figure of pages.old.charts as SVG, without plotly: the same lines, marks, texts and numbers that plotly draws.

    ``alt`` says in words what is seen; all else as ``sheet`` has it.
    """
    return sheet([(figure, alt, "")], width=width, **more)


def sheet(
    figures: Sequence[tuple[Drawn, str, str]],
    *,
    width: int,
    height: int | None = None,
    columns: int = 1,
    theme: Theme = Theme.LIGHT,
    ground: str = "",
    title: str = "",
    says: str = "",
    note: str = "",
) -> str:
    """Figures as one SVG, in rows of so many columns: each with its description, and the words above it.

    ``ground`` is another colour behind it than the theme's. ``width`` in pixels is of all, ``height`` of one; without it the
    figure's own, or 400. ``title`` stands above them, ``says`` and ``note`` below: the picture is higher by them. Names stand
    beside their lines, where these have room for them; those that need more than half of the height make the picture higher too.
    Every text is set as text. It has no id, no class and no style sheet, so many can stand in one page. NotDrawnError for a
    property that the renderer does not know.
    """
    across = width // columns
    shown = [{"figure": _checked(figure, across, height), "title": own * (len(figures) > 1)} for figure, _, own in figures]
    words = {"alt": " ".join(alt for _, alt, _ in figures), "title": title, "says": says, "note": note}
    return drawn({"figures": shown, "columns": columns, "width": width, "height": height} | words, theme, ground)


def drawn(request: dict[str, Any], theme: Theme, ground: str = "") -> str:
    """What ``drawing/svg.js`` makes of a request in the colours of a theme, or on another ``ground``; NotDrawnError where it does
    not know a property."""
    colours = {"ink": theme.ink, "grid": theme.grid, "ground": ground or theme.ground, "inks": theme.inks}
    made = _worker().submit(_drawn, json.dumps(request | {"theme": colours}, separators=(",", ":"))).result()
    if made.startswith("<"):
        return made
    refused = json.loads(made)
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


@lru_cache(maxsize=1)
def _worker() -> ThreadPoolExecutor:
    """One thread, as the engine stays in the thread that it began in."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")


@lru_cache(maxsize=1)
def _engine() -> Any:
    import quickjs

    context = quickjs.Context()
    context.eval(script("svg") + "globalThis.svg = svg;")  # our own file: nothing from outside is in it
    return context.get("svg")


def _drawn(request: str) -> str:
    from quickjs import JSException

    try:
        return str(_engine()(request))
    except JSException as error:  # as where a list was expected, and a text came
        raise NotDrawnError("a value of the figure", str(error).partition("\n")[0]) from None
