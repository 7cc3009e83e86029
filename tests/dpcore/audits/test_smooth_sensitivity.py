"""The smooth sensitivity of a quantile against all tables of few values, and its noise against its promise and simulations."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from dpcore import oracles, targets
from dpcore.audits.smooth_sensitivity import SmoothNoise, moves_within, noise_scale, serves, smoothing, within
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError

BOUNDS = (0.0, 4.0)
VALUES = (0.0, 1.0, 2.5, 4.0)  # of the tables that are all tried
QUANTILES = (0.0, 0.1, 0.25, 0.5, 0.6, 0.9, 1.0)
DRAWS = 400_000


def _all_tables(n: int) -> FloatArray:
    return np.array(list(combinations_with_replacement(VALUES, n)))


def _differ(tables: FloatArray) -> Any:
    """In how many records two lists must differ, in whichever order: (b, b)."""
    counts = np.array([[(table == value).sum() for value in VALUES] for table in tables])
    return np.maximum(counts[:, None] - counts[None], 0).sum(axis=2)


@lru_cache(maxsize=2)
def _tables(n: int) -> tuple[FloatArray, Any]:
    tables = _all_tables(n)
    return tables, _differ(tables)


def _by_trying(target: Any, n: int) -> tuple[FloatArray, FloatArray, Any]:
    """All tables, A(t) of each by looking at all pairs of neighbours, (b, n + 1), and how many records apart two of them are."""
    tables, apart = _tables(n)
    answers = np.array([target(table)[0] for table in tables])
    local = np.where(apart == 1, np.abs(answers[:, None] - answers[None]), 0).max(axis=1)
    return tables, np.array([[local[near <= t].max() for t in range(n + 1)] for near in apart]), apart


@pytest.mark.parametrize("q", QUANTILES)
@pytest.mark.parametrize("n", [2, 5, 6])
def test_how_far_a_record_moves_it_at_each_distance_is_that_of_all_tables(q: float, n: int) -> None:
    """The values have both bounds among them, and between these it is records of the table that count."""
    target = targets.Quantile(q, BOUNDS)
    tables, tried, _ = _by_trying(target, n)
    for table, own in zip(tables, tried, strict=True):
        found = moves_within(target, np.random.default_rng(1).permutation(table), least_epsilon=1e-6)
        assert found == pytest.approx(own[: len(found)], abs=1e-12)
        assert own[len(found) - 1 :] == pytest.approx(own[len(found) - 1], abs=1e-4)  # what is left out counts no more


@pytest.mark.parametrize("q", [0.5, 0.75])
@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_it_is_above_each_move_and_grows_by_no_more_than_beta_from_a_table_to_its_neighbour(q: float, epsilon: float) -> None:
    target = targets.Quantile(q, BOUNDS)
    tables, tried, apart = _by_trying(target, 6)
    scales = np.array([noise_scale(moves_within(target, table, least_epsilon=epsilon), epsilon) for table in tables])
    smooth = scales * epsilon / (2 * 3**0.75)
    assert (smooth >= tried[:, 0] - 1e-12).all()
    growth = np.log(scales[:, None] / scales[None])[apart == 1]
    assert growth.max() <= smoothing(epsilon) + 1e-12
    assert growth.max() > smoothing(epsilon) - 1e-9  # it is no smoother than it must be


@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_no_answer_tells_more_than_epsilon_of_any_pair_of_neighbours(epsilon: float) -> None:
    target = targets.Quantile(0.5, BOUNDS)
    tables, _, apart = _by_trying(target, 5)
    scales = np.array([noise_scale(moves_within(target, table, least_epsilon=epsilon), epsilon) for table in tables])
    answers = np.array([target(table)[0] for table in tables])
    far = np.geomspace(1e-3, 1e6, 2_000)
    responses = np.concatenate([-far, far, np.linspace(-60, 60, 4_001)])

    def log_density(i: int) -> FloatArray:
        return np.asarray(-np.log1p(((responses - answers[i]) / scales[i]) ** 4) - np.log(scales[i]))

    told = [log_density(i) for i in range(len(tables))]
    losses = [np.abs(told[i] - told[j]).max() for i, j in zip(*np.nonzero(apart == 1), strict=True)]
    assert max(losses) <= epsilon + 1e-9
    assert max(losses) > 0.5 * epsilon  # with a tenth of the noise it would be far above


def _drawn(size: int) -> FloatArray:
    """Z by rejection, without its distribution function: 1/(1 + z⁴) under a Cauchy density."""
    rng = np.random.default_rng(7)
    z = rng.standard_cauchy(2 * size)
    kept = z[rng.random(2 * size) * (1 + np.sqrt(2)) / 2 <= (1 + z**2) / (1 + z**4)]
    assert len(kept) > size
    return np.asarray(kept[:size])


@pytest.mark.statistical
def test_the_noise_has_the_stated_size_and_reach() -> None:
    """400,000 draws: of P(|Z| <= z) at four places, 4 standard errors are .003; of the root mean square, whose squares have no
    variance, what lies within 30."""
    z = np.abs(_drawn(DRAWS))
    for place in (0.3, 1.0, 1.78, 4.0):
        assert float(within(np.array([place]))[0]) == pytest.approx(np.mean(z <= place), abs=0.003)
    edges = np.linspace(0, 30, 300_001)
    inside = np.sum(np.diff(within(edges)) * ((edges[1:] + edges[:-1]) / 2) ** 2)
    assert inside == pytest.approx(np.mean(np.where(z <= 30, z, 0) ** 2), rel=0.02)
    beyond = 2 * np.sqrt(2) / np.pi / 30  # of z² times the density, which is 1/z² far out
    assert inside + beyond == pytest.approx(SmoothNoise((1.0,)).root_mean_square ** 2, abs=1e-3)


def test_the_reach_of_a_mixture_holds_its_share() -> None:
    scales = (0.5, 2.0, 8.0)
    reach = SmoothNoise(scales).half_width(0.95)
    z = np.abs(_drawn(DRAWS))
    assert np.mean([np.mean(scale * z <= reach) for scale in scales]) == pytest.approx(0.95, abs=0.002)
    assert SmoothNoise(scales).root_mean_square == pytest.approx(np.sqrt((0.25 + 4 + 64) / 3))


def test_of_many_records_it_is_far_below_the_worst_case_and_ends_early() -> None:
    target = targets.Quantile(0.5, (0.0, 20.0))
    database = oracles.Exponential(1.0).draw(1, 10_000, rng=np.random.default_rng(3))[0]
    moves = moves_within(target, database, least_epsilon=1.0)
    assert len(moves) < 100
    assert (np.diff(moves) >= 0).all()
    assert noise_scale(moves, 1.0) < 0.02
    whole = moves_within(target, database[:500], least_epsilon=1e-6)
    assert noise_scale(moves_within(target, database[:500], least_epsilon=0.5), 0.5) == noise_scale(whole, 0.5)


def test_anything_else_is_refused() -> None:
    assert not serves(targets.Mean(BOUNDS))
    assert not serves(targets.Quantile(0.5))
    with pytest.raises(InvalidValueError, match="a quantile with public bounds"):
        moves_within(targets.Mean(BOUNDS), np.zeros(3), least_epsilon=1.0)
    with pytest.raises(InvalidValueError, match="at least two rows"):
        moves_within(targets.Quantile(0.5, BOUNDS), np.zeros(1), least_epsilon=1.0)
