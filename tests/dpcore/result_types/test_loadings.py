"""Loadings are read as a direction of length 1, and their ± is of the noise."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpcore.base.arrays import FloatArray
from dpcore.mechanisms.laplace import LaplaceLaw
from dpcore.result_types.matrix import VARIANCE_SHARE, Loadings

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


def _covered(times: float) -> FloatArray:
    law, exact = LaplaceLaw(0.05), np.array([0.8, 0.6, 0.7])
    drawn = law.simulate(exact, size=300, rng=np.random.default_rng(3))
    near = [times * np.array(LOADINGS.within(law, response, 0.9)) for response in drawn]
    return np.asarray((np.abs(LOADINGS.directions(drawn) - exact) <= near).mean(axis=0))


def test_a_loading_is_as_near_as_is_said() -> None:
    """Of 300 releases at least 84 %, seen with probability .999 where .9 are right; at .7 times the distance fewer."""
    assert (_covered(1.0) >= 0.84).all()
    assert (_covered(0.7) < 0.84).any()
