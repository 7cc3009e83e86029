"""Samples, releases and plans of a table of six numbers, as tests of the ledger need them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore import (
    L1,
    L2,
    Adjacency,
    ApproxDP,
    Bound,
    GaussianMechanism,
    GlobalSensitivity,
    LaplaceMechanism,
    OperatingPoint,
    PureDP,
    RandomDP,
    SensitivitySample,
    sample_sensitivity,
)
from dpcore.base.norms import L1Norm
from dpcore.base.types import Oracle, Target
from dpcore.ledger.accounting import Planned
from dpcore.mechanisms.base import Calibrated, Release
from dpcore.oracles import Uniform
from dpcore.targets import Mean, Quantile

N = 6
DATABASE = np.linspace(0, 1, N)
MEAN, MEDIAN = Mean(), Quantile(0.5)
POINT = OperatingPoint.for_gamma(0.05)
TOLERANT = OperatingPoint.for_gamma(0.05, bound=Bound.TOLERANCE, confidence=0.95)
UNIFORM = Uniform(0, 1)


def sample(
    target: Target = MEAN, at: OperatingPoint = POINT, *, seed: int = 1, oracle: Oracle = UNIFORM, n: int = N, **more: Any
) -> SensitivitySample[L1Norm]:
    return sample_sensitivity(target, oracle, norm=L1, n=n, at=at, seed=seed, **more)


def calibrated(drawn: SensitivitySample[L1Norm], epsilon: float = 1.0) -> Calibrated[RandomDP]:
    return LaplaceMechanism().calibrate(drawn.sensitivity(), PureDP(epsilon))


def release(target: Target = MEAN, at: OperatingPoint = POINT, *, epsilon: float = 1.0, **more: Any) -> Release[RandomDP]:
    """Of draws of its own."""
    drawn = sample(target, at, **more)
    return calibrated(drawn, epsilon).release(np.linspace(0, 1, drawn.n))


def planned(target: Target = MEAN, at: OperatingPoint = POINT, *, oracle: Oracle = UNIFORM, n: int = N) -> Planned:
    return Planned(target, oracle, L1, n, at)


def proof(
    epsilon: float = 0.1, n: int | None = N, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD, target: Target = MEAN
) -> Calibrated[PureDP]:
    """A Laplace mechanism to a proved sensitivity of 1."""
    return LaplaceMechanism().calibrate(GlobalSensitivity(target, 1.0, L1, adjacency, "By definition.", n), PureDP(epsilon))


def proved(
    epsilon: float = 0.1, n: int = N, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD, target: Target = MEAN
) -> Release[PureDP]:
    return proof(epsilon, n, adjacency, target).release(np.linspace(0, 1, n))


def approximate(epsilon: float, delta: float) -> Release[ApproxDP]:
    known = GlobalSensitivity(MEAN, 1.0, L2, Adjacency.REPLACE_ONE_RECORD, "By definition.", N)
    return GaussianMechanism().calibrate(known, ApproxDP(epsilon, delta)).release(DATABASE)
