"""Numbers that must not change to the last bit: seeded draws are part of every published number.

``python -m tests.unchanged`` writes ``tests/reference/unchanged.json`` anew. Do that only for a change that is meant to alter
seeded draws, and say so in the changelog.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from dpcore import (
    L1,
    L2,
    LINF,
    RANGE,
    Adjacency,
    ApproxDP,
    Bound,
    Filter,
    GlobalSensitivity,
    GroupBy,
    OperatingPoint,
    PureDP,
    curves,
    mechanisms,
    oracles,
    per_user,
    sample_sensitivity,
    targets,
)
from dpcore.base.fingerprint import fingerprint
from dpcore.errors import DpcoreError

STORED = Path(__file__).parent / "reference" / "unchanged.json"
M = 40  # draws of each case
UNIT = (0.0, 1.0)
SQUARE = (UNIT, UNIT)
REPLACE, ADD = Adjacency.REPLACE_ONE_RECORD, Adjacency.ADD_OR_REMOVE_ONE_USER
VISITS = oracles.Users(oracles.LogNormal(3.0, 1.0), (oracles.Uniform(0.0, 240.0),), ("minutes",))
TWO_COLUMNS = oracles.IndependentColumns(
    (oracles.Normal(0.5, 0.2, UNIT), oracles.Categorical((0.3, 0.7), ("a", "b"))), ("x", "t")
)
SMALL = np.linspace(0.0, 1.0, 30) ** 2
PEOPLE = per_user(np.array([(x,) for x in SMALL], dtype=[("minutes", float)]), np.arange(30) % 7)


def trimmed_mean(values: np.ndarray[Any, Any]) -> Any:
    """A function of the user's own, which only the plain method measures."""
    return np.sort(values)[2:-2].mean()


def longest_visit(rows: np.ndarray[Any, Any]) -> Any:
    """A function of the rows of people."""
    return rows["minutes"].max()


def share_of_large(values: np.ndarray[Any, Any]) -> Any:
    """One that depends on the order of the records."""
    return (values * np.arange(1, len(values) + 1)).sum() / len(values) ** 2


# name: target, oracle, norm, n, seed, adjacency
CASES: dict[str, tuple[Any, Any, Any, int, int, Adjacency]] = {
    "mean": (targets.Mean(), oracles.Exponential(1.0), L1, 500, 1, REPLACE),
    "clipped mean": (targets.Mean(UNIT), oracles.Normal(0.5, 0.3), L1, 100, 2, REPLACE),
    "mean of rows, add or remove": (targets.Query(targets.Mean(UNIT), ("x",)), TWO_COLUMNS, L1, 60, 3, ADD),
    "sum": (targets.Sum(UNIT), oracles.Uniform(-1.0, 2.0), L1, 50, 4, REPLACE),
    "proportion": (targets.Proportion(interval=(0.0, 0.5)), oracles.Pareto(0.1, 1.5), L1, 70, 5, REPLACE),
    "histogram": (targets.Histogram(edges=(0.0, 0.5, 1.0), counts=True), oracles.Uniform(0.0, 1.0), L2, 40, 6, REPLACE),
    "variance": (targets.Variance(UNIT), oracles.NormalMixture((0.4, 0.6), (0.2, 0.7), (0.1, 0.1)), L1, 80, 7, REPLACE),
    "median, direct": (targets.Quantile(0.5), oracles.Exponential(2.0), L1, 501, 8, REPLACE),
    "quantile of copies": (targets.Quantile(0.9), oracles.Resample(SMALL), L1, 90, 9, REPLACE),
    "quantile by selection": (targets.QuantileScores(0.4, UNIT, 50), oracles.Uniform(0.0, 1.0), RANGE, 60, 10, REPLACE),
    "letters": (targets.LetterCounts(ignore_case=True), oracles.Names(), RANGE, 30, 11, REPLACE),
    "kernel density": (
        targets.OnLattice(curves.KernelDensity(0.1), 10),
        oracles.LogNormal(0.4, 0.3, UNIT),
        L1,
        50,
        12,
        REPLACE,
    ),
    "kernel regression": (
        targets.OnLattice(curves.PriestleyChao(0.1), 10),
        oracles.RegressionPrior(),
        LINF,
        40,
        13,
        REPLACE,
    ),
    "support vectors": (targets.LinearSVM(SQUARE), oracles.TwoClasses(x_bounds=SQUARE), L1, 60, 14, REPLACE),
    "ridge": (
        targets.Ridge((UNIT,), UNIT),
        oracles.IndependentColumns((oracles.Uniform(0, 1), oracles.Uniform(0, 1))),
        L1,
        50,
        15,
        REPLACE,
    ),
    "correlation": (targets.Correlation(SQUARE), oracles.Copula(np.column_stack([SMALL, SMALL[::-1]])), L1, 40, 16, REPLACE),
    "question by group": (
        targets.Query(targets.Mean(UNIT), ("x",), (Filter("x", interval=(0.1, 1.0)),), GroupBy("t", ("a", "b"))),
        TWO_COLUMNS,
        L1,
        60,
        17,
        REPLACE,
    ),
    "people replaced": (
        targets.ContributionBounded(targets.Query(targets.Sum((0.0, 240.0)), ("minutes",)), "person", 3),
        VISITS,
        L1,
        40,
        18,
        Adjacency.REPLACE_ONE_USER,
    ),
    "people added": (
        targets.ContributionBounded(targets.Query(targets.Count(), ("minutes",)), "person", 2),
        oracles.ResamplePeople(PEOPLE),
        L1,
        25,
        19,
        ADD,
    ),
    "totals of people": (
        targets.ClippedTotals(targets.Query(targets.Sum((0.0, 240.0)), ("minutes",)), "person", (0.0, 300.0)),
        VISITS,
        L1,
        30,
        20,
        Adjacency.REPLACE_ONE_USER,
    ),
    "median of people's rows": (
        targets.ContributionBounded(targets.Query(targets.QuantileScores(0.5, (0.0, 240.0), 20), ("minutes",)), "person", 2),
        VISITS,
        RANGE,
        30,
        25,
        Adjacency.REPLACE_ONE_USER,
    ),
    "plain function of people": (longest_visit, VISITS, L1, 30, 26, Adjacency.REPLACE_ONE_USER),
    "plain function": (trimmed_mean, oracles.Exponential(1.0), L1, 40, 21, REPLACE),
    "plain function of the order": (
        share_of_large,
        oracles.Mixture((oracles.Uniform(0, 1), oracles.Normal(2, 1)), (0.5, 0.5)),
        L1,
        30,
        22,
        REPLACE,
    ),
    "covariances": (
        targets.CovarianceMatrix(SQUARE),
        oracles.IndependentColumns((oracles.Uniform(0, 1), oracles.Bernoulli(0.3))),
        L2,
        50,
        23,
        REPLACE,
    ),
    "direction of two classes": (targets.MeanDirection(SQUARE), oracles.TwoClasses(), L1, 50, 24, REPLACE),
}
POINTS = [
    (bound, confidence, mode, m, gamma)
    for bound, confidence in ((Bound.RANK, None), (Bound.DKW, None), (Bound.TOLERANCE, 0.95), (Bound.TIME_UNIFORM, 0.9))
    for m in (1, 19, 59, 88, 100, 199, 500, 640, 999, 1305, 2000, 5000, 20_000)
    for gamma in (0.001, 0.005, 0.01, 0.02, 0.05, 0.07, 0.1, 0.2, 0.25, 0.3, 0.5, 0.7, 0.9)
    for mode in ("m", "gamma", "both", "rounded up", "twice", "next")
]


def point(bound: Bound, confidence: float | None, mode: str, m: int, gamma: float) -> str:
    """An operating point in words that hold every number of it exactly, or the name of the refusal."""
    stated: dict[str, Any] = {"bound": bound, "confidence": confidence}
    ask: dict[str, Callable[[], OperatingPoint]] = {
        "m": lambda: OperatingPoint.for_sample_size(m, **stated),
        "gamma": lambda: OperatingPoint.for_gamma(gamma, **stated),
        "both": lambda: OperatingPoint.for_both(m, gamma, **stated),
        "rounded up": lambda: OperatingPoint.for_both(m, float(np.nextafter(gamma, 1.0)), **stated),
        "twice": lambda: OperatingPoint.for_both(2 * m, gamma, **stated),
        "next": lambda: OperatingPoint.for_both(m + 1, gamma, **stated),
    }
    try:
        made = ask[mode]()
    except DpcoreError as error:
        return type(error).__name__
    return f"{made.m} {made.k} {made.gamma!r} {made.rho!r} {made.confidence!r} {made.joint_gamma!r}"


def points() -> dict[str, Any]:
    """A digest of all operating points, and some of them to find out what differs."""
    said = [point(*asked) for asked in POINTS]
    return {"how many": len(said), "sha256": hashlib.sha256("\n".join(said).encode()).hexdigest(), "every 97th": said[::97]}


def distances(name: str) -> tuple[str, list[str]]:
    """The method that measured a case, and its distances as hexadecimal numbers."""
    target, oracle, norm, n, seed, adjacency = CASES[name]
    at = OperatingPoint.for_sample_size(M)
    sample = sample_sensitivity(target, oracle, norm=norm, n=n, at=at, seed=seed, adjacency=adjacency)
    return sample.way, [float(distance).hex() for distance in sample.distances]


def fingerprints() -> dict[str, str]:
    """Return the fingerprints by which the ledger knows targets and oracles of the catalogue."""
    found = {}
    for name, (target, oracle, *_) in CASES.items():
        found[f"{name}: oracle"] = fingerprint(oracle)
        if dataclasses.is_dataclass(target):  # a function of the user's own has no lasting fingerprint
            found[f"{name}: target"] = fingerprint(target)
    return found


def noise() -> dict[str, list[str]]:
    """Simulated responses of every mechanism under fixed seeds, as hexadecimal numbers."""
    pure, approximate = PureDP(0.7), ApproxDP(0.7, 1e-6)
    mean, letters = targets.Mean(UNIT), targets.LetterCounts(ignore_case=True)
    density = targets.OnLattice(curves.KernelDensity(0.1), 6)
    count = targets.Count(interval=(0.0, 0.5))
    made = {
        "Laplace": (mechanisms.LaplaceMechanism().calibrate(mean.global_sensitivity(L1, 100), pure), [0.3]),
        "Laplace, whole numbers": (mechanisms.LaplaceMechanism().calibrate(count.global_sensitivity(L1, 100), pure), [41.0]),
        "Gaussian": (mechanisms.GaussianMechanism().calibrate(mean.global_sensitivity(L2, 100), approximate), [0.3]),
        "Exponential": (
            mechanisms.ExponentialMechanism(tuple(letters.alphabet)).calibrate(
                GlobalSensitivity(letters, 2.0, RANGE, REPLACE, "given", 100), pure
            ),
            list(range(26)),
        ),
        "PermuteAndFlip": (
            mechanisms.ExponentialMechanism(tuple(letters.alphabet), selection="permute-and-flip").calibrate(
                GlobalSensitivity(letters, 2.0, RANGE, REPLACE, "given", 100), pure
            ),
            list(range(26)),
        ),
        "Bernstein": (
            mechanisms.BernsteinMechanism(order=3).calibrate(density.global_sensitivity(L1, 100), pure),
            np.linspace(0, 1, 7),
        ),
    }
    drawn = {}
    for name, (calibrated, raw) in made.items():
        values = calibrated.simulate(np.asarray(raw, dtype=float), size=6, rng=np.random.default_rng(7))
        drawn[name] = [float(calibrated.law.scale).hex(), *(float(value).hex() for value in np.ravel(values))]
    return drawn


def measured() -> dict[str, Any]:
    """All of the numbers, as they come out now."""
    return {
        "machine": machine(),
        "distances": {name: distances(name) for name in CASES},
        "points": points(),
        "fingerprints": fingerprints(),
        "noise": noise(),
    }


def machine() -> str:
    """Return the facts that decide the last bit of a logarithm: vector instructions of the processor, and numpy's version."""
    found = np.show_config(mode="dicts")["SIMD Extensions"]["found"]
    return f"{platform.machine()} with {' '.join(found)}, numpy {np.__version__}"


if __name__ == "__main__":
    STORED.write_text(json.dumps(measured(), indent=1) + "\n")
