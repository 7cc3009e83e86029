"""Predicted errors are those of simulated releases; the best configuration, the shares that are dropped, and the table of all."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore import Adjacency, ApproxDP, PureDP
from pages.old.experiment.contributions.asked import COUNT, MEAN, SUM, Terms
from pages.old.experiment.contributions.cap import Cap, CountedRows, counted_rows
from pages.old.experiment.contributions.noise import LaplaceNoise, NormalNoise
from pages.old.experiment.contributions.parts import dropped, rows_a_person
from pages.old.experiment.contributions.predict import predict
from tests.benchmarks import capped_people
from tests.benchmarks.capped_people import EPSILON, TABLES, measured
from tests.pages.experiment.contributions.naive import field

TERMS = Terms(LaplaceNoise(PureDP(EPSILON)), Adjacency.ADD_OR_REMOVE_ONE_USER)
CELLS = [(2, 40.0), (20, 150.0)]
RELEASES, WITHIN = 40_000, 0.03  # of a spread: four standard errors of 0.56 % and of what is heavier in the tails


def _rows(name: str, *, ones: bool = False) -> CountedRows:
    table = TABLES[name](300)
    return counted_rows(table.field, None if ones else np.array(table.value))


@pytest.mark.statistical
@pytest.mark.parametrize("name", TABLES)
def test_errors_are_those_of_simulated_releases(name: str) -> None:
    """40,000 of each; the standard deviation too, which no bias hides. Noise that is 10 % wrong is refused."""
    table, rng = TABLES[name](300), np.random.default_rng(31)
    for s, high in CELLS:
        bounds = (0.0, high)
        for asked, responses in (
            (COUNT, capped_people.count_releases(table, s, RELEASES, rng)),
            (SUM, capped_people.sum_releases(table, s, bounds, RELEASES, rng)),
            (MEAN, capped_people.mean_releases(table, s, bounds, RELEASES, rng)),
        ):
            errors = predict(_rows(name, ones=asked is COUNT), asked, TERMS, [Cap(s)], None if asked is COUNT else [bounds])
            best = errors.best.errors
            error, spread = measured(responses, float(best.truth[0]))
            assert best.rmse[0] == pytest.approx(error, rel=WITHIN)
            assert math.sqrt(best.noise[0]) == pytest.approx(spread, rel=WITHIN)
            assert best.bias[0] == pytest.approx(responses.mean() - best.truth[0], abs=4 * spread / math.sqrt(RELEASES))
            assert abs(1.1 * math.sqrt(best.noise[0]) / spread - 1) > WITHIN


def test_gaussian_noise_on_a_mean_by_group_is_that_of_simulated_releases() -> None:
    """40,000 releases of two groups; Δ in L2 is 2s in replace-one."""
    rng, terms = np.random.default_rng(4), Terms(NormalNoise(ApproxDP(0.5, 1e-5)), Adjacency.REPLACE_ONE_USER)
    people, group = np.repeat(np.arange(50), 4), np.tile([0, 0, 1, 0], 50)
    values = rng.uniform(0, 10, 200)
    rows = counted_rows(field(people.tolist()), values, group=group, groups=2)
    found = predict(rows, MEAN, terms, [Cap(2)], [(0.0, 10.0)]).best
    assert found.sensitivity == pytest.approx(4)
    for place, kept in ((0, values[group == 0]), (1, values[group == 1])):
        shares = np.array([(kept / 5 - 1).sum() / 2, len(kept) / 2]) + found.scale * rng.standard_normal((RELEASES, 2))
        responses = np.clip(5 * (shares[:, 0] / np.maximum(shares[:, 1], 1) + 1), 0, 10)
        assert found.errors.rmse[place] == pytest.approx(measured(responses, kept.mean())[0], rel=WITHIN)
    assert found.errors.total == pytest.approx(math.sqrt((found.errors.rmse**2).mean()))


def test_what_a_cap_drops_is_said_in_shares() -> None:
    rows = counted_rows(field([0, 0, 0, 0, 1, 2, 2]), np.array([4.0, 4.0, 4.0, 4.0, 2.0, -1.0, 1.0]))
    assert [rows_a_person(rows).rows.tolist(), rows_a_person(rows).people.tolist()] == [[1, 2, 4], [1, 1, 1]]
    one, all_of_them = dropped(rows, (Cap(1), Cap(4)))
    assert [one.rows, one.people, one.value] == pytest.approx([4 / 7, 2 / 3, 13 / 20])
    assert [all_of_them.rows, all_of_them.people, all_of_them.value] == [0, 0, 0]
    assert dropped(rows, (Cap(1),), (0.0, 2.0))[0].value == pytest.approx((6 + 0.5) / 11)
    in_groups = counted_rows(field([0, 0, 0, 0, 1, 2, 2]), group=np.array([0, 0, 0, 1, 0, 0, 1]), groups=2)
    for cap, rows_kept, people_cut in ((Cap(1, 1), 3, 2), (Cap(1, 2), 5, 1)):  # the first person loses rows of one group alone
        (found,) = dropped(in_groups, (cap,))
        assert [found.rows, found.people, found.value] == pytest.approx([1 - rows_kept / 7, people_cut / 3, 1 - rows_kept / 7])


def test_a_mean_of_a_group_without_rows_has_no_error_and_the_total_is_of_the_others() -> None:
    rows = counted_rows(field([0, 1]), np.array([3.0, 5.0]), group=np.array([0, 0]), groups=2)
    errors = predict(rows, MEAN, TERMS, [Cap(1)], [(0.0, 10.0)]).best.errors
    assert np.isnan(errors.rmse[1])
    assert errors.total == errors.rmse[0]
