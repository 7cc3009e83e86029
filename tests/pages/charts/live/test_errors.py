"""The error against ε under the hand is the headline's own, at each γ and ε and along the curve."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore.guarantees.words import figure
from pages.charts import live
from pages.experiment.error_curve import error_or_none
from tests.pages.charts.live import test_choice, test_curves, test_look, test_side_by_side
from tests.pages.charts.live.node import Node

_CLOSE = 1e-12
_FEW = test_choice._asked("permute-and-flip", candidates=test_choice._NAMES[:15])
CASES = {
    "Laplace": test_look.CASES["Laplace"],
    "Gaussian": test_look.CASES["Gaussian"],
    "classical Gaussian": test_look.CASES["classical Gaussian"],
    "no worst case": test_look.CASES["no worst case"],
    "gumbel": test_choice.CASES["gumbel"],
    "permute-and-flip": _FEW,
    "bars": test_side_by_side.SEVERAL["bars"],
    "groups": test_side_by_side.GROUPED["bins"],
    "curve": test_curves.CURVES["regression"],
    "line": test_curves.LINES_OF["ridge"],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_curves_and_the_mark_are_the_headline_s_errors(node: Node, name: str) -> None:
    question = CASES[name]
    at = question.points(170)
    shown = question.at(0.05, 0.5)
    data = live.answers(shown, "error", 1.0)
    found = node.run("return followed(live.Answers, data, tables, at);", data=data, tables=question.tables, at=at)
    ranges = {(tuple(chart["x"]), tuple(chart["y"])) for charts in found for chart in charts}
    assert len(ranges) == 1, "no axis moves under the hand"
    ((_, (bottom, top)),) = ranges
    rng = np.random.default_rng(9)
    for (gamma, epsilon), charts in zip(at, found, strict=True):
        try:
            there = question.at(gamma, epsilon)
        except ValueError:
            assert charts == [], "a chart where there is no answer"
            continue
        (chart,) = charts
        sampled, worst, none, chosen = chart["marks"]
        delta = question.sample.at(question.scenario.with_(gamma=gamma).point).order_statistic
        for mark, value in ((sampled, delta), (worst, None if shown.worst is None else shown.worst.sensitivity.value)):
            for i in rng.integers(0, len(mark["xs"]), 4):
                wanted = math.nan if value is None else error_or_none(shown, value, mark["xs"][i])
                assert mark["ys"][i] == pytest.approx(wanted, rel=_CLOSE, abs=1e-300, nan_ok=True)
                assert not wanted > top
        error = there.error(question.leading(there).law)
        assert chosen["xs"] == [epsilon]
        assert chosen["ys"][0] == pytest.approx(error, rel=_CLOSE, abs=1e-300)
        assert chosen["label"] == f"ε = {epsilon:g}: {figure(chosen['ys'][0])}"
        assert none["label"] == f"no privacy: {figure(there.least_error)}"
        assert none["ys"][0] == max(there.least_error, bottom)
