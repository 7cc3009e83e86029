"""Figure 9: the sampled sensitivity of a mean of bounded records against the worst case."""

from __future__ import annotations

from typing import Any

import numpy as np

from data.exhibits.exhibit import Axis, Chart, Check, Series, StoredTable
from data.exhibits.live import live
from dpcore import L1, Bound, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.base.types import FloatArray

SEED = 9
N, REPEATS = 500, 10
DIMS = (1, 2, 4, 8, 16, 32, 64, 128)
GAMMAS = (0.01, 0.05, 0.1, 0.2)
TITLE = "Sensitivity of the mean against the number of columns"
WORST = "worst case, d/n"


def order_statistic(dims: int, gamma: float, bound: Bound, seed: int, n: int = N) -> float:
    """Δ̂ in L1 with the least m that certifies γ."""
    unit = ((0.0, 1.0),) * dims
    oracle = oracles.Uniform(0.0, 1.0) if dims == 1 else oracles.Product((oracles.Uniform(0.0, 1.0),) * dims)
    target = targets.Mean(unit if dims > 1 else unit[0])
    at = OperatingPoint.for_gamma(gamma, bound=bound)
    return sample_sensitivity(target, oracle, norm=L1, n=n, at=at, seed=seed).order_statistic


def proved(dims: int, n: int = N) -> float:
    """The worst case as the library proves it, d/n but for rounding."""
    found = targets.Mean(((0.0, 1.0),) * dims if dims > 1 else (0.0, 1.0)).global_sensitivity(L1, n)
    assert found is not None
    return found.value


def parts() -> dict[str, Any]:
    """Return charts, tables, checks and the link of the exhibit."""
    dims = np.array(DIMS, dtype=float)
    worst = np.array([proved(d) for d in DIMS])
    sampled = {
        (bound, gamma): np.array(
            [np.mean([order_statistic(d, gamma, bound, SEED * 10_000 + 100 * d + i) for i in range(REPEATS)]) for d in DIMS]
        )
        for bound in (Bound.DKW, Bound.RANK)
        for gamma in GAMMAS
    }
    series = [
        Series(name=WORST, role="worst case", x=dims, y=worst),
        Series(name="a typical pair, d/(3n)", role="formula", x=dims, y=dims / 3 / N),
    ]
    series += [
        Series(name=called(bound), role=bound.name.lower(), x=dims, y=values, facets=(f"γ = {gamma}",))
        for (bound, gamma), values in sampled.items()
    ]
    chart = Chart(
        title=TITLE, x=Axis("number of columns d", log=True), y=Axis("L1 sensitivity of the mean", log=True), series=tuple(series)
    )
    rows = tuple((d, *(float(worst[i] / sampled[Bound.DKW, gamma][i]) for gamma in GAMMAS)) for i, d in enumerate(DIMS))
    table = StoredTable(title="Worst case over Δ̂, under DKW", columns=("columns", *(f"γ = {g}" for g in GAMMAS)), rows=rows)
    return {"charts": (chart,), "tables": (table,), "checks": _checks(worst, sampled), "live": _live()}


def called(bound: Bound) -> str:
    """Return the name of a series."""
    return f"sampled, {bound.name}"


def _checks(worst: FloatArray, sampled: dict[tuple[Bound, float], FloatArray]) -> tuple[Check, ...]:
    ratios = np.array([worst / values for values in sampled.values()])
    known = [float(sampled[Bound.DKW, gamma][0] * N) for gamma in GAMMAS]
    return (
        Check("The least ratio of the worst case to Δ̂", float(ratios.min()), 1.0),
        Check(
            "The largest ratio of the worst case to Δ̂: three is what a typical pair of many columns has",
            float(ratios.max()),
            2.0,
            3.0,
        ),
        Check("128 columns, γ = 0.05, DKW: the worst case over Δ̂", float(worst[-1] / sampled[Bound.DKW, 0.05][-1]), 2.0, 3.0),
        Check("One column, DKW: the least n·Δ̂, which the text calls a striking reduction", min(known), 0.8, 1.0),
    )


def _live() -> dict[str, Any]:
    unit = (0.0, 1.0)
    law = oracles.Product((oracles.Uniform(*unit), oracles.Uniform(*unit)))
    return live(
        "two_classes", ("x1", "x2"), targets.Mean((unit, unit)), law, n=1_000, m=285, gamma=0.1, bound=Bound.DKW, seed=SEED
    )
