"""The chart of how far the target moves has the staircase, the band and the true CDF of plotly's, and the inversion of Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.base.counted import counted
from dpcore.base.types import FloatArray
from pages.charts import live
from pages.charts.live.encoded import exactly
from pages.charts.sampler import BAND, band, edge_of, staircase
from tests.pages.charts.live import marks, test_look
from tests.pages.charts.live.asked import Asked
from tests.pages.charts.live.node import Node

_PART = 1 / 65_535  # of an axis, to which a line is sent
_KNOTS = 240
CASES = {
    "RANK": test_look.CASES["Laplace"],
    "DKW": test_look.CASES["DKW"],
    "no worst case": test_look.CASES["no worst case"],
    "one trial": test_look.asked(m=1, gamma=0.5),
}


def _data(question: Asked, worst: float | None) -> dict[str, Any]:
    return live.sensitivity(
        question.sample,
        true=lambda x: 1 - np.exp(-x),
        true_name="true",
        worst=worst,
        unit="",
        alt="A chart.",
        guesser=None,
        scale=0.0,
    )


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("worst", [None, 0.9])
def test_it_draws_the_same_steps_band_and_inversion(node: Node, name: str, worst: float | None) -> None:
    question = CASES[name]
    at = question.points(60)
    ordered, right = np.sort(question.sample.distances), edge_of(question.sample, worst)
    x, steps = staircase(ordered, right, most=_KNOTS)
    _, low, high = band(ordered, right, most=_KNOTS)
    for (gamma, _), told in zip(at, marks.told(node, question, _data(question, worst), at, "Sensitivity"), strict=True):
        by_name = {mark["label"].split(" =")[0]: mark["told"] for mark in told if mark["label"]}
        _refuse_difference(by_name[BAND], ["between", x, low, high], right)
        _refuse_difference(by_name[counted(len(ordered), " trials")], ["at", x, steps], right)
        way, xs, true = by_name["true"]
        _refuse_difference([way, xs, true], ["at", np.linspace(0, right, 120), 1 - np.exp(-np.array(xs))], right)
        point = question.scenario.with_(gamma=gamma).point
        delta, share = question.sample.at(point).order_statistic, point.k / point.m
        assert by_name["Δ̂"] == ["at", [0, delta, delta], [share, share, 0]]
        assert ("worst case 0.9" in by_name) == (worst is not None)


def test_a_guesser_leaves_the_chart_with_the_answer(node: Node) -> None:
    """Without noise there is none, and the tables hold nothing of it."""
    question = CASES["RANK"]
    with_one = _data(question, None) | {"accuracies": {"title": "accuracy", "ratios": []}}
    tables = question.tables | {"unit": exactly(np.full(len(question.tables["epsilon"]), np.nan)), "edge": None}
    body = """
      const part = new live.Sensitivity(document.createElement("div"));
      const at = (tables) => part.follow(live.looked(tables, 0.05, 0.5));
      part.receive(before);
      at(given);
      const said = [part.chart.said];
      part.receive(after);
      at(none);
      return [...said, part.chart.said];
    """
    first, then = node.run(body, before=with_one, after=_data(question, None), given=question.tables, none=tables)
    assert "accuracy" in first
    assert "accuracy" not in then


def _refuse_difference(told: list[Any], wanted: list[Any], right: float) -> None:
    assert told[0] == wanted[0]
    for found, line, most in zip(told[1:], wanted[1:], (right, 1.0, 1.0), strict=False):
        _refuse_far(np.array(found, dtype=float), line, most)


def _refuse_far(found: FloatArray, line: FloatArray, most: float) -> None:
    assert found.shape == line.shape
    assert (np.abs(found - line) <= most * _PART).all()
