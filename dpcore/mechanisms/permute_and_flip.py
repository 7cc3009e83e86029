"""The law of permute-and-flip (McKenna & Sheldon 2020): look at the candidates in random order, take each with chance
exp(q_i), where q_i = (s_i − max s)/scale; it is the largest of the scores with exponential noise (mathematics, section 5.3)."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from dpcore.base.types import FloatArray

_NODES = 24  # Gauss–Legendre nodes a panel
_POWERS = 52  # of x <= 1/2: what is left out of log(1 − xt) and of 1/(1 − xt) is below 2^−52 of it
_RARELY = -46.0  # a gap whose chance, 1e-20, moves no factor


def log_permute_and_flip(gaps: FloatArray) -> FloatArray:
    """log P(i), P(i) = exp(q_i) ∫₀¹ Π_{j≠i} (1 − x exp(q_j)) dx, for the gaps q (d,) <= 0, at least one of them 0.

    x is the share of the random order that is looked at before i. The integral is a quadrature on panels that halve
    towards 0, where the product falls as exp(−x Σ exp(q_j)). Candidates with one gap share one integral, and those that are
    hardly ever taken share that of all factors. The product without i is that of all factors over 1 − x exp(q_i).
    """
    levels, place, alike = np.unique(gaps, return_inverse=True, return_counts=True)
    rare = int(np.searchsorted(levels, _RARELY))
    takes, times = np.append(0.0, np.exp(levels[rare:])), np.append(0, alike[rare:])
    nodes, weights = _quadrature(float(takes @ times))
    integrals = _up_to_half(takes, times, nodes[:-_NODES], weights[:-_NODES])
    integrals += _beyond_half(takes, times, nodes[-_NODES:], weights[-_NODES:])
    of_level = integrals[np.maximum(np.arange(len(levels)) - rare + 1, 0)]
    chances = levels + np.log(of_level) - np.log((alike * np.exp(levels) * of_level).sum())
    return np.asarray(chances[place])


def _up_to_half(takes: FloatArray, times: FloatArray, nodes: FloatArray, weights: FloatArray) -> FloatArray:
    """By powers: log(1 − xt) = −Σ_p (xt)^p/p and 1/(1 − xt) = Σ_p (xt)^p, for t = exp(q), so no node meets a candidate."""
    sums, power = np.empty(_POWERS), np.ones_like(takes)
    for p in range(_POWERS):
        power *= takes
        sums[p] = power @ times / (p + 1)
    powers = np.vander(nodes, _POWERS + 1, increasing=True)
    products = np.exp(-(powers[:, 1:] @ sums))
    return np.asarray(np.polynomial.polynomial.polyval(takes, (weights * products) @ powers))


def _beyond_half(takes: FloatArray, times: FloatArray, nodes: FloatArray, weights: FloatArray) -> FloatArray:
    """Factor by factor."""
    shares = nodes[:, None] * takes
    return np.asarray((weights * np.exp(np.log1p(-shares) @ times)) @ (1 / (1 - shares)))


@lru_cache(maxsize=1)
def _gauss_legendre() -> tuple[FloatArray, FloatArray]:
    x, w = np.polynomial.legendre.leggauss(_NODES)
    return np.asarray(x), np.asarray(w)


def _quadrature(expected: float) -> tuple[FloatArray, FloatArray]:
    x, w = _gauss_legendre()
    edges = np.concatenate([[0.0], 0.5 ** np.arange(math.ceil(math.log2(max(expected, 1.0))) + 3, -1, -1)])
    half = np.diff(edges)[:, None] / 2
    return (edges[:-1, None] + half * (x + 1)).ravel(), (half * w).ravel()
