"""Bars, beside one another where several stand at a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.types import FloatArray
from pages.charts.svg.axis import Axis
from pages.charts.svg.values import FAR, NotDrawnError, as_opaque, box, each, fill, number, numbers, opacity_of, paint, several

# Whiskers: from each number down and up, with ends.


_CAP = 4.0  # pixels of an end, to each side


def lengths(trace: dict[str, Any]) -> FloatArray | None:
    """Of one whisker down and up from each number; None of a trace without."""
    error = trace.get("error_y")
    if not error or error.get("visible") is False:
        return None
    if error.get("type", "data") != "data" or not several(error.get("array")):
        raise NotDrawnError("error_y", error.get("type"))
    return numbers(error["array"], "error_y.array")


def whiskers(trace: dict[str, Any], x: FloatArray, y: Axis) -> str:
    """``x`` in pixels."""
    reach = lengths(trace)
    if reach is None:
        return ""
    error, values, wide = trace["error_y"], y.counted(trace["y"]), number(2 * _CAP)
    low, high = (np.clip(y.at(values + sign * reach), -FAR, FAR) for sign in (-1, 1))
    d = "".join(
        f"M{number(a - _CAP)} {number(c)}h{wide}m-{number(_CAP)} 0V{number(b)}m-{number(_CAP)} 0h{wide}"
        for a, b, c in zip(x.tolist(), low.tolist(), high.tolist(), strict=False)
        if np.isfinite([a, b, c]).all()
    )
    look = f'{paint("stroke", error.get("color") or "#444444")} stroke-width="{number(float(error.get("thickness", 2)))}"'
    return f'<path d="{d}" fill="none"{look}/>' if d else ""


_GAP = 0.2  # of the distance of two places, unless a figure has its own
_HATCH, _STROKE = 8.0, 1.7  # pixels between hatches, and across one
Box = tuple[float, float, float, float]  # x, y, width, height in pixels


@final
@dataclass(frozen=True, eq=False)
class Slots:
    """Where things that share places stand: ``middles`` beside each place, how wide a slot is, and how far places are apart at
    least, in the axis's numbers."""

    middles: tuple[float, ...]
    wide: float
    apart: float

    @classmethod
    def of(cls, places: Sequence[FloatArray], gap: float, many: int) -> Slots:
        """For so many side by side, whose places are given."""
        every = np.unique(np.concatenate([one[np.isfinite(one)] for one in places])) if places else np.empty(0)
        apart = float(np.diff(every).min()) if every.size > 1 else 1.0
        wide = apart * (1 - gap) / max(1, many)
        return cls(tuple((i - (many - 1) / 2) * wide for i in range(many)), wide, apart)


def slots(traces: Sequence[dict[str, Any]], places: Sequence[FloatArray], layout: dict[str, Any]) -> Slots:
    """Of the bars of one plot."""
    if layout.get("barmode", "group") != "group":
        raise NotDrawnError("layout.barmode", layout["barmode"])
    gap = layout.get("bargap")
    return Slots.of(places, _GAP if gap is None else float(gap), len(traces))


def room(trace: dict[str, Any], places: FloatArray, taken: Slots, number_of: int) -> FloatArray:
    """The ends of what the bars of a trace need of their axis: their share of the gaps too."""
    half = np.full(len(places), taken.apart / 2)
    return np.concatenate([*edges(trace, places, taken, number_of), places - half, places + half])


def edges(trace: dict[str, Any], places: FloatArray, taken: Slots, number_of: int) -> tuple[FloatArray, FloatArray]:
    """Where the bars of a trace begin and end, as the axis counts."""
    given = trace.get("width")
    wide = np.full(len(places), taken.wide) if given is None else np.broadcast_to(numbers(given, "width"), places.shape)
    middle = places + taken.middles[number_of]
    return middle - wide / 2, middle + wide / 2


def bars(trace: dict[str, Any], x: Axis, y: Axis, taken: Slots, number_of: int) -> str:
    """All bars of a trace."""
    places, tops = x.counted(trace["x"]), y.place(trace["y"])
    left, right = (x.at(edge) for edge in edges(trace, places, taken, number_of))
    zero = y.at(np.array([0.0 if y.kind != "log" else min(y.shown)]))[0]
    marker = trace.get("marker") or {}
    colours = each(marker.get("color"), len(tops))
    of_colour: dict[str, list[Box]] = {}
    for a, b, top, colour in zip(left.tolist(), right.tolist(), np.clip(tops, -FAR, FAR).tolist(), colours, strict=False):
        if np.isfinite([a, b, top]).all():
            of_colour.setdefault(colour, []).append((min(a, b), min(zero, top), abs(b - a), abs(top - zero)))
    drawn = "".join(_of_one_colour(boxes, marker | {"color": colour}) for colour, boxes in of_colour.items())
    drawn += whiskers(trace, (left + right) / 2, y)
    return as_opaque(trace, drawn)


def _of_one_colour(boxes: list[Box], marker: dict[str, Any]) -> str:
    if several(marker.get("opacity")):
        raise NotDrawnError("bar.marker.opacity", marker["opacity"])
    if (marker.get("pattern") or {}).get("shape"):
        return hatching(boxes, marker)
    edge = marker.get("line") or {}
    around = (
        f'{paint("stroke", edge.get("color") or "#444444")} stroke-width="{number(edge["width"])}"' if edge.get("width") else ""
    )
    return f'<path d="{"".join(box(*one) for one in boxes)}"{fill(marker)}{around}/>'


def hatching(boxes: Sequence[Box], marker: dict[str, Any]) -> str:
    """Lines across boxes and around them, so that these are told from others without colour."""
    if marker["pattern"]["shape"] != "/":
        raise NotDrawnError("marker.pattern.shape", marker["pattern"]["shape"])
    around, across = "".join(box(*one) for one in boxes), "".join(_hatches(one) for one in boxes)
    look = paint("stroke", marker["color"], opacity_of(marker))
    return f'<path d="{around}{across}" fill="none"{look} stroke-width="{number(_STROKE)}"/>'


def _hatches(bar: Box) -> str:
    """Lines that rise to the right: x + y is the same along each, and a multiple of how far they are apart."""
    left, top, wide, high = bar
    sums = np.arange(np.ceil((left + top) / _HATCH), (left + top + wide + high) / _HATCH) * _HATCH
    begins = np.maximum(left, sums - top - high)
    ends = np.minimum(left + wide, sums - top)
    return "".join(
        f"M{number(a)} {number(total - a)}l{number(b - a)} {number(a - b)}"
        for a, b, total in zip(begins.tolist(), ends.tolist(), sums.tolist(), strict=True)
        if b > a
    )
