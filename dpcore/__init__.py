"""Privatise any function of a table by sampling its sensitivity (Rubinstein & Aldà 2017). A sampled sensitivity gives
*random* differential privacy, which is weaker than differential privacy; a proved one gives the latter."""

from dpcore import curves, oracles, targets
from dpcore.accounting import Ledger, Planned
from dpcore.mechanisms.bernstein import Bernstein
from dpcore.mechanisms.exponential import Exponential
from dpcore.mechanisms.gaussian import Gaussian
from dpcore.mechanisms.laplace import Laplace
from dpcore.norms import L1, L2, LINF, RANGE
from dpcore.operating_points import Bound, OperatingPoint
from dpcore.polynomials import BernsteinPolynomial
from dpcore.privacy import Adjacency, ApproxDP, PureDP, RandomDP
from dpcore.sampler import SensitivitySample, sample_sensitivity
from dpcore.sensitivity import GlobalSensitivity, SampledSensitivity

__all__ = [
    "L1", "L2", "LINF", "RANGE", "Adjacency", "ApproxDP", "Bernstein", "BernsteinPolynomial", "Bound", "Exponential", "Gaussian",
    "GlobalSensitivity", "Laplace", "Ledger", "OperatingPoint", "Planned", "PureDP", "RandomDP", "SampledSensitivity",
    "SensitivitySample", "curves", "oracles", "sample_sensitivity", "targets",
]  # fmt: skip
