"""Figure 6: how often a private linear SVM puts records into the wrong class, against ε."""

from __future__ import annotations

from typing import Any

import numpy as np

from data.exhibits.exhibit import Axis, Chart, Check, Series, StoredTable
from data.exhibits.live import classes
from data.exhibits.support_vectors import N, distances, paper_bound, svm
from dpcore import Bound, OperatingPoint, oracles
from dpcore.base.types import FloatArray

SEED = 6
DIMS, M, GAMMA, REPEATS = 2, 1_500, 0.05, 500
SAMPLES, NOISES, FRESH = 10, 20, 1_000  # draws of Δ̂; of noise a repeat; records that are classified
POOLED = 6  # samples whose draws together are one of 9,000
EPSILONS = np.array([0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0])
TITLE = "Rows in the wrong class"
WORST, PROVED, NONE = "Proposition 19 (paper)", "our worst case", "no privacy"
DKW, MORE, RANK = "DKW, m = 1,500", "DKW, m = 9,000", "RANK, m = 1,500"
MISSED = "At ε = 2 under DKW with the paper's 1,500 draws: error above that of no privacy"
ROLES = {WORST: "paper's worst case", PROVED: "worst case", DKW: "dkw", MORE: "dkw", RANK: "rank", NONE: "no privacy"}


def point(bound: Bound) -> OperatingPoint:
    """The least order that certifies γ with the paper's m."""
    return OperatingPoint.for_both(M, GAMMA, bound=bound)


def pooled(drawn: FloatArray) -> float:
    """Δ̂ under DKW from the draws of the first six samples together."""
    together = np.sort(drawn[:POOLED].ravel())
    return float(together[OperatingPoint.for_both(together.size, GAMMA, bound=Bound.DKW).k - 1])


def errors(sensitivities: FloatArray, epsilons: FloatArray, *, noises: int, rng: np.random.Generator) -> FloatArray:
    """The share in the wrong class of one training table of N records, a mean over fresh noise: (s, ε).

    The noise is Laplace of scale sensitivity/ε on each number of (w, b), and the same for all but for its scale.
    """
    oracle, target = oracles.TwoClasses(DIMS), svm(DIMS)
    answer = target(oracle.draw(1, N, rng=rng)[0])
    fresh = oracle.draw(1, FRESH, rng=rng)[0]
    noise = rng.laplace(size=(noises, DIMS + 1))
    scales = sensitivities[:, None] / epsilons
    answers = answer + scales[..., None, None] * noise
    wrong = target.misclassified(answers.reshape(-1, DIMS + 1), fresh)
    return np.asarray(wrong.reshape(*scales.shape, noises).mean(axis=-1))


def parts() -> dict[str, Any]:
    """Return charts, tables, checks and the link of the exhibit."""
    drawn = np.array([distances(DIMS, M, SEED * 1_000 + i) for i in range(SAMPLES)])
    sampled = {
        DKW: drawn[:, point(Bound.DKW).k - 1],
        MORE: np.full(SAMPLES, pooled(drawn)),
        RANK: drawn[:, point(Bound.RANK).k - 1],
    }
    bounds = {WORST: paper_bound(DIMS), PROVED: svm(DIMS).exact_bound(N)}
    rng = np.random.default_rng(SEED)
    found = np.array([_repeat(i, sampled, bounds, rng) for i in range(REPEATS)])
    mean, error = found.mean(axis=0), found.std(axis=0, ddof=1) / np.sqrt(REPEATS)
    by_name = {name: (mean[i], error[i]) for i, name in enumerate(ROLES)}
    columns = "calibrated to", "sensitivity", "least", "largest"
    table = StoredTable(
        title="Sensitivities of (w, b) in L1",
        columns=columns,
        rows=(
            *((name, value, value, value) for name, value in bounds.items()),
            *((name, float(values.mean()), float(values.min()), float(values.max())) for name, values in sampled.items()),
        ),
    )
    return {
        "charts": (_chart(by_name),),
        "tables": (table,),
        "checks": _checks(by_name, drawn),
        "live": classes(svm(DIMS), m=99, gamma=GAMMA, epsilon=2.0, bound=Bound.RANK, seed=SEED),
    }


def _repeat(i: int, sampled: dict[str, FloatArray], bounds: dict[str, float], rng: np.random.Generator) -> FloatArray:
    """Errors of the ways, in the order of ROLES: (6, ε). The repeats share ten draws of Δ̂."""
    values = [*bounds.values(), *(each[i % SAMPLES] for each in sampled.values()), 0.0]
    return errors(np.array(values), EPSILONS, noises=NOISES, rng=rng)


def _chart(by_name: dict[str, tuple[FloatArray, FloatArray]]) -> Chart:
    series = [
        Series(name=name, role=ROLES[name], x=EPSILONS, y=mean, low=mean - 2 * error, high=mean + 2 * error)
        for name, (mean, error) in by_name.items()
    ]
    return Chart(
        title=TITLE,
        x=Axis("ε", log=True),
        y=Axis("share of fresh rows in the wrong class"),
        series=tuple(series),
        spread="two standard errors of the mean over the repeats",
        guarantee="Worst cases: differential privacy. Sampled: random DP with γ = 0.05, which is weaker.",
    )


def _checks(by_name: dict[str, tuple[FloatArray, FloatArray]], drawn: FloatArray) -> tuple[Check, ...]:
    at = int(np.flatnonzero(EPSILONS == 2.0)[0])
    private = {name: float(mean[at] - by_name[NONE][0][at]) for name, (mean, _) in by_name.items()}
    poor = [float(by_name[name][0][0]) for name in (WORST, DKW, RANK)]
    return (
        Check("At ε = 2 under RANK with 1,500 draws: error above that of no privacy", private[RANK], 0.0, 0.01),
        Check(MISSED, private[DKW], 0.0, 0.01),
        Check("At ε = 2 under DKW with 9,000 draws: error above that of no privacy", private[MORE], 0.0, 0.01),
        Check("At ε = 2 under Proposition 19: error", float(by_name[WORST][0][at]), 0.4, 0.5),
        Check("At ε = 2 under our own worst case: error", float(by_name[PROVED][0][at]), 0.35, 0.5),
        Check("At ε = 0.01: the least error of the three private ways", min(poor), 0.4, 0.55),
        Check("Share of pairs that move (w, b) by more than 0.1", float((drawn > 0.1).mean()), 0.0, 0.05),
    )
