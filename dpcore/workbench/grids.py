"""Points of a curve's domain that it is drawn and compared on."""

from __future__ import annotations

import numpy as np

from dpcore.base.bounds import Interval
from dpcore.base.types import FloatArray

LINE, SIDE = 101, 25  # points of one dimension, and of each of two


def grid(domain: tuple[Interval, ...]) -> FloatArray:
    """Points (p, dims): evenly along one dimension, or over the first two, the first fastest; others are in their middle."""
    if len(domain) == 1:
        return np.linspace(*domain[0], LINE)[:, None]
    across, up = (np.linspace(low, high, SIDE) for low, high in domain[:2])
    middles = [np.full(SIDE**2, low + (high - low) / 2) for low, high in domain[2:]]
    return np.stack([np.tile(across, SIDE), np.repeat(up, SIDE), *middles], axis=1)
