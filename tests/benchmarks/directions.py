"""Fitted directions: how long a fit takes, and 1,500 pairs."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from dpcore import L1, OperatingPoint, sample_sensitivity
from dpcore.oracles import TwoClasses
from dpcore.targets import HuberDirection, LogisticDirection

TITLE = "Fitted directions"
NOTE = (
    "Processor time on one core, of tables of two normal classes with centres .2 and .8 and sd .2: the median of 20 tables of "
    "1,000 records, and of 5 of 10,000."
)
_SD = 0.2


def rows() -> list[tuple[str, ...]]:
    """(what, wanted, measured): fits, then pairs."""
    few, many = (1_000, 2, 20), (10_000, 64, 5)
    fits = [
        (f"{kind.__name__}, C = {cost:g}, n = {n:,}, d = {d}: a fit", wanted, _shown(fit(kind, cost, n, d, tables)))
        for (n, d, tables), wanted, costs in ((few, "≤ 1 ms", (1.0, 100.0, 1e4)), (many, "≤ 50 ms", (1.0, 10.0, 100.0)))
        for kind in (HuberDirection, LogisticDirection)
        for cost in costs
    ]
    sampled = [(f"{kind.__name__}: 1,500 pairs, n = 1,000, plain", "≤ 2 s", f"{pairs(kind):.2f} s") for kind in _KINDS]
    return [*fits, *sampled]


_KINDS = (HuberDirection, LogisticDirection)


def fit(kind: Any, cost: float, n: int, d: int, tables: int) -> float:
    """The median of some tables' fits, in seconds."""
    target = kind(((0.0, 1.0),) * d, C=cost)
    drawn = TwoClasses(d, sd=_SD).draw(tables, n, rng=np.random.default_rng(1))
    return float(np.median([_seconds(lambda database=database: target(database)) for database in drawn]))


def pairs(kind: Any) -> float:
    """1,500 pairs of C = 3 at n = 1,000 and d = 2, in seconds."""
    target, at = kind(((0.0, 1.0),) * 2, C=3.0), OperatingPoint.for_both(1_500, 0.05)
    return _seconds(lambda: sample_sensitivity(target, TwoClasses(2, sd=_SD), norm=L1, n=1_000, at=at, seed=1))


def _seconds(run: Callable[[], Any]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def _shown(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms"
