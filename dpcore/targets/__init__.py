"""Targets, one file each: functions of a database. A new one inherits ``Target`` and is listed here."""

from dpcore.targets.candidate_directions import CandidateDirections
from dpcore.targets.capped import Capped
from dpcore.targets.clipped_totals import ClippedTotals
from dpcore.targets.correlation import Correlation
from dpcore.targets.count import Count
from dpcore.targets.covariance_matrix import CovarianceMatrix
from dpcore.targets.histogram import Histogram
from dpcore.targets.huber_direction import HuberDirection
from dpcore.targets.known_count import KnownCount
from dpcore.targets.known_mean import KnownMean
from dpcore.targets.known_share import KnownShare
from dpcore.targets.known_variance import KnownVariance
from dpcore.targets.letter_counts import LetterCounts
from dpcore.targets.linear_svm import LinearSVM
from dpcore.targets.logistic_direction import LogisticDirection
from dpcore.targets.mean import Mean
from dpcore.targets.mean_direction import MeanDirection
from dpcore.targets.on import On
from dpcore.targets.on_lattice import OnLattice
from dpcore.targets.principal_component import PrincipalComponent
from dpcore.targets.proportion import Proportion
from dpcore.targets.quantile import Quantile
from dpcore.targets.quantile_scores import QuantileScores
from dpcore.targets.ridge import Ridge
from dpcore.targets.sample_and_aggregate import SampleAndAggregate
from dpcore.targets.sql_query import SqlQuery
from dpcore.targets.sufficient_statistics import SufficientStatistics
from dpcore.targets.sum import Sum
from dpcore.targets.threshold_scores import ThresholdScores
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
    "KnownCount",
    "KnownMean",
    "KnownShare",
    "KnownVariance",
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
