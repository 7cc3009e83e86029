"""Oracles: public models that simulate plausible databases. A new one inherits ``Oracle`` and is listed here."""

from dpcore.oracles.columns import Mixture, Product, WithMissing
from dpcore.oracles.continuous import Exponential, LogNormal, Normal, NormalMixture, Pareto, Uniform
from dpcore.oracles.discrete import Bernoulli, Categorical, Names
from dpcore.oracles.function import Function as Function
from dpcore.oracles.resampling import Copula, Resample
from dpcore.oracles.supervised import RegressionPrior, TwoClasses
from dpcore.oracles.users import People, ResamplePeople

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
