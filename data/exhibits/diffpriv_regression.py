"""diffpriv's third example, its Figure 1: a private kernel regression by the Bernstein mechanism."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from data.exhibits.exhibit import Axis, Chart, Check, Series, StoredTable
from data.exhibits.live import live
from dpcore import L1, LINF, Bernstein, Bound, OperatingPoint, PureDP, curves, oracles, sample_sensitivity, targets
from dpcore.base.types import FloatArray

SEED = 250
N, DEGREE, BANDWIDTH, M, GAMMA, EPSILON, SEEDS = 250, 25, 0.1, 500, 0.2, 5.0, 20
FACTOR = math.sqrt(2 * math.pi)  # the vignette's kernel exp(−u²/2) lacks 1/√(2π), so that its curves are so much larger
TARGET = targets.OnLattice(curves.PriestleyChao(BANDWIDTH), DEGREE)
POINTS = np.linspace(0, 1, 50)[:, None]
FIGURE, BY_ORDER = (
    "The curve and its private versions",
    "Error of the private curve against the order of the polynomial",
)
PROMISE = "Private curves: ε = 5, random DP with γ = 0.2, which is weaker than differential privacy."
EXACT, PRIVATE = "without privacy", "private at ε = 5"
ORDERS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12)
PAPER, DKW, RANK = "diffpriv, order 1", "L1, DKW, order 6", "L1, RANK, order 6"
WAYS: dict[str, tuple[str, Any, Bound, int]] = {
    PAPER: ("diffpriv", LINF, Bound.DKW, 1),
    DKW: ("dkw", L1, Bound.DKW, 6),
    RANK: ("rank", L1, Bound.RANK, 6),
}


def records() -> FloatArray:
    """The table of the noisy sine: x uniform on [0, 1], y = x·sin(10x) + 0.2·N(0, 1)."""
    return np.loadtxt(Path(__file__).parents[1] / "sine.csv", delimiter=",", skiprows=1)


def distances(norm: Any, samples: int, seed: int) -> FloatArray:
    """m distances of each sample in order: (samples, m)."""
    at = OperatingPoint.for_sample_size(M)
    drawn = [sample_sensitivity(TARGET, oracles.RegressionPrior(), norm=norm, n=N, at=at, seed=seed + i) for i in range(samples)]
    return np.sort([one.distances for one in drawn], axis=1)


def order_statistic(drawn: FloatArray, bound: Bound) -> FloatArray:
    """Δ̂ of each sample: (samples,)."""
    return np.asarray(drawn[:, OperatingPoint.for_both(M, GAMMA, bound=bound).k - 1])


def private(norm: Any, order: int, sensitivity: float, seed: int, points: FloatArray = POINTS) -> FloatArray:
    """One simulated private curve at the points."""
    law: Any = Bernstein(order=order, norm=norm).law(TARGET, sensitivity, PureDP(EPSILON))
    coefficients = law.simulate(TARGET(records()), size=1, rng=np.random.default_rng(seed))
    return np.asarray(law.curves(coefficients, points)[0])


def errors(norm: Any, order: int, sensitivities: FloatArray) -> FloatArray:
    """Root mean square distance of a private curve from the exact one, for each Δ̂, on 501 points of [0, 1]."""
    points = np.linspace(0, 1, 501)[:, None]
    exact = TARGET.curve.values(records(), points)
    found = [private(norm, order, float(one), seed, points) - exact for seed, one in enumerate(sensitivities)]
    return np.asarray(np.sqrt(np.mean(np.square(found), axis=1)))


def parts() -> dict[str, Any]:
    """Return charts, tables, checks and the link of the exhibit."""
    drawn = {norm: distances(norm, SEEDS, SEED * 1_000) for norm in (L1, LINF)}
    sensitivities = {way: order_statistic(drawn[norm], bound) for way, (_, norm, bound, _) in WAYS.items()}
    found = {way: errors(norm, order, sensitivities[way]) for way, (_, norm, _, order) in WAYS.items()}
    columns = ("calibrated to", "median Δ̂", "median error", "the same on the vignette's scale, √(2π) times")
    rows = tuple(
        (way, float(np.median(sensitivities[way])), float(np.median(each)), float(np.median(each)) * FACTOR)
        for way, each in found.items()
    )
    table = StoredTable(title="Over 20 draws of Δ̂ and of noise", columns=columns, rows=rows)
    charts = _figure(sensitivities), _by_order(sensitivities)
    return {"charts": charts, "tables": (table,), "checks": _checks(found), "live": _live()}


def _figure(sensitivities: dict[str, FloatArray]) -> Chart:
    x, data = POINTS[:, 0], records()
    exact = TARGET.curve.values(data, POINTS)
    law: Any = Bernstein().law(TARGET, 1.0, PureDP(EPSILON))
    curves_of = {way: private(norm, order, float(sensitivities[way][0]), SEED) for way, (_, norm, _, order) in WAYS.items()}
    return Chart(
        title=FIGURE,
        x=Axis("x"),
        y=Axis("y"),
        series=(
            Series(name="rows", role="rows", x=data[:, 0], y=data[:, 1], drawn="points"),
            Series(name="no privacy", role="no privacy", x=x, y=exact),
            Series(name="vignette's kernel", role="formula", x=x, y=FACTOR * exact, facets=(EXACT,)),
            Series(name="polynomial, order 1", role="other", x=x, y=law.polynomial(TARGET(data))(x), facets=(EXACT,)),
            *(Series(name=way, role=WAYS[way][0], x=x, y=values, facets=(PRIVATE,)) for way, values in curves_of.items()),
        ),
        guarantee=PROMISE,
    )


def _by_order(sensitivities: dict[str, FloatArray]) -> Chart:
    names = {PAPER: "26·L∞, DKW (diffpriv)", DKW: "L1, DKW", RANK: "L1, RANK"}
    series = tuple(
        Series(
            name=names[way],
            role=role,
            x=np.array(ORDERS),
            y=np.array([np.median(errors(norm, order, sensitivities[way])) for order in ORDERS]),
        )
        for way, (role, norm, _, _) in WAYS.items()
    )
    axes = Axis("order of the polynomial"), Axis("median error of 20 private curves")
    return Chart(title=BY_ORDER, x=axes[0], y=axes[1], series=series, guarantee=PROMISE)


def _checks(found: dict[str, FloatArray]) -> tuple[Check, ...]:
    theirs, dkw, rank = (float(np.median(each)) * FACTOR for each in found.values())
    exact = TARGET.curve.values(records(), POINTS)
    true = POINTS[:, 0] * np.sin(10 * POINTS[:, 0])
    slope = float((true @ exact) / (true @ true))
    return (
        Check("diffpriv's noise and order: median error, on the vignette's scale", theirs, 0.15, 0.25),
        Check("That over ours in L1 under DKW, order 6", theirs / dkw, 5.0),
        Check("That over ours in L1 under RANK, order 6", theirs / rank, 6.5),
        Check("How much of x·sin(10x) the curve without privacy has", slope, 0.45, 0.65),
        Check("The same of the vignette's curve, which is √(2π) times as large", slope * FACTOR, 1.2, 1.6),
    )


def _live() -> dict[str, Any]:
    return live(
        "sine",
        ("x", "y"),
        TARGET,
        oracles.RegressionPrior(),
        n=N,
        m=M,
        gamma=GAMMA,
        epsilon=EPSILON,
        mechanism=Bernstein(order=6),
        seed=SEED,
    )
