"""A number for each of many groups, with whiskers: bars where 0 is nothing, else dots on their scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, final

import numpy as np

from dpcore.base.types import FloatArray
from pages.old.charts.drawn import Drawn, axis, bar, figure, gapped, line, names_along, scatter, shown, with_unit

MOST_DRAWN = 256  # numbers
WIDE, FAINT, APART = 0.7, 0.45, 0.16  # of a bar, and of a whisker from its middle where there are two
_MOST_NAMES = 30  # on the axis of a narrow chart; of more groups each so many-th has its name there, and all have it on hover
_ACROSS, _CHARACTER = 300, 7.5  # pixels of a narrow chart's axis, and of a letter on it
_UPRIGHT = 10  # letters of a name that stands on end
_FURTHEST = 6.0  # times the first whisker, beyond which a whisker leaves the picture


@final
@dataclass(frozen=True, eq=False)
class Whiskers:
    """Half-lengths of whiskers, one a number, and how they are drawn."""

    name: str
    reaches: FloatArray
    colour: str
    dash: str = "solid"

    def first(self, size: int) -> Whiskers:
        """Of so many numbers."""
        return replace(self, reaches=np.asarray(self.reaches[:size], dtype=np.float64))


def groups(
    names: tuple[str, ...],
    values: FloatArray,
    whiskers: list[Whiskers],
    *,
    name: str,
    colour: str,
    from_zero: bool,
    unit: str = "",
    more: tuple[dict[str, Any], ...] = (),
) -> Drawn:
    """One bar or dot a number, over its name; the first 256 of more. ``more``: further entries of the legend.

    A number with an infinite whisker, of which nothing can be told, is not drawn.
    """
    size = min(len(values), MOST_DRAWN)
    names, values = names[:size], np.asarray(values[:size], dtype=np.float64)
    told = np.all([np.isfinite(one.reaches[:size]) for one in whiskers], axis=0) if whiskers else True
    values = np.where(told, values, np.nan)
    whiskers = [one.first(size) for one in whiskers]
    places = np.arange(size, dtype=np.float64)
    after = "".join(f", ± %{{customdata[{i}]:.3~g}} {one.name}" for i, one in enumerate(whiskers, 1))
    rows = [[shown(name), *(one.reaches[i] for one in whiskers)] for i, name in enumerate(names)]
    told = {"customdata": rows, "hovertemplate": f"%{{customdata[0]}}: %{{y:.6g}}{after}<extra></extra>"}
    if from_zero:
        drawn = bar(name, places, values, {"color": colour, "opacity": FAINT}, width=WIDE, **told)
    else:
        drawn = scatter(name, places, values, {"color": colour, "size": fit(9, size)}, **told)
    offsets = np.linspace(-APART, APART, len(whiskers)) if len(whiskers) > 1 else [0.0]
    ends = [_whiskers(one, places + offset, values) for one, offset in zip(whiskers, offsets, strict=False)]
    y = axis(with_unit("answer", unit), nticks=6, **_range(values, whiskers, from_zero))
    return figure([drawn, *ends, *more], x=axis_of(names), y=y, margin={"b": room_of(names)})


def axis_of(names: tuple[str, ...]) -> dict[str, Any]:
    """An axis with a name at each place, 0, 1, 2…, or at each so many-th."""
    text, upright = on_axis(names)
    turned = {"tickangle": -90, "tickfont": {"size": 10}} if upright else {"tickfont": {"size": 12}}
    return names_along(shown(text), _MOST_NAMES) | {"range": [-0.6, len(names) - 0.4]} | turned


def room_of(names: tuple[str, ...]) -> int:
    """Pixels under a plot that its names need."""
    text, upright = on_axis(names)
    return 16 + math.ceil(6.5 * (max(map(len, text)) if upright else 3))


def shortened(names: tuple[str, ...], most: int) -> list[str]:
    """Names of at most so many letters: their beginnings, or what tells more of them apart: what follows a beginning that all
    share, or both their ends."""
    half, start = (most - 1) // 2, len(shared_beginning(names))
    ways = (
        [_cut(name, most) for name in names],
        [_cut(f"…{name[start:]}", most) for name in names],
        [name if len(name) <= most else f"{name[: most - 1 - half]}…{name[len(name) - half :]}" for name in names],
    )
    return max(ways, key=lambda way: len(set(way)))


def shared_beginning(texts: Sequence[str]) -> str:
    """What all of them begin with: as the first and the last in order do."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(min(texts, default=""), max(texts, default=""), strict=False))
    return "".join(letter for letter, _ in alike)


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def on_axis(names: tuple[str, ...]) -> tuple[list[str], bool]:
    """What stands on the axis, and whether it stands on end, where there is too little room beside one another."""
    room = int(_ACROSS / max(1, len(names)) / _CHARACTER)
    upright = room < min(_UPRIGHT, max(map(len, names), default=0))
    return shortened(names, _UPRIGHT if upright else max(room, 3)), upright


def fit(most: float, size: int) -> float:
    """The size of a mark, smaller where many stand beside one another."""
    return max(3.0, min(most, _ACROSS / max(1, size) / 2))


def _whiskers(one: Whiskers, places: FloatArray, values: FloatArray) -> dict[str, Any]:
    """From each number down and up, with a gap to the next."""
    reaches = np.where(np.isfinite(values), one.reaches, np.nan)
    ends = gapped(values, values) + gapped(-reaches, reaches)
    marker = {"symbol": "line-ew-open", "size": fit(8, len(values)), "color": one.colour, "line": {"width": 2}}
    ends_of = line(one.name, np.repeat(places, 3), ends, one.colour, dash=one.dash, hoverinfo="skip")
    return ends_of | {"mode": "lines+markers", "marker": marker}


def _range(values: FloatArray, whiskers: list[Whiskers], from_zero: bool) -> dict[str, Any]:
    """All numbers with their whiskers, of which none makes the others invisible."""
    drawn = np.isfinite(values)
    if not drawn.any():
        return {"range": [0.0, 1.0]}
    reach = np.zeros(len(values))
    for one in whiskers:
        reach = np.maximum(reach, np.minimum(one.reaches, _FURTHEST * whiskers[0].reaches))
    reach = np.where(np.isfinite(reach), reach, 0.0)
    low, high = float((values - reach)[drawn].min()), float((values + reach)[drawn].max())
    if from_zero:
        low, high = min(low, 0.0), max(high, 0.0)
    room = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
    return {"range": [low if from_zero and low == 0 else low - room, high if from_zero and high == 0 else high + room]}
