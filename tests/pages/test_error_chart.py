"""The axis of the chart of the error against ε."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from pages.figures.charts import error_axis


@pytest.mark.parametrize("error", [1e-300, 1.0, 1e303, 1.7e308])
def test_extreme_errors_write_no_warning(error: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = error_axis("error", [np.full(34, error)])
    assert made["title"]["text"] == "error"
    assert np.isfinite(made.get("range", [0.0])).all()
