"""A line is read in the columns' own units, and from noisy numbers as the noise's scale says."""

from __future__ import annotations

import numpy as np
import pytest

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


def table(n: int = 60) -> FloatArray:
    rng = np.random.default_rng(2)
    x = rng.uniform([0, 100], [100, 200], (n, 2))
    return np.column_stack([x, 50 + 2 * x[:, 0] + 0.5 * x[:, 1] + rng.normal(0, 5, n)])


@pytest.mark.parametrize("target", [RIDGE, SUMS], ids=["ridge", "sums"])
def test_line_is_in_the_columns_units(target: LineTarget) -> None:
    rows = table()
    expected = np.linalg.lstsq(np.column_stack([rows[:, :2], np.ones(60)]), rows[:, 2])[0]
    found = FittedLine.of(target, COLUMNS).coefficients(target(rows)[None])[0]
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


def test_line_depends_on_the_scale() -> None:
    response = SUMS(table()) + 0.05
    line = FittedLine.of(SUMS, COLUMNS)
    read = line.under(0.3)
    assert isinstance(read, FittedLine)
    assert read.coefficients(response[None]) == pytest.approx(line.coefficients(response[None], scale=0.3))
    assert np.abs(read.coefficients(response[None]) - line.coefficients(response[None])).max() > 0.1
    plain = Numbers(("a",))
    assert plain.under(0.3) is plain
