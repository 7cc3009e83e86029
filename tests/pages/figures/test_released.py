"""Charts of released answers by their traces."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import BernsteinPolynomial
from dpcore.result_types.fits import FittedCurve
from dpcore.result_types.kind import Grouped
from dpcore.result_types.matrix import Matrix
from dpcore.result_types.numbers import Numbers
from dpcore.targets import CovarianceMatrix
from pages.figures.released import released_chart
from pages.figures.theme import Chart

PROMISE = "random DP, ε = 1, γ = 0.05"


def _chart(response: Any, kind: Any, within: Any = None) -> Chart:
    chart = released_chart(response, kind, within, PROMISE)
    assert chart is not None
    return chart


@pytest.mark.parametrize("names", [("<b>bold</b>", "a"), ("<a href='x'>y</a>" * 3, "b")], ids=repr)
def test_names_from_outside_are_no_tags(names: tuple[str, ...]) -> None:
    (trace,) = _chart(np.array([1.0, 2.0]), Grouped(Numbers(("n",)), names)).traces
    assert not any("<" in text for text in trace["x"])


def test_counts_are_bars_with_their_own_margins() -> None:
    answer = Grouped(Numbers(("n",), "rows", amount=True), ("x", "y"))
    (trace,) = _chart(np.array([3.0, 8.0]), answer, (1.0, 2.0)).traces
    assert (trace["type"], list(trace["y"]), list(trace["error_y"]["array"])) == ("bar", [3.0, 8.0], [1.0, 2.0])


def test_group_with_infinite_margin_is_not_drawn() -> None:
    (trace,) = _chart(np.array([3.0, 8.0]), Grouped(Numbers(("n",)), ("x", "y")), (1.0, np.inf)).traces
    assert trace["y"][0] == 3.0
    assert np.isnan(trace["y"][1])


def test_guarantee_is_the_first_words_of_the_picture() -> None:
    title = _chart(np.array([3.0, 8.0]), Grouped(Numbers(("n",)), ("x", "y"))).figure("a long question " * 20)["layout"]["title"]
    assert title["text"].startswith(f"<b>{PROMISE}</b>")


def test_curve_is_drawn_over_its_domain() -> None:
    (trace,) = _chart(BernsteinPolynomial(np.array([1.0, 2.0]), 1, ((3.0, 5.0),)), FittedCurve(("x", "f(x)"))).traces
    assert (trace["x"][0], trace["x"][-1], trace["y"][0], trace["y"][-1]) == (3.0, 5.0, 1.0, 2.0)


def test_matrix_has_the_covariances_of_the_table() -> None:
    table = np.random.default_rng(1).uniform(0, 10, size=(500, 2)) @ np.array([[0.6, 0.3], [0.1, 0.5]])
    target = CovarianceMatrix(((0.0, 10.0), (0.0, 10.0)), correlations=False)
    (trace,) = _chart(target(table), Matrix(("a", "b"), target=target)).traces
    np.testing.assert_allclose(trace["z"], np.cov(table.T, bias=True), rtol=1e-9)


def test_single_number_is_read_and_not_drawn() -> None:
    assert released_chart(np.array([1.0]), Numbers(("n",)), 0.5, PROMISE) is None
