"""A released curve: a line over its domain, of two dimensions a map."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from dpcore import BernsteinPolynomial
from dpcore.answers.fitted_curve import FittedCurve
from pages.old.charts.answers import fitted_curve, published


def test_a_released_polynomial_is_drawn_over_its_domain() -> None:
    response = BernsteinPolynomial(np.array([1.0, 2.0]), 1, ((3.0, 5.0),))
    figure: Any = published(response, FittedCurve(("x", "f(x)")))
    (trace,) = figure.data
    assert (trace.x[0], trace.x[-1]) == (3.0, 5.0)
    assert (trace.y[0], trace.y[-1]) == (1.0, 2.0)


def test_one_of_two_dimensions_is_a_map() -> None:
    response: Any = BernsteinPolynomial(np.array([0.0] * 8 + [4.0]), 2, ((0.0, 1.0), (0.0, 2.0)))
    answer: Any = SimpleNamespace(labels=("width", "depth", "height"))
    made = fitted_curve.published(response, answer)
    (only,) = made.data
    assert only.type == "heatmap"
    assert np.asarray(only.z).max() == 4.0
    assert (made.layout.xaxis.title.text, made.layout.yaxis.title.text) == ("width", "depth")
