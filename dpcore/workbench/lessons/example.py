"""What most lessons are about: the mean of 500 times to default (Example 6 of Rubinstein & Aldà 2017), at its fixed seed."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from dpcore.audits.neighbours import random_pairs
from dpcore.base.norms import Norm
from dpcore.base.types import Database, FloatArray, Oracle
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import NoiseLaw
from dpcore.sampling.sampler import SensitivitySample
from dpcore.workbench import preview
from dpcore.workbench.defaults import NAME
from dpcore.workbench.defaults import example as of_table
from dpcore.workbench.lessons import tables
from dpcore.workbench.scenario import Scenario

UNIT = "years"
_OF_LESSONS = 14  # the seed of pairs that are shown one by one


def scenario(**changes: Any) -> Scenario:
    """The example, with changes."""
    return of_table(tables.table(NAME)).with_(**changes)


def limited(most: float) -> Scenario:
    """The example with times cut off at so many years: then it has a worst case."""
    of = scenario()
    target: Any = of.target
    return of.with_(target=replace(target, bounds=(0.0, most)))


def oracle(of: Scenario) -> Oracle:
    """Its oracle, which needs no table."""
    return of.resolved_oracle(None)


def sample(of: Scenario) -> SensitivitySample[Norm]:
    """Its trials, at its own operating point."""
    return preview.exploration(of, oracle(of)).at(of.point)


def sized(of: Scenario) -> Calibrated[Any]:
    """Its noise, sized to the sampled sensitivity."""
    return preview.calibrated(of, sample(of))


def law(calibrated: Calibrated[Any]) -> NoiseLaw:
    """The law of noise that is added to a number."""
    assert isinstance(calibrated.law, NoiseLaw), "the example's answer is a number, and noise is added to it"
    return calibrated.law


def pairs(of: Scenario, count: int) -> list[tuple[Database, Database]]:
    """Neighbours, to be shown one by one."""
    rng = np.random.default_rng(_OF_LESSONS)
    return list(islice(random_pairs(oracle(of), of.n, count, of.adjacency, rng), count))


def answer(of: Scenario, database: Database) -> float:
    """The example's number for a database."""
    return float(np.atleast_1d(of.target(database))[0])


def true_cdf(of: Scenario, at: FloatArray | float) -> FloatArray:
    """The true share of random changes that move the answer by no more, in closed form."""
    known = preview.reference(of.target, oracle(of), of.norm, of.n)
    assert known is not None, "the example has a closed form"
    return known.cdf(np.asarray(at, dtype=np.float64))
