"""Covariances and correlations are read in the columns' own units, and their ± is of the noise."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpcore.base.arrays import FloatArray
from dpcore.base.columns import Column
from dpcore.result_types.matrix import VARIANCE_SHARE, Loadings, Matrix, correlated
from dpcore.targets import CovarianceMatrix

COLUMNS = (
    Column("age", "Age", "years", bounds=(0.0, 100.0)),
    Column("bmi", "BMI", "kg/m²", bounds=(10.0, 70.0)),
    Column("score", bounds=(0.0, 1.0)),
)
BOUNDS = ((0.0, 100.0), (10.0, 70.0), (0.0, 1.0))
CORRELATIONS, COVARIANCES = CovarianceMatrix(BOUNDS), CovarianceMatrix(BOUNDS, correlations=False)


def table(n: int = 1_000) -> FloatArray:
    rng = np.random.default_rng(2)
    age = rng.uniform(0, 100, n)
    return np.column_stack([age, 20 + 0.4 * age + rng.uniform(-10, 10, n), rng.random(n)])


def test_correlations_are_said_for_each_pair_and_covariances_with_variances_in_their_units() -> None:
    rows = table()
    pairs = dict(CORRELATIONS.answer(COLUMNS).parts(CORRELATIONS(rows)))
    assert list(pairs) == ["Age and BMI", "Age and score", "BMI and score"]
    assert float(pairs["Age and BMI"]) == pytest.approx(np.corrcoef(rows.T)[0, 1], rel=1e-5)
    said = dict(COVARIANCES.answer(COLUMNS).parts(COVARIANCES(rows)))
    units = [text.partition(" ")[2] for text in said.values()]
    assert list(said) == ["Age", "Age and BMI", "Age and score", "BMI", "BMI and score", "score"]
    assert units == ["years²", "years·kg/m²", "years", "(kg/m²)²", "kg/m²", ""]
    assert float(said["Age and BMI"].split()[0]) == pytest.approx(np.cov(rows.T, ddof=0)[0, 1], rel=1e-5)


def test_one_release_is_read_both_ways() -> None:
    rows = table()
    for target in (CORRELATIONS, COVARIANCES):
        plain = json.loads(json.dumps(target.answer(COLUMNS).plain(target(rows))))
        assert plain["columns"] == ["Age", "BMI", "score"]
        assert np.array(plain["correlations"]) == pytest.approx(np.corrcoef(rows.T), abs=1e-9)
        assert np.array(plain["covariances"]) == pytest.approx(np.cov(rows.T, ddof=0), rel=1e-9)
        assert plain["released numbers"] == target(rows).tolist()


def test_half_the_noises_scale_is_added_to_each_variance() -> None:
    found = np.array([[[0.02, 0.015, 0.0], [0.015, 0.03, 0.0], [0.0, 0.0, 0.0]]])
    assert correlated(found, 0.0)[0, 0, 1] == pytest.approx(0.015 / np.sqrt(0.02 * 0.03))
    assert correlated(found, 0.02)[0, 0, 1] == pytest.approx(0.015 / np.sqrt(0.03 * 0.04))
    for scale in (0.0, 0.02):
        assert (correlated(found, scale)[0, 2] == [0, 0, 1]).all()
    read = CORRELATIONS.answer(COLUMNS).under(0.02)
    assert isinstance(read, Matrix)
    assert read.matrices(CORRELATIONS(table())[None]) == pytest.approx(
        CORRELATIONS.answer(COLUMNS).matrices(CORRELATIONS(table())[None], scale=0.02)
    )


LOADINGS = Loadings(("Age", "BMI"))


def test_a_noisy_direction_is_read_with_length_1_and_its_share_within_its_range() -> None:
    noisy = np.array([[3.0, -4.0, 1.3], [0.0, 0.0, -0.2], [0.6, 0.8, 0.5]])
    assert LOADINGS.directions(noisy) == pytest.approx(np.array([[0.6, -0.8, 1.0], [0.0, 0.0, 0.0], [0.6, 0.8, 0.5]]))


def test_it_is_read_with_labels_and_its_raw_numbers_stand_in_json() -> None:
    response = np.array([3.0, -4.0, 0.75])
    assert LOADINGS.parts(response) == (("Age", "0.6"), ("BMI", "-0.8"), (VARIANCE_SHARE, "0.75"))
    assert LOADINGS.brief(response) == f"Age: 0.6; BMI: -0.8; {VARIANCE_SHARE}: 0.75"
    plain = json.loads(json.dumps(LOADINGS.plain(response)))
    assert plain["loadings"] == {"Age": pytest.approx(0.6), "BMI": pytest.approx(-0.8)}
    assert (plain[VARIANCE_SHARE], plain["released numbers"]) == (0.75, [3.0, -4.0, 0.75])
