"""Values of a figure, however they were given, and how SVG writes them: numbers, lines and colours.

Numbers have two decimals of a pixel, and each point of a line is counted from the one before.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.errors import DpcoreError

# What this writer refuses to draw, as it would draw it wrongly.


T = TypeVar("T")


@dataclass(eq=False)
class NotDrawnError(DpcoreError, ValueError):
    """A property of a figure, or a value of one, that the writer of SVG does not know."""

    what: str
    got: object

    def __str__(self) -> str:
        return (
            f"The SVG of a figure must use what pages.charts.svg can draw; got {self.what} = {self.got!r:.80}. "
            "Leave it out of the figure, or teach pages.charts.svg to draw it."
        )


def one_of(known: Mapping[str, T], got: Any, what: str) -> T:
    """What a name stands for; NotDrawnError for one that is not known."""
    if not isinstance(got, str) or got not in known:
        raise NotDrawnError(what, got)
    return known[got]


_COLOUR = re.compile(r"#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?\Z|[a-z]+\Z")
_RGB = re.compile(r"rgba?\(\s*([\d.]+)\s*,\s*([\d.]+)\s*,\s*([\d.]+)\s*(?:,\s*([\d.]+)\s*)?\)\Z")


def given(part: Any) -> Any:
    """The same without what is None, which says that it is not given."""
    if isinstance(part, dict):
        return {name: given(value) for name, value in part.items() if value is not None}
    return [given(one) for one in part] if isinstance(part, (list, tuple)) and part and isinstance(part[0], dict) else part


def unpacked(values: Any) -> Any:
    """An array that plotly has written as the text of its bytes; all else as it is."""
    if not (isinstance(values, dict) and "bdata" in values):
        return values
    flat = np.frombuffer(b64decode(values["bdata"]), dtype=values["dtype"])
    shape = values.get("shape")
    return flat if shape is None else flat.reshape([int(size) for size in str(shape).split(",")])


def numbers(values: Any, what: str = "values") -> FloatArray:
    """As float64; None is NaN. NotDrawnError for what is no number."""
    values = unpacked(values)
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise NotDrawnError(what, values) from None


def count(values: Any) -> int:
    """How many values there are; 0 where none were given."""
    values = unpacked(values)
    return 0 if values is None else len(values)


def several(value: Any) -> bool:
    """Whether it is one value a point."""
    return isinstance(value, (list, tuple, np.ndarray)) or (isinstance(value, dict) and "bdata" in value)


def each(value: Any, size: int) -> list[Any]:
    """One value a point, of one that is the same for all too."""
    return list(unpacked(value)) if several(value) else [value] * size


def colour(value: Any) -> tuple[str, float]:
    """A colour and how opaque it is. Only what is a colour: it stands in an attribute."""
    text = str(value)
    if _COLOUR.match(text):
        return ("none", 0.0) if text == "transparent" else (text, 1.0)
    found = _RGB.match(text)
    if found is None:
        raise NotDrawnError("a colour", value)
    red, green, blue = (min(255, round(float(found[i]))) for i in (1, 2, 3))
    return f"#{red:02x}{green:02x}{blue:02x}", float(found[4] or 1)


# Numbers and lines as SVG writes them.


FAR = 1e5  # pixels, beyond which a renderer's numbers are too coarse
_WRITTEN: dict[int, str] = {}
_MOST = 1 << 16


def number(value: float) -> str:
    """With two decimals at most."""
    return _hundredths(round(100 * min(max(float(value), -FAR), FAR)))


def _hundredths(value: int) -> str:
    text = _WRITTEN.get(value)
    if text is None:
        text = f"{value / 100:.2f}".rstrip("0").rstrip(".")
        text = text.replace("0.", ".", 1) if abs(value) < 100 and value else text
        text = "0" if text in ("-0", "") else text
        if len(_WRITTEN) < _MOST:
            _WRITTEN[value] = text
    return text


def runs(x: FloatArray, y: FloatArray) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Its parts between gaps, which are where a coordinate is not finite."""
    good = np.isfinite(x) & np.isfinite(y)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], good.astype(np.int8), [0]])))
    for start, end in edges.reshape(-1, 2):
        yield x[start:end], y[start:end]


def path(x: FloatArray, y: FloatArray, *, closed: bool = False) -> str:
    """The ``d`` of a line through points in pixels, with gaps where one is not finite."""
    return "".join(_run(np.clip(a, -FAR, FAR), np.clip(b, -FAR, FAR), closed) for a, b in runs(*_near(x, y)))


def _run(x: FloatArray, y: FloatArray, closed: bool) -> str:
    across, up = np.rint(100 * x).astype(np.int64), np.rint(100 * y).astype(np.int64)
    begin = f"M{_hundredths(int(across[0]))} {_hundredths(int(up[0]))}"
    right, down = np.diff(across), np.diff(up)
    moves = (right != 0) | (down != 0)
    steps = [f"{_hundredths(a)} {_hundredths(b)}" for a, b in zip(right[moves].tolist(), down[moves].tolist(), strict=True)]
    if not steps:
        return begin + "h0"
    return begin + "l" + " ".join(steps).replace(" -", "-") + ("z" if closed else "")


def _near(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The same line where no point is too far away: its segments cut off there, so that their slopes stay."""
    if len(x) < 2 or not (np.abs(x[np.isfinite(x)]).max(initial=0) > FAR or np.abs(y[np.isfinite(y)]).max(initial=0) > FAR):
        return x, y
    points: list[tuple[float, float]] = []
    ends = np.stack([x, y], axis=1).tolist()
    for one, other in pairwise(ends):
        points += [(np.nan, np.nan), *_cut(one, other)]
    kept = np.array([point for i, point in enumerate(points) if not _repeated(points, i)], dtype=np.float64)
    return kept[:, 0], kept[:, 1]


def _repeated(points: list[tuple[float, float]], place: int) -> bool:
    """Whether it is the gap between a segment and the next that goes on where this one ends, or that next one's beginning."""
    at = place if points[place][0] != points[place][0] else place - 1
    return 0 < at < len(points) - 1 and place - at < 2 and points[at - 1] == points[at + 1]


def _cut(one: list[float], other: list[float]) -> list[tuple[float, float]]:
    """The part of a segment whose coordinates are at most FAR (Liang and Barsky, 1984)."""
    low, high = 0.0, 1.0
    for a, b in zip(one, other, strict=True):
        if not np.isfinite(b - a):
            return []
        if a == b:
            if abs(a) > FAR:
                return []
            continue
        first, last = sorted(((-FAR - a) / (b - a), (FAR - a) / (b - a)))
        low, high = max(low, first), min(high, last)
    if low > high:
        return []
    (x, y), (right, up) = one, ((other[0] - one[0]), (other[1] - one[1]))
    return [(x + t * right, y + t * up) for t in (low, high)]


# How lines and areas look, as attributes.


_DASHES = {  # in widths of the line, of a line of at least 3 pixels
    "solid": (),
    "dot": (1, 1),
    "dash": (3, 3),
    "longdash": (5, 5),
    "dashdot": (3, 1, 1, 1),
    "longdashdot": (5, 2, 1, 2),
}
_LEAST = 3.0


def paint(kind: str, value: Any, times: float = 1.0) -> str:
    """A fill or a stroke, with how opaque it is."""
    name, opacity = colour(value)
    opacity *= times
    more = f' {kind}-opacity="{number(opacity)}"' if opacity < 1 and name != "none" else ""
    return f' {kind}="{name}"{more}'


def fill(look: dict[str, Any], times: float = 1.0) -> str:
    """Of an area, by its ``color`` and ``opacity``."""
    return paint("fill", look.get("color") or "#444444", times * opacity_of(look))


def opacity_of(look: dict[str, Any]) -> float:
    """1 of what says nothing."""
    opacity = look.get("opacity")
    return 1.0 if opacity is None else float(opacity)


def as_opaque(trace: dict[str, Any], drawn: str) -> str:
    """What was drawn of a trace, as opaque as the trace as a whole says."""
    opacity = trace.get("opacity")
    return drawn if opacity is None or not drawn else f'<g opacity="{number(opacity)}">{drawn}</g>'


def box(left: float, top: float, wide: float, high: float) -> str:
    """The ``d`` of a rectangle."""
    return f"M{number(left)} {number(top)}h{number(wide)}v{number(high)}h-{number(wide)}z"


def stroke_of(line: dict[str, Any]) -> str:
    """Of a line, by its ``color``, ``width`` and ``dash``; nothing for a line of no width."""
    width = float(line.get("width", 2))
    if width <= 0:
        return ""
    dashes = dash(line.get("dash") or "solid", width)
    more = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f' fill="none"{paint("stroke", line.get("color") or "#444444")} stroke-width="{number(width)}"{more}'


def dash(name: str, width: float) -> str:
    """Lengths of dashes and gaps in pixels: of a style that has a name, or as they are given."""
    if name in _DASHES:
        return " ".join(number(part * max(width, _LEAST)) for part in _DASHES[name])
    try:
        return " ".join(number(float(part.strip().removesuffix("px"))) for part in name.split(","))
    except ValueError:
        raise NotDrawnError("line.dash", name) from None
