"""A share or a mean that noise drove out of its range is shown as it is, with the nearest that can be beside it."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.result_types.kind import Grouped
from dpcore.result_types.numbers import SHARE, Numbers, Ratio


@pytest.mark.parametrize(
    ("share", "said"),
    [(-0.002, "-0.002, so 0"), (1.0325, "1.0325, so 1"), (0.0, "0"), (1.0, "1"), (0.5, "0.5"), (-1e-9, "-1e-09, so 0")],
)
def test_a_share(share: float, said: str) -> None:
    assert Numbers(("a",), SHARE).parts(np.array([share])) == (("a", said),)
    assert Numbers(("a",), SHARE).plain(np.array([share])) == {"a": share}
    assert Grouped(Numbers(("a",), SHARE), ("x", "y")).parts(np.array([share, 0.5])) == (("x", said), ("y", "0.5"))


def test_a_number_that_is_no_share_has_no_range() -> None:
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
def test_a_mean(parts: tuple[float, float], said: str) -> None:
    mean = Ratio(("Mean",), "€", (0.0, 200.0))
    assert mean.parts(np.array(parts)) == (("Mean", said),)
    assert 0 <= mean.plain(np.array(parts))["Mean"] <= 200
    assert mean.plain(np.array(parts))["Mean"] == mean.values(np.array(parts))[0]
