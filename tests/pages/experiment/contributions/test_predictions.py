"""Predicted errors are those of simulated releases; the best configuration, the shares that are dropped, and the table of all."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore import Adjacency, ApproxDP, PureDP
from pages.experiment.contributions.asked import COUNT, MEAN, SUM, Terms
from pages.experiment.contributions.cap import Cap, CountedRows, Keeping, counted_rows
from pages.experiment.contributions.noise import LaplaceNoise, NormalNoise
from pages.experiment.contributions.parts import dropped, rows_a_person
from pages.experiment.contributions.predict import MOST_PEOPLE, PERSON, ROW, by_size, levels, predict
from pages.people.configurations import ALL_GROUPS, exported
from tests.benchmarks import capped_people, uniform_drops
from tests.benchmarks.capped_people import EPSILON, TABLES, measured
from tests.benchmarks.contributions import salts
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


@pytest.mark.statistical
def test_which_rows_a_salt_keeps_is_no_independent_choice() -> None:
    """2,000 salts: ours is 5 % near. Rows that are dropped independently, as PipelineDP takes them, spread about twice as far."""
    found = salts(capped_people.uniform(300), 2_000, np.random.default_rng(2))
    assert max(found.spread) < 0.05
    assert min(found.theirs[:2]) > 0.5


def test_the_rivals_formula_on_two_people_by_hand() -> None:
    """4 rows and 1 row, s = 2, values from 0 to 10: totals 26 and 3 are clipped to 20; rows are kept with chance ½."""
    table = capped_people.Table([0, 0, 0, 0, 1], [2.0, 4.0, 8.0, 12.0, 3.0])
    assert uniform_drops.clipped_totals(table, 2, (0.0, 10.0)) == (-6.0, 0.0)
    bias, spread = uniform_drops.dropped_rows(table, 2, (0.0, 10.0))
    assert bias == pytest.approx(-2 - 24 / 2)
    assert spread == pytest.approx(math.sqrt((4 + 16 + 64 + 100) / 4))
    assert uniform_drops.rmse((-6.0, 0.0), 2, (0.0, 10.0)) == pytest.approx(math.hypot(6, math.sqrt(2) * 20 / EPSILON))


def test_an_interior_minimum_is_found_with_those_near_it() -> None:
    found = predict(
        _rows("heavy-tailed"), SUM, TERMS, [Cap(s) for s in (1, 2, 4, 8, 16, 32)], [(0.0, high) for high in (5.0, 50.0, 500.0)]
    )
    totals = found.totals
    assert found.best.errors.total == totals.min()
    assert 1 < found.best.cap.rows < 32
    assert found.best.bounds == (0.0, 50.0)
    assert found.near_best().sum() >= 1
    assert (found.near_best(0.1) == (totals <= 1.1 * totals.min())).all()
    assert found.near_best(1e9).all()


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


def test_three_noises_at_one_epsilon() -> None:
    rows = _rows("heavy-tailed")
    row, person, sampled = levels(rows, SUM, TERMS, Cap(5), (0.0, 100.0), sampled=123.0)
    assert [row.name, person.name, sampled.name] == [ROW, PERSON, MOST_PEOPLE]
    assert [each.prediction.sensitivity for each in (row, person, sampled)] == [100, 500, 123]
    assert [each.prediction.scale for each in (row, person, sampled)] == pytest.approx([1_000, 5_000, 1_230])
    assert row.prediction.errors.dropped[0] == pytest.approx(0, abs=1e-6)
    assert sampled.prediction.errors.answer[0] == person.prediction.errors.answer[0] < row.prediction.errors.answer[0]
    assert [each.protects.startswith("Protects") for each in (row, person, sampled)] == [True] * 3
    assert len(levels(rows, COUNT, TERMS, Cap(5))) == 2


def test_the_row_level_takes_the_groups_of_one_row() -> None:
    rows = counted_rows(field([0, 0, 1]), group=np.array([0, 1, 1]), groups=2)
    terms = Terms(TERMS.noise, Adjacency.REPLACE_ONE_USER)
    row, person = levels(rows, COUNT, terms, Cap(3, 2))
    assert [row.prediction.sensitivity, person.prediction.sensitivity] == [2, 6]  # of two groups, each by three at most


def test_the_error_of_each_group_stands_beside_its_size() -> None:
    rows = counted_rows(field([0, 0, 0, 0, 1, 1]), group=np.array([0, 0, 0, 2, 0, 2]), groups=4)
    prediction = predict(rows, COUNT, TERMS, [Cap(2)]).best
    sizes = by_size(rows, prediction)
    assert [sizes.place.tolist(), sizes.rows.tolist(), sizes.people.tolist()] == [[2, 0], [2, 4], [2, 2]]
    assert sizes.relative == pytest.approx(prediction.errors.rmse[[2, 0]] / [2, 4])


def test_a_mean_of_a_group_without_rows_has_no_error_and_the_total_is_of_the_others() -> None:
    rows = counted_rows(field([0, 1]), np.array([3.0, 5.0]), group=np.array([0, 0]), groups=2)
    errors = predict(rows, MEAN, TERMS, [Cap(1)], [(0.0, 10.0)]).best.errors
    assert np.isnan(errors.rmse[1])
    assert errors.total == errors.rmse[0]


def test_all_configurations_are_rows_of_a_table() -> None:
    rows = _rows("uniform")
    found = predict(rows, SUM, TERMS, [Cap(1), Cap(5)], [(0.0, 50.0), (0.0, 100.0)])
    table = exported(found, SUM, unit="EUR")
    assert len(table) == 4
    assert [row["rows kept of each person"] for row in table] == [1, 1, 5, 5]
    assert [row["upper bound of a value (EUR)"] for row in table] == [50, 100, 50, 100]
    assert [row["root mean square error (EUR)"] for row in table] == found.totals.ravel().tolist()
    assert [row["within 10% of the least error"] == "yes" for row in table] == found.near_best().ravel().tolist()
    parts = ("clipping low", "clipping high", "what the cap leaves out", "the noise")
    squares = sum(float(table[0][f"bias of {part} (EUR)"] or 0) for part in parts) ** 2
    deviations = ("over which rows are kept", "of the noise")
    squares += sum(float(table[0][f"standard deviation {part} (EUR)"] or 0) ** 2 for part in deviations)
    assert table[0]["root mean square error (EUR)"] == pytest.approx(math.sqrt(squares))


def test_by_group_there_is_a_row_for_all_and_one_for_each() -> None:
    rows = counted_rows(field([0, 1]), np.array([3.0, 5.0]), group=np.array([0, 0]), groups=2)
    found = predict(rows, MEAN, TERMS, [Cap(1), Cap(1, 2)], [(0.0, 10.0)])
    table = exported(found, MEAN, labels=("north", "south"))
    assert [row["group"] for row in table] == [ALL_GROUPS, "north", "south"] * 2
    assert all(row.keys() == table[0].keys() for row in table)
    assert table[0]["root mean square error"] == found.table[0][0].errors.total
    assert table[2]["root mean square error"] is None
    assert [row["groups kept of each person"] for row in table[::3]] == [None, 2]
    count = exported(predict(counted_rows(field([0, 1])), COUNT, TERMS, [Cap(1)]), COUNT, unit="rows")
    assert count[0]["upper bound of a value (rows)"] is None


def test_another_sensitivity_gives_its_own_noise() -> None:
    rows = _rows("uniform")
    by_salt = Terms(TERMS.noise, TERMS.adjacency, Keeping.ROWS)
    usual, other = (predict(rows, SUM, by_salt, (Cap(2),), ((0.0, 50.0),), each).table[0][0] for each in (None, 7.0))
    assert [usual.sensitivity, other.sensitivity] == [100, 7]
    assert other.errors.noise[0] == pytest.approx(2 * (7 / EPSILON) ** 2)
    assert usual.errors.salts[0] == other.errors.salts[0] > 0
