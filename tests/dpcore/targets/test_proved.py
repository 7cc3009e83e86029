"""The worst case of several questions is never passed by what a search finds, for lists that nobody chose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, Condition, Groups, targets
from dpcore.base.norms import Norm
from dpcore.base.people import per_user
from dpcore.base.types import FloatArray
from dpcore.guarantees.privacy import Adjacency

FIELDS = [("cost", float), ("age", float), ("ward", "U1")]
COSTS, AGES, WARDS = (-10.0, -3.0, 0.0, 4.0, np.nan), (5.0, 20.0, 50.0, 80.0, np.nan), ("a", "b", "c", "")
PLACES = np.array([(cost, age, ward) for cost in COSTS for age in AGES for ward in WARDS], dtype=FIELDS)
APART: tuple[tuple[Condition, ...], ...] = (
    tuple(Condition("ward", ward) for ward in "abc"),
    tuple(Condition("age", interval=ends) for ends in ((0, 15), (16, 40), (41, 99))),
)
ASKED = (
    targets.Sum((-10.0, 4.0)),
    targets.KnownMean((-10.0, 4.0)),
    targets.KnownCount(),
    targets.Count(interval=(-5.0, 5.0)),
    targets.KnownShare(interval=(-5.0, 0.0)),
    targets.KnownVariance((-10.0, 4.0)),
    targets.Histogram(edges=(-10.0, -1.0, 2.0, 5.0), counts=True),
)


def _listed(seed: int) -> targets.Together:
    """Two to five questions, most of them of records that cannot be the same; some in groups, some with a second condition."""
    rng = np.random.default_rng(seed)
    parting, other = APART[seed % 2], APART[1 - seed % 2]
    parts: list[Any] = []
    for _ in range(int(rng.integers(2, 6))):
        where = (parting[int(rng.integers(3))],) if rng.random() < 0.8 else ()
        where += (other[int(rng.integers(3))],) if rng.random() < 0.2 else ()
        by = Groups("ward", ("a", "c")) if rng.random() < 0.25 else None
        parts.append(targets.On(ASKED[int(rng.integers(len(ASKED)))], ("cost",), where, by))
    alike = any(isinstance(part.target, targets.KnownVariance) for part in parts)
    widths = [float(10.0 ** rng.uniform(-1, 1)) * (20.0 if alike else 1.0) for _ in parts]
    return targets.Together(tuple(parts), tuple(widths))


def _answers(basket: targets.Together, databases: Any) -> FloatArray:
    """Of many tables, (b, n) -> (b, d)."""
    databases.flags.writeable = False
    if "batch" in basket.ways and "additive" not in basket.ways:
        return basket.batch(databases)
    return np.stack([basket(database) for database in databases])


def _climbed(basket: targets.Together, n: int, norm: Norm, rng: np.random.Generator) -> float:
    """The furthest that a search finds one changed record to move all of them, over few tables and all records of a grid.

    n + 1 records: without the last and without the last but one they are neighbours. One of them is changed at a time.
    """
    best, kept = 0.0, PLACES[rng.integers(len(PLACES), size=n + 1)]
    if "additive" in basket.ways:  # the other records cancel, so that all pairs can be tried
        alone = basket.contribution(PLACES, n)
        return float(max(norm(alone - one).max() for one in alone))
    for step in range(4 * (n + 1)):
        tried = np.tile(kept, (len(PLACES), 1))
        tried[:, step % (n + 1)] = PLACES
        far = norm(_answers(basket, tried[:, :-1].copy()) - _answers(basket, np.delete(tried, -2, axis=1)))
        best, kept = max(best, float(far.max())), tried[int(far.argmax())]
    return best


@pytest.mark.parametrize("norm", [L1, L2, LINF])
def test_no_search_passes_the_worst_case_of_a_list_and_many_reach_it(norm: Norm) -> None:
    """40 lists; those that add up records are searched in full, and a quarter of all is attained to a millionth."""
    rng = np.random.default_rng(1)
    shares, parted = [], 0
    for seed in range(40):
        basket, n = _listed(seed), (1, 2, 5)[seed % 3]
        proved = basket.global_sensitivity(norm, n)
        if proved is None:
            assert n == 1  # a variance of one record
            continue
        far = _climbed(basket, n, norm, rng)
        assert far <= proved.value
        shares.append(far / proved.value)
        parted += "cannot be the same" in proved.proof
    assert np.mean(np.array(shares) > 1 - 1e-6) > 0.25
    assert parted > 8 or norm is LINF  # in which two parts that move are as far as one


def test_a_record_of_two_classes_would_pass_the_rule_and_short_floats_make_none() -> None:
    """0.1 as a short float is above 0.1: a constant that was rounded to a short float as well would hold it in both intervals."""
    ends = ((0.0, 0.1), (0.10000000001, 0.2), (0.2999, 0.3), (0.30000000001, 1.0))
    parts = tuple(targets.On(targets.KnownCount(), ("x",), (Condition("x", interval=one),)) for one in ends)
    basket = targets.Together(parts, (1.0,) * 4)
    proved = basket.global_sensitivity(L1, 1)
    assert proved is not None
    assert proved.value < 2.1
    for short in (np.float16, np.float32):
        first, second = (basket(np.array([(value,)], dtype=[("x", short)])) for value in (0.1, 0.3))
        assert [float(first.sum()), float(second.sum())] <= [1.0, 1.0]
        assert float(L1(first - second)) <= proved.value


def test_a_person_of_all_wards_moves_the_questions_of_each_and_no_rule_for_single_records_is_taken() -> None:
    wards = "abc"
    counts = tuple(targets.On(targets.KnownCount(), ("cost",), (Condition("ward", ward),)) for ward in wards)
    basket = targets.Together(tuple(targets.Capped(one, "who") for one in counts), (1.0, 0.5, 0.25))
    rows = np.array([(1.0, 20.0, ward) for ward in (*wards, "a")], dtype=FIELDS)
    with_them = basket(per_user(rows, np.array([0, 0, 0, 1]), person="who"))
    without = basket(per_user(rows[3:], np.array([1]), person="who"))
    for norm in (L1, L2, LINF):
        proved = basket.global_sensitivity(norm, 2, Adjacency.ADD_OR_REMOVE_ONE_USER)
        assert proved is not None
        far = float(norm(with_them - without))
        assert far <= proved.value == pytest.approx(far, rel=1e-6)
        assert proved.adjacency is Adjacency.ADD_OR_REMOVE_ONE_USER
