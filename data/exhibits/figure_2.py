"""Figure 2: the least number of draws that certifies each γ."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from data.exhibits.exhibit import Axis, Chart, Check, Series, StoredTable
from data.exhibits.live import loans
from dpcore import Bound, OperatingPoint

SEED = None
GAMMAS = np.array([0.001, 0.0015, 0.002, 0.003, 0.005, 0.007, 0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5])
SMALL = (1e-2, 1e-4, 1e-8, 1e-16, 1e-32, 1e-64)
TITLE = "Draws that certify γ"
BOUNDS = {
    "DKW (paper)": ("dkw", Bound.DKW, None),
    "RANK": ("rank", Bound.RANK, None),
    "TOLERANCE, 95%": ("tolerance", Bound.TOLERANCE, 0.95),
}


def rate(gamma: float) -> float:
    """m·γ²/log(1/γ) under DKW at the best ρ, from its formula: log(1/ρ)/(2(γ−ρ)²) (Table 1, row 1)."""
    from scipy.special import lambertw

    log_rho = float(lambertw(-gamma / (2 * math.sqrt(math.e)), -1).real) + 0.5
    return -log_rho / (2 * (1 - math.exp(log_rho) / gamma) ** 2) / math.log(1 / gamma)


def parts() -> dict[str, Any]:
    """Return charts, tables, checks and the link of the exhibit."""
    series = tuple(
        Series(
            name=name,
            role=role,
            x=GAMMAS,
            y=np.array([OperatingPoint.for_gamma(g, bound=bound, confidence=confidence).m for g in map(float, GAMMAS)]),
        )
        for name, (role, bound, confidence) in BOUNDS.items()
    )
    chart = Chart(
        title=TITLE,
        x=Axis("γ, the share of pairs that may be missed", log=True),
        y=Axis("least m", "draws", log=True),
        series=series,
    )
    rows = tuple((gamma, rate(gamma)) for gamma in SMALL)
    table = StoredTable(title="The rate of Corollary 16", columns=("γ", "m·γ²/log(1/γ)"), rows=rows)
    return {
        "charts": (chart,),
        "tables": (table,),
        "checks": _checks(chart),
        "live": loans(m=1_305, gamma=0.05, bound=Bound.DKW, seed=2),
    }


def _checks(chart: Chart) -> tuple[Check, ...]:
    dkw, rank, tolerance = (chart.called(name).y for name in BOUNDS)
    at = int(np.flatnonzero(GAMMAS == 0.01)[0])
    return (
        Check("γ = 0.01 under DKW: m", float(dkw[at]), 41_971, 41_971),
        Check("γ = 0.01 under RANK: m", float(rank[at]), 99, 99),
        Check("γ = 0.01 under TOLERANCE with 95 %: m", float(tolerance[at]), 299, 299),
        Check("The least ratio of DKW's m to RANK's", float((dkw / rank).min()), 5.0),
        Check("m·γ²/log(1/γ) at γ = 1e-64, which Corollary 16 takes to fall to 0", rate(SMALL[-1]), 0.5, 0.6),
    )
