"""Sample and aggregate beside the sampled way: what pure DP without an oracle costs, target by target."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore import L1, Exponential, OperatingPoint, PureDP, curves, oracles, sample_sensitivity, targets
from dpcore.audits.blocks_foretold import Foretold, best_blocks
from dpcore.mechanisms import ExponentialByGroup
from tests.benchmarks.regressions import RIDGE, UNIT, Linear

TITLE = "Sample and aggregate"
NOTE = (
    "Root mean square error about the table's own answer at ε = 1, a mean over all numbers of an answer, foretold on made-up "
    "tables of the oracle: of blocks, whose number is the best of up to seven on the same tables, and in brackets of the blocks' "
    "median without any noise. *Sampled* is Laplace noise at γ = .05 with m = 1,500, which promises less. Records are "
    "exponential with rate 1 and bounds [0, 20], with 10,001 places, or uniform on [0, 1], with 1,001."
)
HEADER = ("what", "wanted", "blocks / sampled", "k", "blocks", "sampled")
SKEWED = (0.0, 20.0)
MEAN, MEDIAN = targets.Mean(SKEWED), targets.Quantile(0.5, SKEWED)
EXPONENTIAL = oracles.Exponential(1.0)
SVM = targets.LinearSVM((UNIT,) * 2, C=1.0, centred=True)
CASES: tuple[tuple[str, str, Any, Any, int, Any, int], ...] = (
    ("median, n = 500", "≤ 1.5", MEDIAN, EXPONENTIAL, 500, SKEWED, 40),
    ("median, n = 10,000", "", MEDIAN, EXPONENTIAL, 10_000, SKEWED, 3),
    ("mean, n = 500", "", MEAN, EXPONENTIAL, 500, SKEWED, 40),
    ("mean, n = 10,000", "", MEAN, EXPONENTIAL, 10_000, SKEWED, 5),
    ("linear SVM, C = 1, two features, n = 1,000", "", SVM, oracles.TwoClasses(2), 1_000, ((-1.0, 1.0),) * 3, 1),
    ("ridge regression, five features, n = 1,000", "", RIDGE, Linear(), 1_000, ((-1.0, 1.0),) * 6, 5),
    (
        "kernel density at 9 places, n = 1,000",
        "",
        targets.OnLattice(curves.KernelDensity(), 8),
        oracles.Uniform(0, 1),
        1_000,
        ((0.0, 2.0),) * 9,
        5,
    ),
)


def rows() -> list[tuple[str, ...]]:
    """(what, wanted, ratio, k, blocks, sampled)"""
    return [_row(*case) for case in CASES]


def _row(what: str, wanted: str, target: Any, oracle: Any, n: int, bounds: Any, tables: int) -> tuple[str, ...]:
    ours, theirs = errors(target, oracle, n, bounds, tables)
    return what, wanted, f"{_mean(ours.error) / theirs:.2g}", f"{ours.k:,}", _both(ours), f"{theirs:.2g}"


def errors(target: Any, oracle: Any, n: int, bounds: Any, tables: int) -> tuple[Foretold, float]:
    """What is foretold of the best number of blocks, and the error of the sampled way."""
    tried = [k for k in (80, 113, 159, 222, 333, 500, n) if k < n or bounds == SKEWED]
    best = best_blocks(lambda k: made(target, k, n, bounds), n, oracle, tables=tables, seed=5, tried=tried)[0]
    return best, sampled(target, oracle, n)


def made(target: Any, k: int, n: int, bounds: Any) -> Any:
    """The choice with k blocks, at ε = 1."""
    blocks = targets.SampleAndAggregate(target, k, bounds, points=10_001 if bounds == SKEWED else 1_001)
    one = Exponential(None, selection="permute-and-flip") if blocks.numbers == 1 else ExponentialByGroup(blocks.numbers)
    return one.calibrate(blocks.proved(n), PureDP(1.0))


def sampled(target: Any, oracle: Any, n: int) -> float:
    """√2·Δ̂: of Laplace noise on each number."""
    at = OperatingPoint.for_both(1_500, 0.05)
    return float(np.sqrt(2) * sample_sensitivity(target, oracle, norm=L1, n=n, at=at, seed=5).sensitivity().value)


def _both(ours: Foretold) -> str:
    return f"{_mean(ours.error):.2g} ({_mean(ours.apart):.2g})"


def _mean(errors: Any) -> float:
    return float(np.sqrt(np.mean(np.square(errors))))
