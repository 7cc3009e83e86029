"""Figure 8: the two real branches of Lambert's W, and the arguments at which Table 1 takes the lower one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import lambertw

from data.exhibits.exhibit import Axis, Chart, Check, Series, StoredTable
from data.exhibits.live import loans
from dpcore import Bound
from dpcore.base.types import FloatArray

SEED = None
TITLE = "The branches of Lambert's W"
UPPER, LOWER, OF_GAMMA, OF_M = "primary branch W₀", "secondary branch W₋₁", "at −γ/(2√e)", "at −1/(4m)"
GAMMAS, DRAWS = np.array([0.01, 0.05, 0.2, 0.5, 1.0]), np.array([1.0, 2.0, 5.0, 20.0, 199.0])


def lower(z: FloatArray) -> FloatArray:
    """W₋₁ on [−1/e, 0)."""
    return np.asarray(lambertw(z, -1).real)


def rho_of_gamma(gamma: FloatArray) -> FloatArray:
    """The ρ of the fewest draws for γ (Corollary 20)."""
    return np.asarray(np.exp(lower(-gamma / (2 * math.sqrt(math.e))) + 0.5))


def rho_of_m(m: FloatArray) -> FloatArray:
    """The ρ of the least k for m draws (Corollary 21)."""
    return np.asarray(np.exp(lower(-1 / (4 * m)) / 2))


def parts() -> dict[str, Any]:
    """Return charts, tables, checks and the link of the exhibit."""
    above, below = np.linspace(-1, 0.25, 161), np.linspace(-9.2, -1, 401)
    of_gamma, of_m = -GAMMAS / (2 * math.sqrt(math.e)), -1 / (4 * DRAWS)
    series = (
        Series(name=UPPER, role="first", x=above * np.exp(above), y=above),
        Series(name=LOWER, role="second", x=below * np.exp(below), y=below),
        Series(name=OF_GAMMA, role="true", x=of_gamma, y=lower(of_gamma), drawn="points"),
        Series(name=OF_M, role="other", x=of_m, y=lower(of_m), drawn="points"),
    )
    rows = [("γ", float(gamma), float(rho)) for gamma, rho in zip(GAMMAS, rho_of_gamma(GAMMAS), strict=True)]
    rows += [("m", float(m), float(rho)) for m, rho in zip(DRAWS, rho_of_m(DRAWS), strict=True)]
    return {
        "charts": (Chart(title=TITLE, x=Axis("z"), y=Axis("W(z)"), series=series),),
        "tables": (StoredTable(title="ρ from the lower branch", columns=("given", "its value", "ρ"), rows=tuple(rows)),),
        "checks": _checks(of_gamma),
        "live": loans(m=1_305, gamma=0.05, bound=Bound.DKW, seed=8),
    }


def _checks(of_gamma: FloatArray) -> tuple[Check, ...]:
    inverse = np.abs(lower(of_gamma) * np.exp(lower(of_gamma)) - of_gamma).max()
    draws = minimize_scalar(
        lambda rho: math.log(1 / rho) / (2 * (0.05 - rho) ** 2), bounds=(1e-6, 0.04), options={"xatol": 1e-12}
    )
    upper = math.exp(lambertw(of_gamma[-2], 0).real + 0.5)
    return (
        Check("The largest error of W·exp(W) = z at the five arguments of γ", float(inverse), 0.0, 1e-12),
        Check("ρ at γ = 1, where the interval of feasible ρ ends", float(rho_of_gamma(GAMMAS)[-1]), 0.28466, 0.28467),
        Check(
            "γ = 0.05: ρ from the lower branch over the one that a numerical search finds",
            float(rho_of_gamma(GAMMAS)[1] / draws.x),
            0.99999,
            1.00001,
        ),
        Check("γ = 0.5: ρ from the upper branch, which has to be at most ½ to be of use", upper, 0.6065, 1.6488),
    )
