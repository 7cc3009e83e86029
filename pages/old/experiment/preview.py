"""What a scenario shows before anything is released: draws for looking, never for a release."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from dpcore.base.facts import facts
from dpcore.base.norms import Norm
from dpcore.base.types import Database, Oracle
from dpcore.errors import DpcoreError, TableError
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import Sampling, sampling_of
from dpcore.registry.asked import told
from dpcore.sampling.blocks import generator
from dpcore.sampling.sampler import SensitivitySample
from pages.experiment.computable import UNREACHABLE, answered, computable
from pages.experiment.scenario import Scenario
from pages.files.tables import Column, Table
from pages.old.experiment.headlines.base import Headline, NonPrivate, kind_of_headline

_NEARLY_FREE = 1.2
_MOST_MADE_UP = 10_000_000  # values of one table, which take 3 s to draw and to be answered


@computable
def exploration(scenario: Scenario, oracle: Oracle, **how: Any) -> SensitivitySample[Norm]:
    """The scenario's m draws under its seed, sampled as ``how`` says. Take ``.at(point)`` of it: γ, k and the bound only
    re-index them."""
    sample = scenario.sample(oracle, at=OperatingPoint.for_sample_size(scenario.m), seed=scenario.seed, **how)
    return replace(sample, explored=True)


def worst_case(scenario: Scenario) -> GlobalSensitivity[Norm] | None:
    """The target's proved global sensitivity at this n in the scenario's norm, where there is one."""
    proved = facts(scenario.target).global_sensitivity
    adjacency = () if scenario.adjacency is Adjacency.REPLACE_ONE_RECORD else (scenario.adjacency,)
    removed = scenario.adjacency is Adjacency.ADD_OR_REMOVE_ONE_RECORD
    if proved is None or (removed and facts(scenario.target).regardless_of_n is not True):
        return None
    found: GlobalSensitivity[Norm] | None = None
    with suppress(*UNREACHABLE):  # what cannot be computed is no proof
        found = told(scenario.target, "global_sensitivity", lambda: proved(scenario.norm, scenario.n, *adjacency), None)
    return found


def nearly_free(worst_case: GlobalSensitivity[Norm] | None, sensitivity: float) -> bool:
    """Whether differential privacy proper costs at most 1.2 times the noise of a sampled sensitivity of public draws."""
    return worst_case is not None and worst_case.value <= _NEARLY_FREE * sensitivity


@computable
def calibrated(scenario: Scenario, sample: SensitivitySample[Norm]) -> Calibrated[Any]:
    """The mechanism under the sampled sensitivity: for simulation only, its draws have been seen."""
    return scenario.mechanism.calibrate(sample.at(scenario.point).sensitivity(), scenario.privacy)


def calibrated_worst_case(scenario: Scenario) -> Calibrated[Any] | None:
    """The mechanism under the global sensitivity, where there is one."""
    return calibrated_to(scenario, worst_case(scenario))


@computable
def calibrated_to(scenario: Scenario, proved: GlobalSensitivity[Norm] | None) -> Calibrated[Any] | None:
    """The mechanism under a proved sensitivity of the scenario's target, where there is one."""
    return None if proved is None else scenario.mechanism.calibrate(proved, scenario.privacy)


def sampling(scenario: Scenario) -> Sampling | None:
    """How the law of a release says that its noise is drawn; None where there is none at this ε, and so no release."""
    try:
        return sampling_of(scenario.mechanism.law(scenario.target, 1.0, scenario.privacy))
    except DpcoreError:
        return None


def answer(scenario: Scenario, table: Table) -> NonPrivate:
    """The target's own value on the table: to be shown only where the table is public."""
    return _answered(scenario, table.prepare(scenario.columns, scenario.target).database, simulated=False)


class TooManyRowsError(TableError):
    """A made-up table of a table's own number of rows that is too large to draw while somebody waits."""


@computable
def simulated_answer(scenario: Scenario, oracle: Oracle) -> NonPrivate:
    """The target's value on one table drawn from the oracle, which stands in for a confidential one."""
    if scenario.n * len(scenario.columns) > _MOST_MADE_UP:
        problem = f"A made-up table of {scenario.n:,} rows takes too long to draw, so no answer of one is shown here."
        raise TooManyRowsError(problem, "The trials beside it are of that many rows.")
    return _answered(scenario, oracle.draw(1, scenario.n, rng=generator(scenario.seed, 0, 3))[0], simulated=True)


@computable
def _answered(scenario: Scenario, database: Database, *, simulated: bool) -> NonPrivate:
    with np.errstate(all="ignore"):
        value = np.atleast_1d(scenario.target(database))
        return NonPrivate(value=value, simulated=simulated, database=database)


@computable
def headline(
    scenario: Scenario,
    columns: tuple[Column, ...],
    exact: NonPrivate,
    noise: Calibrated[Any],
    *,
    worst: Calibrated[Any] | None = None,
    fresh: Oracle | None = None,
) -> Headline:
    """What is said of the private versions of an answer that may be shown: as its kind has it."""
    answer = answered(scenario, columns)
    made: Headline = kind_of_headline(answer)(
        scenario=scenario, answer=answer, columns=columns, exact=exact, noise=noise, worst=worst, fresh=fresh
    )
    _ = made.least_error  # what cannot be computed is refused before anything is said
    return made
