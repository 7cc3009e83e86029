"""The tables that a browser looks up are what the library says at each γ and ε."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from pages.old.experiment.live import tables

from dpcore import Bound, Gaussian, OperatingPoint
from dpcore.errors import GammaOutOfReachError
from pages.experiment.choices import example
from pages.experiment.scenario import Scenario
from pages.experiment.tables import ours
from pages.old.experiment import preview

TABLE = ours()["loan_defaults"]
EXAMPLE = example(TABLE)


@pytest.mark.parametrize(("bound", "confidence"), [(Bound.RANK, None), (Bound.DKW, None), (Bound.TOLERANCE, 0.95)])
def test_k_and_the_sensitivity_are_those_of_each_point(bound: Bound, confidence: float | None) -> None:
    scenario = EXAMPLE.with_(m=1_500, bound=bound, confidence=confidence, gamma=0.1)
    sample = preview.exploration(scenario, scenario.resolved_oracle(TABLE))
    table = tables.by_gamma(scenario)
    found = tables.sensitivities(sample, table)
    least = OperatingPoint.for_sample_size(1_500, bound=bound, confidence=confidence).gamma
    for i in range(0, len(table.gammas), 7):
        gamma = float(table.gammas[i])
        if gamma < least:
            with pytest.raises(GammaOutOfReachError) as refused:
                scenario.with_(gamma=gamma)
            assert (table.orders[i], table.needs[i]) == (0, refused.value.least_m)
            assert np.isnan(found.values[i])
            continue
        at = sample.at(scenario.with_(gamma=gamma).point)
        assert (table.orders[i], table.needs[i]) == (at.point.k, 0)
        assert found.values[i] == at.order_statistic
        assert found.covered[i] == np.count_nonzero(sample.distances <= at.order_statistic)


def test_trials_without_an_answer_are_infinite_and_none_is_dropped() -> None:
    sample = preview.exploration(EXAMPLE, EXAMPLE.resolved_oracle(TABLE))
    failed = dataclasses.replace(sample, distances=np.where(np.arange(199) < 30, np.inf, sample.distances))
    found = tables.sensitivities(failed, tables.by_gamma(EXAMPLE))
    reached = tables.by_gamma(EXAMPLE).orders
    assert np.isinf(found.values[(reached > 169)]).all()
    assert np.isfinite(found.values[(reached > 0) & (reached <= 169)]).all()


def _gaussian(scenario: Scenario) -> Scenario:
    return scenario.with_(mechanism=Gaussian(), norm=Gaussian().norm, delta=1e-5)


@pytest.mark.parametrize("scenario", [EXAMPLE, _gaussian(EXAMPLE)], ids=["laplace", "gaussian"])
def test_a_sensitivity_times_the_unit_is_the_calibrated_scale(scenario: Scenario) -> None:
    sample = preview.exploration(scenario, scenario.resolved_oracle(TABLE))
    grid, units = tables.units(scenario)
    for j in range(0, len(grid), 11):
        noise = preview.calibrated(scenario.with_(epsilon=float(grid[j])), sample)
        assert noise.sensitivity.value * units[j] == pytest.approx(noise.law.scale, rel=1e-12)


def test_an_epsilon_without_noise_has_no_unit() -> None:
    classical = Gaussian(calibration="classical")
    grid, units = tables.units(EXAMPLE.with_(mechanism=classical, norm=classical.norm, delta=1e-5, epsilon=0.5))
    assert np.isnan(units[grid >= 1]).all()
    assert np.isfinite(units[grid < 1]).all()


@pytest.mark.parametrize("scenario", [EXAMPLE, _gaussian(EXAMPLE)], ids=["laplace", "gaussian"])
def test_the_guesser_at_the_edge_is_that_of_each_calibration(scenario: Scenario) -> None:
    sample = preview.exploration(scenario, scenario.resolved_oracle(TABLE))
    noise = preview.calibrated(scenario, sample)
    found, (grid, _) = tables.accuracies(scenario, noise, 1), tables.units(scenario)
    for j in range(0, len(grid), 11):
        at = preview.calibrated(scenario.with_(epsilon=float(grid[j])), sample)
        assert found[j] == pytest.approx(float(at.guesser(1).right(at.sensitivity.value)), rel=1e-12)
