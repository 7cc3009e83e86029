"""Where the name of each line stands in a plot of stated pixels and type: at its own line, clear of everything else.

A place is worth more the further it lies from what else is drawn, and the nearer to the right end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from dpcore.base.types import FloatArray

_LETTER, _LINE = 0.54, 1.25  # how wide a letter is and how high a line of text, in heights of the type, as is all below
_CLEAR, _OWN = 0.3, 0.15  # what stays free between a name and all else, and between it and its own line
_NEARER = 0.5  # how much nearer to a name another line may be than its own, where both run together
_OFF = np.array([(0.35, 0.0), (1.1, 2.0)])  # how far off its line a name stands, and at what cost
_FAR = (0.0, 0.75, 1.5, 2.25, 3.0, 4.0)  # how far other lines are; further off they do not matter
_END = 3.0  # what a place at the right end is worth beside one at the left
_PLACES = 33  # points of a line where its name could stand
_AROUND = np.array([(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)], dtype=np.float64)
KEEPS = {
    "left": 1.0,
    "center": 0.0,
    "right": -1.0,
}  # the side of a name that stays at its place, by the side of the line it is on
_CELL = 2.0  # pixels
_OUTWARD, _UP_TO = np.array([-1.0, -1.0, 1.0, 1.0]), np.array([0.0, 0.0, 1.0, 1.0])  # of a box's sides; in cells
_Sums = np.ndarray[Any, np.dtype[np.int64]]


class Place(NamedTuple):
    """Where a name stands, in pixels from the lower left: the ``end`` that stays where there is more room than was asked for, in
    the middle of the side of it that ``keeps`` to the line; and its box, left, bottom, right, top."""

    end: FloatArray
    keeps: str
    box: FloatArray


def boxes(ends: FloatArray, sides: FloatArray, letters: int, type_size: float) -> FloatArray:
    """The boxes of a text of one line, (n, 4), by the ends that stay, (n, 2), and the sides that these are, (n,) of ``KEEPS``."""
    wide, high = _LETTER * type_size * letters, _LINE * type_size
    left, bottom = ends[:, 0] - (1 - sides) / 2 * wide, ends[:, 1] - high / 2
    return np.column_stack([left, bottom, left + wide, bottom + high])


def placed(
    lines: Sequence[tuple[FloatArray, int]], there: Sequence[FloatArray], size: FloatArray, type_size: float
) -> list[Place | None]:
    """A place for each name in a plot of this width and height, clear of the boxes ``there``; None where there is none.

    ``lines``: points of what is drawn, (n, 2), a few pixels apart, and how many letters its name has, 0 where it gets none.
    """
    each = [_summed(points, size) for points, _ in lines]
    everything, taken = np.sum(each, axis=0), list(there)
    found: list[Place | None] = []
    for (points, letters), own in zip(lines, each, strict=True):
        place = _best(points, letters, own, everything - own, taken, size, type_size) if letters and len(points) else None
        found.append(place)
        taken += [] if place is None else [place.box]
    return found


def _best(
    points: FloatArray, letters: int, own: _Sums, others: _Sums, taken: list[FloatArray], size: FloatArray, type_size: float
) -> Place | None:
    """The place that is worth most: inside, on nothing, and rather where no other line is nearer to the name than its own."""
    tried = points[np.unique((np.linspace(0.02, 0.98, _PLACES) * (len(points) - 1)).astype(np.int64))]
    at, side, step = (part.ravel() for part in np.indices((len(tried), len(_AROUND), len(_OFF))))
    sides, away = _AROUND[side], _OFF[step, 0] * type_size
    ends = tried[at] + sides * (away[:, None] + np.array([0, _LINE * type_size / 2]))
    found, near = boxes(ends, sides[:, 0], letters, type_size), _CLEAR * type_size
    fits = np.all((found[:, :2] >= 0) & (found[:, 2:] <= size), axis=1)
    fits &= _free(others, found, near) & _free(own, found, _OWN * type_size)
    for box in taken:
        fits &= np.any((found[:, :2] > box[2:] + near) | (found[:, 2:] < box[:2] - near), axis=1)
    fits &= _free(others, found, np.maximum(away - _NEARER * type_size, near)[:, None])
    nearest = fits & _free(others, found, away[:, None] + _CELL)
    fits = nearest if nearest.any() else fits
    apart = np.max([far * _free(others, found, far * type_size) for far in _FAR], axis=0)
    worth = apart + _END * found[:, 0] / size[0] - _OFF[step, 1]
    best = int(np.argmax(np.where(fits, worth, -np.inf)))
    keeps = next(name for name, one in KEEPS.items() if one == sides[best, 0])
    return Place(ends[best], keeps, found[best]) if fits[best] else None


def _summed(points: FloatArray, size: FloatArray) -> _Sums:
    """How many points lie left of and below each corner of the plot's cells."""
    cells = (size // _CELL).astype(np.int64) + 1
    across, up = np.clip((points / _CELL).astype(np.int64), 0, cells - 1).T
    counts = np.bincount(across * cells[1] + up, minlength=int(cells.prod())).reshape(cells)
    return np.pad(np.cumsum(np.cumsum(counts, axis=0), axis=1), ((1, 0), (1, 0)))


def _free(sums: _Sums, found: FloatArray, around: float | FloatArray) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Whether no point lies in a box, nor so near."""
    cells = (found / _CELL + (around * _OUTWARD / _CELL + _UP_TO)).astype(np.int64)
    left, low, right, high = np.clip(cells, 0, np.array(sums.shape * 2) - 1).T
    return np.asarray(sums[right, high] - sums[left, high] - sums[right, low] + sums[left, low] == 0)
