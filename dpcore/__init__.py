"""Privatise any function of a table by sampling its sensitivity (Rubinstein & Aldà 2017). A sampled sensitivity gives
*random* differential privacy, which is weaker than differential privacy; a proved one gives the latter."""

from dpcore import curves, mechanisms, oracles, targets
from dpcore.base.columns import Column
from dpcore.base.filters import Filter, GroupBy
from dpcore.base.norms import L1, L2, LINF, RANGE
from dpcore.base.polynomials import BernsteinPolynomial
from dpcore.base.types import Curve, Oracle, Target
from dpcore.base.users import per_user
from dpcore.errors import DpcoreError
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.guarantees.privacy import Adjacency, ApproxDP, PureDP, RandomDP
from dpcore.guarantees.sensitivity import GlobalSensitivity, SampledSensitivity
from dpcore.ledger.accounting import Ledger, Planned
from dpcore.mechanisms.base import Mechanism, Release
from dpcore.mechanisms.bernstein import BernsteinMechanism
from dpcore.mechanisms.exponential import ExponentialMechanism
from dpcore.mechanisms.gaussian import GaussianMechanism
from dpcore.mechanisms.laplace import LaplaceMechanism
from dpcore.mechanisms.two_steps import TwoStepMechanism
from dpcore.sampling.sampler import SensitivitySample, sample_sensitivity
from dpcore.targets.query import Query
from dpcore.targets.sample_and_aggregate import SampleAndAggregate

__all__ = [
    "L1",
    "L2",
    "LINF",
    "RANGE",
    "Adjacency",
    "ApproxDP",
    "BernsteinMechanism",
    "BernsteinPolynomial",
    "Bound",
    "Column",
    "Curve",
    "DpcoreError",
    "ExponentialMechanism",
    "Filter",
    "GaussianMechanism",
    "GlobalSensitivity",
    "GroupBy",
    "LaplaceMechanism",
    "Ledger",
    "Mechanism",
    "OperatingPoint",
    "Oracle",
    "Planned",
    "PureDP",
    "Query",
    "RandomDP",
    "Release",
    "SampleAndAggregate",
    "SampledSensitivity",
    "SensitivitySample",
    "Target",
    "TwoStepMechanism",
    "curves",
    "mechanisms",
    "oracles",
    "per_user",
    "sample_sensitivity",
    "targets",
]
