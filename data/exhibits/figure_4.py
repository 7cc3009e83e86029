"""Figure 4: the sampled sensitivity of a mean against what is known of it, for several numbers of draws."""

from __future__ import annotations

from typing import Any

import numpy as np

from data.exhibits.exhibit import Axis, Chart, Check, Series, StoredTable
from data.exhibits.live import loans
from dpcore import L1, Bound, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.base.types import FloatArray
from dpcore.errors import GammaOutOfReachError

SEED = 4
N, REPEATS = 500, 50
BUDGETS = (100, 1_000, 10_000, 100_000)
GAMMAS = np.array(
    [0.001, 0.0015, 0.002, 0.003, 0.005, 0.007, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5]
)
TITLE = "Sampled sensitivity against the exact one"
_Key = tuple[Bound, int]
NAMES = {Bound.DKW: "DKW (paper)", Bound.RANK: "RANK"}


def analytic(gamma: FloatArray | float, n: int = N) -> FloatArray:
    """log(1/γ)/n: the sensitivity that G ~ Exponential(n) exceeds with probability γ (Example 6)."""
    return np.asarray(np.log(1 / np.asarray(gamma)) / n)


def repeated(m: int, repeats: int, seed: int) -> FloatArray:
    """The m distances of each repeat in order: (repeats, m)."""
    at = OperatingPoint.for_sample_size(m)
    drawn = [
        sample_sensitivity(targets.Mean(), oracles.Exponential(1.0), norm=L1, n=N, at=at, seed=1_000 * seed + i).distances
        for i in range(repeats)
    ]
    return np.sort(np.array(drawn), axis=1)


def facet(m: int) -> str:
    """Return the name of the facet of m draws."""
    return f"m = {m:,}"


def orders(m: int, gammas: FloatArray, bound: Bound) -> dict[float, int]:
    """The order k that certifies each γ with m draws, for those that m draws can certify."""
    found = {}
    for gamma in map(float, gammas):
        try:
            found[gamma] = OperatingPoint.for_both(m, gamma, bound=bound).k
        except GammaOutOfReachError:
            continue
    return found


def expected(m: int, k: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation of the k-th smallest of m draws from Exponential(N): Σ 1/i and √Σ 1/i² over i > m − k."""
    steps = 1 / np.arange(m, 0, -1.0)
    means, squares = np.cumsum(steps), np.cumsum(steps**2)
    return means[k - 1] / N, np.sqrt(squares[k - 1]) / N


def distance(m: int, bound: Bound, drawn: FloatArray, gammas: FloatArray = GAMMAS) -> float:
    """The largest distance of a mean over the repeats from its exact expectation, in standard errors."""
    k = np.array(list(orders(m, gammas, bound).values()))
    mean, deviation = expected(m, k)
    return float(np.max(np.abs(drawn[:, k - 1].mean(axis=0) - mean) / deviation * np.sqrt(len(drawn))))


def parts() -> dict[str, Any]:
    """Return charts, tables, checks and the link of the exhibit."""
    drawn = {m: repeated(m, REPEATS, SEED + m) for m in BUDGETS}
    series = {(bound, m): _series(m, bound, drawn[m]) for bound in NAMES for m in BUDGETS}
    exact = Series(name="exact, log(1/γ)/n", role="formula", x=GAMMAS, y=analytic(GAMMAS))
    chart = Chart(
        title=TITLE,
        x=Axis("γ, the share of pairs that may be missed", log=True),
        y=Axis("sensitivity of the mean", "years"),
        series=(exact, *series.values()),
        spread="the middle nine in ten of the repeats",
    )
    ratios = {key: one.y / analytic(one.x) for key, one in series.items()}
    tables = _reached(), _ratios(series, ratios)
    return {
        "charts": (chart,),
        "tables": tables,
        "checks": _checks(drawn, series, ratios),
        "live": loans(m=999, gamma=0.05, bound=Bound.RANK, seed=SEED),
    }


def _series(m: int, bound: Bound, drawn: FloatArray) -> Series:
    found = orders(m, GAMMAS, bound)
    values = drawn[:, np.array(list(found.values())) - 1]
    low, high = np.quantile(values, [0.05, 0.95], axis=0)
    return Series(
        name=NAMES[bound],
        role=bound.name.lower(),
        x=np.array(list(found)),
        y=values.mean(axis=0),
        low=low,
        high=high,
        facets=(facet(m),),
    )


def _at(one: Series, values: FloatArray, gamma: float) -> float:
    return float(values[np.flatnonzero(one.x == gamma)[0]])


def _checks(drawn: dict[int, FloatArray], series: dict[_Key, Series], ratios: dict[_Key, FloatArray]) -> tuple[Check, ...]:
    rank, dkw = (_at(series[key], ratios[key], 0.05) for key in ((Bound.RANK, BUDGETS[-1]), (Bound.DKW, BUDGETS[-1])))
    falls = [_at(series[Bound.DKW, m], ratios[Bound.DKW, m], 0.5) for m in BUDGETS]
    return (
        Check("Under RANK, 100,000 draws and γ = 0.05: Δ̂ over log(1/γ)/n", rank, 0.99, 1.01),
        Check("Under DKW, 100,000 draws and γ = 0.05: Δ̂ over log(1/γ)/n", dkw, 1.0, 1.06),
        Check(
            "Under DKW and γ = 0.5: Δ̂ over log(1/γ)/n falls at each tenfold of the draws, at least by",
            float(-np.diff(falls).max()),
            0.0,
        ),
        Check(
            "The largest distance of a mean over 50 repeats from its exact expectation, in standard errors",
            max(distance(m, bound, drawn[m]) for m in BUDGETS for bound in NAMES),
            0.0,
            5.0,
        ),
    )


def _reached() -> StoredTable:
    rows = [(m, *(OperatingPoint.for_sample_size(m, bound=bound).gamma for bound in NAMES)) for m in BUDGETS]
    return StoredTable(title="The least γ that the draws can certify", columns=("m", *NAMES.values()), rows=tuple(rows))


def _ratios(series: dict[_Key, Series], ratios: dict[_Key, FloatArray]) -> StoredTable:
    rows = tuple(
        (f"{bound.name}, {facet(m)}", _at(one, one.y, 0.5), _at(one, ratios[bound, m], 0.5)) for (bound, m), one in series.items()
    )
    return StoredTable(title="At γ = 0.5", columns=("bound and draws", "Δ̂ in years", "Δ̂ over log(1/γ)/n"), rows=rows)
