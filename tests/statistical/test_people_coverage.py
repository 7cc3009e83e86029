"""Sampled distances of whole people have the law of pairs that are made by hand."""

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
N, FRESH, SAMPLED = 4, 8_000, 150_000
TARGET = Capped(3)
BOTH = pytest.mark.parametrize("adjacency", [REPLACED, REMOVED], ids=["replaced", "removed"])


@cache
def _sampled(adjacency: Adjacency) -> FloatArray:
    at = OperatingPoint.for_sample_size(SAMPLED)
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
    return np.array(found)


def _recoded(rows: Database) -> Database:
    rows["person"][CODE] = np.cumsum(np.diff(rows["person"][CODE], prepend=rows["person"][CODE][0]) > 0)
    return rows


@BOTH
def test_sampled_distances_have_the_law_of_pairs_made_by_hand(adjacency: Adjacency) -> None:
    """Two-sample Kolmogorov–Smirnov at 10⁻⁶, by both ways; the law of one row, and distances 10 % too small, are refused."""
    fresh = np.sort(_fresh(adjacency))
    at = OperatingPoint.for_sample_size(2_000)
    plain = sample_sensitivity(TARGET.__call__, ORACLE, norm=L1, n=N, at=at, seed=24, adjacency=adjacency)
    assert plain.way == "plain"
    for sampled, same in (
        (_sampled(adjacency), True),
        (plain.distances, True),
        (_of_one_row(adjacency), False),
        (0.9 * _sampled(adjacency), False),
    ):
        places = np.concatenate([fresh, sampled])
        cdfs = [np.searchsorted(np.sort(values), places, side="right") / len(values) for values in (fresh, sampled)]
        limit = np.sqrt(np.log(2 / 1e-6) / 2 * (1 / len(fresh) + 1 / len(sampled)))
        assert bool(np.abs(cdfs[0] - cdfs[1]).max() < limit) is same
