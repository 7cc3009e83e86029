"""Oracles, one file each: made-up databases, drawn by a public rule, that size the noise."""

from typing import TYPE_CHECKING

from dpcore.base.rooms import by_name
from dpcore.oracles.bernoulli import Bernoulli
from dpcore.oracles.categorical import Categorical
from dpcore.oracles.copula import Copula
from dpcore.oracles.exponential import Exponential
from dpcore.oracles.log_normal import LogNormal
from dpcore.oracles.mixture import Mixture
from dpcore.oracles.names import Names
from dpcore.oracles.normal import Normal
from dpcore.oracles.normal_mixture import NormalMixture
from dpcore.oracles.pareto import Pareto
from dpcore.oracles.people import People
from dpcore.oracles.product import Product
from dpcore.oracles.regression_prior import RegressionPrior
from dpcore.oracles.resample import Resample
from dpcore.oracles.resample_people import ResamplePeople
from dpcore.oracles.two_classes import TwoClasses
from dpcore.oracles.uniform import Uniform
from dpcore.oracles.with_missing import WithMissing

__all__ = [
    "Bernoulli",
    "Categorical",
    "Copula",
    "Exponential",
    "LogNormal",
    "Mixture",
    "Names",
    "Normal",
    "NormalMixture",
    "Pareto",
    "People",
    "Product",
    "RegressionPrior",
    "Resample",
    "ResamplePeople",
    "TwoClasses",
    "Uniform",
    "WithMissing",
]

if not TYPE_CHECKING:  # a type checker knows those that are listed
    __getattr__ = by_name(__name__)
