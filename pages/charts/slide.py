"""Scenarios as one picture for a meeting: a conclusion, the fifty dots of each under one another, and what is not protected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from pages.charts.drawn import Drawn
from pages.charts.encoded import plain
from pages.charts.properties import check
from pages.charts.svg import Theme, drawn

WIDTH, HEIGHT, NARROW = 1920, 1080, 720
_MARGIN, _SIDES = 40, (500, 420)  # pixels around it, and of the words at the left and the right of the dots
_EDGE, _PLOT = 0, 150  # pixels around a narrow one, and of the height of each plot
_TYPE, _DOT, _RULE = 24, 13, 3  # pixels of the smallest type, of a dot, and of the lines
_GAP, _NUMBERS, _UNIT = 8, 44, 44  # pixels above dots, and below for the numbers and for the words of their axis
MOST_COLUMNS = 64  # of dots across the widest row
_LEFT, _RIGHT, _FOOT = 36, 36, 0.06  # pixels beside dots, and a share of their height below them


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Row:
    """One scenario: what it is, its guarantee by name, its ± and how often a guesser is right; or ``why`` it has no answer.

    ``dots``: its fifty private answers, with a description; None where its answer is not one number.
    """

    label: str
    promise: str = ""
    reach: str = ""
    guesser: str = ""
    why: str = ""
    dots: Drawn | None = None
    alt: str = ""

    @property
    def left(self) -> tuple[str, ...]:
        """Words before the dots."""
        return tuple(filter(None, (self.label, self.promise)))

    @property
    def right(self) -> tuple[str, ...]:
        """Words behind them."""
        return tuple(filter(None, (self.reach, self.guesser, self.why)))


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Slide:
    """``title``: the conclusion. ``says``: of what it is. ``notes``: what is not protected, and last what it was made from.
    ``shared``: whether all dots are on one axis."""

    title: str
    says: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]
    shared: bool

    @property
    def alt(self) -> str:
        """All of it in words."""
        rows = (". ".join((*row.left, *row.right, row.alt.rstrip("."))) for row in self.rows)
        return " ".join(f"{part.rstrip('.')}." for part in (self.title, *self.says, *rows, *self.notes))


def picture(slide: Slide, *, width: int = WIDTH, height: int = HEIGHT, theme: Theme = Theme.LIGHT, ground: str = "") -> str:
    """The slide as SVG, whose smallest type has 24 pixels; on the ground of its theme, or on another. A narrow one has its
    words above its dots, and is as high as it needs to be."""
    last = max((i for i, row in enumerate(slide.rows) if row.dots is not None), default=0)
    rows = [
        {
            "left": row.left,
            "right": row.right,
            "figure": _figure(row.dots, numbers=not slide.shared or i == last, shared=slide.shared),
        }
        for i, row in enumerate(slide.rows)
    ]
    words = {"title": slide.title, "says": slide.says, "notes": slide.notes, "alt": slide.alt}
    narrow = width < sum(_SIDES)
    room = {"margin": _EDGE, "plot": _PLOT, "sides": None} if narrow else {"margin": _MARGIN, "plot": None, "sides": _SIDES}
    return drawn({"rows": rows, "width": width, "height": height} | words | room, theme, ground)


def ends(figure: Drawn) -> tuple[float, float]:
    """Where the axis of dots begins and ends."""
    low, high = figure.ready()["layout"]["xaxis"]["range"]
    return float(low), float(high)


def on_one_axis(figures: Sequence[Drawn]) -> list[Drawn]:
    """The same dots on an axis that reaches over all of them."""
    low, high = min(ends(one)[0] for one in figures), max(ends(one)[1] for one in figures)
    return [_with_axis(one, range=[low, high]) for one in figures]


def _with_axis(figure: Drawn, **more: Any) -> Drawn:
    ready = figure.ready()
    layout = ready["layout"]
    return Drawn({"data": list(ready["data"]), "layout": layout | {"xaxis": layout["xaxis"] | more}})


def _figure(dots: Drawn | None, *, numbers: bool, shared: bool) -> Any:
    """Dots in large type, without a legend; the numbers of an axis that all share stand under the last of them."""
    if dots is None:
        return None
    ready = dots.ready()
    top = ready["layout"]["yaxis"]["range"][1]
    below = numbers * (_NUMBERS + _UNIT * shared)
    across = ready["layout"]["xaxis"] | {"showticklabels": numbers}
    if not (numbers and shared):
        across["title"] = {"text": ""}
    layout = {
        "margin": {"l": _LEFT, "r": _RIGHT, "t": _GAP, "b": below + _GAP},
        "showlegend": False,
        "font": {"size": _TYPE},
        "xaxis": across,
        "yaxis": ready["layout"]["yaxis"] | {"range": [-_FOOT * top, top]},
    }
    found = plain({"data": [_thick(trace) for trace in ready["data"]], "layout": ready["layout"] | layout})
    check(found)
    return found


def _thick(trace: dict[str, Any]) -> dict[str, Any]:
    if "marker" in trace:
        return trace | {"marker": trace["marker"] | {"size": _DOT}, "cliponaxis": False}
    return trace | {"line": trace["line"] | {"width": _RULE}}
