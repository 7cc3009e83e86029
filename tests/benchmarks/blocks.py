"""Sample and aggregate beside the sampled way: what pure DP without an oracle costs, target by target."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore import L1, Exponential, OperatingPoint, PureDP, oracles, sample_sensitivity, targets
from dpcore.audits.blocks_foretold import Foretold, foretold

TITLE = "Sample and aggregate"
NOTE = (
    "Root mean square error about the table's own answer at ε = 1, foretold on made-up tables of the oracle: of blocks, whose "
    "number is the best of up to seven on the same tables, and in brackets of the blocks' median without any noise. *Sampled* is "
    "Laplace noise at γ = .05 with m = 1,500, which promises less. Records are exponential with rate 1 and bounds [0, 20], with "
    "10,001 places."
)
HEADER = ("what", "wanted", "blocks / sampled", "k", "blocks", "sampled")
SKEWED = (0.0, 20.0)
MEAN, MEDIAN = targets.Mean(SKEWED), targets.Quantile(0.5, SKEWED)
EXPONENTIAL = oracles.Exponential(1.0)
CASES: tuple[tuple[str, str, Any, int, int], ...] = (
    ("median, n = 500", "≤ 1.5", MEDIAN, 500, 40),
    ("median, n = 10,000", "", MEDIAN, 10_000, 3),
    ("mean, n = 500", "", MEAN, 500, 40),
    ("mean, n = 10,000", "", MEAN, 10_000, 5),
)


def rows() -> list[tuple[str, ...]]:
    """(what, wanted, ratio, k, blocks, sampled)"""
    return [_row(*case) for case in CASES]


def _row(what: str, wanted: str, target: Any, n: int, tables: int) -> tuple[str, ...]:
    ours, theirs = errors(target, n, tables)
    return what, wanted, f"{ours.error / theirs:.2g}", f"{ours.k:,}", _both(ours), f"{theirs:.2g}"


def errors(target: Any, n: int, tables: int) -> tuple[Foretold, float]:
    """What is foretold of the best number of blocks, and the error of the sampled way."""
    tried = [80, 113, 159, 222, 333, 500, n]
    some = [foretold(made(target, k, n), EXPONENTIAL, tables=tables, seed=5) for k in tried]
    return min(some, key=lambda one: one.error), sampled(target, n)


def made(target: Any, k: int, n: int) -> Any:
    """The choice with k blocks, at ε = 1."""
    blocks = targets.SampleAndAggregate(target, k, SKEWED, points=10_001)
    return Exponential(None, selection="permute-and-flip").calibrate(blocks.proved(n), PureDP(1.0))


def sampled(target: Any, n: int) -> float:
    """√2·Δ̂: of Laplace noise on each number."""
    at = OperatingPoint.for_both(1_500, 0.05)
    return float(np.sqrt(2) * sample_sensitivity(target, EXPONENTIAL, norm=L1, n=n, at=at, seed=5).sensitivity().value)


def _both(ours: Foretold) -> str:
    return f"{ours.error:.2g} ({ours.apart:.2g})"
