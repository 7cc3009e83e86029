"""What a browser looks up at a γ and an ε is what Python computes there."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from pages.old.experiment.live import tables

from dpcore import L2, Gaussian, oracles, targets
from dpcore.errors import ZeroSensitivityError
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from pages.old.charts.encoded import exactly
from tests.pages.charts.live.asked import Asked, asked
from tests.pages.charts.live.node import Node

_CLOSE = 1e-12


CASES = {
    "Laplace": asked(),
    "count": asked(target=targets.Count(interval=(0.0, 2.0))),
    "Gaussian": asked(Gaussian(), L2, delta=1e-6),
    "classical Gaussian": asked(Gaussian(calibration="classical"), L2, delta=1e-6),
    "worst case leads": asked(oracle=oracles.Uniform(0.0, 8.0)),
    "DKW": asked(bound=Bound.DKW, gamma=0.2, m=1_000),
    "tolerance": asked(bound=Bound.TOLERANCE, confidence=0.95),
    "no worst case": asked(target=targets.Mean()),
}


@pytest.mark.parametrize("name", CASES)
def test_orders_sensitivities_and_scales_are_python_s_at_random_points(node: Node, name: str) -> None:
    question = CASES[name]
    at = question.points(150)
    looks = node.run("return at.map(([gamma, epsilon]) => live.looked(tables, gamma, epsilon));", tables=question.tables, at=at)
    for (gamma, epsilon), look in zip(at, looks, strict=True):
        assert (look["gamma"], look["epsilon"]) == (gamma, epsilon)
        _refuse_difference(question, gamma, epsilon, look)


def _refuse_difference(question: Asked, gamma: float, epsilon: float, look: dict[str, Any]) -> None:
    scenario = question.scenario.with_(gamma=gamma)
    point = OperatingPoint.for_both(scenario.m, gamma, bound=scenario.bound, confidence=scenario.confidence)
    assert (look["k"], look["m"], look["reached"]) == (point.k, point.m, True)
    sample = question.sample.at(point)
    assert look["delta"] == sample.order_statistic
    assert look["covered"] == np.count_nonzero(sample.distances <= sample.order_statistic)
    try:
        shown = question.at(gamma, epsilon)
    except ValueError:  # as the classical Gaussian from ε = 1 on
        assert not look["answered"]
        return
    assert look["answered"]
    leading = question.leading(shown)
    assert look["proved"] == (leading is shown.worst)
    assert look["sampledScale"] == pytest.approx(shown.noise.law.scale, rel=_CLOSE)
    assert look["scale"] == pytest.approx(leading.law.scale, rel=_CLOSE)
    assert look["leading"] == leading.sensitivity.value
    left_out = sample.order_statistic if leading is shown.noise else math.nan  # from where on, if anything is
    assert look["beyond"] == pytest.approx(left_out, rel=0, nan_ok=True)
    leads = "proved" if leading is shown.worst else "sampled"
    assert look["state"] == leads
    if shown.worst is not None:
        assert look["worstScale"] == pytest.approx(shown.worst.law.scale, rel=_CLOSE)


def test_beyond_the_reach_of_m_there_is_no_sensitivity_and_the_trials_it_takes(node: Node) -> None:
    question = asked(m=99)
    by_gamma = tables.by_gamma(question.scenario)
    looks = node.run(
        "return Array.from(gammas, (gamma) => live.looked(tables, gamma, 1));",
        tables=question.tables,
        gammas=exactly(by_gamma.gammas),
    )
    least = OperatingPoint.for_sample_size(99).gamma
    assert [look["reached"] for look in looks] == (by_gamma.gammas >= least).tolist()
    for look in looks:
        if not look["reached"]:
            assert not look["answered"]
            assert OperatingPoint.for_both(int(look["needs"]), look["gamma"]).m == look["needs"]


def test_a_sensitivity_that_python_refuses_has_no_answer(node: Node) -> None:
    question = asked(target=targets.Quantile(0.5), oracle=oracles.Bernoulli(0.2), m=99, n=5)
    at = question.points(200)
    looks = node.run("return at.map(([gamma, epsilon]) => live.looked(tables, gamma, epsilon));", tables=question.tables, at=at)
    for (gamma, epsilon), look in zip(at, looks, strict=True):
        try:
            question.at(gamma, epsilon)
        except ZeroSensitivityError:
            assert not look["answered"]
        else:
            assert look["answered"]
    assert {look["answered"] for look in looks} == {True, False}
