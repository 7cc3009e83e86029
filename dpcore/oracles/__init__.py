"""Oracles: public models that simulate plausible databases. A new one inherits ``Oracle`` and is listed here."""

from dpcore.oracles.columns import IndependentColumns, Mixture, WithMissing
from dpcore.oracles.continuous import Exponential, LogNormal, Normal, NormalMixture, Pareto, Uniform
from dpcore.oracles.discrete import Bernoulli, Categorical, Names
from dpcore.oracles.function import Function as Function
from dpcore.oracles.resampling import Copula, Resample
from dpcore.oracles.supervised import RegressionPrior, TwoClasses
from dpcore.oracles.users import ResamplePeople, Users

__all__ = [
    "Bernoulli",
    "Categorical",
    "Copula",
    "Exponential",
    "IndependentColumns",
    "LogNormal",
    "Mixture",
    "Names",
    "Normal",
    "NormalMixture",
    "Pareto",
    "RegressionPrior",
    "Resample",
    "ResamplePeople",
    "TwoClasses",
    "Uniform",
    "Users",
    "WithMissing",
]
