"""Targets: functions of a database. A new one inherits ``Target``, or ``ProvedTarget``, and is listed here."""

from dpcore.targets.counts import Count, Histogram, Proportion
from dpcore.targets.directions import CandidateDirections, HuberDirection, LogisticDirection, MeanDirection
from dpcore.targets.linear_classifiers import ThresholdScores
from dpcore.targets.linear_svm import LinearSVM
from dpcore.targets.moments import Correlation, CovarianceMatrix, PrincipalComponent
from dpcore.targets.on_lattice import OnLattice
from dpcore.targets.quantiles import Quantile, QuantileScores
from dpcore.targets.query import Query
from dpcore.targets.regressions import Ridge, SufficientStatistics
from dpcore.targets.sample_and_aggregate import SampleAndAggregate
from dpcore.targets.scores import LetterCounts
from dpcore.targets.scores import Scores as Scores
from dpcore.targets.sql_query import SqlQuery
from dpcore.targets.sums import Mean, Sum, Variance
from dpcore.targets.user_limits import ClippedTotals, ContributionBounded

__all__ = [
    "CandidateDirections",
    "ClippedTotals",
    "ContributionBounded",
    "Correlation",
    "Count",
    "CovarianceMatrix",
    "Histogram",
    "HuberDirection",
    "LetterCounts",
    "LinearSVM",
    "LogisticDirection",
    "Mean",
    "MeanDirection",
    "OnLattice",
    "PrincipalComponent",
    "Proportion",
    "Quantile",
    "QuantileScores",
    "Query",
    "Ridge",
    "SampleAndAggregate",
    "SqlQuery",
    "SufficientStatistics",
    "Sum",
    "ThresholdScores",
    "Variance",
]
