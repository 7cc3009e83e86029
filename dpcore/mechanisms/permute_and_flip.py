"""The law of permute-and-flip (McKenna & Sheldon 2020): look at the candidates in random order, take each with chance
exp(q_i), where q_i = (s_i − max s)/scale; it is the largest of the scores with exponential noise (mathematics, section 5.3)."""

from __future__ import annotations

import math

import numpy as np

from dpcore.base.types import FloatArray

_NODES = 24  # Gauss–Legendre nodes a panel
_BLOCK = 2**20
_RARELY = -46.0  # a gap whose chance, 1e-20, moves no factor


def log_permute_and_flip(gaps: FloatArray) -> FloatArray:
    """log P(i), P(i) = exp(q_i) ∫₀¹ Π_{j≠i} (1 − x exp(q_j)) dx, for the gaps q (d,) <= 0, at least one of them 0.

    x is the share of the random order that is looked at before i. The integral is a quadrature on panels that halve
    towards 0, where the product falls as exp(−x Σ exp(q_j)). Candidates with one gap share one integral, and those that are
    hardly ever taken share that of all factors.
    """
    levels, place, alike = np.unique(gaps, return_inverse=True, return_counts=True)
    rare = int(np.searchsorted(levels, _RARELY))
    takes, times = np.append(0.0, np.exp(levels[rare:])), np.append(0, alike[rare:])
    nodes, weights = _quadrature(float(takes @ times))
    integrals = np.zeros(len(takes))
    step = max(1, _BLOCK // len(takes))
    for i in range(0, len(nodes), step):
        factors = np.log1p(-nodes[i : i + step, None] * takes)
        others = (factors @ times)[:, None] - factors
        integrals += weights[i : i + step] @ np.exp(others)
    of_level = integrals[np.maximum(np.arange(len(levels)) - rare + 1, 0)]
    chances = levels + np.log(of_level) - np.log((alike * np.exp(levels) * of_level).sum())
    return np.asarray(chances[place])


def _quadrature(expected: float) -> tuple[FloatArray, FloatArray]:
    x, w = np.polynomial.legendre.leggauss(_NODES)
    edges = np.concatenate([[0.0], 0.5 ** np.arange(math.ceil(math.log2(max(expected, 1.0))) + 3, -1, -1)])
    half = np.diff(edges)[:, None] / 2
    return (edges[:-1, None] + half * (x + 1)).ravel(), (half * w).ravel()
