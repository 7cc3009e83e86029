"""What belongs to an axis: its lines behind the data, its numbers and its title."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pages.charts.svg import text as texts
from pages.charts.svg.axis import Axis
from pages.charts.svg.ticks import Tick
from pages.charts.svg.values import NotDrawnError, number

Span = tuple[float, float]
_AWAY, _STANDOFF = 4.0, 7.0  # pixels from the plot to its numbers, and from these to the title
_TICK = 5.0  # the length of a tick
_RISE, _DEPTH = 0.78, 0.25  # of the type: to its top, and below the line
_ANGLES = (0.0, 30.0, 90.0)
_BESIDE = 1.0  # letters between two names
_TITLE = 1.17  # times the type of the numbers
_EDGE = 3.0  # pixels that stay free at the edge of the picture


def grid(axis: Axis, across: Sequence[Span]) -> str:
    """Lines at its numbers, from one end to the other of each plot."""
    shown = axis.given.get("showgrid", axis.letter == "y")  # as the app's theme has them
    if not axis.visible or not shown:
        return ""
    return _rules(axis, [at for _, at in axis.placed_ticks()], across)


def zero_line(axis: Axis, across: Sequence[Span]) -> str:
    """The line at 0, but of an axis that asks for none."""
    asked = axis.given.get("zeroline", axis.given.get("showgrid") is not False)
    if not axis.visible or not asked or axis.kind != "linear":
        return ""
    inside = min(axis.shown) <= 0 <= max(axis.shown)
    return _rules(axis, [float(axis.at(np.zeros(1))[0])] if inside else [], across)


def _rules(axis: Axis, places: Sequence[float], across: Sequence[Span]) -> str:
    if axis.letter == "x":
        return "".join(f"M{number(at)} {number(low)}V{number(high)}" for at in places for low, high in across)
    return "".join(f"M{number(low)} {number(at)}H{number(high)}" for at in places for low, high in across)


def type_size(axis: Axis, size: float) -> float:
    """Of its numbers."""
    return texts.font_size(axis.given.get("tickfont"), size)


def angle(axis: Axis, size: float) -> float:
    """How far its names are turned: as it says, and else as far as they need to stand apart."""
    given = axis.given.get("tickangle")
    if given not in (None, "auto"):
        return float(given)
    found = axis.ticks()
    if axis.letter == "y" or len(found) < 2:
        return 0.0
    at = np.sort(axis.at(np.array([tick.at for tick in found])))
    apart = float(np.diff(at).min())
    widest = max(texts.width(tick.text, size * tick.size) for tick in found)
    if widest + _BESIDE * size <= apart:
        return _ANGLES[0]
    return _ANGLES[1] if apart > 2.2 * size and axis.kind == "category" and widest < 4 * apart else _ANGLES[2]


def depth(axis: Axis, size: float) -> float:
    """How far its numbers reach from the plot, in pixels."""
    if not axis.visible or axis.given.get("showticklabels") is False:
        return 0.0
    size, found = type_size(axis, size), axis.ticks()
    ticks = _length(axis) + _AWAY
    if axis.letter == "y":
        return ticks + max((texts.width(tick.text, size * tick.size) for tick in found), default=0.0)
    turned = math.radians(angle(axis, size))
    reach = [
        abs(math.sin(turned)) * texts.width(tick.text, size * tick.size) + abs(math.cos(turned)) * texts.height(tick.text, size)
        for tick in found
    ]
    return ticks + max(reach, default=0.0)


def title_size(axis: Axis, size: float) -> float:
    """Of its title; 0 where it has none."""
    title = axis.given.get("title") or {}
    if not axis.visible or not title.get("text"):
        return 0.0
    return texts.font_size(title.get("font"), round(_TITLE * size))


def needed(axis: Axis, size: float) -> float:
    """Pixels for its numbers and its title."""
    title = title_size(axis, size)
    return depth(axis, size) + (_standoff(axis) + texts.LINE * title + _EDGE if title else 0.0)


def beyond(axis: Axis, size: float) -> float:
    """Pixels right of the plot that a name needs which falls to the right."""
    size = type_size(axis, size)
    turned = angle(axis, size)
    if not 0 < turned < 90:
        return 0.0
    a = math.radians(turned)
    ends = [at + math.cos(a) * texts.width(tick.text, size * tick.size) for tick, at in axis.placed_ticks()]
    return max(ends) - axis.pixels[1] + _EDGE


def _standoff(axis: Axis) -> float:
    return float((axis.given.get("title") or {}).get("standoff", _STANDOFF))


def _length(axis: Axis) -> float:
    kind = axis.given.get("ticks") or ""
    if kind not in ("", "outside"):
        raise NotDrawnError("ticks", kind)
    return float(axis.given.get("ticklen", _TICK)) if kind else 0.0


def side(axis: Axis) -> str:
    """Where its numbers stand: below, unless it says above; those of y at the left."""
    found = str(axis.given.get("side", "bottom" if axis.letter == "x" else "left"))
    if found not in (("bottom", "top") if axis.letter == "x" else ("left",)):
        raise NotDrawnError("side", found)
    return found


def labels(axis: Axis, line: float, size: float, picture: Span) -> str:
    """Ticks, numbers and title; ``line`` is where the plot ends there, and ``picture`` how wide and high everything is."""
    if not axis.visible:
        return ""
    numbers_size = type_size(axis, size)
    placed = axis.placed_ticks()
    written = "" if axis.given.get("showticklabels") is False else _numbers(axis, placed, line, numbers_size)
    return _marks(axis, [at for _, at in placed], line) + written + _title(axis, line, size, picture)


def _marks(axis: Axis, at: Sequence[float], line: float) -> str:
    if not (length := _length(axis)):
        return ""
    if axis.letter == "y":
        d = "".join(f"M{number(line)} {number(y)}h-{number(length)}" for y in at)
    else:
        down = length if side(axis) == "bottom" else -length
        d = "".join(f"M{number(x)} {number(line)}v{number(down)}" for x in at)
    return f'<path d="{d}" fill="none" stroke="currentColor"/>'


def _numbers(axis: Axis, placed: Sequence[tuple[Tick, float]], line: float, size: float) -> str:
    away = _length(axis) + _AWAY
    if axis.letter == "y":
        return "".join(
            texts.write(tick.text, line - away, y + _middle(tick, size), size * tick.size, anchor="end") for tick, y in placed
        )
    above, turned = side(axis) == "top", angle(axis, size)
    if turned and not above:
        return "".join(_turned(tick, x, line + away, size, turned) for tick, x in placed)
    y = line - away - _DEPTH * size if above else line + away + _RISE * size
    return "".join(texts.write(tick.text, x, y, size * tick.size, anchor="middle") for tick, x in placed)


def _middle(tick: Tick, size: float) -> float:
    """From its place down to where a name of one line or more stands."""
    lines = texts.height(tick.text, size * tick.size) - texts.LINE * size * tick.size
    return texts.MIDDLE * size * tick.size - lines / 2


def _turned(tick: Tick, x: float, y: float, size: float, turned: float) -> str:
    """A name that begins at its place where it falls to the right, and ends there where it rises."""
    a = math.radians(turned)
    x, y = x - math.sin(a) * texts.MIDDLE * size, y + abs(math.cos(a)) * texts.MIDDLE * size
    return texts.write(tick.text, x, y, size, anchor="start" if turned > 0 else "end", turned=turned)


def _title(axis: Axis, line: float, size: float, picture: Span) -> str:
    size_of_it = title_size(axis, size)
    if not size_of_it:
        return ""
    text, middle = axis.given["title"]["text"], sum(axis.pixels) / 2
    away = depth(axis, size) + _standoff(axis)
    more = texts.height(text, size_of_it) - texts.LINE * size_of_it
    if axis.letter == "y":
        x = max(line - away - _DEPTH * size_of_it - more, _EDGE + _RISE * size_of_it)
        return texts.write(text, x, middle, size_of_it, anchor="middle", turned=-90)
    if side(axis) == "top":
        return texts.write(text, middle, line - away - _DEPTH * size_of_it - more, size_of_it, anchor="middle")
    y = min(line + away + _RISE * size_of_it, picture[1] - _EDGE - _DEPTH * size_of_it - more)
    return texts.write(text, middle, y, size_of_it, anchor="middle")
