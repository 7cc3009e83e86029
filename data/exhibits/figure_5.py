"""Figure 5: the sampled sensitivity of a linear SVM against its worst case, from 8 to 64 features."""

from __future__ import annotations

from typing import Any

import numpy as np

from data.exhibits.exhibit import Axis, Chart, Check, Series, StoredTable
from data.exhibits.live import classes
from data.exhibits.support_vectors import C, N, distances, paper_bound, svm
from dpcore import L1, Bound, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.base.types import Database, FloatArray

SEED = 5
M = 1_500
DIMS = (8, 16, 32, 64)
GAMMAS = np.array([0.05, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5])
BY_GAMMA, BY_DIMS = "Sensitivity against γ", "Sensitivity at γ = 0.05 against the number of features"
PAPER = "Proposition 19 (paper)"
ZERO = 1e-6  # of the solver: (w, b) has a size near 1
WIDE = (-1.0, 2.0)  # twelve standard deviations around either class: nothing is clipped
_NAMES = {Bound.DKW: "sampled, DKW", Bound.RANK: "sampled, RANK"}


def unclipped(dims: int) -> Any:
    """The same (w, b) without clipping to [0, 1].

    On u = (x + 1)/3 let v and c minimise with 9C; then w = v/3 and b = c + Σw minimise on x with C.
    """
    wide = targets.LinearSVM((WIDE,) * dims, C=9 * C)

    def target(database: Database) -> FloatArray:
        *v, c = wide(database)
        w = np.array(v) / 3
        return np.array([*w, c + w.sum()])

    return target


def unclipped_distances(dims: int, m: int, seed: int) -> FloatArray:
    """m distances in L1 between neighbours' (w, b), nothing clipped, in order."""
    at = OperatingPoint.for_sample_size(m)
    sample = sample_sensitivity(unclipped(dims), oracles.TwoClasses(dims), norm=L1, n=N, at=at, seed=seed)
    return np.sort(sample.distances)


def order(gamma: float, bound: Bound) -> int:
    """The least k that certifies γ with the paper's m."""
    return OperatingPoint.for_both(M, gamma, bound=bound).k


def parts() -> dict[str, Any]:
    """Return charts, tables, checks and the link of the exhibit."""
    drawn = {dims: distances(dims, M, SEED * 1_000 + dims) for dims in DIMS}
    free = {dims: unclipped_distances(dims, M, SEED * 1_000 + dims) for dims in DIMS}
    charts = _by_gamma(drawn), _by_dims(drawn, free)
    live = classes(svm(2), m=99, gamma=0.2, epsilon=1.0, bound=Bound.DKW, seed=SEED)
    return {
        "charts": charts,
        "tables": (_table(drawn, free),),
        "checks": _checks(drawn, free),
        "live": live,
    }


def _by_gamma(drawn: dict[int, FloatArray]) -> Chart:
    sampled = [_sampled(bound, dims, values) for bound in _NAMES for dims, values in drawn.items()]
    worst = [
        Series(
            name=PAPER,
            role="paper's worst case",
            x=GAMMAS,
            y=np.full(GAMMAS.shape, paper_bound(d)),
            facets=(f"{d} features",),
        )
        for d in DIMS
    ]
    return Chart(
        title=BY_GAMMA,
        x=Axis("γ, the share of pairs that may be missed", log=True),
        y=Axis("L1 sensitivity of (w, b)", log=True),
        series=(*worst, *sampled),
    )


def _sampled(bound: Bound, dims: int, values: FloatArray) -> Series:
    """Δ̂ at each γ, but where it is zero as the solver finds it: nothing is released there."""
    found = np.array([values[order(gamma, bound) - 1] for gamma in GAMMAS])
    seen = found > ZERO
    return Series(name=_NAMES[bound], role=bound.name.lower(), x=GAMMAS[seen], y=found[seen], facets=(f"{dims} features",))


def _by_dims(drawn: dict[int, FloatArray], free: dict[int, FloatArray]) -> Chart:
    dims = np.array(DIMS, dtype=float)
    lines = {
        PAPER: ("paper's worst case", [paper_bound(d) for d in DIMS]),
        "our worst case": ("worst case", [svm(d).exact_bound(N) for d in DIMS]),
        "sampled, DKW": ("dkw", [drawn[d][order(0.05, Bound.DKW) - 1] for d in DIMS]),
        "sampled, RANK": ("rank", [drawn[d][order(0.05, Bound.RANK) - 1] for d in DIMS]),
        "sampled, RANK, not clipped": ("rank", [free[d][order(0.05, Bound.RANK) - 1] for d in DIMS]),
    }
    series = tuple(Series(name=name, role=role, x=dims, y=np.array(values)) for name, (role, values) in lines.items())
    return Chart(title=BY_DIMS, x=Axis("features", log=True), y=Axis("L1 sensitivity of (w, b)", log=True), series=series)


def _table(drawn: dict[int, FloatArray], free: dict[int, FloatArray]) -> StoredTable:
    rows = tuple(
        (d, paper_bound(d), *(float(x[order(gamma, Bound.DKW) - 1]) for x in (drawn[d], free[d]) for gamma in (0.05, 0.1, 0.5)))
        for d in DIMS
    )
    columns = ("features", "Proposition 19", *(f"Δ̂, γ = {g}{how}" for how in ("", ", not clipped") for g in (0.05, 0.1, 0.5)))
    return StoredTable(title="Δ̂ under DKW", columns=columns, rows=rows)


def _checks(drawn: dict[int, FloatArray], free: dict[int, FloatArray]) -> tuple[Check, ...]:
    found = []
    for dims, values in drawn.items():
        under = paper_bound(dims) / values[order(0.05, Bound.DKW) - 1]
        found.append(Check(f"{dims} features, γ = 0.05, DKW: Proposition 19 over Δ̂", float(under), 100.0))
    ratio = [free[d][order(0.1, Bound.DKW) - 1] / drawn[d][order(0.1, Bound.DKW) - 1] for d in DIMS]
    still = float((drawn[64] <= ZERO).mean())
    return (
        *found,
        Check("64 features: the share of pairs that do not move the classifier", still, 0.5, 0.95),
        Check("Δ̂ without clipping over Δ̂ with it, γ = 0.1, DKW: the largest of the four", float(max(ratio)), 0.5, 3.0),
    )
