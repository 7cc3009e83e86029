"""How time and memory grow with n and m, over three decades each; and a table that is large for its worker."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dpcore import L1, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.base.types import Database, FloatArray
from tests.benchmarks.timing import peak

TITLE = "Growth with n and m"
NOTE = (
    "*slope*: fitted to the logarithms; 0 does not grow, 1 grows in proportion. Memory is the most that Python and numpy hold at "
    "once. The user function is numpy's mean, in a plain loop; its median where the table is large, for that copies the table."
)
HEADER = ("what", "wanted slope", "10²", "10³", "10⁴", "10⁵", "slope")
_SIZES = (100, 1_000, 10_000, 100_000)
_SECONDS = 0.3
_ROWS, _COLUMNS, _PAIRS = 10**6, 20, 8
_UNIFORM = oracles.Uniform(0.0, 1.0)


def user_function(database: Database, /) -> FloatArray:
    """What a user could write: the mean of each column."""
    return np.atleast_1d(database.mean(axis=0))


def copying_function(database: Database, /) -> FloatArray:
    """The median of each column, for which numpy copies the table."""
    return np.atleast_1d(np.median(database, axis=0))


@dataclass(frozen=True)
class Case:
    """A target, the m at which n grows, and the n at which m grows."""

    name: str
    target: Any
    m: int
    n: int
    with_n: str
    memory_with_n: str


_CASES = (
    Case("mean (additive)", targets.Mean(), 10_000, 1_000, "0", "0"),
    Case("variance (pair)", targets.Variance(), 32, 100, "≤ 1", "≤ 1"),
    Case("user function (plain)", user_function, 32, 100, "≤ 1", "≤ 1"),
)


def rows() -> Iterator[tuple[str, ...]]:
    """Time and memory of each case against n and against m, then the large table."""
    for case in _CASES:
        runs = {size: (size, case.m) for size in _SIZES}, {size: (case.n, size) for size in _SIZES}
        names = f"n, m = {case.m:,}", f"m, n = {case.n:,}"
        for name, sizes, time_slope, memory_slope in zip(
            names, runs, (case.with_n, "≤ 1"), (case.memory_with_n, "≤ 1"), strict=True
        ):
            yield _row(f"{case.name}: ms against {name}", time_slope, [_time(case.target, *run) * 1e3 for run in sizes.values()])
            yield _row(f"{case.name}: MB against {name}", memory_slope, [_memory(case.target, *run) for run in sizes.values()])
    most = float(subprocess.check_output([sys.executable, "-m", "tests.benchmarks.growth"], timeout=120))
    what = f"median, plain, n = {_ROWS:,} × {_COLUMNS} columns, m = {_PAIRS}: most memory of its process"
    yield what, "< 1,000 MB", "", "", "", "", f"{most:,.0f} MB"


def _row(what: str, wanted: str, values: list[float]) -> tuple[str, ...]:
    slope = float(np.polyfit(np.log10(_SIZES), np.log10(values), 1)[0])
    return what, wanted, *(f"{value:.3g}" for value in values), f"{slope:.2f}"


def _run(target: Any, n: int, m: int, oracle: Any = _UNIFORM) -> None:
    sample_sensitivity(target, oracle, norm=L1, n=n, at=OperatingPoint.for_sample_size(m), seed=1)


def _time(target: Any, n: int, m: int) -> float:
    _run(target, n, min(m, 100))
    times: list[float] = []
    end = time.perf_counter() + _SECONDS
    while not times or time.perf_counter() < end:
        start = time.perf_counter()
        _run(target, n, m)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def _memory(target: Any, n: int, m: int) -> float:
    return peak(lambda: _run(target, n, m), warm=False) / 1e6


def _most_memory() -> float:
    """Megabytes that this process ever held; what its parent held does not count, as it would in ``ru_maxrss``."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) * 1024 / 1e6


if __name__ == "__main__":
    _run(copying_function, _ROWS, _PAIRS, oracles.Product((_UNIFORM,) * _COLUMNS))
    print(_most_memory())
