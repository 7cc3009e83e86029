"""Figure 1: the sampler from inside, with the true and the empirical distribution and the inversion of the latter."""

from __future__ import annotations

from typing import Any

import numpy as np

from data.exhibits.exhibit import Axis, Chart, Check, Series, StoredTable
from data.exhibits.live import loans
from dpcore import L1, Bound, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.base.types import FloatArray

SEED = 1
N, M, GAMMA, REPEATS = 500, 100, 0.25, 2_000
POINT = OperatingPoint.for_both(M, GAMMA, bound=Bound.DKW)
TITLE = "Inside the sampler"


def true(g: FloatArray | float) -> FloatArray:
    """Φ(g) = 1 − exp(−n·g) (Example 6)."""
    return np.asarray(1 - np.exp(-N * np.asarray(g)))


def rho_and_error() -> tuple[float, float]:
    """ρ and ρ′ = √(log(1/ρ)/(2m)) (Theorem 15)."""
    rho = POINT.rho
    assert rho is not None
    return rho, float(np.sqrt(np.log(1 / rho) / (2 * M)))


def drawn(seed: int) -> FloatArray:
    """m distances in order."""
    at = OperatingPoint.for_sample_size(M)
    return np.sort(sample_sensitivity(targets.Mean(), oracles.Exponential(1.0), norm=L1, n=N, at=at, seed=seed).distances)


def excess(distances: FloatArray) -> FloatArray:
    """sup(Φ_m − Φ) of draws in order (…, m): it is reached at one of them."""
    steps = np.arange(1, distances.shape[-1] + 1) / distances.shape[-1]
    return np.asarray((steps - true(distances)).max(axis=-1))


def parts() -> dict[str, Any]:
    """Return charts, tables, checks and the link of the exhibit."""
    one, many = drawn(SEED), np.array([drawn(1_000 + i) for i in range(REPEATS)])
    rho, error = rho_and_error()
    estimate, level = float(one[POINT.k - 1]), 1 - GAMMA + rho + error
    rank = float(one[OperatingPoint.for_both(M, GAMMA).k - 1])
    rows = (
        ("m", M),
        ("k under DKW", POINT.k),
        ("ρ", rho),
        ("ρ′", error),
        ("1 − γ + ρ + ρ′", level),
        ("Δ̂ in years", estimate),
        ("Φ(Δ̂)", float(true(estimate))),
        ("k under RANK", OperatingPoint.for_both(M, GAMMA).k),
        ("Δ̂ under RANK", rank),
        ("Φ(Δ̂) under RANK", float(true(rank))),
    )
    table = StoredTable(title="This run", columns=("what", "value"), rows=rows)
    charts = (_chart(one, estimate, level, error),)
    return {
        "charts": charts,
        "tables": (table,),
        "checks": _checks(one, many),
        "live": loans(m=M, gamma=GAMMA, bound=Bound.DKW, seed=SEED),
    }


def _chart(one: FloatArray, estimate: float, level: float, error: float) -> Chart:
    grid, steps = np.linspace(0, 1.1 * one[-1], 80), np.arange(1, M + 1) / M
    at_most = Series(name="draws less ρ′", role="other", x=one, y=np.maximum(steps - error, 0), drawn="steps")
    return Chart(
        title=TITLE,
        x=Axis("sensitivity of the mean", "years"),
        y=Axis("share of pairs"),
        series=(
            Series(name="true", role="true", x=grid, y=true(grid)),
            Series(name="100 draws", role="dkw", x=one, y=steps, drawn="steps"),
            at_most,
            Series(
                name="inversion",
                role="formula",
                x=np.array([0, estimate, estimate]),
                y=np.array([level, level, 0]),
            ),
        ),
    )


def _checks(one: FloatArray, many: FloatArray) -> tuple[Check, ...]:
    rho, error = rho_and_error()
    misses = 1 - true(many[:, POINT.k - 1])
    return (
        Check("The largest excess of this empirical distribution over the true one", float(excess(one)), 0.0, error),
        Check(
            "Share of 2,000 runs in which the excess is above ρ′; the theorem allows ρ",
            float((excess(many) > error).mean()),
            0.0,
            rho,
        ),
        Check("The mean share of pairs that 2,000 runs leave out; γ is allowed", float(misses.mean()), 0.0, GAMMA),
        Check(
            "The same over its exact expectation, (m − k + 1)/(m + 1)",
            float(misses.mean()) / ((M - POINT.k + 1) / (M + 1)),
            0.95,
            1.05,
        ),
    )
