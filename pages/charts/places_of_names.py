"""Where the name of each line stands in a plot of stated pixels and type: at its own line, clear of everything else.

A place is worth more the further it lies from what is drawn else, and the nearer to the right end. Where names may be led to
their lines, one can stand further off, with a way to its line that crosses as little as can be.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, final

import numpy as np

from dpcore.base.types import FloatArray

_LETTER, _LINE = 0.54, 1.25  # how wide a letter is and how high a line of text, in heights of the type, as is all below
_CLEAR, _OWN = 0.3, 0.15  # what stays free between a name and all else, and between it and its own line
_BESIDE, _LED = ((0.35, 0.0), (1.1, 2.0)), ((2.2, 3.0), (5.0, 6.0), (9.0, 10.0))  # how far off a name stands, and at what cost
_FAR = (0.75, 1.5, 2.25, 3.0, 4.0)  # how far other lines are; further off they do not matter
_END = 3.0  # what a place at the right end is worth beside one at the left
_CROSSED = 1.5  # what a point of a way costs that lies on another line
_PLACES, _WAY = 33, 12  # points of a line, where its name could stand, and points of a way to a name
_AROUND = np.array([(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)], dtype=np.float64)
_SIDES = {1: "left", 0: "center", -1: "right"}  # of a name that stands at that side of its line: the one that keeps to it
_ALONE = 2.0  # how far other lines are from the point that a way leads to; further off they do not matter
_CELL = 2.0  # pixels
_OUTWARD, _UP_TO = np.array([-1.0, -1.0, 1.0, 1.0]), np.array([0.0, 0.0, 1.0, 1.0])  # of a box's sides; in cells
_Counts = np.ndarray[Any, np.dtype[np.int64]]
_Flags = np.ndarray[Any, np.dtype[np.bool_]]


@final
@dataclass(frozen=True, slots=True)
class Line:
    """What is drawn: its points in pixels from the lower left, (n, 2), a few pixels apart; and how many letters its name has, 0
    where it is not to be named."""

    points: FloatArray
    letters: int


@final
@dataclass(frozen=True, slots=True)
class Place:
    """Where a name stands, in pixels: its box, left, bottom, right, top; the point of its line that it is for; whether a way
    leads there; and the side that ``keeps`` to the line, on which it stays where there is more room than was asked for."""

    box: FloatArray
    point: FloatArray
    led: bool
    keeps: str

    @property
    def end(self) -> FloatArray:
        """The point that stays: in the middle of the side that keeps to the line."""
        left, bottom, right, top = self.box
        return np.array([{"left": left, "center": (left + right) / 2, "right": right}[self.keeps], (bottom + top) / 2])


def box_of(letters: int, at: tuple[float, float], keeps: str, type_size: float) -> FloatArray:
    """The box of a text of one line, that is at this point in pixels with the side that keeps to it."""
    wide, high = _extent(letters, type_size)
    left = at[0] - {"left": 0.0, "center": 0.5, "right": 1.0}.get(keeps, 0.5) * wide
    return np.array([left, at[1] - high / 2, left + wide, at[1] + high / 2])


def placed(
    lines: list[Line], there: Iterable[FloatArray], size: tuple[float, float], type_size: float, *, led: bool
) -> list[Place | None]:
    """A place for each name in a plot of this width and height, in pixels; None where there is none.

    ``there``: boxes that are taken already. ``led``: names may stand off their lines, with a way that leads there.
    """
    plot = _Plot(size, type_size, led)
    each = [_Crowd.of(plot.counted(line.points)) for line in lines]
    everything, taken = _Crowd(np.sum([one.sums for one in each], axis=0)), np.zeros(plot.cells, dtype=np.int64)
    for box in there:
        plot.fill(taken, box)
    found: list[Place | None] = []
    for line, own in zip(lines, each, strict=True):
        place = plot.best(line, own, everything.without(own), _Crowd.of(taken)) if line.letters else None
        found.append(place)
        if place is not None:
            plot.fill(taken, place.box)
            taken += plot.counted(_ways(place.point[None], place.end[None])[0]) if place.led else 0
    return found


def _extent(letters: int, type_size: float) -> tuple[float, float]:
    return _LETTER * type_size * letters, _LINE * type_size


@final
@dataclass(frozen=True, slots=True)
class _Tried:
    """Places that a name could have, a row each: the point of its line, the side of it, the box, the end that stays, whether it
    is led to, how far off it stands, and what that costs."""

    points: FloatArray
    sides: FloatArray
    boxes: FloatArray
    ends: FloatArray
    led: _Flags
    away: FloatArray
    cost: FloatArray

    def where(self, these: _Flags) -> _Tried:
        return _Tried(*(getattr(self, field.name)[these] for field in fields(self)))

    def ways(self) -> FloatArray:
        """The ways to those that are led to."""
        return _ways(self.points[self.led], self.ends[self.led])

    def place(self, at: int) -> Place:
        return Place(self.boxes[at], self.points[at], bool(self.led[at]), _SIDES[int(self.sides[at, 0])])


def _ways(points: FloatArray, ends: FloatArray) -> FloatArray:
    """Points from each line's point to its name's end, (n, 12, 2), without the first few, which are the line's own."""
    return np.asarray(points[:, None] + np.linspace(0.2, 1, _WAY)[:, None] * (ends - points)[:, None])


@final
class _Crowd:
    """How many points lie in boxes, from sums over the cells of a plot."""

    def __init__(self, sums: _Counts) -> None:
        self.sums = sums

    @classmethod
    def of(cls, counts: _Counts) -> _Crowd:
        """Those of which so many lie in each cell."""
        sums = np.zeros((counts.shape[0] + 1, counts.shape[1] + 1), dtype=np.int64)
        np.cumsum(np.cumsum(counts, axis=0), axis=1, out=sums[1:, 1:])
        return cls(sums)

    def without(self, some: _Crowd) -> _Crowd:
        return _Crowd(self.sums - some.sums)

    def free(self, boxes: FloatArray, around: float | FloatArray) -> _Flags:
        """Whether no point lies in a box, (…, 4) in pixels, nor so near."""
        cells = (boxes / _CELL + (around * _OUTWARD / _CELL + _UP_TO)).astype(np.int64)
        most = np.array(self.sums.shape * 2) - 1
        left, low, right, high = (np.minimum(np.maximum(cells[..., side], 0), most[side]) for side in range(4))
        wide = self.sums.shape[1]
        left, right = left * wide, right * wide
        at = self.sums.ravel().take
        return np.asarray(at(right + high) - at(left + high) - at(right + low) + at(left + low) == 0)


@final
@dataclass(frozen=True, slots=True)
class _Plot:
    """The plot: its width and height, the size of the type, and whether names may be led to."""

    size: tuple[float, float]
    type_size: float
    led: bool

    @property
    def cells(self) -> tuple[int, int]:
        return int(self.size[0] // _CELL) + 1, int(self.size[1] // _CELL) + 1

    def counted(self, points: FloatArray) -> _Counts:
        """How many of the points lie in each cell."""
        across, up = np.clip((points / _CELL).astype(np.int64), 0, np.array(self.cells) - 1).T
        return np.bincount(across * self.cells[1] + up, minlength=self.cells[0] * self.cells[1]).reshape(self.cells)

    def fill(self, taken: _Counts, box: FloatArray) -> None:
        """Note that a box is taken."""
        left, bottom, right, top = np.maximum(np.floor(box / _CELL), 0).astype(np.int64)
        taken[left : right + 1, bottom : top + 1] += 1

    def best(self, line: Line, own: _Crowd, others: _Crowd, taken: _Crowd) -> Place | None:
        """The place that is worth most."""
        if not len(line.points):
            return None
        tried = self._tried(line)
        for fits in (
            self._inside,
            lambda one: taken.free(one.boxes, self.near),
            lambda one: others.free(one.boxes, self.near),
            lambda one: own.free(one.boxes, _OWN * self.type_size),
            lambda one: self._reached(one, taken),
        ):
            tried = tried.where(fits(tried))
        nearest = tried.where(self._nearest(tried, others))
        tried = nearest if self.led or len(nearest.boxes) else tried
        if not len(tried.boxes):
            return None
        worth = self._apart(tried.boxes, others) + _END * tried.boxes[:, 0] / self.size[0] - tried.cost
        return tried.place(int(np.argmax(worth + self._led(tried, others))))

    def _tried(self, line: Line) -> _Tried:
        """Names on each side of some points of a line, close to it and further off."""
        places = line.points[np.unique((np.linspace(0.02, 0.98, _PLACES) * (len(line.points) - 1)).astype(np.int64))]
        steps = np.array(_BESIDE + _LED if self.led else _BESIDE)
        point, side, step = (part.ravel() for part in np.indices((len(places), len(_AROUND), len(steps))))
        points, sides, away = places[point], _AROUND[side], steps[step, 0] * self.type_size
        half = np.array(_extent(line.letters, self.type_size)) / 2
        middles = points + sides * (half + away[:, None])
        ends = middles - sides * (half * [1, 0])
        boxes = np.concatenate([middles - half, middles + half], axis=1)
        return _Tried(points, sides, boxes, ends, step >= len(_BESIDE), away, steps[step, 1])

    @property
    def near(self) -> float:
        return _CLEAR * self.type_size

    def _inside(self, tried: _Tried) -> _Flags:
        return np.asarray(np.all((tried.boxes[:, :2] >= 0) & (tried.boxes[:, 2:] <= np.array(self.size)), axis=1))

    def _nearest(self, tried: _Tried, others: _Crowd) -> _Flags:
        """Whether no other line is nearer to a name than its own, or a way leads there."""
        return tried.led | others.free(tried.boxes, tried.away[:, None] + _CELL)

    def _reached(self, tried: _Tried, taken: _Crowd) -> _Flags:
        """Whether no other name lies on the way."""
        reached = np.ones(len(tried.led), dtype=np.bool_)
        reached[tried.led] = taken.free(_boxed(tried.ways()), self.near).all(axis=1)
        return reached

    def _led(self, tried: _Tried, others: _Crowd) -> FloatArray:
        """What else counts of a name that is led to: that its line is alone there, and the way crosses no other."""
        worth = np.zeros(len(tried.led))
        crossed = ~others.free(_boxed(tried.ways()), self.near)
        alone = self._apart(_boxed(tried.points[tried.led]), others)
        worth[tried.led] = np.minimum(alone, _ALONE) - _CROSSED * crossed.sum(axis=1)
        return worth

    def _apart(self, boxes: FloatArray, others: _Crowd) -> FloatArray:
        """How far the nearest other line is, in heights of the type; 0 for a near one."""
        apart = np.zeros(len(boxes))
        for far in _FAR:
            apart = np.where(others.free(boxes, far * self.type_size), far, apart)
        return apart


def _boxed(points: FloatArray) -> FloatArray:
    return np.concatenate([points, points], axis=-1)
