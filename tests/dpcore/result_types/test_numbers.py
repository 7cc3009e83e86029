"""Answers that are numbers, by group or not: how they are named, cut off at their range, and read with their margin."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from dpcore import LaplaceMechanism, PureDP
from dpcore.errors import InvalidValueError
from dpcore.mechanisms.gaussian import GaussianLaw
from dpcore.mechanisms.laplace import GeometricLaw, LaplaceLaw
from dpcore.result_types.kind import Grouped
from dpcore.result_types.numbers import NUMBER, SHARE, SUM, Numbers, Ratio
from dpcore.targets import Mean

GROUPS = ("women", "men")
COUNT = Grouped(Numbers(("Stays",), "rows", amount=True), GROUPS)
MEAN = Grouped(Ratio(("Mean of cost, known values",), "€", (0.0, 200.0)), GROUPS)


def test_numbers_are_named_by_their_groups() -> None:
    response = np.array([12.5, -3.0])
    assert COUNT.parts(response) == (("women", "12.5 rows"), ("men", "-3 rows, so 0 rows"))
    assert COUNT.plain(response) == {"women": {"Stays": 12.5}, "men": {"Stays": -3.0}}
    assert COUNT.brief(response) == "women: 12.5; men: -3"
    assert COUNT.values(response).tolist() == [12.5, -3.0]
    assert (COUNT.labels, COUNT.unit, COUNT.after) == (GROUPS, "rows", " rows")


def test_means_are_computed_in_each_group() -> None:
    response = np.array([0.0, 10.0, -5.0, 10.0])
    assert MEAN.parts(response) == (("women", "100 €"), ("men", "50 €"))
    assert MEAN.values(response).tolist() == [100.0, 50.0]
    name = "Mean of cost, known values"
    assert MEAN.plain(response)["men"] == {name: 50.0, SUM: -5.0, NUMBER: 10.0}
    assert json.loads(json.dumps(MEAN.plain(response)))["women"][name] == 100


def test_margin_is_each_groups_own() -> None:
    law: Any = LaplaceMechanism().law(Mean(), 2.0, PureDP(1.0))
    response = np.array([0.0, 1_000.0, 0.0, 20.0])
    near, far = MEAN.within(law, response, 0.95)
    one: Any = MEAN.of
    assert (near, far) == (one.within(law, response[:2], 0.95), one.within(law, response[2:], 0.95))
    assert far > 10 * near > 0


@pytest.mark.parametrize("groups", [(), ("a", "a"), (1, 2), ("a", None)], ids=repr)
def test_unnamed_groups_are_refused(groups: Any) -> None:
    with pytest.raises(InvalidValueError, match="groups"):
        Grouped(COUNT.of, groups)


def test_a_response_of_other_groups_is_refused() -> None:
    with pytest.raises(ValueError, match="reshape"):
        COUNT.parts(np.zeros(3))


@pytest.mark.parametrize(
    ("share", "said"),
    [(-0.002, "-0.002, so 0"), (1.0325, "1.0325, so 1"), (0.0, "0"), (1.0, "1"), (0.5, "0.5"), (-1e-9, "-1e-09, so 0")],
)
def test_share_beyond_its_range_is_cut_off(share: float, said: str) -> None:
    assert Numbers(("a",), SHARE).parts(np.array([share])) == (("a", said),)
    assert Numbers(("a",), SHARE).plain(np.array([share])) == {"a": share}
    assert Grouped(Numbers(("a",), SHARE), ("x", "y")).parts(np.array([share, 0.5])) == (("x", said), ("y", "0.5"))


def test_plain_number_has_no_range() -> None:
    assert Numbers(("a",), "kg").parts(np.array([-2.0])) == (("a", "-2 kg"),)
    assert Numbers(("a",)).parts(np.array([1.5])) == (("a", "1.5"),)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ((11.0, 10.0), "210 €, so 200 €"),
        ((-20.0, 10.0), "-100 €, so 0 €"),
        ((0.0, -3.0), "100 €"),
        ((-10.0, 10.0), "0 €"),
        ((10.0, 10.0), "200 €"),
    ],
)
def test_mean_beyond_its_bounds_is_cut_off(parts: tuple[float, float], said: str) -> None:
    mean = Ratio(("Mean",), "€", (0.0, 200.0))
    assert mean.parts(np.array(parts)) == (("Mean", said),)
    assert 0 <= mean.plain(np.array(parts))["Mean"] <= 200
    assert mean.plain(np.array(parts))["Mean"] == mean.values(np.array(parts))[0]


_MEAN = Ratio(("mean",), bounds=(10.0, 60.0))
_RESPONSE = np.array([-30.0, 400.0])  # 400 values that lie a little below the middle of the bounds


@pytest.mark.parametrize("kind", [LaplaceLaw, GaussianLaw, GeometricLaw])
def test_offsets_are_those_of_noise_at_each_scale(kind: Any) -> None:
    for scale in (20.0, 0.3, 20.0, 150.0):
        drawn = kind(scale).simulate(_RESPONSE, size=4_000, rng=np.random.default_rng(2017))
        below = np.maximum(drawn[:, 1], 1.0)
        means = 10 + 50 * np.clip((drawn[:, 0] / below + 1) / 2, 0, 1)
        exact = 10 + 50 * (-30 / 400 + 1) / 2
        assert _MEAN.offsets(kind(scale), _RESPONSE) == pytest.approx(means - exact, rel=1e-9, abs=1e-9)
        assert np.ptp(means) > 0
