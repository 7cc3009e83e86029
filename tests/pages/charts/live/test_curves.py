"""Curves and lines under the hand: what is drawn and said is what Python draws and says at each γ and ε."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, Gaussian, Laplace, oracles, targets
from dpcore.base.declared import Column
from dpcore.curves import KernelDensity, PriestleyChao
from dpcore.guarantees.words import figure
from dpcore.mechanisms import Bernstein
from pages.charts import live
from pages.charts.answers.fitted_curve import BAND, BAND_NAME, PRIVATE, WORST, draws_of, private
from pages.charts.answers.fitted_line import BAND as LINES
from pages.charts.answers.fitted_line import BAND_NAME as LINES_NAME
from pages.charts.answers.fitted_line import ENDS, FAN, FAN_NAME, heights_of, records, seeds
from pages.charts.answers.fitted_line import WORST as WORST_LINE
from tests.pages.charts.live.asked import Asked
from tests.pages.charts.live.marks import close, told
from tests.pages.charts.live.node import Node
from tests.pages.charts.live.test_look import asked

UNIT = (0.0, 1.0)
_SAID = "return at.map(([gamma, epsilon]) => live.saidOf(said.kind, live.looked(tables, gamma, epsilon), said));"


def _curve(curve: Any, oracle: Any, mechanism: Any = None) -> Asked:
    mechanism = mechanism or Bernstein(order=6)
    return asked(mechanism, mechanism.norm, target=targets.OnLattice(curve, 20), oracle=oracle, n=60, m=99)


def _line(target: Any, mechanism: Any = None, norm: Any = L1, **more: Any) -> Asked:
    laws = oracles.Product((oracles.Uniform(0, 1),) * 2)
    made = asked(mechanism or Laplace(), norm, target=target, oracle=laws, columns=("a", "b"), n=80, m=99, **more)
    return Asked(made.scenario, laws, (Column("a", bounds=UNIT), Column("b", unit="points", bounds=UNIT)))


CURVES = {
    "regression": _curve(PriestleyChao(0.1, UNIT, (-1.0, 1.0)), oracles.RegressionPrior(0.2, UNIT, (-1.0, 1.0))),
    "no worst case": _curve(PriestleyChao(0.1, UNIT, None), oracles.RegressionPrior(0.2, UNIT, (-1.0, 1.0))),
    "density in L∞": _curve(KernelDensity(0.1, UNIT), oracles.Uniform(0, 1), Bernstein(order=1, norm=LINF)),
}
LINES_OF = {
    "ridge": _line(targets.Ridge((UNIT,), UNIT)),
    "ridge, Gaussian": _line(targets.Ridge((UNIT,), UNIT), Gaussian(), L2, delta=1e-6),
}


@pytest.mark.parametrize("name", CURVES)
def test_a_private_curve_and_its_band_are_those_of_the_chart_that_stays(node: Node, name: str) -> None:
    question = CURVES[name]
    at = question.points(60)
    data = live.answers(question.at(*at[0]), "answers", 1.0)
    for point, found in zip(at, told(node, question, data, at), strict=True):
        shown: Any = question.at(*point)
        marks, rng = {one["label"].split("±")[0]: one for one in found}, draws_of(8)
        drawn = private(shown.noise, shown.exact.value, shown.fit.points, rng)
        low, high = np.quantile(drawn, BAND, axis=0)
        close(marks[BAND_NAME]["told"][2], low)
        close(marks[BAND_NAME]["told"][3], high)
        close(marks[PRIVATE]["told"][2][:-1], drawn[0])
        bottom, top = marks[PRIVATE]["y"]
        assert bottom < low.min()
        assert high.max() < top
        assert (shown.worst is None) == (name == "no worst case")
        if shown.worst is not None:
            ends = np.quantile(private(shown.worst, shown.exact.value, shown.fit.points, rng), BAND, axis=0)
            worst = marks[WORST.split("±")[0]]
            close(worst["told"][2], np.append(np.append(ends[0], np.nan), np.append(ends[1], np.nan)))
            assert worst["label"] == f"{WORST}{figure(float(np.mean(ends[1] - ends[0])) / 2)}"


@pytest.mark.parametrize("name", LINES_OF)
def test_private_lines_and_their_band_are_those_of_the_chart_that_stays(node: Node, name: str) -> None:
    question = LINES_OF[name]
    at = question.points(60)
    data = live.answers(question.at(*at[0]), "answers", 1.0)
    for point, found in zip(at, told(node, question, data, at), strict=True):
        shown: Any = question.at(*point)
        marks, (_, _, points) = {one["label"]: one["told"] for one in found}, records(shown)
        heights = heights_of(shown.private(shown.noise.law, LINES, seeds(shown)[0]), points)
        low, high = np.quantile(heights, ENDS, axis=0)
        close(marks[LINES_NAME][2], low)
        close(marks[LINES_NAME][3], high)
        close(marks[PRIVATE][2][:-1], heights[0])
        fan = np.array(marks[FAN_NAME][2]).reshape(FAN, -1)[:, :-1]
        assert fan == pytest.approx(heights[1 : FAN + 1], rel=1e-5, abs=1e-6 * np.abs(heights).max())
        if shown.worst is not None:
            close(marks[WORST_LINE][2][:-1], heights_of(shown.private(shown.worst.law, 1, seeds(shown)[1]), points)[0])


@pytest.mark.parametrize("question", [*CURVES.values(), *LINES_OF.values()], ids=[*CURVES, *LINES_OF])
def test_the_error_in_the_sentence_is_python_s(node: Node, question: Asked) -> None:
    at = question.points(200, seed=4)
    said = live.said(question.at(*at[0]))
    for point, slots in zip(at, node.run(_SAID, said=said, tables=question.tables, at=at), strict=True):
        shown = question.at(*point)
        leading = question.leading(shown)
        assert slots["reach"] == live.follows(shown, leading)["reach"]
        assert slots["reach"] in shown.reach(leading)
        assert slots["weaker"] == live.follows(shown, shown.noise)["reach"]


def test_errors_follow_from_the_scale_to_the_last_digits() -> None:
    rng = np.random.default_rng(7)
    for question in (CURVES["regression"], LINES_OF["ridge"]):
        shown: Any = question.at(0.05, 1.0)
        a, b, c = shown.error_by_scale()
        for scale in 10 ** rng.uniform(-4, 3, 200):
            found = np.mean(np.sqrt(a + scale * (b + scale * c)))
            assert found == pytest.approx(shown.error(replace(shown.noise.law, scale=float(scale))), rel=1e-12)


def test_what_is_no_curve_of_noise_times_its_scale_stays_as_it_is() -> None:
    clipped = _curve(KernelDensity(0.1, UNIT), oracles.Uniform(0, 1), Bernstein(order=6, clip=(0.0, 5.0)))
    means = _line(targets.SufficientStatistics((UNIT,), UNIT))
    for question in (clipped, means):
        assert not live.has_charts(question.at(0.05, 1.0))
        assert live.has_kind(question.at(0.05, 1.0).answer)
