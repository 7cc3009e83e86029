"""The law of permute-and-flip (McKenna & Sheldon 2020): look at the candidates in random order, take each with chance
exp(q_i), where q_i = (s_i − max s)/scale; it is the largest of the scores with exponential noise (mathematics, section 5.3)."""

from __future__ import annotations

import math

import numpy as np

from dpcore.base.types import FloatArray

_NODES = 24  # Gauss–Legendre nodes a panel
_BLOCK = 2**20


def log_permute_and_flip(gaps: FloatArray) -> FloatArray:
    """log P(i), P(i) = exp(q_i) ∫₀¹ Π_{j≠i} (1 − x exp(q_j)) dx, for the gaps q (d,) <= 0, at least one of them 0.

    x is the share of the random order that is looked at before i. The integral is a quadrature on panels that halve
    towards 0, where the product of many factors falls steeply.
    """
    takes = np.exp(gaps)
    nodes, weights = _quadrature(len(gaps))
    integrals = np.zeros(len(gaps))
    step = max(1, _BLOCK // len(gaps))
    for i in range(0, len(nodes), step):
        factors = np.log1p(-nodes[i : i + step, None] * takes)
        others = factors.sum(axis=1, keepdims=True) - factors
        integrals += weights[i : i + step] @ np.exp(others)
    return np.asarray(gaps + np.log(integrals) - np.log((takes * integrals).sum()))


def _quadrature(candidates: int) -> tuple[FloatArray, FloatArray]:
    x, w = np.polynomial.legendre.leggauss(_NODES)
    edges = np.concatenate([[0.0], 0.5 ** np.arange(math.ceil(math.log2(candidates)) + 3, -1, -1)])
    half = np.diff(edges)[:, None] / 2
    return (edges[:-1, None] + half * (x + 1)).ravel(), (half * w).ravel()
