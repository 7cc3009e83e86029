"""diffpriv's second example: the most frequent letter in ten names, by the exponential mechanism."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from data.exhibits.exhibit import Axis, Cell, Chart, Check, Series, StoredTable
from data.exhibits.live import live
from dpcore import LINF, RANGE, Bound, Exponential, OperatingPoint, PureDP, oracles, sample_sensitivity, targets
from dpcore.base.types import Database, FloatArray

SEED = 26
N, GAMMA, EPSILON, SAMPLES = 10, 0.1, 1.0, 200
TARGET = targets.LetterCounts()  # counts small letters only, as the vignette does
EPSILONS = np.array([0.01, 0.03, 0.1, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0])
LETTERS, SHORTFALL = "How likely each letter is at ε = 1", "How far the chosen letter falls short of the most frequent one"
PROMISE = "Random DP with γ = 0.1, weaker than differential privacy; diffpriv 0.4.2: no guarantee."
DIFFPRIV, PAPER = "diffpriv 0.4.2", "paper's rule, DKW"
RANKED, FLIPPED = "exponential, RANK", "permute-and-flip, RANK"
_OURS: dict[str, tuple[str, Any, Bound, Any]] = {
    PAPER: ("dkw", LINF, Bound.DKW, "gumbel"),
    RANKED: ("rank", RANGE, Bound.RANK, "gumbel"),
    FLIPPED: ("permute-and-flip", RANGE, Bound.RANK, "permute-and-flip"),
}


def names() -> Database:
    """The ten names of the example."""
    file = Path(__file__).parents[1] / "scientists.csv"
    return np.array(file.read_text(encoding="utf-8").split("\n")[1:-1])


def sensitivities(way: str, samples: int, seed: int) -> list[float]:
    """Drawn Δ̂, in the norm and at the point of this way."""
    _, norm, bound, _ = _OURS[way]
    at = OperatingPoint.for_gamma(GAMMA, bound=bound)
    return [
        sample_sensitivity(TARGET, oracles.Names(), norm=norm, n=N, at=at, seed=seed * 1_000 + i).order_statistic
        for i in range(samples)
    ]


def laws(way: str, drawn: list[float], epsilon: float) -> list[Any]:
    """How likely each letter is, under each of these Δ̂."""
    _, norm, _, selection = _OURS[way]
    mechanism = Exponential(TARGET.candidates, norm=norm, selection=selection)
    return [mechanism.law(TARGET, value, PureDP(epsilon)) for value in drawn]


def diffpriv(scores: FloatArray) -> FloatArray:
    """diffpriv's probabilities as its code has them: in proportion to s(r), without the exp of its paper."""
    return np.asarray(scores / scores.sum())


def parts() -> dict[str, Any]:
    """Return charts, tables, checks and the link of the exhibit."""
    scores = TARGET(names())
    drawn = {way: sensitivities(way, SAMPLES, SEED) for way in _OURS}
    chances = {DIFFPRIV: diffpriv(scores)} | {
        way: np.mean([one.probabilities(scores) for one in laws(way, each, EPSILON)], axis=0) for way, each in drawn.items()
    }
    short = {DIFFPRIV: np.full(len(EPSILONS), diffpriv(scores) @ (scores.max() - scores))} | {
        way: np.array([np.mean([one.shortfall(scores) for one in laws(way, each, float(epsilon))]) for epsilon in EPSILONS])
        for way, each in drawn.items()
    }
    roles = {DIFFPRIV: "diffpriv"} | {way: role for way, (role, *_) in _OURS.items()}
    numbers = np.arange(1.0, 27.0)
    charts = (
        Chart(
            title=LETTERS,
            x=Axis("letter", names=TARGET.candidates),
            y=Axis("chance to be chosen"),
            series=tuple(
                Series(name=way, role=roles[way], x=numbers, y=values, drawn="points") for way, values in chances.items()
            ),
            guarantee=PROMISE,
        ),
        Chart(
            title=SHORTFALL,
            x=Axis("ε", log=True),
            y=Axis("expected shortfall", "letters"),
            series=tuple(Series(name=way, role=roles[way], x=EPSILONS, y=values) for way, values in short.items()),
            guarantee=PROMISE,
        ),
    )
    return {
        "charts": charts,
        "tables": (_table(scores, chances),),
        "checks": _checks(scores, chances, short),
        "live": _live(),
    }


def _table(scores: FloatArray, chances: dict[str, FloatArray]) -> StoredTable:
    rows: list[tuple[Cell, ...]] = [
        (letter, float(scores[i]), *(float(values[i]) for values in chances.values()))
        for i, letter in enumerate(TARGET.candidates)
    ]
    return StoredTable(title="The letters of the ten names", columns=("letter", "how often", *chances), rows=tuple(rows))


def _checks(scores: FloatArray, chances: dict[str, FloatArray], short: dict[str, FloatArray]) -> tuple[Check, ...]:
    at = int(np.flatnonzero(EPSILONS == EPSILON)[0])
    e = TARGET.candidates.index("e")
    unseen = scores == 0
    return (
        Check("How often the most frequent letter, e, occurs", float(scores[e]), 15, 15),
        Check(
            "diffpriv's chance of a letter that no name has, which is 0 on this table and not on its neighbours",
            float(chances[DIFFPRIV][unseen].max()),
            0.0,
            0.0,
        ),
        Check("The least chance of such a letter under the paper's rule", float(chances[PAPER][unseen].min()), 1e-6),
        Check(
            "At ε = 1: shortfall under permute-and-flip below diffpriv's, in letters",
            float(short[DIFFPRIV][at] - short[FLIPPED][at]),
            0.5,
        ),
        Check(
            "At ε = 1: shortfall under the paper's rule and DKW over that under RANGE and RANK",
            float(short[PAPER][at] / short[RANKED][at]),
            1.0,
            1.6,
        ),
        Check("At ε = 20: shortfall under permute-and-flip", float(short[FLIPPED][-1]), 0.0, 0.6),
    )


def _live() -> dict[str, Any]:
    flipped = Exponential(TARGET.candidates, selection="permute-and-flip")
    return live("scientists", ("name",), TARGET, oracles.Names(), n=N, m=199, gamma=GAMMA, mechanism=flipped, seed=SEED)
