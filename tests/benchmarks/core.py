"""Ratios of the sampler against plain loops and against numpy, each pair timed in one run."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from dpcore import L1, GroupBy, LaplaceMechanism, Ledger, OperatingPoint, PureDP, oracles, sample_sensitivity, targets
from dpcore.base.arrays import Database
from dpcore.base.types import Oracle
from tests.benchmarks.timing import alternate, least, peak, seconds
from tests.dpcore.sampling.draws_only import DrawsOnly

TITLE = "The sampler against plain loops and numpy"


def rows() -> list[tuple[str, str, str]]:
    """(what, wanted, measured) for each number of the core."""
    return [*_additive(), *_median(), *_plain(), *_by_group(), _ledger(), _import()]


def _additive() -> list[tuple[str, str, str]]:
    oracle, point = oracles.Exponential(1.0), OperatingPoint.for_sample_size(20_000)

    def ours(n: int = 10_000) -> object:
        return sample_sensitivity(targets.Mean(), oracle, norm=L1, n=n, at=point, seed=1)

    rng = np.random.default_rng(1)
    sampled, drawn, huge = alternate(ours, lambda: rng.exponential(size=40_000), lambda: ours(10**9), rounds=101)
    pairs = 200  # the loop's time is proportional to its pairs
    loop = seconds(lambda: _loop(np.mean, oracle, 10_000, pairs), 3) * 20_000 / pairs
    memory, huge_memory = peak(ours), peak(lambda: ours(10**9))
    return [
        ("mean, n = 10,000, m = 20,000: plain loop / ours", "≥ 1,000", f"{loop / sampled:,.0f}"),
        ("the same: ours / numpy drawing 40,000 exponentials", "≤ 2.5", f"{sampled / drawn:.2f}"),
        ("the same: n = 10⁹ / n = 10,000, time", "about 1", f"{huge / sampled:.2f}"),
        ("the same: n = 10⁹ / n = 10,000, peak memory", "about 1", f"{huge_memory / memory:.2f}"),
    ]


def _by_group() -> list[tuple[str, str, str]]:
    """One row: the work grows with n + k, so that ten times the groups cost less than twice the time."""
    n, rng = 100_000, np.random.default_rng(1)

    def asked(k: int) -> Callable[[], object]:
        wards = tuple(f"ward {place}" for place in range(k))
        stays = np.empty(n, dtype=[("cost", float), ("ward", "U10")])
        stays["cost"], stays["ward"] = rng.random(n), np.array(wards)[rng.integers(k, size=n)]
        question = targets.Query(targets.Sum((0.0, 1.0)), ("cost",), by=GroupBy("ward", wards))
        return lambda: question(stays)

    few, many = least(asked(1_000), asked(10_000), rounds=15)
    said = f"{1_000 * few:.0f} ms, {1_000 * many:.0f} ms: {many / few:.1f}"
    return [("a sum of 10⁵ records by 1,000 groups, and by 10,000: the ratio", "≤ 30 ms, ≤ 60 ms", said)]


def _ledger() -> tuple[str, str, str]:
    count = targets.Proportion(interval=(0.0, 1.0)).global_sensitivity(L1, 3)
    release = LaplaceMechanism().calibrate(count, PureDP(1e-4)).release(np.array([0.2, 0.4, 3.0]))

    def added(number: int) -> None:
        ledger = Ledger(PureDP(1.0))
        for _ in range(number):
            ledger = ledger.add(release)

    few, many = alternate(lambda: added(500), lambda: added(4_000), rounds=5)
    return "4,000 releases added to a ledger / 500", "about 8", f"{many / few:.1f}"


def _median() -> list[tuple[str, str, str]]:
    oracle, point = oracles.Uniform(0.0, 1.0), OperatingPoint.for_sample_size(1_305)

    def ours(n: int = 1_000, law: Oracle = oracle) -> object:
        return sample_sensitivity(targets.Quantile(0.5), law, norm=L1, n=n, at=point, seed=1)

    sampled, many, by_pairs, quantile, median = alternate(
        ours,
        lambda: ours(10**6),
        lambda: ours(law=DrawsOnly(oracle)),
        lambda: _loop(lambda database: np.quantile(database, 0.5), oracle, 1_000, 1_305),
        lambda: _loop(np.median, oracle, 1_000, 1_305),
        rounds=9,
    )
    few = 9  # the loop's time is proportional to its pairs
    long = seconds(lambda: _loop(np.median, oracle, 10**6, few), 3) * 1_305 / few
    what = "median, n = 1,000, m = 1,305: plain loop"
    return [
        (f"{what} of np.quantile / ours", "≥ 5", f"{quantile / sampled:,.0f}"),
        (f"{what} of np.median / ours", "≥ 50", f"{median / sampled:,.0f}"),
        ("the same, n = 10⁶ (a loop of 9 pairs, as long for 1,305)", "≥ 50", f"{long / many:,.0f}"),
        ("the same: ours, n = 10⁶ / n = 1,000, time", "about 1", f"{many / sampled:.2f}"),
        ("the same under an oracle without an inverse: by pairs", "≥ 5", f"{median / by_pairs:.1f}"),
    ]


def _plain() -> list[tuple[str, str, str]]:
    """Return the ratio in processor time, because other work of the machine changes wall-clock time by 5%."""
    oracle, point = oracles.Uniform(0.0, 1.0), OperatingPoint.for_sample_size(1_305)
    functions: tuple[Callable[[Database], Any], ...] = (np.median, np.mean)
    rows = []
    for function in functions:
        ours, bare = least(
            lambda f=function: sample_sensitivity(f, oracle, norm=L1, n=500, at=point, seed=1),
            lambda f=function: _loop(f, oracle, 500, 1_305),
            rounds=25,
        )
        what = f"np.{function.__name__} as a plain user function, n = 500, m = 1,305: ours / bare loop"
        rows.append((what, "≤ 1.05", f"{ours / bare:.2f}"))
    return rows


def _import() -> tuple[str, str, str]:
    code = "import time; t = time.perf_counter(); import dpcore; print(time.perf_counter() - t)"
    times = [float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(9)]
    return "import dpcore", "≤ 0.3 s", f"{statistics.median(times):.2f} s"


def _loop(function: Callable[[Database], Any], oracle: Oracle, n: int, m: int) -> list[float]:
    """Algorithm 1 as a plain Python loop over whole databases."""
    rng = np.random.default_rng(1)
    distances = []
    for _ in range(m):
        extended = oracle.draw(1, n + 1, rng=rng)[0]
        neighbour = np.concatenate([extended[: n - 1], extended[n:]])
        distances.append(abs(float(function(extended[:n])) - float(function(neighbour))))
    return sorted(distances)
