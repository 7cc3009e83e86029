"""Table 1: the best ρ where γ, m or both are given, with what three other bounds make of the same."""

from __future__ import annotations

from typing import Any

from data.exhibits.exhibit import Cell, Check, StoredTable
from data.exhibits.live import loans
from dpcore import Bound, OperatingPoint
from dpcore.errors import GammaOutOfReachError

SEED = None
GAMMAS = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005)
SIZES = (19, 100, 199, 500, 999, 1_500, 10_000, 50_000)
BOTH = ((199, 0.2), (500, 0.1), (1_500, 0.05), (10_000, 0.05), (50_000, 0.05), (50_000, 0.01))
BOUNDS = (
    (Bound.DKW, None, "DKW (paper)"),
    (Bound.RANK, None, "RANK"),
    (Bound.TOLERANCE, 0.95, "TOLERANCE, 95%"),
    (Bound.TIME_UNIFORM, 0.95, "TIME_UNIFORM, 95%"),
)
FIX_GAMMA, FIX_M, FIX_BOTH = "Fix γ: the fewest draws", "Fix m: the least γ", "Fix both: the least order"
_COLUMNS = ("bound", "m", "k", "ρ", "γ")


def row(name: str, point: OperatingPoint) -> tuple[Cell, ...]:
    """A point as a row; ρ is the paper's bound's alone."""
    return name, point.m, point.k, "" if point.rho is None else point.rho, point.gamma


def parts() -> dict[str, Any]:
    """Return charts, tables, checks and the link of the exhibit."""
    given = {
        FIX_GAMMA: [row(name, OperatingPoint.for_gamma(g, bound=b, confidence=c)) for g in GAMMAS for b, c, name in BOUNDS],
        FIX_M: [row(name, OperatingPoint.for_sample_size(m, bound=b, confidence=c)) for m in SIZES for b, c, name in BOUNDS],
        FIX_BOTH: [one for m, g in BOTH for b, c, name in BOUNDS for one in _both(m, g, b, c, name)],
    }
    tables = tuple(StoredTable(title=title, columns=_COLUMNS, rows=tuple(rows)) for title, rows in given.items())
    return {
        "charts": (),
        "tables": tables,
        "checks": _checks(),
        "live": loans(m=1_305, gamma=0.05, bound=Bound.DKW, seed=1),
    }


def _both(m: int, gamma: float, bound: Bound, confidence: float | None, name: str) -> list[tuple[Cell, ...]]:
    """One row, or none where the draws cannot certify γ."""
    try:
        return [row(name, OperatingPoint.for_both(m, gamma, bound=bound, confidence=confidence))]
    except GammaOutOfReachError:
        return []


def _checks() -> tuple[Check, ...]:
    dkw, rank = OperatingPoint.for_gamma(0.05, bound=Bound.DKW), OperatingPoint.for_gamma(0.05)
    tolerance = OperatingPoint.for_gamma(0.05, bound=Bound.TOLERANCE, confidence=0.95)
    paper = OperatingPoint.for_both(1_500, 0.05, bound=Bound.DKW)
    return (
        Check("γ = 0.05 under DKW: m", dkw.m, 1_305, 1_305),
        Check("γ = 0.05 under RANK: m", rank.m, 19, 19),
        Check("γ = 0.05 under TOLERANCE with 95%: m", tolerance.m, 59, 59),
        Check(
            "The γ that RANK certifies for the paper's point m = k = 1,305",
            OperatingPoint.for_sample_size(1_305).gamma,
            7e-4,
            8e-4,
        ),
        Check("m = 1,500 and γ = 0.05 under DKW, as in Figure 6: k", paper.k, 1_496, 1_496),
        Check("m = 1,500 and γ = 0.05 under RANK: k", OperatingPoint.for_both(1_500, 0.05).k, 1_426, 1_426),
    )
