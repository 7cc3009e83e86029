"""Numbers on their way to a browser keep the digits that are needed there, however large or small they are."""

from __future__ import annotations

import numpy as np
import pytest

from pages.charts.live.encoded import drawn, exactly, roughly
from tests.pages.charts.live.node import Node

_VALUES = np.array([0.0, 1.0, -1 / 3, np.inf, -np.inf, np.nan])


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e-45, 1e-20, 1.0, 1e30, 1e39, 1e300])
def test_a_picture_of_any_size_keeps_seven_digits(node: Node, size: float) -> None:
    sent = _VALUES * size
    exact, rough = node.run("return [Array.from(exact), Array.from(rough)];", exact=exactly(sent), rough=roughly(sent))
    assert np.array_equal(np.array(exact, dtype=float), sent, equal_nan=True)
    assert np.array(rough, dtype=float) == pytest.approx(sent, rel=1e-7, nan_ok=True)


@pytest.mark.parametrize("size", [0.0, 5e-324, 1e-300, 1.0, 1e300, 1.7e308])
def test_what_is_only_drawn_is_right_to_a_part_of_the_largest(node: Node, size: float) -> None:
    sent = np.array([0.0, 1e-6, 1 / 3, 0.999, 1.0]) * size
    seen = np.array(node.run("return Array.from(sent);", sent=drawn(sent)), dtype=float)
    assert (np.abs(seen - sent) <= size / 65_535 + 5e-324).all()
    assert (seen[0], seen[-1]) == (0, size)


@pytest.mark.parametrize("other", [-1.0, np.nan, np.inf])
def test_what_has_no_such_part_is_drawn_all_the_same(node: Node, other: float) -> None:
    sent = np.array([0.5, other])
    seen = node.run("return Array.from(sent);", sent=drawn(sent))
    assert np.array_equal(np.array(seen, dtype=float), sent, equal_nan=True)
