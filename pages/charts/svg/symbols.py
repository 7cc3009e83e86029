"""Marks at points: plotly's symbols."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.types import FloatArray
from pages.charts.svg.values import each, number, numbers, one_of, opacity_of, paint, several

_OPEN, _EDGE = "-open", "#444444"


_ROOT = math.sqrt(2)
_POLYGONS: dict[str, tuple[tuple[float, float], ...]] = {  # corners around the middle, in radii of the mark
    "diamond": ((1.3, 0), (0, 1.3), (-1.3, 0), (0, -1.3)),
    "triangle-up": ((-2 / math.sqrt(3), 0.5), (2 / math.sqrt(3), 0.5), (0, -1)),
    "x": tuple(  # two bars across each other, standing on their ends
        (0.8 / _ROOT * across, 0.8 / _ROOT * up)
        for across, up in (
            *((1, 0), (2, 1), (1, 2), (0, 1), (-1, 2), (-2, 1)),
            *((-1, 0), (-2, -1), (-1, -2), (0, -1), (1, -2), (2, -1)),
        )
    ),
}


def _polygon(corners: tuple[tuple[float, float], ...], r: float) -> str:
    """Around the point that the path has moved to, which is the middle."""
    moves, at = "", (0.0, 0.0)
    for i, corner in enumerate(corners):
        point = corner[0] * r, corner[1] * r
        moves += f"{'l' if i else 'm'}{number(point[0] - at[0])} {number(point[1] - at[1])}"
        at = point
    return moves + "z"


def _circle(r: float) -> str:
    a, d = number(r), number(2 * r)
    return f"m-{a} 0a{a} {a} 0 1 0 {d} 0a{a} {a} 0 1 0-{d} 0z"


def _square(r: float) -> str:
    return f"m-{number(r)}-{number(r)}h{number(2 * r)}v{number(2 * r)}h-{number(2 * r)}z"


def _thin_cross(r: float) -> str:
    a, d = number(r), number(2 * r)
    return f"m-{a}-{a}l{d} {d}m0-{d}l-{d} {d}"


def _level(r: float) -> str:
    return f"m-{number(1.4 * r)} 0h{number(2.8 * r)}"


def _upright(r: float) -> str:
    return f"m0-{number(1.4 * r)}v{number(2.8 * r)}"


_SHAPES: dict[str, Callable[[float], str]] = {
    "circle": _circle,
    "square": _square,
    **{name: partial(_polygon, corners) for name, corners in _POLYGONS.items()},
    "x-thin": _thin_cross,
    "line-ew": _level,
    "line-ns": _upright,
}
_LINES = ("x-thin", "line-ew", "line-ns")  # which have no inside


@final
@dataclass(frozen=True, slots=True)
class Mark:
    """How the mark of one point looks."""

    shape: str
    size: float
    attributes: str
    opacity: float

    @classmethod
    def of(cls, marker: dict[str, Any]) -> Mark:
        """By a marker of single values."""
        symbol = str(marker.get("symbol") or "circle")
        shape, is_open = symbol.removesuffix(_OPEN), symbol.endswith(_OPEN)
        one_of(_SHAPES, shape, "marker.symbol")
        own, edge = marker.get("color") or "#444444", marker.get("line") or {}
        width = float(edge.get("width") or 0)
        if is_open or shape in _LINES:
            around, width = (own, width or 1.0) if is_open else (edge.get("color") or own, width)
            attributes = f' fill="none"{paint("stroke", around)} stroke-width="{number(width)}"'
        else:
            attributes = paint("fill", own)
            attributes += f'{paint("stroke", edge.get("color") or _EDGE)} stroke-width="{number(width)}"' if width else ""
        return cls(shape, float(marker.get("size", 6)), attributes, opacity_of(marker))


def looks(marker: dict[str, Any], size: int) -> list[tuple[Mark, NDArray[np.int64]]]:
    """Each look that points have, with the points' places among ``size``. Points of several sizes are transparent, as plotly
    has them."""
    own = dict(marker)
    if several(own.get("size")):
        own["size"] = numbers(own["size"]).tolist()
        own.setdefault("opacity", 0.7)
    names = [name for name in ("size", "symbol", "color", "opacity") if several(own.get(name))]
    if not names:
        return [(Mark.of(own), np.arange(size))]
    of_points: dict[tuple[Any, ...], list[int]] = {}
    for i, values in enumerate(zip(*(each(own[name], size) for name in names), strict=False)):
        of_points.setdefault(values, []).append(i)
    return [(Mark.of(own | dict(zip(names, values, strict=True))), np.array(i)) for values, i in of_points.items()]


def marks(x: FloatArray, y: FloatArray, mark: Mark) -> str:
    """A mark at each point in pixels: one path, and several where they are transparent, as overlaps are darker then."""
    if not len(x) or mark.size <= 0:
        return ""
    shape = _SHAPES[mark.shape](mark.size / 2)
    one = [f"M{number(a)} {number(b)}{shape}" for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    if mark.opacity >= 1 or len(one) == 1:
        alone = f' opacity="{number(mark.opacity)}"' if mark.opacity < 1 else ""
        return f'<path d="{"".join(one)}"{mark.attributes}{alone}/>'
    each_one = "".join(f'<path d="{d}" opacity="{number(mark.opacity)}"/>' for d in one)
    return f"<g{mark.attributes}>{each_one}</g>"
