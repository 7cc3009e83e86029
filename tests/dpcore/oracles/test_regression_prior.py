"""Two columns to the bit as they always were, and several features by their moments and by least squares."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.base.columns import Column
from dpcore.base.fingerprint import to_json
from dpcore.errors import InvalidValueError
from dpcore.oracles import RegressionPrior
from dpcore.registry import from_json

THREE = ((0.0, 2.0), (-1.0, 1.0), (5.0, 6.0))


BEFORE = [
    [[0.6338928216799946, 3.288263585777868], [-0.8188992243902193, 1.395689196495871]],
    [[-0.8049691570913278, 1.4321615219303787], [2.9967044602602857, 4.323859732269377]],
]


def test_two_columns_are_drawn_to_the_bit_as_ever() -> None:
    """Numbers of the prior before it took several features."""
    drawn = RegressionPrior(0.2, (-1, 3), (2, 5)).draw(2, 2, rng=np.random.default_rng(5))
    assert drawn.tolist() == BEFORE
    one = RegressionPrior(x_bounds=((-1, 3),))
    assert one == RegressionPrior(x_bounds=(-1, 3))
    assert to_json(one)["x_bounds"] == [-1.0, 3.0]


def test_each_database_has_its_own_weights() -> None:
    """Of databases whose shape is u alone, a quarter of 95 %, least squares finds weights that sum to 1, and no noise."""
    drawn = RegressionPrior(1e-9, THREE, (0, 10)).draw(2_000, 30, rng=np.random.default_rng(1))
    low, high = np.array(THREE).T
    found = []
    for database in drawn:
        places = (database[:, :3] - low) / (high - low)
        assert places.min() >= 0
        assert places.max() <= 1
        weights, rest = np.linalg.lstsq(places, database[:, 3] / 10, rcond=None)[:2]
        if weights.sum() > 1e-6 and rest.size and rest[0] < 1e-12:
            found.append(weights)
    share = len(found) / 2_000
    assert abs(share - 0.95 / 4) < 6 * np.sqrt(share * (1 - share) / 2_000)
    weights = np.array(found)
    assert np.abs(weights.sum(axis=1) - 1).max() < 1e-6
    assert weights.min() > -1e-9
    assert np.abs(weights.mean(axis=0) - 1 / 3).max() < 0.1
    assert abs(weights[:, 0].var() - 1 / 18) < 0.012  # of a uniform point of the triangle


def test_regression_prior_fits_its_features_and_y() -> None:
    numbers = tuple(Column(name, bounds=bounds) for name, bounds in zip("abc", THREE, strict=True))
    y = Column("y", bounds=(0.0, 10.0))
    suited = RegressionPrior.suited((*numbers, y))
    assert suited == RegressionPrior(x_bounds=THREE, y_bounds=(0, 10))
    assert suited.fits((*numbers, y))
    assert not suited.fits(numbers)
    assert not RegressionPrior().fits((*numbers, y))
    assert RegressionPrior().fits(numbers[:2])
    assert RegressionPrior.suited((*numbers, Column("label", categories=(0.0, 1.0)))) is None
    assert RegressionPrior.suited((numbers[0], Column("label", categories=(0.0, 1.0)))) == RegressionPrior(x_bounds=THREE[0])
    assert from_json(to_json(suited), "oracles") == suited


@pytest.mark.parametrize("wrong", [(), ((0, 1), 2), ((0, 1), (1, 0)), ((0, 1),) * 2_000, "ab", None])
def test_wrong_bounds_are_refused(wrong: Any) -> None:
    with pytest.raises(InvalidValueError) as refused:
        RegressionPrior(x_bounds=wrong)
    assert refused.value.name == "x_bounds"
