"""Covariances and correlations are read in the columns' own units, and their ± is of the noise."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpcore import L1, LaplaceMechanism, PureDP
from dpcore.base.arrays import FloatArray
from dpcore.base.columns import Column
from dpcore.result_types.matrix import Matrix, correlated
from dpcore.targets import CovarianceMatrix

COLUMNS = (
    Column("age", "Age", "years", bounds=(0.0, 100.0)),
    Column("bmi", "BMI", "kg/m²", bounds=(10.0, 70.0)),
    Column("score", bounds=(0.0, 1.0)),
)
BOUNDS = ((0.0, 100.0), (10.0, 70.0), (0.0, 1.0))
CORRELATIONS, COVARIANCES = CovarianceMatrix(BOUNDS), CovarianceMatrix(BOUNDS, correlations=False)


def _table(n: int = 1_000) -> FloatArray:
    rng = np.random.default_rng(2)
    age = rng.uniform(0, 100, n)
    return np.column_stack([age, 20 + 0.4 * age + rng.uniform(-10, 10, n), rng.random(n)])


def test_correlations_are_said_for_each_pair_and_covariances_with_variances_in_their_units() -> None:
    table = _table()
    pairs = dict(CORRELATIONS.answer(COLUMNS).parts(CORRELATIONS(table)))
    assert list(pairs) == ["Age and BMI", "Age and score", "BMI and score"]
    assert float(pairs["Age and BMI"]) == pytest.approx(np.corrcoef(table.T)[0, 1], rel=1e-5)
    said = dict(COVARIANCES.answer(COLUMNS).parts(COVARIANCES(table)))
    units = [text.partition(" ")[2] for text in said.values()]
    assert list(said) == ["Age", "Age and BMI", "Age and score", "BMI", "BMI and score", "score"]
    assert units == ["years²", "years·kg/m²", "years", "(kg/m²)²", "kg/m²", ""]
    assert float(said["Age and BMI"].split()[0]) == pytest.approx(np.cov(table.T, ddof=0)[0, 1], rel=1e-5)


def test_one_release_is_read_both_ways() -> None:
    table = _table()
    for target in (CORRELATIONS, COVARIANCES):
        plain = json.loads(json.dumps(target.answer(COLUMNS).plain(target(table))))
        assert plain["columns"] == ["Age", "BMI", "score"]
        assert np.array(plain["correlations"]) == pytest.approx(np.corrcoef(table.T), abs=1e-9)
        assert np.array(plain["covariances"]) == pytest.approx(np.cov(table.T, ddof=0), rel=1e-9)
        assert plain["released numbers"] == target(table).tolist()


def test_half_the_noises_scale_is_added_to_each_variance() -> None:
    found = np.array([[[0.02, 0.015, 0.0], [0.015, 0.03, 0.0], [0.0, 0.0, 0.0]]])
    assert correlated(found, 0.0)[0, 0, 1] == pytest.approx(0.015 / np.sqrt(0.02 * 0.03))
    assert correlated(found, 0.02)[0, 0, 1] == pytest.approx(0.015 / np.sqrt(0.03 * 0.04))
    for scale in (0.0, 0.02):
        assert (correlated(found, scale)[0, 2] == [0, 0, 1]).all()
    read = CORRELATIONS.answer(COLUMNS).under(0.02)
    assert isinstance(read, Matrix)
    assert read.matrices(CORRELATIONS(_table())[None]) == pytest.approx(
        CORRELATIONS.answer(COLUMNS).matrices(CORRELATIONS(_table())[None], scale=0.02)
    )


def _off(target: CovarianceMatrix) -> FloatArray:
    """How far each entry without noise is off in 100 releases, over the distance that is said."""
    proved = target.global_sensitivity(L1, 1_000)
    assert proved is not None
    noise, answer, exact = LaplaceMechanism().calibrate(proved, PureDP(3.0)), target.answer(COLUMNS), target(_table())
    without = answer.entries(answer.matrices(exact[None]) * answer.factors)[0]
    found = []
    for response in noise.simulate(exact, size=100, rng=np.random.default_rng(11)):
        near = answer.within(noise.law, response, 0.9)
        assert near is not None
        off = answer.entries(answer.matrices(response[None], scale=noise.law.scale) * answer.factors)[0] - without
        found.append(np.abs(off) / np.maximum(near, 1e-300))
    return np.array(found)


@pytest.mark.parametrize("target", [CORRELATIONS, COVARIANCES], ids=["correlations", "covariances"])
def test_an_entry_is_as_near_as_is_said(target: CovarianceMatrix) -> None:
    """Of 100 releases at least 80, seen with probability .998 where .9 are right; at .6 times the distance fewer."""
    off = _off(target)
    assert ((off <= 1).mean(axis=0) >= 0.8).all()
    assert ((off <= 0.6).mean(axis=0) < 0.8).mean() > 0.6


def _spread(times: float) -> tuple[float, float]:
    """The mean square by which noise moves a covariance, of 20,000: at so many times the scale, and by variances."""
    table, scale = _table(), 0.002
    exact = COVARIANCES(table)
    drawn = exact + times * scale * np.random.default_rng(9).laplace(size=(20_000, len(exact)))
    off = COVARIANCES.covariances(drawn)[:, 0, 1] - COVARIANCES.covariances(exact[None])[0, 0, 1]
    u = (table - [50, 40, 0.5]) / [50, 30, 0.5]
    return float(np.mean(off**2)), float(2 * scale**2 * (1 + u[:, 0].mean() ** 2 + u[:, 1].mean() ** 2))


def test_noise_moves_a_covariance_by_what_its_variance_says() -> None:
    """2b²·(1 + ū_i² + ū_j²): 20,000 draws, ± 5 %, which 10 % less noise fails."""
    found, expected = _spread(1.0)
    assert found == pytest.approx(expected, rel=0.05)
    assert _spread(0.9)[0] != pytest.approx(expected, rel=0.05)
