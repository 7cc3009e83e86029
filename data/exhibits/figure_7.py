"""Figure 7: how far a private density lies from the one without privacy, against ε, and what its noise is calibrated to."""

from __future__ import annotations

from typing import Any

import numpy as np

from data.exhibits.exhibit import Axis, Chart, Check, Series, StoredTable
from data.exhibits.live import live
from dpcore import L1, LINF, Bernstein, Bound, OperatingPoint, PureDP, curves, oracles, sample_sensitivity, targets
from dpcore.base.types import FloatArray

SEED = 7
N, M, DEGREE, ORDER, BANDWIDTH, REPEATS = 5_000, 50_000, 10, 3, 0.1, 1_000
SAMPLES = 10  # draws of each Δ̂, which the repeats share
GAMMAS = (0.05, 0.2)
ORACLE = oracles.NormalMixture((0.4, 0.6), (0.5, 0.75), (0.02**0.5, 0.005**0.5), (0.0, 1.0))
EPSILONS = np.array([0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0, 5.0, 10.0])
POINTS = np.linspace(0, 1, 101)[:, None]
TITLE = "Distance from the exact density, relative to its size"
NONE = "polynomial, no noise"
_NORMS = {LINF: "(k+1)·L∞", L1: "L1"}
PAPER, SHARP, SHORT = "worst case, (k+1)·L∞", "worst case, L1", {"dkw": "sampled, DKW", "rank": "sampled, RANK"}


def density(bandwidth: float = BANDWIDTH) -> targets.OnLattice:
    """A kernel density on the lattice 0, 1/10, …, 1."""
    return targets.OnLattice(curves.KernelDensity(bandwidth), DEGREE)


def total(norm: Any, sensitivity: float) -> float:
    """What ε divides: the sensitivity in L1, or k + 1 times that in L∞ (Corollary 14)."""
    return sensitivity if norm == L1 else (DEGREE + 1) * sensitivity


def worst(norm: Any, bandwidth: float = BANDWIDTH) -> float:
    """The proved one, as ``total`` has it."""
    proved = density(bandwidth).global_sensitivity(norm, N)
    assert proved is not None
    return total(norm, proved.value)


def sampled(norm: Any, gamma: float, bound: Bound, *, m: int, seed: int, bandwidth: float = BANDWIDTH) -> float:
    """A drawn one, as ``total`` has it."""
    at = OperatingPoint.for_both(m, gamma, bound=bound)
    return total(norm, sample_sensitivity(density(bandwidth), ORACLE, norm=norm, n=N, at=at, seed=seed).order_statistic)


def distances(totals: FloatArray, epsilons: FloatArray, *, rng: np.random.Generator) -> tuple[FloatArray, float]:
    """How far private densities of one fresh table are from its own density: (t, ε); and the polynomial without noise.

    A root mean square over the range, as a share of the density's own. The noise is the same for all but for its scale."""
    database = ORACLE.draw(1, N, rng=rng)[0]
    target = density()
    exact, raw = target.curve.values(database, POINTS), target(database)
    law: Any = Bernstein(order=ORDER).law(target, 1.0, PureDP(1.0))
    smooth = law.curves(law.polynomial(raw).coefficients[None], POINTS)[0] - exact
    noise = law.curves(law.simulate(np.zeros_like(raw), size=1, rng=rng), POINTS)[0]
    size = rms(exact)
    return rms(smooth + (totals[:, None] / epsilons)[..., None] * noise) / size, float(rms(smooth) / size)


def rms(values: FloatArray) -> FloatArray:
    """The root of the mean square over the last axis."""
    return np.asarray(np.sqrt(np.mean(values**2, axis=-1)))


def ways() -> dict[str, tuple[str, FloatArray]]:
    """What the noise is calibrated to: its role, and its total in each of the ten draws."""
    proved = {
        f"worst case, {name}": ("paper's worst case" if norm == LINF else "worst case", np.full(SAMPLES, worst(norm)))
        for norm, name in _NORMS.items()
    }
    drawn = {
        f"sampled {name}, {bound.name}, γ = {gamma}": (
            bound.name.lower(),
            np.array([sampled(norm, gamma, bound, m=M, seed=SEED * 1_000 + i) for i in range(SAMPLES)]),
        )
        for norm, name in _NORMS.items()
        for bound in (Bound.DKW, Bound.RANK)
        for gamma in GAMMAS
    }
    return proved | drawn


def facets(name: str) -> tuple[str, ...]:
    """Return the facets that show a way to calibrate the noise: the paper's worst case is in all of them."""
    every = tuple(f"{norm}, γ = {gamma}" for norm in _NORMS.values() for gamma in GAMMAS)
    if name in (PAPER, SHARP):
        return every if name == PAPER else every[2:]
    return tuple(one for one in every if name.startswith(f"sampled {one.split(',')[0]},") and name.endswith(one.split(",")[1]))


def parts() -> dict[str, Any]:
    """Return charts, tables, checks and the link of the exhibit."""
    known, rng = ways(), np.random.default_rng(SEED)
    totals = np.array([values for _, values in known.values()])
    found = [distances(totals[:, i % SAMPLES], EPSILONS, rng=rng) for i in range(REPEATS)]
    values, smooth = np.array([one for one, _ in found]), np.array([one for _, one in found])
    mean, error = values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(REPEATS)
    series = [
        Series(
            name=SHORT.get(role, name),
            role=role,
            x=EPSILONS,
            y=mean[i],
            low=mean[i] - 2 * error[i],
            high=mean[i] + 2 * error[i],
            facets=facets(name),
        )
        for i, (name, (role, _)) in enumerate(known.items())
    ]
    series.append(Series(name=NONE, role="no privacy", x=EPSILONS, y=np.full(len(EPSILONS), smooth.mean())))
    chart = Chart(
        title=TITLE,
        x=Axis("ε", log=True),
        y=Axis("relative root mean square distance", log=True),
        series=tuple(series),
        spread="two standard errors of the mean over the repeats",
        guarantee="Worst cases: differential privacy. Sampled: random DP with γ, which is weaker.",
    )
    used = {name: float(values.mean()) for name, (_, values) in known.items()}
    tables = _totals(used), _bandwidths()
    return {"charts": (chart,), "tables": tables, "checks": _checks(used, chart), "live": _live()}


def _totals(used: dict[str, float]) -> StoredTable:
    most = used[PAPER]
    rows = tuple((name, value, value / most) for name, value in used.items())
    columns = ("calibrated to", "what ε divides", "as a share of the paper's worst case")
    return StoredTable(title="What the noise is calibrated to", columns=columns, rows=rows)


def _bandwidths() -> StoredTable:
    rows = tuple(
        (
            h,
            *(
                value
                for norm in _NORMS
                for value in (worst(norm, h), sampled(norm, 0.05, Bound.RANK, m=M, seed=SEED, bandwidth=h))
            ),
        )
        for h in (0.01, 0.02, 0.05, 0.1, 0.2)
    )
    columns = ("bandwidth", *(f"{name}, {how}" for name in _NORMS.values() for how in ("worst case", "sampled at γ = 0.05")))
    return StoredTable(title="The same for other bandwidths, under RANK", columns=columns, rows=rows)


def _checks(used: dict[str, float], chart: Chart) -> tuple[Check, ...]:
    paper, sharp = used[PAPER], used[SHARP]
    close, private = used["sampled L1, RANK, γ = 0.05"], chart.called("sampled, RANK", "L1, γ = 0.05").y
    noise_free = chart.called(NONE).y[0]
    return (
        Check("Noise of the paper's worst case over that of the sampled L1 (γ = 0.05, RANK)", paper / close, 2.0, 2.5),
        Check(
            "Noise of the paper's worst case over that of the sampled (k+1)·L∞ (γ = 0.05, RANK)",
            paper / used["sampled (k+1)·L∞, RANK, γ = 0.05"],
            1.0,
            1.05,
        ),
        Check("Noise of the sharp L1 worst case over that of the sampled L1 (γ = 0.05, RANK)", sharp / close, 1.0, 1.1),
        Check(
            "At ε = 0.02: error under the paper's worst case over that under the sampled L1",
            float(chart.called(PAPER).y[1] / private[1]),
            1.8,
            2.2,
        ),
        Check(
            "At ε = 10: error under the sampled L1 over that of the polynomial without noise",
            float(private[-1] / noise_free),
            0.99,
            1.05,
        ),
        Check(
            "At ε = 10: error under the paper's worst case over that of the polynomial without noise",
            float(chart.called(PAPER).y[-1] / noise_free),
            0.99,
            1.05,
        ),
    )


def _live() -> dict[str, Any]:
    return live(
        "two_bumps", ("x",), density(), ORACLE, n=N, m=999, gamma=0.05, epsilon=0.1, mechanism=Bernstein(order=ORDER), seed=SEED
    )
