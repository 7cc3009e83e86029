"""The sensitivity of capped people: no person moves an answer by more, and somebody moves it by as much."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from dpcore import L1, Adjacency, ApproxDP, Groups, PureDP, targets
from dpcore.base.types import FloatArray
from pages.old.experiment.contributions.asked import COUNT, MEAN, SUM, Asked, Terms
from pages.old.experiment.contributions.cap import Cap
from pages.old.experiment.contributions.noise import LaplaceNoise, Noise, NormalNoise
from tests.pages.experiment.contributions.naive import Row, choices, sums, weights

pytestmark = pytest.mark.slow

ADD, REPLACE = Adjacency.ADD_OR_REMOVE_ONE_USER, Adjacency.REPLACE_ONE_USER
NOISES = [LaplaceNoise(PureDP(1.0)), NormalNoise(ApproxDP(1.0, 1e-6))]
BOUNDS = [(10.0, 20.0), (-3.0, 8.0)]


def _part(asked: Asked, table: list[Row], kept: list[float], bounds: tuple[float, float], groups: int) -> FloatArray:
    """What one person adds to the numbers that are released."""
    found = sums(table, kept, bounds, groups)
    if asked is not MEAN:
        return found[:, 0]
    shares = 2 * (found[:, 0] - bounds[0] * found[:, 1]) / (bounds[1] - bounds[0]) - found[:, 1]
    return np.concatenate([shares, found[:, 1]])


def _people(groups: int, bounds: tuple[float, float], rng: np.random.Generator) -> list[list[Row]]:
    """Nobody, the worst ones (8 rows at a bound in each of the first groups, or of the last), and some at random."""
    worst = [
        [(0, end, group) for group in places for _ in range(8)]
        for end in bounds
        for many in range(1, groups + 1)
        for places in (range(many), range(groups - many, groups))
    ]
    mixed = [
        [(0, end, group) for group, end in zip(places, ends, strict=True) for _ in range(8)]
        for many in range(2, groups + 1)
        for places in itertools.combinations(range(groups), many)
        for ends in itertools.product(bounds, repeat=many)
    ]
    chance = [[(0, float(rng.uniform(*bounds)), int(rng.integers(groups))) for _ in range(rng.integers(1, 7))] for _ in range(12)]
    return [[], *worst, *mixed, *chance]


@pytest.mark.parametrize("cap", [Cap(1), Cap(2, 1), Cap(3, 2), Cap(1, 4)], ids=str)
@pytest.mark.parametrize("adjacency", [ADD, REPLACE], ids=["add", "replace"])
@pytest.mark.parametrize("noise", NOISES, ids=["L1", "L2"])
@pytest.mark.parametrize("asked", [COUNT, SUM, MEAN], ids=lambda asked: asked.name)
def test_it_is_the_most_that_a_person_can_move(asked: Asked, noise: Noise, adjacency: Adjacency, cap: Cap) -> None:
    """Of four groups two people can share none of their two, and of three they share one."""
    rng = np.random.default_rng(9)
    for groups, bounds in ((1, BOUNDS[0]), (3, BOUNDS[1]), (4, BOUNDS[0])):
        pair = asked.bounds or bounds
        ends = (1.0, 1.0) if asked is COUNT else pair
        tables = _people(groups, ends, rng)
        parts = [_part(asked, table, weights(table, cap.rows, cap.groups), pair, groups) for table in tables]
        others = parts[:1] if adjacency is ADD else parts
        most = max(float(noise.norm(one - other)) for one in parts for other in others)
        proved = Terms(noise, adjacency).sensitivity(asked, cap, pair, groups)
        assert most <= proved * (1 + 1e-12)
        assert most >= proved * (1 - 1e-12)


def test_rows_that_a_salt_keeps_move_it_by_no_more() -> None:
    cap, bounds = Cap(2, 2), (-3.0, 8.0)
    table = [(0, 8.0, 0), (0, -3.0, 0), (0, 7.0, 0), (0, 8.0, 1), (0, 8.0, 1), (0, 8.0, 1), (0, 8.0, 2)]
    proved = Terms(NOISES[0], ADD).sensitivity(SUM, cap, bounds, 3)
    moves = [float(L1(_part(SUM, table, kept, bounds, 3))) for kept in choices(table, cap.rows, cap.groups)]
    assert max(moves) <= proved
    assert len(moves) == 27  # nine draws of rows, for each of three pairs of groups


def test_the_example_of_values_far_from_zero() -> None:
    """Values from 10 to 20, one row kept: replacing a person can lose it, so 20 and not 10."""
    assert Terms(NOISES[0], REPLACE).sensitivity(SUM, Cap(1), (10.0, 20.0)) == 20
    assert Terms(NOISES[0], REPLACE).sensitivity(SUM, Cap(2), (-10.0, 20.0)) == 60
    assert Terms(NOISES[0], ADD).sensitivity(SUM, Cap(2), (-10.0, 20.0)) == 40
    assert [Terms(NOISES[0], each).sensitivity(MEAN, Cap(4), (-10.0, 20.0)) for each in (ADD, REPLACE)] == [8, 8]
    assert [Terms(NOISES[0], each).sensitivity(COUNT, Cap(4), (0.0, 1.0), 7) for each in (ADD, REPLACE)] == [4, 8]
    assert [Terms(NOISES[0], each).sensitivity(COUNT, Cap(4, 3), (0.0, 1.0), 7) for each in (ADD, REPLACE)] == [12, 24]


@pytest.mark.parametrize("cap", [Cap(1), Cap(3), Cap(2, 1), Cap(3, 2), Cap(2, 3), Cap(2, 4)], ids=str)
@pytest.mark.parametrize("adjacency", [ADD, REPLACE], ids=["add", "replace"])
@pytest.mark.parametrize("noise", NOISES, ids=["L1", "L2"])
@pytest.mark.parametrize("asked", [COUNT, SUM, MEAN], ids=lambda asked: asked.name)
def test_a_release_has_the_sensitivity_that_is_predicted(asked: Asked, noise: Noise, adjacency: Adjacency, cap: Cap) -> None:
    for groups, bounds in itertools.product((1, 4), BOUNDS):
        target: Any = {COUNT: targets.KnownCount(), SUM: targets.Sum(bounds), MEAN: targets.KnownMean(bounds)}[asked]
        by = Groups("ward", tuple("abcd")) if groups > 1 else None
        each = cap.groups if by is not None else None
        proved = targets.Capped(targets.On(target, ("x",), (), by), "who", cap.rows, each).global_sensitivity(
            noise.norm, 9, adjacency
        )
        predicted = Terms(noise, adjacency).sensitivity(asked, cap, asked.bounds or bounds, groups)
        assert proved is not None
        assert proved.value == pytest.approx(predicted, rel=1e-6)
