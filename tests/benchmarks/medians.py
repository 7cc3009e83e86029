"""Private medians: how far off ours is, beside diffprivlib's, and how long it takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dpcore import RANGE, ExponentialMechanism, PureDP, targets
from dpcore.base.arrays import FloatArray
from tests.benchmarks import interval_median
from tests.benchmarks.timing import least, seconds

TITLE = "Medians"
NOTE = (
    "Tables of 10,000 records on [0, 1], ε = 1: the mean absolute error in shares of the range, exact from each answer's law, "
    "over 100 tables. diffprivlib 0.6.6 cannot be imported beside scikit-learn 1.9, so its error is that of its published method."
)
HEADER = ("what", "wanted", "measured", "ours", "diffprivlib's")
_N, _TABLES, _BOUNDS = 10_000, 100, (0.0, 1.0)
_TARGET = targets.QuantileScores(0.5, _BOUNDS)
_OURS = ExponentialMechanism(None, selection="permute-and-flip")
Draw = Callable[[np.random.Generator], FloatArray]


def uniform(rng: np.random.Generator) -> FloatArray:
    """A table of uniform records."""
    return rng.random(_N)


def normal(rng: np.random.Generator) -> FloatArray:
    """A table of normal records, their sd .15 of the range."""
    return rng.normal(0.5, 0.15, _N).clip(*_BOUNDS)


def rows() -> list[tuple[str, ...]]:
    """(subject, wanted, measured, ours, the other library's): errors, then times of ours."""
    return [
        _row("uniform records: error", "≤ 3e-4", uniform),
        _row("normal records, sd .15 of the range: error", "≤ 1.5e-4", normal),
        *_times(),
    ]


def _row(what: str, wanted: str, draw: Draw) -> tuple[str, ...]:
    ours, theirs = errors(draw, _TABLES)
    return what, wanted, f"{ours:.2g}, {ours / theirs:.2f} of diffprivlib's", f"{ours:.2e}", f"{theirs:.2e}"


def errors(draw: Draw, tables: int) -> tuple[float, float]:
    """The mean absolute errors of both libraries, on the same tables."""
    rng, law, places = np.random.default_rng(14), _calibrated().law, np.array(_TARGET.candidates)
    drawn = [draw(rng) for _ in range(tables)]
    ours = [law.probabilities(_TARGET(one)) @ np.abs(places - np.median(one)) for one in drawn]
    return float(np.mean(ours)), float(np.mean([interval_median.mean_absolute_error(one, 1.0, _BOUNDS) for one in drawn]))


def _times() -> list[tuple[str, ...]]:
    table, calibrated = uniform(np.random.default_rng(1)), _calibrated()
    scores = _TARGET(table)
    release = seconds(lambda: calibrated.release(table))
    curve = least(lambda: _curve(scores), rounds=5)[0]
    return [
        ("a release, 10,001 places", "≤ 30 ms", f"{release * 1e3:.2g} ms", "", ""),
        ("the curve of errors over ε in [0.01, 20], processor time", "≤ 150 ms", f"{curve * 1e3:.2g} ms", "", ""),
    ]


def _curve(scores: FloatArray) -> None:
    for epsilon in np.geomspace(0.01, 20.0, 24):
        _OURS.law(_TARGET, 2.0, PureDP(float(epsilon))).probabilities(scores)


def _calibrated() -> Any:
    return _OURS.calibrate(_TARGET.global_sensitivity(RANGE, _N), PureDP(1.0))
