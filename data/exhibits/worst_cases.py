"""Figures 5, 6, 7 and 9 of the sampler paper: sampled sensitivities of a linear SVM, a density and a mean against worst cases."""

from __future__ import annotations

from typing import Any

import numpy as np

from data.exhibits.exhibit import Axis, Chart, Check, Series, StoredTable, live
from dpcore import L1, LINF, BernsteinMechanism, Bound, OperatingPoint, PureDP, curves, oracles, sample_sensitivity, targets
from dpcore.base.arrays import Database, FloatArray

GAMMA_AXIS = "γ, the share of pairs that may be missed"
PAPER = "Proposition 19 (paper)"
UNIT = (0.0, 1.0)

# The linear SVM on two normal classes of Figures 5 and 6

RECORDS, M = 1_000, 1_500


def svm(dims: int) -> targets.LinearSVM:
    """Return (w, b) on [0, 1]^dims at C = 3."""
    return targets.LinearSVM((UNIT,) * dims, C=3.0)


def paper_bound(dims: int) -> float:
    """Return 2 + 2C√d + 4Cd/n (Proposition 19)."""
    bound = svm(dims).paper_bound(RECORDS)
    assert bound is not None
    return bound


def svm_distances(dims: int, m: int, seed: int, *, target: Any = None) -> FloatArray:
    """Return m distances in L1 between (w, b) of neighbours in ascending order; of another target if one is given."""
    at = OperatingPoint.for_sample_size(m)
    classes = oracles.TwoClasses(dims)
    return np.sort(sample_sensitivity(target or svm(dims), classes, norm=L1, n=RECORDS, at=at, seed=seed).distances)


def _live_classes(*, m: int, gamma: float, epsilon: float, bound: Bound, seed: int) -> dict[str, Any]:
    """Return the link to the SVM on two features."""
    law, columns = oracles.TwoClasses(2, x_bounds=(UNIT, UNIT)), ("x1", "x2", "label")
    return live("two_classes", columns, svm(2), law, n=RECORDS, m=m, gamma=gamma, epsilon=epsilon, bound=bound, seed=seed)


# Figure 5: from 8 to 64 features

DIMS = (8, 16, 32, 64)
GAMMAS = np.array([0.05, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5])
BY_DIMS = "Sensitivity at γ = 0.05 against the number of features"
ZERO = 1e-6  # of the solver: (w, b) has a size near 1
WIDE = (-1.0, 2.0)  # twelve standard deviations around either class: nothing is clipped


def unclipped(dims: int) -> Any:
    """Return the same (w, b) without clipping to [0, 1].

    On u = (x + 1)/3 let v and c minimise with 9C; then w = v/3 and b = c + Σw minimise on x with C.
    """
    wide = targets.LinearSVM((WIDE,) * dims, C=27.0)

    def target(database: Database) -> FloatArray:
        *v, c = wide(database)
        w = np.array(v) / 3
        return np.array([*w, c + w.sum()])

    return target


def order(gamma: float, bound: Bound) -> int:
    """Return the least k that certifies γ with the paper's m."""
    return OperatingPoint.for_both(M, gamma, bound=bound).k


def figure_5(seed: int = 5) -> dict[str, Any]:
    """Return the results of Figure 5."""
    drawn = {dims: svm_distances(dims, M, seed * 1_000 + dims) for dims in DIMS}
    free = {dims: svm_distances(dims, M, seed * 1_000 + dims, target=unclipped(dims)) for dims in DIMS}
    worst = {dims: paper_bound(dims) for dims in DIMS}

    def sampled(values: dict[int, FloatArray], gamma: float, bound: Bound) -> FloatArray:
        """Return Δ̂ for each number of features."""
        return np.array([values[dims][order(gamma, bound) - 1] for dims in DIMS])

    dkw, rank = (sampled(drawn, 0.05, bound) for bound in (Bound.DKW, Bound.RANK))
    lines = {
        PAPER: ("paper's worst case", np.array(list(worst.values()))),
        "our worst case": ("worst case", np.array([svm(dims).exact_bound(RECORDS) for dims in DIMS])),
        "sampled, DKW": ("dkw", dkw),
        "sampled, RANK": ("rank", rank),
        "sampled, RANK, not clipped": ("rank", sampled(free, 0.05, Bound.RANK)),
    }
    features = np.array(DIMS, dtype=float)
    return {
        "charts": (
            _by_gamma(drawn, worst),
            Chart(
                title=BY_DIMS,
                x=Axis("features", log=True),
                y=Axis("L1 sensitivity of (w, b)", log=True),
                series=tuple(Series(name=name, role=role, x=features, y=values) for name, (role, values) in lines.items()),
            ),
        ),
        "tables": (
            StoredTable(
                title="Δ̂ under DKW",
                columns=(
                    "features",
                    "Proposition 19",
                    *(f"Δ̂, γ = {g}{how}" for how in ("", ", not clipped") for g in (0.05, 0.1, 0.5)),
                ),
                rows=tuple(
                    (
                        d,
                        worst[d],
                        *(float(x[order(gamma, Bound.DKW) - 1]) for x in (drawn[d], free[d]) for gamma in (0.05, 0.1, 0.5)),
                    )
                    for d in DIMS
                ),
            ),
        ),
        "checks": (
            *(
                Check(f"{dims} features, γ = 0.05, DKW: Proposition 19 over Δ̂", float(worst[dims] / value), 100.0)
                for dims, value in zip(DIMS, dkw, strict=True)
            ),
            Check(
                "64 features: the share of pairs that do not move the classifier", float((drawn[64] <= ZERO).mean()), 0.5, 0.95
            ),
            Check(
                "Δ̂ without clipping over Δ̂ with it, γ = 0.1, DKW: the largest of the four",
                float((sampled(free, 0.1, Bound.DKW) / sampled(drawn, 0.1, Bound.DKW)).max()),
                0.5,
                3.0,
            ),
        ),
        "live": _live_classes(m=99, gamma=0.2, epsilon=1.0, bound=Bound.DKW, seed=seed),
    }


def _by_gamma(drawn: dict[int, FloatArray], worst: dict[int, float]) -> Chart:
    """Return Δ̂ against γ. A Δ̂ of zero is not shown, because nothing is released with it."""
    series = [
        Series(
            name=PAPER, role="paper's worst case", x=GAMMAS, y=np.full(GAMMAS.shape, worst[dims]), facets=(f"{dims} features",)
        )
        for dims in DIMS
    ]
    for bound in (Bound.DKW, Bound.RANK):
        for dims, values in drawn.items():
            found = np.array([values[order(gamma, bound) - 1] for gamma in GAMMAS])
            x, y, facets = GAMMAS[found > ZERO], found[found > ZERO], (f"{dims} features",)
            series.append(Series(name=f"sampled, {bound.name}", role=bound.name.lower(), x=x, y=y, facets=facets))
    axes = Axis(GAMMA_AXIS, log=True), Axis("L1 sensitivity of (w, b)", log=True)
    return Chart(title="Sensitivity against γ", x=axes[0], y=axes[1], series=tuple(series))


# Figure 6: how often a private linear SVM puts records into the wrong class, against ε

FEATURES, GAMMA, TABLES = 2, 0.05, 500
SAMPLES, NOISES, FRESH = 10, 20, 1_000  # draws of Δ̂; of noise for each table; records that are classified
POOLED = 6  # samples whose draws together are one of 9,000
EPSILONS = np.array([0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0])
PROVED, NONE, DKW, MORE, RANK = "our worst case", "no privacy", "DKW, m = 1,500", "DKW, m = 9,000", "RANK, m = 1,500"
MISSED = "At ε = 2 under DKW with the paper's 1,500 draws: error above that of no privacy"
ROLES = {PAPER: "paper's worst case", PROVED: "worst case", DKW: "dkw", MORE: "dkw", RANK: "rank", NONE: "no privacy"}


def errors(sensitivities: FloatArray, epsilons: FloatArray, *, noises: int, rng: np.random.Generator) -> FloatArray:
    """Return the share in the wrong class for one training table, a mean over fresh noise, shape (s, ε).

    The noise is Laplace of scale sensitivity/ε on each number of (w, b), and the same for all but for its scale.
    """
    oracle, target = oracles.TwoClasses(FEATURES), svm(FEATURES)
    answer = target(oracle.draw(1, RECORDS, rng=rng)[0])
    fresh = oracle.draw(1, FRESH, rng=rng)[0]
    noise = rng.laplace(size=(noises, FEATURES + 1))
    scales = sensitivities[:, None] / epsilons
    answers = answer + scales[..., None, None] * noise
    wrong = target.misclassified(answers.reshape(-1, FEATURES + 1), fresh)
    return np.asarray(wrong.reshape(*scales.shape, noises).mean(axis=-1))


def figure_6(seed: int = 6) -> dict[str, Any]:
    """Return the results of Figure 6. The training tables share ten draws of Δ̂."""
    drawn = np.array([svm_distances(FEATURES, M, seed * 1_000 + sample) for sample in range(SAMPLES)])
    together = np.sort(drawn[:POOLED].ravel())
    pooled = together[OperatingPoint.for_both(together.size, GAMMA, bound=Bound.DKW).k - 1]
    used = {
        PAPER: np.full(SAMPLES, paper_bound(FEATURES)),
        PROVED: np.full(SAMPLES, svm(FEATURES).exact_bound(RECORDS)),
        DKW: drawn[:, order(GAMMA, Bound.DKW) - 1],
        MORE: np.full(SAMPLES, pooled),
        RANK: drawn[:, order(GAMMA, Bound.RANK) - 1],
    }
    totals, rng = np.array([*used.values(), np.zeros(SAMPLES)]), np.random.default_rng(seed)
    found = np.array([errors(totals[:, i % SAMPLES], EPSILONS, noises=NOISES, rng=rng) for i in range(TABLES)])
    mean = dict(zip(ROLES, found.mean(axis=0), strict=True))
    error = dict(zip(ROLES, found.std(axis=0, ddof=1) / np.sqrt(TABLES), strict=True))
    chart = Chart(
        title="Rows in the wrong class",
        x=Axis("ε", log=True),
        y=Axis("share of fresh rows in the wrong class"),
        series=tuple(
            Series(name=name, role=role, x=EPSILONS, y=values, low=values - 2 * error[name], high=values + 2 * error[name])
            for (name, role), values in zip(ROLES.items(), mean.values(), strict=True)
        ),
        spread="two standard errors of the mean over the repeats",
        guarantee="Worst cases: differential privacy. Sampled: random DP with γ = 0.05, which is weaker.",
    )
    rows = tuple((name, *(float(end) for end in (one.mean(), one.min(), one.max()))) for name, one in used.items())
    at = int(np.flatnonzero(EPSILONS == 2.0)[0])
    private = {name: float(values[at] - mean[NONE][at]) for name, values in mean.items()}
    poor = min(float(mean[name][0]) for name in (PAPER, DKW, RANK))
    return {
        "charts": (chart,),
        "tables": (
            StoredTable(
                title="Sensitivities of (w, b) in L1", columns=("calibrated to", "sensitivity", "least", "largest"), rows=rows
            ),
        ),
        "checks": (
            Check("At ε = 2 under RANK with 1,500 draws: error above that of no privacy", private[RANK], 0.0, 0.01),
            Check(MISSED, private[DKW], 0.0, 0.01),
            Check("At ε = 2 under DKW with 9,000 draws: error above that of no privacy", private[MORE], 0.0, 0.01),
            Check("At ε = 2 under Proposition 19: error", float(mean[PAPER][at]), 0.4, 0.5),
            Check("At ε = 2 under our own worst case: error", float(mean[PROVED][at]), 0.35, 0.5),
            Check("At ε = 0.01: the least error of the three private ways", poor, 0.4, 0.55),
            Check("Share of pairs that move (w, b) by more than 0.1", float((drawn > 0.1).mean()), 0.0, 0.05),
        ),
        "live": _live_classes(m=99, gamma=GAMMA, epsilon=2.0, bound=Bound.RANK, seed=seed),
    }


# Figure 7: the distance of a private density from the one without privacy, against ε, and what its noise is calibrated to

N_DENSITY, M_DENSITY, DEGREE, ORDER, BANDWIDTH, RUNS = 5_000, 50_000, 10, 3, 0.1, 1_000
DENSITY_GAMMAS = (0.05, 0.2)
ORACLE = oracles.NormalMixture((0.4, 0.6), (0.5, 0.75), (0.02**0.5, 0.005**0.5), UNIT)
DENSITY_EPSILONS = np.array([0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0, 5.0, 10.0])
POINTS = np.linspace(0, 1, 101)[:, None]
NO_NOISE = "polynomial, no noise"
NORMS = {LINF: "(k+1)·L∞", L1: "L1"}
SHORT = {"dkw": "sampled, DKW", "rank": "sampled, RANK"}
FACETS = {(norm, gamma): f"{name}, γ = {gamma}" for norm, name in NORMS.items() for gamma in DENSITY_GAMMAS}


def density(bandwidth: float = BANDWIDTH) -> targets.OnLattice:
    """Return a kernel density on the lattice 0, 1/10, …, 1."""
    return targets.OnLattice(curves.KernelDensity(bandwidth), DEGREE)


def total(norm: Any, sensitivity: float) -> float:
    """Return what ε divides: the sensitivity in L1, or k + 1 times that in L∞ (Corollary 14)."""
    return sensitivity if norm == L1 else (DEGREE + 1) * sensitivity


def worst(norm: Any, bandwidth: float = BANDWIDTH) -> float:
    """Return the total of the proved sensitivity."""
    proved = density(bandwidth).global_sensitivity(norm, N_DENSITY)
    assert proved is not None
    return total(norm, proved.value)


def sampled_total(norm: Any, gamma: float, bound: Bound, *, m: int, seed: int, bandwidth: float = BANDWIDTH) -> float:
    """Return the total of a sampled sensitivity."""
    at = OperatingPoint.for_both(m, gamma, bound=bound)
    return total(norm, sample_sensitivity(density(bandwidth), ORACLE, norm=norm, n=N_DENSITY, at=at, seed=seed).order_statistic)


def rms(values: FloatArray) -> FloatArray:
    """Return the root of the mean square over the last axis."""
    return np.asarray(np.sqrt(np.mean(values**2, axis=-1)))


def _relative_errors(totals: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, float]:
    """Return the distance of private densities of one fresh table from its own density, and that of the polynomial without noise.

    A distance is a root mean square over the range, as a share of the density's own. The noise is the same for all but for its
    scale. Shape (t, ε).
    """
    database = ORACLE.draw(1, N_DENSITY, rng=rng)[0]
    target = density()
    exact, raw = target.curve.values(database, POINTS), target(database)
    law: Any = BernsteinMechanism(order=ORDER).law(target, 1.0, PureDP(1.0))
    smooth = law.curves(law.polynomial(raw).coefficients[None], POINTS)[0] - exact
    noise = law.curves(law.simulate(np.zeros_like(raw), size=1, rng=rng), POINTS)[0]
    size = rms(exact)
    return rms(smooth + (totals[:, None] / DENSITY_EPSILONS)[..., None] * noise) / size, float(rms(smooth) / size)


def _ways(seed: int) -> dict[str, tuple[str, str, tuple[str, ...], FloatArray]]:
    """Return what the noise is calibrated to: name in the chart, role, facets, and the total in each of the ten draws."""
    every, sharp = tuple(FACETS.values()), tuple(FACETS[L1, gamma] for gamma in DENSITY_GAMMAS)
    found = {}
    for norm, role, facets in ((LINF, "paper's worst case", every), (L1, "worst case", sharp)):
        name = f"worst case, {NORMS[norm]}"
        found[name] = name, role, facets, np.full(SAMPLES, worst(norm))
    for norm in NORMS:
        for bound in (Bound.DKW, Bound.RANK):
            for gamma in DENSITY_GAMMAS:
                totals = [sampled_total(norm, gamma, bound, m=M_DENSITY, seed=seed * 1_000 + i) for i in range(SAMPLES)]
                role, facets = bound.name.lower(), (FACETS[norm, gamma],)
                found[f"sampled {NORMS[norm]}, {bound.name}, γ = {gamma}"] = SHORT[role], role, facets, np.array(totals)
    return found


def figure_7(seed: int = 7) -> dict[str, Any]:
    """Return the results of Figure 7. The fresh tables share the draws of Δ̂."""
    ways, rng = _ways(seed), np.random.default_rng(seed)
    totals = np.array([values for *_, values in ways.values()])
    found = [_relative_errors(totals[:, i % SAMPLES], rng) for i in range(RUNS)]
    values, smooth = np.array([one for one, _ in found]), np.array([one for _, one in found])
    mean, error = values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(RUNS)
    series = [
        Series(name=name, role=role, x=DENSITY_EPSILONS, y=one, low=one - 2 * near, high=one + 2 * near, facets=facets)
        for (name, role, facets, _), one, near in zip(ways.values(), mean, error, strict=True)
    ]
    series.append(Series(name=NO_NOISE, role="no privacy", x=DENSITY_EPSILONS, y=np.full(len(DENSITY_EPSILONS), smooth.mean())))
    chart = Chart(
        title="Distance from the exact density, relative to its size",
        x=Axis("ε", log=True),
        y=Axis("relative root mean square distance", log=True),
        series=tuple(series),
        spread="two standard errors of the mean over the repeats",
        guarantee="Worst cases: differential privacy. Sampled: random DP with γ, which is weaker.",
    )
    used = {name: float(values.mean()) for name, (*_, values) in ways.items()}
    paper, sharp, close = used["worst case, (k+1)·L∞"], used["worst case, L1"], used["sampled L1, RANK, γ = 0.05"]
    of_paper, none = chart.called("worst case, (k+1)·L∞").y, chart.called(NO_NOISE).y[0]
    private = chart.called("sampled, RANK", "L1, γ = 0.05").y
    near = paper / used["sampled (k+1)·L∞, RANK, γ = 0.05"]
    small, last, final = (float(ratio) for ratio in (of_paper[1] / private[1], private[-1] / none, of_paper[-1] / none))
    return {
        "charts": (chart,),
        "tables": (
            StoredTable(
                title="What the noise is calibrated to",
                columns=("calibrated to", "what ε divides", "as a share of the paper's worst case"),
                rows=tuple((name, value, value / paper) for name, value in used.items()),
            ),
            _bandwidths(seed),
        ),
        "checks": (
            Check("Noise of the paper's worst case over that of the sampled L1 (γ = 0.05, RANK)", paper / close, 2.0, 2.5),
            Check("Noise of the paper's worst case over that of the sampled (k+1)·L∞ (γ = 0.05, RANK)", near, 1.0, 1.05),
            Check("Noise of the sharp L1 worst case over that of the sampled L1 (γ = 0.05, RANK)", sharp / close, 1.0, 1.1),
            Check("At ε = 0.02: error under the paper's worst case over that under the sampled L1", small, 1.8, 2.2),
            Check("At ε = 10: error under the sampled L1 over that of the polynomial without noise", last, 0.99, 1.05),
            Check("At ε = 10: error under the paper's worst case over that of the polynomial without noise", final, 0.99, 1.05),
        ),
        "live": live(
            "two_bumps",
            ("x",),
            density(),
            ORACLE,
            n=N_DENSITY,
            m=999,
            gamma=0.05,
            epsilon=0.1,
            mechanism=BernsteinMechanism(order=ORDER),
            seed=seed,
        ),
    }


def _bandwidths(seed: int) -> StoredTable:
    rows = []
    for h in (0.01, 0.02, 0.05, 0.1, 0.2):
        pairs = [(worst(norm, h), sampled_total(norm, 0.05, Bound.RANK, m=M_DENSITY, seed=seed, bandwidth=h)) for norm in NORMS]
        rows.append((h, *pairs[0], *pairs[1]))
    return StoredTable(
        title="The same for other bandwidths, under RANK",
        columns=("bandwidth", *(f"{name}, {how}" for name in NORMS.values() for how in ("worst case", "sampled at γ = 0.05"))),
        rows=tuple(rows),
    )


# Figure 9: the mean of bounded records

N_MEAN, REPEATS = 500, 10
COLUMNS = (1, 2, 4, 8, 16, 32, 64, 128)
MEAN_GAMMAS = (0.01, 0.05, 0.1, 0.2)
WORST = "worst case, d/n"


def _mean(dims: int) -> targets.Mean:
    return targets.Mean((UNIT,) * dims if dims > 1 else UNIT)


def order_statistic(dims: int, gamma: float, bound: Bound, seed: int) -> float:
    """Return Δ̂ in L1 with the least m that certifies γ."""
    column = oracles.Uniform(*UNIT)
    oracle = column if dims == 1 else oracles.IndependentColumns((column,) * dims)
    at = OperatingPoint.for_gamma(gamma, bound=bound)
    return sample_sensitivity(_mean(dims), oracle, norm=L1, n=N_MEAN, at=at, seed=seed).order_statistic


def figure_9(seed: int = 9) -> dict[str, Any]:
    """Return the results of Figure 9."""
    dims = np.array(COLUMNS, dtype=float)
    proved = np.array([bound.value for d in COLUMNS if (bound := _mean(d).global_sensitivity(L1, N_MEAN)) is not None])
    series = [
        Series(name=WORST, role="worst case", x=dims, y=proved),
        Series(name="a typical pair, d/(3n)", role="formula", x=dims, y=dims / 3 / N_MEAN),
    ]
    sampled = {}
    for bound in (Bound.DKW, Bound.RANK):
        for gamma in MEAN_GAMMAS:
            drawn = [
                [order_statistic(d, gamma, bound, seed * 10_000 + 100 * d + repeat) for repeat in range(REPEATS)] for d in COLUMNS
            ]
            values, facets = np.mean(drawn, axis=1), (f"γ = {gamma}",)
            series.append(Series(name=f"sampled, {bound.name}", role=bound.name.lower(), x=dims, y=values, facets=facets))
            sampled[bound, gamma] = values
    ratios = {key: proved / values for key, values in sampled.items()}
    known = min(float(sampled[Bound.DKW, gamma][0] * N_MEAN) for gamma in MEAN_GAMMAS)
    axes = Axis("number of columns d", log=True), Axis("L1 sensitivity of the mean", log=True)
    every = np.array(list(ratios.values()))
    largest = "The largest ratio of the worst case to Δ̂: three is what a typical pair of many columns has"
    return {
        "charts": (
            Chart(title="Sensitivity of the mean against the number of columns", x=axes[0], y=axes[1], series=tuple(series)),
        ),
        "tables": (
            StoredTable(
                title="Worst case over Δ̂, under DKW",
                columns=("columns", *(f"γ = {gamma}" for gamma in MEAN_GAMMAS)),
                rows=tuple((d, *(float(ratios[Bound.DKW, gamma][i]) for gamma in MEAN_GAMMAS)) for i, d in enumerate(COLUMNS)),
            ),
        ),
        "checks": (
            Check("The least ratio of the worst case to Δ̂", float(every.min()), 1.0),
            Check(largest, float(every.max()), 2.0, 3.0),
            Check("128 columns, γ = 0.05, DKW: the worst case over Δ̂", float(ratios[Bound.DKW, 0.05][-1]), 2.0, 3.0),
            Check("One column, DKW: the least n·Δ̂, which the text calls a striking reduction", known, 0.8, 1.0),
        ),
        "live": live(
            "two_classes",
            ("x1", "x2"),
            _mean(2),
            oracles.IndependentColumns((oracles.Uniform(*UNIT),) * 2),
            n=1_000,
            m=285,
            gamma=0.1,
            bound=Bound.DKW,
            seed=seed,
        ),
    }
