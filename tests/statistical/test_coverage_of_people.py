"""Random DP for whole people, and where a record is removed: pairs that are drawn apart lose more than ε as often as promised."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import Adjacency, LaplaceMechanism, OperatingPoint, PureDP, oracles, targets
from dpcore.audits.audit import Coverage, coverage, random_pairs
from dpcore.base import users
from dpcore.base.users import CODE
from dpcore.sampling.user_methods import AdditiveUserMethod
from tests.dpcore.sampling.people import ORACLE, REMOVED, REPLACED, joined

pytestmark = pytest.mark.statistical
BOTH = pytest.mark.parametrize("adjacency", [REPLACED, REMOVED], ids=["replaced", "removed"])
COSTS = targets.ContributionBounded(targets.Query(targets.Sum((0.0, 40.0)), ("cost",)), "person", 3)
AT = OperatingPoint.for_gamma(0.1)


def _covered(target: Any, adjacency: Adjacency, oracle: Any = ORACLE, **how: Any) -> Coverage:
    return coverage(target, oracle, LaplaceMechanism(), PureDP(1.0), n=5, at=AT, pairs=500, seed=6, adjacency=adjacency, **how)


@BOTH
def test_a_question_about_people_is_covered_and_k_minus_one_is_caught(adjacency: Adjacency) -> None:
    """500 pairs, each with a Δ̂ of its own: the true share is γ = 0.1, and 0.2 with k − 1."""
    kept, broken = _covered(COSTS, adjacency), _covered(COSTS, adjacency, order=AT.k - 1)
    assert kept.holds
    assert kept.low <= AT.gamma <= kept.high
    assert not broken.holds
    assert broken.low <= 2 * AT.gamma <= broken.high


@BOTH
def test_a_sampler_of_people_whose_distances_are_a_tenth_too_small_is_caught(
    adjacency: Adjacency, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counts of rows move in whole numbers, so a Δ̂ that is a tenth short does not cover the largest move."""
    counted = targets.ContributionBounded(targets.Query(targets.Count(), ("cost",)), "person", 4)
    assert _covered(counted, adjacency).holds
    on = AdditiveUserMethod.on

    def short(way: AdditiveUserMethod, subject: Any, rows: Any) -> Any:
        found = on(way, subject, rows)
        found.distances[...] *= 0.9
        return found

    monkeypatch.setattr(AdditiveUserMethod, "on", short)
    assert not _covered(counted, adjacency).holds


def _last(database: Any) -> Any:
    """Of the last person alone: the place that changes is drawn, so it moves on one pair in five."""
    return database["cost"][database["person"][CODE] == users.count(database["person"]) - 1].sum(keepdims=True)


def test_a_target_that_looks_at_one_place_is_covered_by_plain_calls() -> None:
    found = coverage(_last, ORACLE, LaplaceMechanism(), PureDP(1.0), n=5, at=AT, pairs=150, seed=6, adjacency=REPLACED)
    assert found.holds


def test_where_a_record_is_removed_the_mean_is_covered_and_k_minus_one_is_caught() -> None:
    kept, broken = (_covered(targets.Mean(), REMOVED, oracles.Exponential(1.0), order=order) for order in (None, AT.k - 1))
    assert kept.holds
    assert kept.low <= AT.gamma <= kept.high
    assert not broken.holds


@BOTH
def test_pairs_of_people_are_those_of_a_loop(adjacency: Adjacency) -> None:
    drawn, n = 6 if adjacency is REPLACED else 5, 5
    pairs = list(random_pairs(ORACLE, n, 20, adjacency, np.random.default_rng(3)))
    rng, places = np.random.default_rng(3), set()
    for first, second in pairs:
        rows = ORACLE.draw(1, drawn, rng=rng)[0]
        place = int(rng.integers(n))
        of = [rows[rows["person"][CODE] == code] for code in range(drawn)]
        assert (first == joined(of[:n], rows.dtype)).all()
        assert (second == joined([*of[:place], *of[n:], *of[place + 1 : n]], rows.dtype)).all()
        users.check(second["person"])
        places.add(place)
    assert len(places) == n
