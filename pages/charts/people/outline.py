"""The outline of some cells of a grid."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Segment = tuple[float, float, float, float]
"""From (x, y) to (x, y), in cells."""


def outline(cells: NDArray[np.bool_]) -> tuple[Segment, ...]:
    """The lines between cells (across, up) that are True and all else, each as long as it goes straight on.

    Cell (i, j) reaches from i − ½ to i + ½ and from j − ½ to j + ½.
    """
    upright = [(place, first, place, last) for place, first, last in _edges(cells)]
    level = [(first, place, last, place) for place, first, last in _edges(cells.T)]
    return (*upright, *level)


def _edges(cells: NDArray[np.bool_]) -> Iterator[tuple[float, float, float]]:
    """Of lines across the first axis: where, from where, and to where."""
    differs = np.diff(np.pad(cells, ((1, 1), (0, 0))).astype(np.int8), axis=0) != 0
    for place, along in enumerate(differs):
        turns = np.flatnonzero(np.diff(np.pad(along, 1).astype(np.int8)))
        for first, last in turns.reshape(-1, 2):
            yield place - 0.5, float(first) - 0.5, float(last) - 0.5
