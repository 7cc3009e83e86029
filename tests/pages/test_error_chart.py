"""The chart of the error against ε."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from pages.figures.error import error_chart

EPSILONS = np.geomspace(0.01, 20, 34)


@pytest.mark.parametrize("error", [1e-300, 1.0, 1e303, 1.7e308])
def test_extreme_errors_write_no_warning(error: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        chart = error_chart(EPSILONS, {"sampled": np.full(34, error)}, epsilon=1.0, error=error, shown="sampled", what="error")
    assert chart.traces
