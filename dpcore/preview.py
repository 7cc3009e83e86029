"""What a scenario shows before anything is released: draws for looking, never for a release."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, final

import numpy as np

from dpcore.closed_forms import true_cdf
from dpcore.errors import DpcoreError, TooSlowError
from dpcore.mechanisms.base import Calibrated
from dpcore.norms import Norm
from dpcore.operating_points import OperatingPoint
from dpcore.sampler import SensitivitySample, sample_sensitivity
from dpcore.scenario import Scenario
from dpcore.sensitivity import GlobalSensitivity
from dpcore.tables import Table
from dpcore.targets import Histogram, Mean
from dpcore.types import AdditiveTarget, FloatArray, Oracle, Target
from dpcore.ways import generator

_SECONDS_A_RECORD = 4e-8  # drawn and evaluated by a pair target, measured on 2 shared cores
_SECONDS_A_PAIR = 1e-7  # of an additive target
_REFERENCE_SEED = 2017
_REFERENCE_SECONDS = 0.3
_MOST_REFERENCE = 20_000


@final
@dataclass(frozen=True, eq=False)
class Reference:
    """A CDF to compare with: the true one, or that of a large sample under another seed."""

    cdf: Callable[[FloatArray], FloatArray]
    name: str


@final
@dataclass(frozen=True, eq=False)
class Answer:
    """The target's value on a table, or on a simulated one."""

    value: FloatArray
    simulated: bool


def seconds(target: Target, n: int, m: int) -> float:
    """About how long m draws take."""
    return m * (_SECONDS_A_PAIR if isinstance(target, AdditiveTarget) else _SECONDS_A_RECORD * (n + 1))


def refuse_slow(target: Target, n: int, m: int, limit: float) -> None:
    """TooSlowError where m draws would take longer than ``limit`` seconds."""
    expected = seconds(target, n, m)
    if expected > limit:
        raise TooSlowError(expected, limit, max(1, int(limit / seconds(target, n, 1))))


def exploration(scenario: Scenario, oracle: Oracle, *, limit: float) -> SensitivitySample[Norm]:
    """The scenario's m draws under its seed. Take ``.at(point)`` of it: γ, k and the bound only re-index them."""
    refuse_slow(scenario.target, scenario.n, scenario.m, limit)
    at = OperatingPoint.for_sample_size(scenario.m)
    sample = sample_sensitivity(scenario.target, oracle, norm=scenario.norm, n=scenario.n, at=at, seed=scenario.seed)
    return replace(sample, explored=True)


def reference(target: Target, oracle: Oracle, norm: Norm, n: int) -> Reference | None:
    """The closed form where there is one, else a large sample that is called that; None where it would be slow."""
    known = true_cdf(target, oracle, norm, n)
    if known is not None:
        return Reference(known, "true CDF")
    m = min(_MOST_REFERENCE, int(_REFERENCE_SECONDS / seconds(target, n, 1)))
    if m < 1_000:
        return None
    point = OperatingPoint.for_sample_size(m)
    try:
        sample = sample_sensitivity(target, oracle, norm=norm, n=n, at=point, seed=_REFERENCE_SEED)
    except DpcoreError:
        return None
    return Reference(sample.cdf, f"reference sample of {m:,}")


def worst_case(scenario: Scenario) -> GlobalSensitivity[Norm] | None:
    """The target's proved global sensitivity at this n in the scenario's norm, where there is one."""
    proved = getattr(scenario.target, "global_sensitivity", None)
    return proved(scenario.norm, scenario.n) if proved is not None else None


def calibrated(scenario: Scenario, sample: SensitivitySample[Norm]) -> Calibrated[Any]:
    """The mechanism under the sampled sensitivity: for simulation only, its draws have been seen."""
    return scenario.mechanism.calibrate(sample.at(scenario.point).sensitivity(), scenario.privacy)


def calibrated_worst_case(scenario: Scenario) -> Calibrated[Any] | None:
    """The mechanism under the global sensitivity, where there is one."""
    proved = worst_case(scenario)
    return None if proved is None else scenario.mechanism.calibrate(proved, scenario.privacy)


def answer(scenario: Scenario, table: Table) -> Answer:
    """The target's own value on the table: to be shown only where the table is public or its holder asked for it."""
    with np.errstate(all="ignore"):
        return Answer(np.atleast_1d(scenario.target(table.prepare(scenario.columns).database)), simulated=False)


def simulated_answer(scenario: Scenario, oracle: Oracle) -> Answer:
    """The target's value on one table drawn from the oracle, which stands in for a confidential one."""
    with np.errstate(all="ignore"):
        database = oracle.draw(1, scenario.n, rng=generator(scenario.seed, 0, 3))[0]
        return Answer(np.atleast_1d(scenario.target(database)), simulated=True)


def labels(scenario: Scenario, table: Table) -> tuple[str, ...]:
    """A name for each number of the target's answer."""
    target = scenario.target
    if isinstance(target, Histogram) and target.edges is not None:
        return tuple(f"{low:g}–{high:g}" for low, high in pairwise(target.edges))
    if isinstance(target, Histogram):
        return tuple(f"{item:g}" if isinstance(item, float) else item for item in target.categories or ())
    if isinstance(target, Mean):
        return tuple(table.column(name).label or name for name in scenario.columns)
    return (table.column(scenario.columns[0]).label or scenario.columns[0],)
