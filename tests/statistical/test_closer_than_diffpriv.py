"""The diffpriv paper's three examples: private under the printed guarantee, and closer to the truth than diffpriv's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import (
    L1,
    LINF,
    RANGE,
    Bernstein,
    Bound,
    Exponential,
    Laplace,
    OperatingPoint,
    PureDP,
    curves,
    oracles,
    sample_sensitivity,
    targets,
)
from pages.files.tables import read_csv
from tests.reference.read import numbers
from tests.test_examples import ROOT

pytestmark = pytest.mark.statistical
SEEDS = 20
DIFFPRIV_RMS = 0.22
REGRESSION = targets.OnLattice(curves.PriestleyChao(0.1), 25)
DIFFPRIV_SCALE = np.sqrt(2 * np.pi)  # its kernel lacks 1/√(2π)


def _median_rms(norm: Any, bound: Bound, order: int) -> float:
    database = numbers("pck_data_250.csv")
    grid = np.linspace(0, 1, 501)[:, None]
    exact, raw = REGRESSION.curve.values(database, grid), REGRESSION(database)
    at = OperatingPoint.for_both(500, 0.2, bound=bound)
    errors = []
    for seed in range(SEEDS):
        sample = sample_sensitivity(REGRESSION, oracles.RegressionPrior(), norm=norm, n=250, at=at, seed=seed)
        law: Any = Bernstein(order=order, norm=norm).calibrate(sample.sensitivity(), PureDP(5.0)).law
        private = law.curves(law.simulate(raw, size=1, rng=np.random.default_rng(seed)), grid)[0]
        errors.append(np.sqrt(np.mean((private - exact) ** 2)) * DIFFPRIV_SCALE)
    return float(np.median(errors))


@pytest.mark.slow
def test_the_regression_is_six_times_closer_under_dkw_and_eight_times_under_rank() -> None:
    """Medians over 20 seeds, at the one order 6; over all seeds the ratios are 6.9 and 8.9."""
    assert _median_rms(L1, Bound.DKW, 6) <= DIFFPRIV_RMS / 6
    assert _median_rms(L1, Bound.RANK, 6) <= DIFFPRIV_RMS / 8


@pytest.mark.slow
def test_with_diffprivs_noise_and_order_the_regression_is_as_far_as_diffprivs() -> None:
    """(k+1)·L∞ at order 1, one shape a database: so the comparison above is fair."""
    assert 0.19 <= _median_rms(LINF, Bound.DKW, 1) <= 0.23


@pytest.mark.slow
@pytest.mark.parametrize("selection", ["gumbel", "permute-and-flip"])
def test_the_letter_is_closer_than_diffprivs_which_is_not_private_at_all(selection: Any) -> None:
    """diffpriv 0.4.2 picks a letter with chance proportional to its score, whatever ε."""
    names = read_csv((ROOT / "data" / "scientists.csv").read_bytes(), "scientists", public=True).prepare(("name",)).database
    target = targets.LetterCounts()
    scores = target(names)
    at = OperatingPoint.for_gamma(0.1)
    ours = []
    for seed in range(200):
        sample = sample_sensitivity(target, oracles.Names(), norm=RANGE, n=10, at=at, seed=seed)
        calibrated = Exponential(target.candidates, selection=selection).calibrate(sample.sensitivity(), PureDP(1.0))
        law: Any = calibrated.law
        ours.append(law.shortfall(scores))
    theirs = float(scores / scores.sum() @ (scores.max() - scores))
    assert np.mean(ours) < theirs - 0.5


def test_the_mean_is_as_close_as_diffprivs_under_dp_and_closer_under_random_dp() -> None:
    """diffpriv's example has scale 1/n; a proved sensitivity is that up to rounding, a sampled one is below it."""
    target = targets.Mean((0.0, 1.0))
    proved = target.global_sensitivity(L1, 100)
    assert proved is not None
    assert Laplace().calibrate(proved, PureDP(1.0)).law.scale == pytest.approx(0.01, rel=1e-12)
    at = OperatingPoint.for_both(999, 0.05)
    for seed in range(50):
        sample = sample_sensitivity(target, oracles.Uniform(0, 1), norm=L1, n=100, at=at, seed=seed)
        assert Laplace().calibrate(sample.sensitivity(), PureDP(1.0)).law.scale < 0.0085
