"""User-level random DP: the Δ̂ of whole people covers 1 − γ of pairs in which one person differs; that of one row does not."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from dpcore import L1, Adjacency, OperatingPoint, sample_sensitivity
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.users import CODE
from dpcore.oracles import Exponential, LogNormal, Users
from tests.dpcore.sampling.people import REMOVED, REPLACED, Capped, naive

pytestmark = pytest.mark.statistical
ORACLE = Users(Exponential(0.3), (LogNormal(1.0, 0.8),), ("cost",), alike=0.5, activity=0.6)
GAMMA, M, N, RUNS, FRESH = 0.05, 19, 4, 8_000, 2_500
ERRORS = 4.9  # standard errors: a promise that holds is refused once in 10⁶ times
TARGET = Capped(3)
BOTH = pytest.mark.parametrize("adjacency", [REPLACED, REMOVED], ids=["replaced", "removed"])


def _bounds(distances: FloatArray) -> FloatArray:
    """Δ̂ of each run of 19 draws, sorted."""
    return np.sort(distances.reshape(RUNS, M).max(axis=1))


def _missed(bounds: FloatArray, fresh: FloatArray) -> tuple[float, float]:
    """P(G > Δ̂) over all Δ̂ and fresh pairs, and its standard error: a two-sample rank statistic."""
    below = np.searchsorted(bounds, fresh, side="left") / len(bounds)
    above = 1 - np.searchsorted(np.sort(fresh), bounds, side="right") / len(fresh)
    return float(below.mean()), float(np.sqrt(below.var() / len(fresh) + above.var() / len(bounds)))


@cache
def _sampled(adjacency: Adjacency) -> FloatArray:
    at = OperatingPoint.for_sample_size(M * RUNS)
    return sample_sensitivity(TARGET, ORACLE, norm=L1, n=N, at=at, seed=21, adjacency=adjacency).distances


@cache
def _fresh(adjacency: Adjacency) -> FloatArray:
    """Distances of other pairs, each of two databases that are made by hand."""
    return np.array([naive(TARGET, ORACLE, adjacency, N, 22, pair) for pair in range(FRESH)])


@cache
def _of_one_row(adjacency: Adjacency, pairs: int = 2_000) -> FloatArray:
    """What a sampler would find that replaces or removes one row of the first person, and leaves the rest."""
    rng, found = np.random.default_rng(23), []
    for _ in range(pairs):
        rows = ORACLE.draw(1, N + 1, rng=rng)[0]
        held = rows[rows["person"][CODE] < N]
        other = held[1:].copy()
        if adjacency is REPLACED:
            other = held.copy()
            other["cost"][0] = rows["cost"][-1]
        found.append(float(np.abs(TARGET(held) - TARGET(_recoded(other))).sum()))
    return np.resize(np.array(found), RUNS * M)


def _recoded(rows: Database) -> Database:
    rows["person"][CODE] = np.cumsum(np.diff(rows["person"][CODE], prepend=rows["person"][CODE][0]) > 0)
    return rows


@BOTH
def test_a_fresh_pair_of_people_is_missed_as_often_as_is_promised(adjacency: Adjacency) -> None:
    """Of continuous distances in just γ of runs: 8,000 runs of 19 draws, 2,500 fresh pairs, and a Δ̂ that is 10 % less fails."""
    bounds, fresh = _bounds(_sampled(adjacency)), _fresh(adjacency)
    missed, error = _missed(bounds, fresh)
    assert error < GAMMA / 8
    assert abs(missed - GAMMA) < ERRORS * error
    missed, error = _missed(0.9 * bounds, fresh)
    assert missed > GAMMA + 2 * error
    missed, error = _missed(_bounds(_of_one_row(adjacency)), fresh)
    assert missed > GAMMA + 10 * error


@BOTH
def test_sampled_distances_have_the_law_of_pairs_made_by_hand(adjacency: Adjacency) -> None:
    """Two-sample Kolmogorov–Smirnov at 10⁻⁶, by both ways; the law of one row is far away."""
    fresh = np.sort(_fresh(adjacency))
    at = OperatingPoint.for_sample_size(2_000)
    plain = sample_sensitivity(TARGET.__call__, ORACLE, norm=L1, n=N, at=at, seed=24, adjacency=adjacency)
    assert plain.way == "plain"
    for sampled, same in ((_sampled(adjacency), True), (plain.distances, True), (_of_one_row(adjacency)[:2_000], False)):
        places = np.concatenate([fresh, sampled])
        cdfs = [np.searchsorted(np.sort(values), places, side="right") / len(values) for values in (fresh, sampled)]
        limit = np.sqrt(np.log(2 / 1e-6) / 2 * (1 / len(fresh) + 1 / len(sampled)))
        assert bool(np.abs(cdfs[0] - cdfs[1]).max() < limit) is same
