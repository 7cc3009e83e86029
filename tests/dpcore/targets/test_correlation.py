"""A correlation: that of numpy where there is one, and 0 where there is none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import L1, RANGE, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.base.columns import Column
from dpcore.errors import InvalidValueError
from dpcore.result_types.numbers import Numbers

UNIT = targets.Correlation(((0.0, 1.0), (0.0, 1.0)))


@pytest.mark.parametrize("bounds", [((0.0, 1.0), (-5.0, 5.0)), ((1e8, 1e8 + 1), (-1e308, 7e307)), ((0.0, 1e-300), (0.1, 0.7))])
def test_it_is_numpys_of_the_known_pairs(bounds: Any) -> None:
    rng = np.random.default_rng(2)
    (a, b), (c, d) = bounds
    x = rng.random(300)
    y = 0.6 * x + 0.4 * rng.random(300)
    records = np.stack([a + (b - a) * x, c + (d - c) * y], axis=1)
    places = (records - [a, c]) / [b - a, d - c]
    records[::7, 0], records[::11, 1] = np.nan, np.nan
    known = ~np.isnan(records).any(axis=1)
    expected = np.corrcoef(places[known].T)[0, 1]
    assert 0.5 < expected < 0.95
    assert targets.Correlation(bounds)(records)[0] == pytest.approx(expected, rel=1e-6)


def test_it_is_clipped_to_its_bounds() -> None:
    records = np.array([[0.0, 0.0], [5.0, 1.0], [1.0, 1.0]])
    assert UNIT(records)[0] == pytest.approx(1.0)


@pytest.mark.parametrize(
    "records",
    [
        [[0.1, 0.3]],
        [[0.1, 0.2], [0.1, 0.9], [0.1, 0.4]],
        [[0.3, 0.1]] * 7,
        [[np.nan, 0.1], [0.2, np.nan]],
        [[np.nan, np.nan]] * 3,
        [[0.1, 0.2], [np.nan, 0.9], [0.3, np.nan]],
        [[3.0, 0.1], [4.0, 0.9]],
    ],
)
def test_where_there_is_none_it_is_0(records: Any) -> None:
    assert UNIT(np.array(records)).tolist() == [0.0]


def test_the_last_record_alone_can_turn_it_round() -> None:
    alike = np.full((9, 2), 0.5)
    up, down = (np.concatenate([alike, [[1.0, end]]]) for end in (1.0, 0.0))
    known = UNIT.global_sensitivity(L1, 10)
    assert known is not None
    assert float(L1(UNIT(up) - UNIT(down))) == pytest.approx(known.value, rel=1e-12)
    assert float(L1(UNIT(up) - UNIT(down))) <= known.value
    assert UNIT.global_sensitivity(RANGE, 10) is None
    assert UNIT.global_sensitivity(L1, 1) is None


def test_sampled_it_hardly_moves() -> None:
    oracle = oracles.IndependentColumns((oracles.Uniform(0.0, 1.0), oracles.Uniform(0.0, 1.0)))
    sample = sample_sensitivity(UNIT, oracle, norm=L1, n=500, at=OperatingPoint.for_gamma(0.05), seed=1)
    assert 1e-4 < sample.sensitivity().value < 0.05


def test_it_takes_two_columns_with_bounds() -> None:
    a, b = Column("a", "Age", bounds=(0.0, 9.0)), Column("b", bounds=(1.0, 2.0))
    assert targets.Correlation.suited((a, b)) == targets.Correlation(((0.0, 9.0), (1.0, 2.0)))
    assert targets.Correlation.suited((a, Column("c"))) is None
    assert UNIT.answer((a, b)) == Numbers(("Age and b",))
    for wrong in (None, (0.0, 1.0), ((0.0, 1.0),), ((0.0, 1.0),) * 3, ((1.0, 0.0), (0.0, 1.0))):
        bounds: Any = wrong
        with pytest.raises(InvalidValueError, match="bounds"):
            targets.Correlation(bounds)
