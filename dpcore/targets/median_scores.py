"""A score for each place of a public grid: how few of some answers would have to change for it to be their median."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dpcore.base.bounds import Interval, even_edges
from dpcore.base.types import FloatArray

MOST_POINTS = 100_001


def median_scores(answers: FloatArray, places: FloatArray) -> FloatArray:
    """s(r) = −max(0, N/2 − #{a <= r}, #{a < r} − N/2) for the N answers that are not NaN, each taken to its nearest place.

    Answers lie between the first place and the last. One changed answer moves each score by at most 1, up or down (mathematics,
    section 20.2). Unlike ranks alone it tells a place on which all answers agree from any other. (k,), (places,) -> (places,)
    """
    known = answers[~np.isnan(answers)]
    above = np.clip(np.searchsorted(places, known), 1, len(places) - 1)
    nearest = above - (known - places[above - 1] < places[above] - known)
    counts = np.bincount(nearest, minlength=len(places))
    up_to, half = np.cumsum(counts), len(known) / 2
    return np.asarray(-np.maximum(0.0, np.maximum(half - up_to, up_to - counts - half)))


@lru_cache(maxsize=8)
def grid(bounds: Interval, points: int) -> FloatArray:
    """So many places at even distances, from one bound to the other; fewer where so many floats do not lie between them."""
    places = np.array(even_edges(bounds, points - 1))
    places.flags.writeable = False
    return places
