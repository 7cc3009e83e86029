"""Numbers on their way to a browser keep the digits that are needed there, however large or small they are."""

from __future__ import annotations

import numpy as np
import pytest

from pages.old.charts.encoded import exactly, roughly
from tests.pages.charts.live.node import Node

_VALUES = np.array([0.0, 1.0, -1 / 3, np.inf, -np.inf, np.nan])


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e-45, 1e-20, 1.0, 1e30, 1e39, 1e300])
def test_a_picture_of_any_size_keeps_seven_digits(node: Node, size: float) -> None:
    sent = _VALUES * size
    exact, rough = node.run("return [Array.from(exact), Array.from(rough)];", exact=exactly(sent), rough=roughly(sent))
    assert np.array_equal(np.array(exact, dtype=float), sent, equal_nan=True)
    assert np.array(rough, dtype=float) == pytest.approx(sent, rel=1e-7, nan_ok=True)
