"""The three examples of the diffpriv paper: the private mean of 100 numbers, letters of ten names, and a kernel regression."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from data.exhibits.exhibit import Axis, Chart, Check, Series, StoredTable, live
from dpcore import (
    L1,
    LINF,
    RANGE,
    BernsteinMechanism,
    Bound,
    ExponentialMechanism,
    LaplaceMechanism,
    OperatingPoint,
    PureDP,
    curves,
    oracles,
    sample_sensitivity,
    targets,
)
from dpcore.base.arrays import Database, FloatArray

TABLES = Path(__file__).parents[1]

# The private mean of 100 numbers in [0, 1]

N_MEAN, MEAN_GAMMA, RESPONSES = 100, 0.05, 20_000
PRINTED, EXACT_MEAN = 0.5244495, 0.5343454  # what the paper prints of its run
MEAN = targets.Mean((0.0, 1.0))
POINTS = {
    "sampled, DKW": OperatingPoint.for_gamma(MEAN_GAMMA, bound=Bound.DKW),
    "sampled, RANK": OperatingPoint.for_both(999, MEAN_GAMMA),
}
MEAN_ROLES = {"worst case, 1/n": "worst case", "sampled, DKW": "dkw", "sampled, RANK": "rank"}


def sampled(point: OperatingPoint, seed: int) -> Any:
    """Return Δ̂ of the mean of n uniform records."""
    return sample_sensitivity(MEAN, oracles.Uniform(0.0, 1.0), norm=L1, n=N_MEAN, at=point, seed=seed).sensitivity()


def within(distance: FloatArray | float, scale: float) -> FloatArray:
    """Return P(|noise| <= t) = 1 − exp(−t/b)."""
    return np.asarray(1 - np.exp(-np.asarray(distance) / scale))


def diffpriv_mean(seed: int = 100) -> dict[str, Any]:
    """Return the results of the first example, at ε = 1."""
    worst = MEAN.global_sensitivity(L1, N_MEAN)
    assert worst is not None
    sensitivities = [worst, *(sampled(point, seed) for point in POINTS.values())]
    proved, dkw, rank = scales = [float(LaplaceMechanism().calibrate(one, PureDP(1.0)).law.scale) for one in sensitivities]
    distances = np.linspace(0, 0.05, 51)
    chart = Chart(
        title="How far a private mean is from the mean",
        x=Axis("distance from the exact mean"),
        y=Axis("share of answers within it"),
        series=tuple(
            Series(name=name, role=role, x=distances, y=within(distances, scale))
            for (name, role), scale in zip(MEAN_ROLES.items(), scales, strict=True)
        ),
        guarantee="ε = 1. Worst case: differential privacy. Sampled: random DP with γ = 0.05, which is weaker.",
    )
    farther = [float(1 - within(abs(PRINTED - EXACT_MEAN), scale)) for scale in scales]
    law, rng = LaplaceMechanism().law(MEAN, proved, PureDP(1.0)), np.random.default_rng(seed)
    far = float(np.abs(law.simulate(np.array([EXACT_MEAN]), size=RESPONSES, rng=rng) - EXACT_MEAN).mean())
    expected = "Mean distance of 20,000 simulated answers over the scale, which is its expectation"
    return {
        "charts": (chart,),
        "tables": (
            StoredTable(
                title="At ε = 1",
                columns=(
                    "calibrated to",
                    "sensitivity",
                    "scale of the noise",
                    "share of answers farther off than diffpriv's printed one",
                ),
                rows=tuple((name, scale, scale, share) for name, scale, share in zip(MEAN_ROLES, scales, farther, strict=True)),
            ),
        ),
        "checks": (
            Check("Scale under the worst case, in units of 1/n", proved * N_MEAN, 1.0, 1.0 + 1e-9),
            Check("Scale under RANK (m = 999, γ = 0.05) over that of the worst case", rank / proved, 0.7, 0.85),
            Check("Scale under DKW (m = 1,305, γ = 0.05) over that of the worst case", dkw / proved, 0.9, 1.0),
            Check("Share of answers that are farther off than the one that the paper prints", farther[0], 0.01, 0.99),
            Check(expected, far / proved, 0.96, 1.04),
        ),
        "live": live("two_bumps", ("x",), MEAN, oracles.Uniform(0.0, 1.0), n=5_000, m=999, gamma=MEAN_GAMMA, seed=seed),
    }


# The most frequent letter in ten names, by the exponential mechanism

N_NAMES, LETTERS_GAMMA, SAMPLES = 10, 0.1, 200
LETTERS = targets.LetterCounts()  # counts small letters only, as the vignette does
EPSILONS = np.array([0.01, 0.03, 0.1, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0])
SHORTFALL = "How far the chosen letter falls short of the most frequent one"
DIFFPRIV, LETTERS_PAPER, RANKED, FLIPPED = "diffpriv 0.4.2", "paper's rule, DKW", "exponential, RANK", "permute-and-flip, RANK"
LETTERS_WAYS: dict[str, tuple[str, Any, Bound, Any]] = {
    LETTERS_PAPER: ("dkw", LINF, Bound.DKW, "gumbel"),
    RANKED: ("rank", RANGE, Bound.RANK, "gumbel"),
    FLIPPED: ("permute-and-flip", RANGE, Bound.RANK, "permute-and-flip"),
}


def names() -> Database:
    """Return the ten names of the example."""
    return np.array((TABLES / "scientists.csv").read_text(encoding="utf-8").split("\n")[1:-1])


def sensitivities(way: str, samples: int, seed: int) -> list[float]:
    """Return Δ̂ of several samples, in the norm and at the point of this way."""
    _, norm, bound, _ = LETTERS_WAYS[way]
    at = OperatingPoint.for_gamma(LETTERS_GAMMA, bound=bound)
    return [
        sample_sensitivity(LETTERS, oracles.Names(), norm=norm, n=N_NAMES, at=at, seed=seed * 1_000 + i).order_statistic
        for i in range(samples)
    ]


def laws(way: str, drawn: list[float], epsilon: float) -> list[Any]:
    """Return the distribution of the chosen letter under each of these Δ̂."""
    _, norm, _, selection = LETTERS_WAYS[way]
    mechanism = ExponentialMechanism(LETTERS.candidates, norm=norm, selection=selection)
    return [mechanism.law(LETTERS, value, PureDP(epsilon)) for value in drawn]


def diffpriv_letters(seed: int = 26) -> dict[str, Any]:
    """Return the results of the second example.

    diffpriv's probabilities are as its code has them: in proportion to s(r), without the exp of its paper.
    """
    scores, roles = LETTERS(names()), {DIFFPRIV: "diffpriv"} | {way: role for way, (role, *_) in LETTERS_WAYS.items()}
    theirs = scores / scores.sum()
    chances, short = {DIFFPRIV: theirs}, {DIFFPRIV: np.full(len(EPSILONS), theirs @ (scores.max() - scores))}
    for way in LETTERS_WAYS:
        drawn = sensitivities(way, SAMPLES, seed)
        chances[way] = np.mean([one.probabilities(scores) for one in laws(way, drawn, 1.0)], axis=0)
        short[way] = np.array(
            [np.mean([one.shortfall(scores) for one in laws(way, drawn, float(epsilon))]) for epsilon in EPSILONS]
        )
    promise = "Random DP with γ = 0.1, weaker than differential privacy; diffpriv 0.4.2: no guarantee."
    at, unseen = int(np.flatnonzero(EPSILONS == 1.0)[0]), scores == 0
    never = "diffpriv's chance of a letter that no name has, which is 0 on this table and not on its neighbours"
    return {
        "charts": (
            Chart(
                title="How likely each letter is at ε = 1",
                x=Axis("letter", names=LETTERS.candidates),
                y=Axis("chance to be chosen"),
                series=tuple(
                    Series(name=way, role=roles[way], x=np.arange(1.0, 27.0), y=values, drawn="points")
                    for way, values in chances.items()
                ),
                guarantee=promise,
            ),
            Chart(
                title=SHORTFALL,
                x=Axis("ε", log=True),
                y=Axis("expected shortfall", "letters"),
                series=tuple(Series(name=way, role=roles[way], x=EPSILONS, y=values) for way, values in short.items()),
                guarantee=promise,
            ),
        ),
        "tables": (
            StoredTable(
                title="The letters of the ten names",
                columns=("letter", "how often", *chances),
                rows=tuple(
                    (letter, float(scores[i]), *(float(values[i]) for values in chances.values()))
                    for i, letter in enumerate(LETTERS.candidates)
                ),
            ),
        ),
        "checks": (
            Check("How often the most frequent letter, e, occurs", float(scores[LETTERS.candidates.index("e")]), 15, 15),
            Check(never, float(theirs[unseen].max()), 0.0, 0.0),
            Check("The least chance of such a letter under the paper's rule", float(chances[LETTERS_PAPER][unseen].min()), 1e-6),
            Check(
                "At ε = 1: shortfall under permute-and-flip below diffpriv's, in letters",
                float(short[DIFFPRIV][at] - short[FLIPPED][at]),
                0.5,
            ),
            Check(
                "At ε = 1: shortfall under the paper's rule and DKW over that under RANGE and RANK",
                float(short[LETTERS_PAPER][at] / short[RANKED][at]),
                1.0,
                1.6,
            ),
            Check("At ε = 20: shortfall under permute-and-flip", float(short[FLIPPED][-1]), 0.0, 0.6),
        ),
        "live": live(
            "scientists",
            ("name",),
            LETTERS,
            oracles.Names(),
            n=N_NAMES,
            m=199,
            gamma=LETTERS_GAMMA,
            mechanism=ExponentialMechanism(LETTERS.candidates, selection="permute-and-flip"),
            seed=seed,
        ),
    }


# A private kernel regression by the Bernstein mechanism (Figure 1 of the diffpriv paper)

N_CURVE, M_CURVE, CURVE_GAMMA, CURVE_EPSILON, DRAWS = 250, 500, 0.2, 5.0, 20
FACTOR = math.sqrt(2 * math.pi)  # the vignette's kernel exp(−u²/2) lacks 1/√(2π), so that its curves are so much larger
CURVE = targets.OnLattice(curves.PriestleyChao(0.1), 25)
AT = np.linspace(0, 1, 50)[:, None]
FINE = np.linspace(0, 1, 501)[:, None]
ORDERS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12)
CURVE_WAYS: dict[str, tuple[str, Any, Bound, int]] = {
    "diffpriv, order 1": ("diffpriv", LINF, Bound.DKW, 1),
    "L1, DKW, order 6": ("dkw", L1, Bound.DKW, 6),
    "L1, RANK, order 6": ("rank", L1, Bound.RANK, 6),
}


def records() -> FloatArray:
    """Return the table of the noisy sine: x uniform on [0, 1], y = x·sin(10x) + 0.2·N(0, 1)."""
    return np.loadtxt(TABLES / "sine.csv", delimiter=",", skiprows=1)


def distances(norm: Any, samples: int, seed: int) -> FloatArray:
    """Return m distances of each sample in ascending order, shape (samples, m)."""
    at, oracle = OperatingPoint.for_sample_size(M_CURVE), oracles.RegressionPrior()
    drawn = [sample_sensitivity(CURVE, oracle, norm=norm, n=N_CURVE, at=at, seed=seed + i) for i in range(samples)]
    return np.sort([one.distances for one in drawn], axis=1)


def order_statistic(drawn: FloatArray, bound: Bound) -> FloatArray:
    """Return Δ̂ of each sample, shape (samples,)."""
    return np.asarray(drawn[:, OperatingPoint.for_both(M_CURVE, CURVE_GAMMA, bound=bound).k - 1])


def private(norm: Any, order: int, sensitivity: float, seed: int, points: FloatArray) -> FloatArray:
    """Return one simulated private curve at the points."""
    law: Any = BernsteinMechanism(order=order, norm=norm).law(CURVE, sensitivity, PureDP(CURVE_EPSILON))
    coefficients = law.simulate(CURVE(records()), size=1, rng=np.random.default_rng(seed))
    return np.asarray(law.curves(coefficients, points)[0])


def errors(norm: Any, order: int, sensitivities: FloatArray) -> FloatArray:
    """Return the root mean square distance of a private curve from the exact one, for each Δ̂, on 501 points of [0, 1]."""
    exact = CURVE.curve.values(records(), FINE)
    found = [private(norm, order, float(one), seed, FINE) - exact for seed, one in enumerate(sensitivities)]
    return np.asarray(np.sqrt(np.mean(np.square(found), axis=1)))


def diffpriv_regression(seed: int = 250) -> dict[str, Any]:
    """Return the results of the third example."""
    drawn = {norm: distances(norm, DRAWS, seed * 1_000) for norm in (L1, LINF)}
    used = {way: order_statistic(drawn[norm], bound) for way, (_, norm, bound, _) in CURVE_WAYS.items()}
    medians = {way: float(np.median(errors(norm, order, used[way]))) for way, (_, norm, _, order) in CURVE_WAYS.items()}
    theirs, dkw, rank = medians.values()
    exact, true = CURVE.curve.values(records(), AT), AT[:, 0] * np.sin(10 * AT[:, 0])
    slope = float((true @ exact) / (true @ true))
    sixth, oracle = BernsteinMechanism(order=6), oracles.RegressionPrior()
    return {
        "charts": (_curves(used, seed), _by_order(used)),
        "tables": (
            StoredTable(
                title="Over 20 draws of Δ̂ and of noise",
                columns=("calibrated to", "median Δ̂", "median error", "the same on the vignette's scale, √(2π) times"),
                rows=tuple((way, float(np.median(used[way])), one, one * FACTOR) for way, one in medians.items()),
            ),
        ),
        "checks": (
            Check("diffpriv's noise and order: median error, on the vignette's scale", theirs * FACTOR, 0.15, 0.25),
            Check("That over ours in L1 under DKW, order 6", theirs / dkw, 5.0),
            Check("That over ours in L1 under RANK, order 6", theirs / rank, 6.5),
            Check("How much of x·sin(10x) the curve without privacy has", slope, 0.45, 0.65),
            Check("The same of the vignette's curve, which is √(2π) times as large", slope * FACTOR, 1.2, 1.6),
        ),
        "live": live(
            "sine",
            ("x", "y"),
            CURVE,
            oracle,
            n=N_CURVE,
            m=M_CURVE,
            gamma=CURVE_GAMMA,
            epsilon=CURVE_EPSILON,
            mechanism=sixth,
            seed=seed,
        ),
    }


def _curves(used: dict[str, FloatArray], seed: int) -> Chart:
    """Return the curve without privacy, and private versions of it."""
    x, data, without, with_privacy = AT[:, 0], records(), ("without privacy",), ("private at ε = 5",)
    exact = CURVE.curve.values(data, AT)
    law: Any = BernsteinMechanism().law(CURVE, 1.0, PureDP(CURVE_EPSILON))
    series = [
        Series(name="rows", role="rows", x=data[:, 0], y=data[:, 1], drawn="points"),
        Series(name="no privacy", role="no privacy", x=x, y=exact),
        Series(name="vignette's kernel", role="formula", x=x, y=FACTOR * exact, facets=without),
        Series(name="polynomial, order 1", role="other", x=x, y=law.polynomial(CURVE(data))(x), facets=without),
    ]
    for way, (role, norm, _, order) in CURVE_WAYS.items():
        y = private(norm, order, float(used[way][0]), seed, AT)
        series.append(Series(name=way, role=role, x=x, y=y, facets=with_privacy))
    return Chart(
        title="The curve and its private versions", x=Axis("x"), y=Axis("y"), series=tuple(series), guarantee=CURVE_PROMISE
    )


def _by_order(used: dict[str, FloatArray]) -> Chart:
    """Return the error of private curves against the order of the polynomial."""
    series, short = [], ("26·L∞, DKW (diffpriv)", "L1, DKW", "L1, RANK")
    for name, (way, (role, norm, _, _)) in zip(short, CURVE_WAYS.items(), strict=True):
        y = np.array([np.median(errors(norm, order, used[way])) for order in ORDERS])
        series.append(Series(name=name, role=role, x=np.array(ORDERS), y=y))
    axes = Axis("order of the polynomial"), Axis("median error of 20 private curves")
    return Chart(
        title="Error of the private curve against the order of the polynomial",
        x=axes[0],
        y=axes[1],
        series=tuple(series),
        guarantee=CURVE_PROMISE,
    )


CURVE_PROMISE = "Private curves: ε = 5, random DP with γ = 0.2, which is weaker than differential privacy."
