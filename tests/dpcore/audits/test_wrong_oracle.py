"""Worlds of known divergence: what Δ̂ of one oracle misses of another stays below γ′, and a bound of half of it does not hold."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import erf, erfinv

from dpcore import oracles, targets
from dpcore.audits.wrong_oracle import gamma_elsewhere, missed, records_that_decide
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import L1
from dpcore.base.types import Oracle, Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency

REPLACE, REMOVE = Adjacency.REPLACE_ONE_RECORD, Adjacency.ADD_OR_REMOVE_ONE_USER
REPLACE_USER = Adjacency.REPLACE_ONE_USER
NORMAL = oracles.Normal(0, 1)
N, PAIRS = 20, 20_000


def _wider(sd: float) -> float:
    """KL(N(0, 1)‖N(0, sd²)) = log sd + 1/(2 sd²) − ½."""
    return math.log(sd) + 1 / (2 * sd * sd) - 0.5


def _at(gamma: float) -> float:
    """The Δ of a mean of N standard normal records that misses just γ of pairs: P(|x − x′| > NΔ) = 1 − erf(NΔ/2)."""
    return 2 * float(erfinv(1 - gamma)) / N


@pytest.mark.parametrize("sd", [0.5, 1.05, 1.3, 2.0])
@pytest.mark.parametrize("gamma", [0.01, 0.05, 0.3])
def test_the_mean_of_a_wider_world_is_missed_as_often_as_theory_has_it_and_never_more_than_promised(
    sd: float, gamma: float
) -> None:
    world = 1 - float(erf(N * _at(gamma) / (2 * sd)))
    found = missed(targets.Mean(), oracles.Normal(3, sd), L1, N, _at(gamma), pairs=PAIRS, seed=3)
    assert found.pairs == PAIRS
    assert abs(found.missed - PAIRS * world) < 6 * math.sqrt(PAIRS * world * (1 - world)) + 1
    decide = records_that_decide(targets.Mean(), NORMAL, N, REPLACE)
    assert decide == 2
    assert world < gamma_elsewhere(gamma, decide * _wider(sd))


def test_one_record_would_be_too_few_for_a_mean() -> None:
    """Where a pair is missed if either of two coins falls so, the world passes what one record's divergence would allow."""
    target = _Sum(lambda records: np.where(np.asarray(records) > 0.5, 1.0, 0.0))
    assert records_that_decide(target, oracles.Bernoulli(0.3), N, REPLACE) == 2
    p, q = 0.02, 0.05
    gamma, world = 2 * p * (1 - p), 2 * q * (1 - q)
    found = missed(target, oracles.Bernoulli(q), L1, N, 0.5, pairs=PAIRS, seed=4)
    assert abs(found.missed / PAIRS - world) < 6 * math.sqrt(world / PAIRS)
    tau = p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))
    assert gamma_elsewhere(gamma, tau) < found.low
    assert world < gamma_elsewhere(gamma, 2 * tau)


@pytest.mark.statistical
def test_a_median_depends_on_all_records_and_its_world_keeps_to_the_bound_of_all() -> None:
    """n = 20, 20,000 pairs each: the median's Δ̂ of standard normal records, in a world whose sd is 1.5."""
    target, n = targets.Quantile(0.5), 20
    decide = records_that_decide(target, NORMAL, n, REPLACE)
    assert decide == n + 1
    own = missed(target, NORMAL, L1, n, 0.16, pairs=PAIRS, seed=5)
    world = missed(target, oracles.Normal(0, 1.5), L1, n, 0.16, pairs=PAIRS, seed=6)
    assert own.high < world.low
    assert world.high < gamma_elsewhere(own.low, decide * _wider(1.5))


def test_who_decides_is_counted_for_each_kind_of_pair() -> None:
    people = oracles.Users(oracles.Exponential(0.4), (NORMAL,), ("a",))
    capped = targets.ContributionBounded(targets.Query(targets.Sum((0.0, 1.0)), ("a",)), "person", 2)
    assert [records_that_decide(capped, people, 30, adjacency) for adjacency in (REPLACE_USER, REMOVE)] == [2, 1]
    assert records_that_decide(targets.Variance(), NORMAL, 30, REPLACE) == 31
    assert records_that_decide(targets.Variance(), NORMAL, 30, REMOVE) == 30
    assert records_that_decide(targets.Mean(), _Shared(), 30, REPLACE) is None


def test_a_pair_without_an_answer_is_missed_and_bad_numbers_are_refused() -> None:
    assert missed(_Fails(), NORMAL, L1, 3, 9.0, pairs=40, seed=1).missed == 40
    for wrong in (-1.0, math.nan):
        with pytest.raises(InvalidValueError) as refused:
            missed(targets.Mean(), NORMAL, L1, 3, wrong, pairs=40, seed=1)
        assert refused.value.name == "sensitivity"


class _Sum(Target):
    """Adds up a number for each record."""

    def __init__(self, each: Callable[[Database], FloatArray]) -> None:
        self.each_record = each

    def __call__(self, database: Database, /) -> FloatArray:
        return np.atleast_1d(self.each_record(database).sum())

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        return self.each_record(records)[:, None]


class _Fails(Target):
    def __call__(self, database: Database, /) -> FloatArray:
        raise ValueError("always")


class _Shared(Oracle):
    """One value for all records of a database."""

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        return np.repeat(rng.random((databases, 1)), records, axis=1)
