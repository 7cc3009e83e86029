"""A place on a scale: how likely each part of the scale is to be published."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.mechanisms.base import Calibrated
from pages.old.charts.answers import Described
from pages.old.charts.answers.numbers import dotted
from pages.old.charts.drawn import Drawn
from pages.old.charts.fifty_dots import of_places
from pages.old.charts.responses import likely
from pages.old.experiment.headlines.place import PlaceHeadline

_CELLS = 120  # parts of the scale that have a density each
_BEYOND = 5e-4  # of the responses, at either end, that are left out of the picture


def chart(shown: PlaceHeadline) -> tuple[Drawn, str]:
    """The density of private answers along the scale, and a description."""
    chances = [shown.chances(noise.law) for noise in (shown.noise, shown.worst) if noise is not None]
    starts, exact = _starts(chances), shown.exact
    curves = [_density(shown.places, chance, starts) for chance in chances]
    drawn = likely(curves, shown.without_noise, exact.name, shown.answer.unit, top=float(curves[0][1].max()))
    return drawn, f"How likely each place is to be published at ε = {shown.scenario.epsilon:g}, around the one {exact.of}."


def dots(shown: PlaceHeadline, noise: Calibrated[Any], off: float) -> Described:
    """Fifty private places, and how many are further off than that."""
    offsets = of_places(shown.places - shown.without_noise, shown.chances(noise.law))
    return dotted(shown, shown.without_noise, offsets, off)


def density(shown: PlaceHeadline, noise: Calibrated[Any]) -> tuple[FloatArray, FloatArray]:
    """Along the scale: the share of the responses a unit of it."""
    chance, places = shown.chances(noise.law), shown.places
    at, likely = _density(places, chance, _starts([chance]))
    return at, likely * (len(places) - 1) / max(float(places[-1] - places[0]), np.finfo(float).tiny)


def _starts(chances: list[FloatArray]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Where the cells begin, as indices of places, and last where they end: over all that is likely under any of the laws."""
    size = len(chances[0])
    first, last = size - 1, 0
    for chance in chances:
        low, high = np.searchsorted(np.cumsum(chance), (_BEYOND, 1 - _BEYOND))
        first, last = min(first, int(low)), max(last, int(high))
    ends = np.linspace(max(0, first - 1), min(size, last + 2), _CELLS + 1)
    return np.unique(ends.round().astype(np.int64))


def _density(
    places: FloatArray, chance: FloatArray, starts: np.ndarray[Any, np.dtype[np.int64]]
) -> tuple[FloatArray, FloatArray]:
    """The middle of each cell, and the share of the responses a place of it."""
    sums = np.concatenate([[0.0], np.cumsum(chance)])[starts]
    return (places[starts[:-1]] + places[starts[1:] - 1]) / 2, np.diff(sums) / np.diff(starts)
