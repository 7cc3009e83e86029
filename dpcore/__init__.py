"""Privatise any function of a table by sampling its sensitivity (Rubinstein & Aldà 2017). A sampled sensitivity gives
*random* differential privacy, which is weaker than differential privacy; a proved one gives the latter."""

from dpcore import curves, mechanisms, oracles, targets
from dpcore.base.columns import Column
from dpcore.base.filters import Condition, Groups
from dpcore.base.norms import L1, L2, LINF, RANGE
from dpcore.base.polynomials import BernsteinPolynomial
from dpcore.base.users import per_user
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.guarantees.privacy import Adjacency, ApproxDP, PureDP, RandomDP
from dpcore.guarantees.sensitivity import GlobalSensitivity, SampledSensitivity
from dpcore.ledger.accounting import Ledger, Planned
from dpcore.mechanisms.bernstein import Bernstein
from dpcore.mechanisms.exponential import Exponential
from dpcore.mechanisms.gaussian import Gaussian
from dpcore.mechanisms.laplace import Laplace
from dpcore.mechanisms.two_steps import InSteps
from dpcore.sampling.sampler import SensitivitySample, sample_sensitivity

__all__ = [
    "L1",
    "L2",
    "LINF",
    "RANGE",
    "Adjacency",
    "ApproxDP",
    "Bernstein",
    "BernsteinPolynomial",
    "Bound",
    "Column",
    "Condition",
    "Exponential",
    "Gaussian",
    "GlobalSensitivity",
    "Groups",
    "InSteps",
    "Laplace",
    "Ledger",
    "OperatingPoint",
    "Planned",
    "PureDP",
    "RandomDP",
    "SampledSensitivity",
    "SensitivitySample",
    "curves",
    "mechanisms",
    "oracles",
    "per_user",
    "sample_sensitivity",
    "targets",
]
