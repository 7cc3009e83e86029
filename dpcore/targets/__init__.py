"""Targets, one file each: functions of a database. A new one inherits ``Target`` and is listed here."""

from dpcore.targets.candidate_directions import CandidateDirections
from dpcore.targets.correlation import Correlation
from dpcore.targets.counts import Count, Proportion
from dpcore.targets.covariance_matrix import CovarianceMatrix
from dpcore.targets.histogram import Histogram
from dpcore.targets.huber_direction import HuberDirection
from dpcore.targets.letter_counts import LetterCounts
from dpcore.targets.linear_svm import LinearSVM
from dpcore.targets.logistic_direction import LogisticDirection
from dpcore.targets.mean import Mean
from dpcore.targets.mean_direction import MeanDirection
from dpcore.targets.on import On
from dpcore.targets.on_lattice import OnLattice
from dpcore.targets.principal_component import PrincipalComponent
from dpcore.targets.quantile import Quantile
from dpcore.targets.quantile_scores import QuantileScores
from dpcore.targets.ridge import Ridge
from dpcore.targets.sample_and_aggregate import SampleAndAggregate
from dpcore.targets.scores import Scores as Scores
from dpcore.targets.sql_query import SqlQuery
from dpcore.targets.sufficient_statistics import SufficientStatistics
from dpcore.targets.sum import Sum
from dpcore.targets.threshold_scores import ThresholdScores
from dpcore.targets.user_limits import Capped, ClippedTotals
from dpcore.targets.variance import Variance

__all__ = [
    "CandidateDirections",
    "Capped",
    "ClippedTotals",
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
    "On",
    "OnLattice",
    "PrincipalComponent",
    "Proportion",
    "Quantile",
    "QuantileScores",
    "Ridge",
    "SampleAndAggregate",
    "SqlQuery",
    "SufficientStatistics",
    "Sum",
    "ThresholdScores",
    "Variance",
]
