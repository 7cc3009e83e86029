"""Figures 1 to 4, Figure 8 and Table 1 of the sampler paper: the sampler on a mean, and the operating points that certify γ."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import lambertw

from data.exhibits.exhibit import Axis, Cell, Chart, Check, Series, StoredTable, loans
from dpcore import L1, Bound, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.base.arrays import FloatArray
from dpcore.errors import GammaOutOfReachError

N = 500  # records of Example 6, of which each figure takes the mean
GAMMA_AXIS = "γ, the share of pairs that may be missed"
NAMES = {Bound.DKW: "DKW (paper)", Bound.RANK: "RANK"}


def distances(m: int, seed: int) -> FloatArray:
    """Return m distances of the mean in ascending order, shape (m,)."""
    at = OperatingPoint.for_sample_size(m)
    return np.sort(sample_sensitivity(targets.Mean(), oracles.Exponential(1.0), norm=L1, n=N, at=at, seed=seed).distances)


def true(g: FloatArray | float) -> FloatArray:
    """Return Φ(g) = 1 − exp(−n·g) (Example 6)."""
    return np.asarray(1 - np.exp(-N * np.asarray(g)))


# Figure 1: the sampler from inside, with the true and the empirical distribution and the inversion of the latter

DRAWS, GAMMA, RUNS = 100, 0.25, 2_000
POINT = OperatingPoint.for_both(DRAWS, GAMMA, bound=Bound.DKW)


def excess(drawn: FloatArray) -> FloatArray:
    """Return sup(Φ_m − Φ) of distances in ascending order, shape (…, m): it is reached at one of them."""
    steps = np.arange(1, drawn.shape[-1] + 1) / drawn.shape[-1]
    return np.asarray((steps - true(drawn)).max(axis=-1))


def figure_1(seed: int = 1) -> dict[str, Any]:
    """Return the results of Figure 1."""
    one, many = distances(DRAWS, seed), np.array([distances(DRAWS, 1_000 + run) for run in range(RUNS)])
    rho, best = POINT.rho, OperatingPoint.for_both(DRAWS, GAMMA)
    assert rho is not None
    error = float(np.sqrt(np.log(1 / rho) / (2 * DRAWS)))  # ρ′ (Theorem 15)
    estimate, rank, level = float(one[POINT.k - 1]), float(one[best.k - 1]), 1 - GAMMA + rho + error
    grid, steps = np.linspace(0, 1.1 * one[-1], 80), np.arange(1, DRAWS + 1) / DRAWS
    inversion = np.array([0, estimate, estimate]), np.array([level, level, 0])
    above, misses = float((excess(many) > error).mean()), float((1 - true(many[:, POINT.k - 1])).mean())
    expected = (DRAWS - POINT.k + 1) / (DRAWS + 1)
    return {
        "charts": (
            Chart(
                title="Inside the sampler",
                x=Axis("sensitivity of the mean", "years"),
                y=Axis("share of pairs"),
                series=(
                    Series(name="true", role="true", x=grid, y=true(grid)),
                    Series(name="100 draws", role="dkw", x=one, y=steps, drawn="steps"),
                    Series(name="draws less ρ′", role="other", x=one, y=np.maximum(steps - error, 0), drawn="steps"),
                    Series(name="inversion", role="formula", x=inversion[0], y=inversion[1]),
                ),
            ),
        ),
        "tables": (
            StoredTable(
                title="This run",
                columns=("what", "value"),
                rows=(
                    ("m", DRAWS),
                    ("k under DKW", POINT.k),
                    ("ρ", rho),
                    ("ρ′", error),
                    ("1 − γ + ρ + ρ′", level),
                    ("Δ̂ in years", estimate),
                    ("Φ(Δ̂)", float(true(estimate))),
                    ("k under RANK", best.k),
                    ("Δ̂ under RANK", rank),
                    ("Φ(Δ̂) under RANK", float(true(rank))),
                ),
            ),
        ),
        "checks": (
            Check("The largest excess of this empirical distribution over the true one", float(excess(one)), 0.0, error),
            Check("Share of 2,000 runs in which the excess is above ρ′; the theorem allows ρ", above, 0.0, rho),
            Check("The mean share of pairs that 2,000 runs leave out; γ is allowed", misses, 0.0, GAMMA),
            Check("The same over its exact expectation, (m − k + 1)/(m + 1)", misses / expected, 0.95, 1.05),
        ),
        "live": loans(m=DRAWS, gamma=GAMMA, bound=Bound.DKW, seed=seed),
    }


# Table 1: the best ρ if γ, m or both are given, with what three other bounds make of the same

TABLE_GAMMAS = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005)
TABLE_SIZES = (19, 100, 199, 500, 999, 1_500, 10_000, 50_000)
TABLE_BOTH = ((199, 0.2), (500, 0.1), (1_500, 0.05), (10_000, 0.05), (50_000, 0.05), (50_000, 0.01))
BOUNDS: dict[str, tuple[Bound, float | None]] = {
    "DKW (paper)": (Bound.DKW, None),
    "RANK": (Bound.RANK, None),
    "TOLERANCE, 95%": (Bound.TOLERANCE, 0.95),
    "TIME_UNIFORM, 95%": (Bound.TIME_UNIFORM, 0.95),
}
FIX_GAMMA, FIX_M, FIX_BOTH = "Fix γ: the fewest draws", "Fix m: the least γ", "Fix both: the least order"


def _rows(given: list[dict[str, Any]]) -> tuple[tuple[Cell, ...], ...]:
    """Return a row for each given γ, m or both under each bound, if the draws can certify γ."""
    rows: list[tuple[Cell, ...]] = []
    for one in given:
        for name, (bound, confidence) in BOUNDS.items():
            try:
                point = _point(bound=bound, confidence=confidence, **one)
            except GammaOutOfReachError:
                continue
            rows.append((name, point.m, point.k, "" if point.rho is None else point.rho, point.gamma))
    return tuple(rows)


def _point(*, gamma: float | None = None, m: int | None = None, **bound: Any) -> OperatingPoint:
    if m is None:
        return OperatingPoint.for_gamma(gamma, **bound)
    return OperatingPoint.for_sample_size(m, **bound) if gamma is None else OperatingPoint.for_both(m, gamma, **bound)


def table_1() -> dict[str, Any]:
    """Return the results of Table 1."""
    given: dict[str, list[dict[str, Any]]] = {
        FIX_GAMMA: [{"gamma": gamma} for gamma in TABLE_GAMMAS],
        FIX_M: [{"m": m} for m in TABLE_SIZES],
        FIX_BOTH: [{"m": m, "gamma": gamma} for m, gamma in TABLE_BOTH],
    }
    columns = ("bound", "m", "k", "ρ", "γ")
    fewest = {name: _point(gamma=0.05, bound=bound, confidence=confidence).m for name, (bound, confidence) in BOUNDS.items()}
    paper, rank = (OperatingPoint.for_both(1_500, 0.05, bound=bound).k for bound in NAMES)
    return {
        "charts": (),
        "tables": tuple(StoredTable(title=title, columns=columns, rows=_rows(each)) for title, each in given.items()),
        "checks": (
            Check("γ = 0.05 under DKW: m", fewest["DKW (paper)"], 1_305, 1_305),
            Check("γ = 0.05 under RANK: m", fewest["RANK"], 19, 19),
            Check("γ = 0.05 under TOLERANCE with 95%: m", fewest["TOLERANCE, 95%"], 59, 59),
            Check(
                "The γ that RANK certifies for the paper's point m = k = 1,305",
                OperatingPoint.for_sample_size(1_305).gamma,
                7e-4,
                8e-4,
            ),
            Check("m = 1,500 and γ = 0.05 under DKW, as in Figure 6: k", paper, 1_496, 1_496),
            Check("m = 1,500 and γ = 0.05 under RANK: k", rank, 1_426, 1_426),
        ),
        "live": loans(m=1_305, gamma=0.05, bound=Bound.DKW, seed=1),
    }


# Figure 2: the least number of draws that certifies each γ

FIGURE_2_GAMMAS = np.array(
    [0.001, 0.0015, 0.002, 0.003, 0.005, 0.007, 0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5]
)
SMALL = (1e-2, 1e-4, 1e-8, 1e-16, 1e-32, 1e-64)
ROLES = {"DKW (paper)": "dkw", "RANK": "rank", "TOLERANCE, 95%": "tolerance"}


def rate(gamma: float) -> float:
    """Return m·γ²/log(1/γ) under DKW at the best ρ, from its formula: log(1/ρ)/(2(γ−ρ)²) (Table 1, row 1)."""
    log_rho = float(lambertw(-gamma / (2 * math.sqrt(math.e)), -1).real) + 0.5
    return -log_rho / (2 * (1 - math.exp(log_rho) / gamma) ** 2) / math.log(1 / gamma)


def figure_2() -> dict[str, Any]:
    """Return the results of Figure 2."""
    fewest = {
        name: np.array([_point(gamma=gamma, bound=bound, confidence=confidence).m for gamma in FIGURE_2_GAMMAS.tolist()])
        for name, (bound, confidence) in BOUNDS.items()
        if name in ROLES
    }
    dkw, rank, tolerance = fewest.values()
    at = int(np.flatnonzero(FIGURE_2_GAMMAS == 0.01)[0])
    return {
        "charts": (
            Chart(
                title="Draws that certify γ",
                x=Axis(GAMMA_AXIS, log=True),
                y=Axis("least m", "draws", log=True),
                series=tuple(Series(name=name, role=ROLES[name], x=FIGURE_2_GAMMAS, y=values) for name, values in fewest.items()),
            ),
        ),
        "tables": (
            StoredTable(
                title="The rate of Corollary 16",
                columns=("γ", "m·γ²/log(1/γ)"),
                rows=tuple((gamma, rate(gamma)) for gamma in SMALL),
            ),
        ),
        "checks": (
            Check("γ = 0.01 under DKW: m", float(dkw[at]), 41_971, 41_971),
            Check("γ = 0.01 under RANK: m", float(rank[at]), 99, 99),
            Check("γ = 0.01 under TOLERANCE with 95 %: m", float(tolerance[at]), 299, 299),
            Check("The least ratio of DKW's m to RANK's", float((dkw / rank).min()), 5.0),
            Check("m·γ²/log(1/γ) at γ = 1e-64, which Corollary 16 takes to fall to 0", rate(SMALL[-1]), 0.5, 0.6),
        ),
        "live": loans(m=1_305, gamma=0.05, bound=Bound.DKW, seed=2),
    }


# Figure 3: the least order k, as a share of m, that certifies each γ with 100, 1,000 and 10,000 draws

SIZES = (100, 1_000, 10_000)
# fmt: off
FIGURE_3_GAMMAS = np.array([
    0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1,
    0.12, 0.15, 0.18, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9,
])
# fmt: on


def facet(m: int) -> str:
    """Return the name of the facet of m draws."""
    return f"m = {m:,}"


def orders(m: int, gammas: FloatArray, bound: Bound) -> tuple[FloatArray, Any]:
    """Return the γ that m draws can certify, and the order k that certifies each."""
    found = {}
    for gamma in map(float, gammas):
        try:
            found[gamma] = OperatingPoint.for_both(m, gamma, bound=bound).k
        except GammaOutOfReachError:
            continue
    return np.array(list(found)), np.array(list(found.values()))


def _least_gammas(title: str, sizes: tuple[int, ...]) -> StoredTable:
    """Return the least γ that draws can certify."""
    return StoredTable(
        title=title,
        columns=("m", *NAMES.values()),
        rows=tuple((m, *(OperatingPoint.for_sample_size(m, bound=bound).gamma for bound in NAMES)) for m in sizes),
    )


def figure_3() -> dict[str, Any]:
    """Return the results of Figure 3."""
    series, gaps = [Series(name="1 − γ, which none can pass", role="true", x=FIGURE_3_GAMMAS, y=1 - FIGURE_3_GAMMAS)], {}
    for bound in NAMES:
        for m in SIZES:
            gammas, k = orders(m, FIGURE_3_GAMMAS, bound)
            series.append(Series(name=NAMES[bound], role=bound.name.lower(), x=gammas, y=k / m, facets=(facet(m),)))
            gaps[bound, m] = float((k / m - (1 - gammas)).max())  # the share of draws that the bound gives away
    title = "The order that certifies γ"
    few, many = (OperatingPoint.for_sample_size(m, bound=Bound.DKW).gamma for m in (100, 10_000))
    return {
        "charts": (Chart(title=title, x=Axis(GAMMA_AXIS), y=Axis("k/m, order over draws"), series=tuple(series)),),
        "tables": (_least_gammas("The least γ, where k = m", SIZES),),
        "checks": (
            Check("m = 100: the least γ under DKW", few, 0.15, 0.18),
            Check("m = 10,000: the least γ under DKW", many, 0.019, 0.021),
            Check("m = 10,000: the largest k/m − (1 − γ) under DKW", gaps[Bound.DKW, 10_000], 0.019, 0.021),
            Check("m = 10,000: the largest k/m − (1 − γ) under RANK", gaps[Bound.RANK, 10_000], 0.0, 2e-4),
        ),
        "live": loans(m=1_000, gamma=0.1, bound=Bound.DKW, seed=3),
    }


# Figure 4: the sampled sensitivity of the mean against what is known of it, for several numbers of draws

REPEATS = 50
BUDGETS = (100, 1_000, 10_000, 100_000)
FIGURE_4_GAMMAS = np.array(
    [0.001, 0.0015, 0.002, 0.003, 0.005, 0.007, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5]
)


def analytic(gamma: FloatArray | float) -> FloatArray:
    """Return log(1/γ)/n: the sensitivity that G ~ Exponential(n) exceeds with probability γ (Example 6)."""
    return np.asarray(np.log(1 / np.asarray(gamma)) / N)


def repeated(m: int, repeats: int, seed: int) -> FloatArray:
    """Return the m distances of each repeat in ascending order, shape (repeats, m)."""
    return np.array([distances(m, 1_000 * seed + i) for i in range(repeats)])


def distance(m: int, bound: Bound, drawn: FloatArray) -> float:
    """Return the largest distance of a mean over the repeats from its exact expectation, in standard errors.

    The k-th smallest of m draws from Exponential(N) has the mean Σ 1/i and the standard deviation √Σ 1/i² over i > m − k.
    """
    _, k = orders(m, FIGURE_4_GAMMAS, bound)
    steps = 1 / np.arange(m, 0, -1.0)
    mean, deviation = np.cumsum(steps)[k - 1] / N, np.sqrt(np.cumsum(steps**2)[k - 1]) / N
    return float(np.max(np.abs(drawn[:, k - 1].mean(axis=0) - mean) / deviation * np.sqrt(len(drawn))))


def figure_4(seed: int = 4) -> dict[str, Any]:
    """Return the results of Figure 4."""
    drawn = {m: repeated(m, REPEATS, seed + m) for m in BUDGETS}
    series = {(bound, m): _sensitivities(m, bound, drawn[m]) for bound in NAMES for m in BUDGETS}
    exact = Series(name="exact, log(1/γ)/n", role="formula", x=FIGURE_4_GAMMAS, y=analytic(FIGURE_4_GAMMAS))
    half = {key: (_at(one, 0.5), _at(one, 0.5) / float(analytic(0.5))) for key, one in series.items()}
    rows = tuple((f"{bound.name}, {facet(m)}", *each) for (bound, m), each in half.items())
    dkw, rank = (_at(series[bound, BUDGETS[-1]], 0.05) / float(analytic(0.05)) for bound in NAMES)
    falls = float(-np.diff([half[Bound.DKW, m][1] for m in BUDGETS]).max())
    furthest = max(distance(m, bound, drawn[m]) for m in BUDGETS for bound in NAMES)
    fall = "Under DKW and γ = 0.5: Δ̂ over log(1/γ)/n falls at each tenfold of the draws, at least by"
    far = "The largest distance of a mean over 50 repeats from its exact expectation, in standard errors"
    return {
        "charts": (
            Chart(
                title="Sampled sensitivity against the exact one",
                x=Axis(GAMMA_AXIS, log=True),
                y=Axis("sensitivity of the mean", "years"),
                series=(exact, *series.values()),
                spread="the middle nine in ten of the repeats",
            ),
        ),
        "tables": (
            _least_gammas("The least γ that the draws can certify", BUDGETS),
            StoredTable(title="At γ = 0.5", columns=("bound and draws", "Δ̂ in years", "Δ̂ over log(1/γ)/n"), rows=rows),
        ),
        "checks": (
            Check("Under RANK, 100,000 draws and γ = 0.05: Δ̂ over log(1/γ)/n", rank, 0.99, 1.01),
            Check("Under DKW, 100,000 draws and γ = 0.05: Δ̂ over log(1/γ)/n", dkw, 1.0, 1.06),
            Check(fall, falls, 0.0),
            Check(far, furthest, 0.0, 5.0),
        ),
        "live": loans(m=999, gamma=0.05, bound=Bound.RANK, seed=seed),
    }


def _sensitivities(m: int, bound: Bound, drawn: FloatArray) -> Series:
    gammas, k = orders(m, FIGURE_4_GAMMAS, bound)
    values = drawn[:, k - 1]
    low, high = np.quantile(values, [0.05, 0.95], axis=0)
    mean, facets = values.mean(axis=0), (facet(m),)
    return Series(name=NAMES[bound], role=bound.name.lower(), x=gammas, y=mean, low=low, high=high, facets=facets)


def _at(one: Series, gamma: float) -> float:
    return float(one.y[np.flatnonzero(one.x == gamma)[0]])


# Figure 8: the two real branches of Lambert's W, and the arguments at which Table 1 takes the lower one

GIVEN_GAMMAS, GIVEN_DRAWS = np.array([0.01, 0.05, 0.2, 0.5, 1.0]), np.array([1.0, 2.0, 5.0, 20.0, 199.0])


def lower(z: FloatArray) -> FloatArray:
    """Return W₋₁ on [−1/e, 0)."""
    return np.asarray(lambertw(z, -1).real)


def figure_8() -> dict[str, Any]:
    """Return the results of Figure 8."""
    above, below = np.linspace(-1, 0.25, 161), np.linspace(-9.2, -1, 401)
    of_gamma, of_m = -GIVEN_GAMMAS / (2 * math.sqrt(math.e)), -1 / (4 * GIVEN_DRAWS)
    rho_of_gamma = np.exp(lower(of_gamma) + 0.5)  # the ρ of the fewest draws for γ (Corollary 20)
    rho_of_m = np.exp(lower(of_m) / 2)  # the ρ of the least k for m draws (Corollary 21)
    rows = [("γ", float(gamma), float(rho)) for gamma, rho in zip(GIVEN_GAMMAS, rho_of_gamma, strict=True)]
    rows += [("m", float(m), float(rho)) for m, rho in zip(GIVEN_DRAWS, rho_of_m, strict=True)]
    draws = minimize_scalar(_draws_for, bounds=(1e-6, 0.04), options={"xatol": 1e-12})
    found, upper = float(rho_of_gamma[1] / draws.x), math.exp(lambertw(of_gamma[-2], 0).real + 0.5)
    search = "γ = 0.05: ρ from the lower branch over the one that a numerical search finds"
    return {
        "charts": (
            Chart(
                title="The branches of Lambert's W",
                x=Axis("z"),
                y=Axis("W(z)"),
                series=(
                    Series(name="primary branch W₀", role="first", x=above * np.exp(above), y=above),
                    Series(name="secondary branch W₋₁", role="second", x=below * np.exp(below), y=below),
                    Series(name="at −γ/(2√e)", role="true", x=of_gamma, y=lower(of_gamma), drawn="points"),
                    Series(name="at −1/(4m)", role="other", x=of_m, y=lower(of_m), drawn="points"),
                ),
            ),
        ),
        "tables": (StoredTable(title="ρ from the lower branch", columns=("given", "its value", "ρ"), rows=tuple(rows)),),
        "checks": (
            Check(
                "The largest error of W·exp(W) = z at the five arguments of γ",
                float(np.abs(lower(of_gamma) * np.exp(lower(of_gamma)) - of_gamma).max()),
                0.0,
                1e-12,
            ),
            Check("ρ at γ = 1, where the interval of feasible ρ ends", float(rho_of_gamma[-1]), 0.28466, 0.28467),
            Check(search, found, 0.99999, 1.00001),
            Check("γ = 0.5: ρ from the upper branch, which has to be at most ½ to be of use", upper, 0.6065, 1.6488),
        ),
        "live": loans(m=1_305, gamma=0.05, bound=Bound.DKW, seed=8),
    }


def _draws_for(rho: float) -> float:
    """Return the number of draws for γ = 0.05 at a ρ, before it is rounded (Table 1, row 1)."""
    return math.log(1 / rho) / (2 * (0.05 - rho) ** 2)
