"""Oracles, one file each: public rules that simulate databases. A new one inherits ``Oracle`` and is listed here."""

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
