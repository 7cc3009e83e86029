"""Noise calibrated to the proved worst case of a scenario, and how a release draws it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from dpcore.base.norms import Norm
from dpcore.errors import DpcoreError
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import Sampling
from dpcore.sampling.sampler import SensitivitySample
from dpcore.targets.proved import worst_case_of
from pages.experiment.computable import UNREACHABLE, computable
from pages.experiment.scenario import Scenario


def worst_case(scenario: Scenario) -> GlobalSensitivity[Norm] | None:
    """Return the proved global sensitivity of the target in the scenario's norm, or None."""
    with suppress(*UNREACHABLE):  # without a number there is nothing to calibrate to
        return worst_case_of(scenario.target, scenario.norm, scenario.n, scenario.adjacency)
    return None


@computable
def calibrate_worst_case(scenario: Scenario) -> Calibrated[Any] | None:
    """Return the mechanism calibrated to the proved worst case, or None if no worst case is proved."""
    proved = worst_case(scenario)
    return None if proved is None else scenario.mechanism.calibrate(proved, scenario.privacy)


@computable
def calibrate_sampled(scenario: Scenario, sample: SensitivitySample[Norm]) -> Calibrated[Any]:
    """Return the mechanism calibrated to sampled pairs.

    Args:
        scenario: The scenario.
        sample: At least m pairs. If they were explored, the noise is for charts, and its release is refused.
    """
    return scenario.mechanism.calibrate(sample.at(scenario.point).sensitivity(), scenario.privacy)


def sampling(scenario: Scenario) -> Sampling | None:
    """Return how a release draws its noise, or None if the mechanism has none at this ε."""
    try:
        return scenario.mechanism.law(scenario.target, 1.0, scenario.privacy).sampling
    except DpcoreError:
        return None
