"""A figure that plotly refuses fails the test that makes it, also after one like it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pages.figures.theme import Chart
from tests.conftest import shape_of


def _made(**changes: Any) -> Any:
    trace = {"type": "scatter", "mode": "lines", "name": "line 1", "x": np.arange(3.0), "y": [1.5, 2.5, 3.5], "opacity": 0.5}
    return Chart("", [trace | changes], {}, "").figure()


@pytest.mark.parametrize("wrong", [{"opasity": 0.5}, {"mode": "dots"}, {"opacity": 1.5}, {"opacity": -0.5}, {"opacity": "0.5x"}])
def test_wrong_figure_is_found(wrong: dict[str, Any]) -> None:
    _made()
    with pytest.raises(ValueError, match=r"(?i)invalid"):
        _made(**wrong)


def test_numbers_do_not_change_the_shape() -> None:
    first = shape_of({"x": np.arange(3.0), "y": [1.5, 2.5], "name": "γ = 0.05", "at": 0.2})
    assert shape_of({"x": np.arange(9.0), "y": [2.5], "name": "γ = 0.1", "at": 0.3}) == first
    for other in ({"x": np.array([np.nan])}, {"y": [1.5, -2.5]}, {"name": "ε = 0.05"}, {"at": 1.2}, {"at": 0}, {"at": True}):
        assert shape_of({"x": np.arange(3.0), "y": [1.5, 2.5], "name": "γ = 0.05", "at": 0.2} | other) != first
