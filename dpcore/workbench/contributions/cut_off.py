"""A ratio of two noisy numbers that is cut off at −1 and 1: how far it lies from the one without noise, by quadrature."""

from __future__ import annotations

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.workbench.contributions.noise import Noise

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_AT_ONCE = 2_048  # ratios: some 10 MB an array


def moments(sums: FloatArray, numbers: FloatArray, scale: float, noise: Noise) -> tuple[FloatArray, FloatArray]:
    """(E(Z − z), E(Z − z)²) of Z = clip(S̃/max(C̃, 1), −1, 1) and z = S/max(C, 1), for S and C of shape (groups,).

    Given C̃ the inner moments are in closed form; over C̃ they are integrated in panels that end where the integrand is not
    smooth: at the noise 0, at C̃ = 1 and at C̃ = |S| (mathematics, section 9.4). ``scale`` is above 0, and |S| <= max(C, 1).
    """
    pieces = [slice(start, start + _AT_ONCE) for start in range(0, len(sums), _AT_ONCE)]
    found = [_moments(sums[piece, None], numbers[piece, None], scale, noise) for piece in pieces]
    first, second = (np.concatenate(each) for each in zip(*found, strict=True))
    return first, second


def _moments(sums: FloatArray, numbers: FloatArray, scale: float, noise: Noise) -> tuple[FloatArray, FloatArray]:
    floor = (1 - numbers) / scale
    breaks = np.maximum(np.sort(np.hstack([np.tile(noise.breaks, (len(sums), 1)), (np.abs(sums) - numbers) / scale])), floor)
    half = np.diff(breaks)[..., None] / 2
    places = ((breaks[:, :-1, None] + half) + half * _NODES).reshape(len(sums), -1)
    weights = (half * _WEIGHTS).reshape(len(sums), -1) * noise.density(places)
    places, weights = np.hstack([floor, places]), np.hstack([noise.below(floor), weights])  # where C̃ < 1 it counts as 1
    first, second = _given(sums, np.maximum(numbers + scale * places, 1.0), sums / np.maximum(numbers, 1.0), scale, noise)
    return (weights * first).sum(axis=1), (weights * second).sum(axis=1)


def _given(
    sums: FloatArray, counts: FloatArray, without: FloatArray, scale: float, noise: Noise
) -> tuple[FloatArray, FloatArray]:
    """The two moments given C̃, about ``without``: equations (1) and (2) of mathematics, section 9.4."""
    centre, spread = sums / counts, scale / counts
    lower, upper = (sums + counts) / scale, (sums - counts) / scale
    from_lower, from_upper = noise.excess(lower), noise.excess(upper)
    away = np.clip(centre, -1.0, 1.0) - without
    first = away + spread * (from_lower - from_upper)
    squares = spread**2 * (noise.square(lower) - noise.square(upper))
    second = away**2 + squares - 2 * spread * ((1 + without) * from_lower + (1 - without) * from_upper)
    return first, second
