"""A median by selection: how close it comes, that its noise is the stated one, and that it keeps its ε on a hard pair."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import RANGE, ExponentialMechanism, PureDP, targets
from dpcore.base.arrays import FloatArray
from dpcore.mechanisms.base import Calibrated

N = 10_000
MEDIAN = targets.QuantileScores(0.5, (0.0, 1.0))
WAYS: dict[str, ExponentialMechanism] = {
    "permute-and-flip": ExponentialMechanism(None, selection="permute-and-flip"),
    "exponential": ExponentialMechanism(None),
}
pytestmark = pytest.mark.statistical


def _calibrated(
    mechanism: ExponentialMechanism, n: int, epsilon: float, target: targets.QuantileScores = MEDIAN
) -> Calibrated[Any]:
    proof = target.global_sensitivity(RANGE, n)
    assert proof is not None
    return mechanism.calibrate(proof, PureDP(epsilon))


def _uniform(rng: np.random.Generator) -> FloatArray:
    return rng.random(N)


def _normal(rng: np.random.Generator) -> FloatArray:
    return np.clip(rng.normal(0.5, 0.15, N), 0, 1)


@pytest.mark.parametrize(("draw", "most"), [(_uniform, 3e-4), (_normal, 1.5e-4)], ids=["uniform", "normal"])
@pytest.mark.parametrize("way", WAYS)
def test_the_mean_error_at_ten_thousand_records(draw: Any, most: float, way: str) -> None:
    """60 tables, each error exact from the law at ε = 1: measured 2.0e-4 and 7.3e-5 of the range by permute-and-flip, with
    a standard error of 4 %. At half the ε the uniform one fails."""
    rng, law = np.random.default_rng(14), _calibrated(WAYS[way], N, 1.0).law
    half: Any = _calibrated(WAYS[way], N, 0.5).law
    exact: Any = law
    places, errors, worse = np.array(MEDIAN.candidates), [], []
    for _ in range(60):
        records = draw(rng)
        scores, away = MEDIAN(records), np.abs(places - np.median(records))
        errors.append(float(exact.probabilities(scores) @ away))
        worse.append(float(half.probabilities(scores) @ away))
    assert np.mean(errors) <= most
    assert np.mean(worse) > (most if draw is _uniform else np.mean(errors) * 1.3)
