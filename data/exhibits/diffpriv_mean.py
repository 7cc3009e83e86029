"""diffpriv's first example: the private mean of 100 numbers in [0, 1]."""

from __future__ import annotations

from typing import Any

import numpy as np

from data.exhibits.exhibit import Axis, Chart, Check, Series, StoredTable
from data.exhibits.live import live
from dpcore import L1, Bound, Laplace, OperatingPoint, PureDP, oracles, sample_sensitivity, targets
from dpcore.base.types import FloatArray

SEED = 100
N, EPSILON, GAMMA, RESPONSES = 100, 1.0, 0.05, 20_000
PRINTED, EXACT = 0.5244495, 0.5343454  # what the paper prints of its run
TARGET = targets.Mean((0.0, 1.0))
TITLE = "How far a private mean is from the mean"
WAYS = {"worst case, 1/n": "worst case", "sampled, DKW": "dkw", "sampled, RANK": "rank"}
POINTS = {"sampled, DKW": OperatingPoint.for_gamma(GAMMA, bound=Bound.DKW), "sampled, RANK": OperatingPoint.for_both(999, GAMMA)}


def sampled(point: OperatingPoint, seed: int) -> Any:
    """Δ̂ of the mean of n uniform records."""
    return sample_sensitivity(TARGET, oracles.Uniform(0.0, 1.0), norm=L1, n=N, at=point, seed=seed).sensitivity()


def simulated(scale: float, rng: np.random.Generator) -> float:
    """The mean distance of simulated responses from f(D)."""
    law = Laplace().law(TARGET, scale * EPSILON, PureDP(EPSILON))
    return float(np.abs(law.simulate(np.array([EXACT]), size=RESPONSES, rng=rng) - EXACT).mean())


def parts() -> dict[str, Any]:
    """Return charts, tables, checks and the link of the exhibit."""
    proved = TARGET.global_sensitivity(L1, N)
    assert proved is not None
    sensitivities = [proved, *(sampled(point, SEED) for point in POINTS.values())]
    scales = {
        name: float(Laplace().calibrate(one, PureDP(EPSILON)).law.scale) for name, one in zip(WAYS, sensitivities, strict=True)
    }
    chart = Chart(
        title=TITLE,
        x=Axis("distance from the exact mean"),
        y=Axis("share of answers within it"),
        series=tuple(_within(name, scale) for name, scale in scales.items()),
        guarantee="ε = 1. Worst case: differential privacy. Sampled: random DP with γ = 0.05, which is weaker.",
    )
    rows = tuple((name, scale * EPSILON, scale, float(1 - within(abs(PRINTED - EXACT), scale))) for name, scale in scales.items())
    columns = ("calibrated to", "sensitivity", "scale of the noise", "share of answers farther off than diffpriv's printed one")
    table = StoredTable(title="At ε = 1", columns=columns, rows=rows)
    return {"charts": (chart,), "tables": (table,), "checks": _checks(scales), "live": _live()}


def within(distance: FloatArray | float, scale: float) -> FloatArray:
    """P(|noise| <= t) = 1 − exp(−t/b)."""
    return np.asarray(1 - np.exp(-np.asarray(distance) / scale))


def _within(name: str, scale: float) -> Series:
    distances = np.linspace(0, 0.05, 51)
    return Series(name=name, role=WAYS[name], x=distances, y=within(distances, scale))


def _checks(scales: dict[str, float]) -> tuple[Check, ...]:
    proved, dkw, rank = scales.values()
    rng = np.random.default_rng(SEED)
    return (
        Check("Scale under the worst case, in units of 1/n", proved * N, 1.0, 1.0 + 1e-9),
        Check("Scale under RANK (m = 999, γ = 0.05) over that of the worst case", rank / proved, 0.7, 0.85),
        Check("Scale under DKW (m = 1,305, γ = 0.05) over that of the worst case", dkw / proved, 0.9, 1.0),
        Check(
            "Share of answers that are farther off than the one that the paper prints",
            1 - float(within(abs(PRINTED - EXACT), proved)),
            0.01,
            0.99,
        ),
        Check(
            "Mean distance of 20,000 simulated answers over the scale, which is its expectation",
            simulated(proved, rng) / proved,
            0.96,
            1.04,
        ),
    )


def _live() -> dict[str, Any]:
    return live("two_bumps", ("x",), TARGET, oracles.Uniform(0.0, 1.0), n=5_000, m=999, gamma=GAMMA, seed=SEED)
