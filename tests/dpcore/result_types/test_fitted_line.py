"""A line is read in the columns' own units, and from noisy numbers as the noise's scale says."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import L1, LaplaceMechanism, PureDP
from dpcore.base.arrays import FloatArray
from dpcore.base.columns import Column
from dpcore.result_types.fits import FittedLine, LineTarget
from dpcore.result_types.numbers import Numbers
from dpcore.targets import Ridge, SufficientStatistics

COLUMNS = (
    Column("age", "Age", "years", bounds=(0.0, 100.0)),
    Column("height", bounds=(100.0, 200.0)),
    Column("cost", "Cost", "€", bounds=(0.0, 400.0)),
)
BOUNDS = ((0.0, 100.0), (100.0, 200.0)), (0.0, 400.0)
RIDGE, SUMS = Ridge(*BOUNDS), SufficientStatistics(*BOUNDS)


def _table(n: int = 60) -> FloatArray:
    rng = np.random.default_rng(2)
    x = rng.uniform([0, 100], [100, 200], (n, 2))
    return np.column_stack([x, 50 + 2 * x[:, 0] + 0.5 * x[:, 1] + rng.normal(0, 5, n)])


@pytest.mark.parametrize("target", [RIDGE, SUMS], ids=["ridge", "sums"])
def test_it_is_the_line_of_the_columns_own_units(target: LineTarget) -> None:
    table = _table()
    expected = np.linalg.lstsq(np.column_stack([table[:, :2], np.ones(60)]), table[:, 2])[0]
    found = FittedLine.of(target, COLUMNS).coefficients(target(table)[None])[0]
    assert found == pytest.approx(expected, rel=1e-9 if target is SUMS else 0.1)


def test_it_is_read_with_labels_and_units() -> None:
    response = np.array([0.5, -0.25, 0.1])  # from −1 to 1: 2 € a year, and −1 € a centimetre
    line = FittedLine.of(RIDGE, COLUMNS)
    assert line.parts(response) == (("Age", "2 € for +1 years"), ("height", "-1 € for +1"), ("intercept", "270 €"))
    assert line.brief(response) == "Cost = 270 + 2·Age − 1·height"
    assert line.plain(response) == {
        "Age": 2.0,
        "height": -1.0,
        "intercept": pytest.approx(270.0),
        "released numbers": [0.5, -0.25, 0.1],
    }
    assert RIDGE.asked_of(COLUMNS) == "Cost predicted from Age, height, by ridge regression"


def test_the_scale_is_what_the_line_is_computed_with() -> None:
    response = SUMS(_table()) + 0.05
    line = FittedLine.of(SUMS, COLUMNS)
    read = line.under(0.3)
    assert isinstance(read, FittedLine)
    assert read.coefficients(response[None]) == pytest.approx(line.coefficients(response[None], scale=0.3))
    assert np.abs(read.coefficients(response[None]) - line.coefficients(response[None])).max() > 0.1
    plain = Numbers(("a",))
    assert plain.under(0.3) is plain


def test_of_a_ridge_it_is_the_noise_that_is_said_around_a_response() -> None:
    """Of the same noise under another seed, 4,000 draws: ± 1.5 %, which 10 % less noise fails."""
    proved = RIDGE.global_sensitivity(L1, 10**6)
    assert proved is not None
    noise = LaplaceMechanism().calibrate(proved, PureDP(1.0))
    response = RIDGE(_table())
    line = FittedLine.of(RIDGE, COLUMNS)
    near = np.array(line.within(noise.law, response, 0.9))
    drawn = noise.simulate(response, size=4_000, rng=np.random.default_rng(8))
    away = np.abs(line.coefficients(drawn) - line.coefficients(response[None]))
    assert (away <= near).mean(axis=0) == pytest.approx(0.9, abs=0.02)
    assert ((away <= 0.9 * near).mean(axis=0) < 0.885).all()


def _off(table: FloatArray, epsilon: float) -> FloatArray:
    """How far the slopes and the intercept of least squares are off in 100 releases, over the distance that is said."""
    proved = SUMS.global_sensitivity(L1, len(table))
    assert proved is not None
    noise, line, exact = LaplaceMechanism().calibrate(proved, PureDP(epsilon)), FittedLine.of(SUMS, COLUMNS), SUMS(table)
    found = []
    for response in noise.simulate(exact, size=100, rng=np.random.default_rng(11)):
        near = line.within(noise.law, response, 0.9)
        assert near is not None
        off = line.coefficients(response[None], scale=noise.law.scale)[0] - line.coefficients(exact[None])[0]
        found.append(np.abs(off) / np.array(near))
    return np.array(found)


def test_a_line_of_sums_is_as_near_as_is_said_though_it_is_pulled_to_the_middle() -> None:
    """Of 100 releases at least 80, seen with probability .99 where .88 are right; at 0.4 times the distance it is fewer."""
    off = _off(_table(600), 10.0)
    assert ((off <= 1).mean(axis=0) >= 0.8).all()
    assert ((off <= 0.4).mean(axis=0) < 0.8).any()


def test_where_the_noise_leaves_a_line_open_no_distance_is_said() -> None:
    proved = SUMS.global_sensitivity(L1, 60)
    assert proved is not None
    law = LaplaceMechanism().calibrate(proved, PureDP(0.01)).law
    line = FittedLine.of(SUMS, COLUMNS)
    assert line.within(law, SUMS(_table()) + 60.0 * np.array([-1, 1, 1, -1, 1, 1, 1, 1]), 0.9) is None
