"""A summary of a table as one target: what it counts, and a worst case that is attained and never passed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, Adjacency
from dpcore.base import people
from dpcore.base.declared import PERSON, TEXT, Column
from dpcore.errors import InvalidValueError
from dpcore.targets import TableSummary

COST = Column("cost", bounds=(0.0, 100.0))
AGE = Column("age", bounds=(-1.0, 1.0))
SEX = Column("sex", role=TEXT, categories=("F", "M"))
SUMMARY = TableSummary((COST, SEX, AGE), (4, 20), ((0, 1),))
KIND = [("cost", float), ("sex", "U5"), ("age", float)]
ROWS = [(0.0, "F", -1.0), (25.0, "M", 1.0), (99.0, "", 0.25), (900.0, "F", np.nan), (np.nan, "other", 0.0)]


def _database(rows: Any) -> Any:
    return np.array(list(rows), dtype=KIND)


def _row(rng: np.random.Generator) -> tuple[float, str, float]:
    cost = rng.choice([-5.0, 0.0, 24.999, 25.0, 50.0, 100.0, 1e300, np.nan])
    return float(cost), str(rng.choice(["F", "M", "", "x"])), float(rng.choice([-1.0, 1.0, 0.05, np.nan, -np.inf]))


def _own(response: Any) -> list[Any]:
    return [part.tolist() for part in SUMMARY.answer(SUMMARY.table).split(response)]


def test_it_counts_bars_sums_and_known_values_each_in_its_own_unit() -> None:
    cost, away, known, sex, known_sex, age, away_age, known_age, pair = _own(SUMMARY(_database(ROWS)))
    assert cost == [1, 1, 0, 2]
    assert away == pytest.approx([-1 - 1 + (2 * (0.99 * 4 - 3) - 1) + 1])  # each from the middle of its own bar
    assert (known, known_sex, known_age) == ([pytest.approx(4)], [pytest.approx(3)], [pytest.approx(4)])
    assert sex == [2, 1]
    assert sum(age) == 4
    assert away_age == pytest.approx([-1 + 1 + 0.25 + 0])  # of more than 16 bars from the middle of the column
    assert pair == [1, 0, 0, 1, 0, 0, 1, 0]


def test_its_mean_follows_from_bars_and_sum_exactly() -> None:
    values = np.random.default_rng(4).uniform(0, 100, 200)
    database = np.array([(value, "F", 0.0) for value in values], dtype=KIND)
    bars, away, *_ = _own(SUMMARY(database))
    middles = np.array([12.5, 37.5, 62.5, 87.5])
    assert (np.array(bars) @ middles + 12.5 * away[0]) / 200 == pytest.approx(values.mean(), rel=1e-12)


def test_its_contributions_add_up_to_it() -> None:
    database = _database(ROWS)
    assert SUMMARY.contribution(database, 5).sum(axis=0) == pytest.approx(SUMMARY(database), rel=1e-12)
    assert len(SUMMARY(database)) == SUMMARY.numbers == sum(SUMMARY.sizes)


def test_its_worst_case_is_attained_and_never_passed_and_so_is_that_of_a_lost_row() -> None:
    proof, lost = SUMMARY.global_sensitivity(L1, 5), SUMMARY.lost(L1, 5)
    removed = SUMMARY.global_sensitivity(L1, 5, Adjacency.ADD_OR_REMOVE_ONE_RECORD)
    assert proof is not None
    assert removed is not None
    assert lost is not None
    assert proof.value == pytest.approx((1 + 0.2 + 1.2) + (1 + 1.3) + (1 + 0.8 + 1.8) + 2, rel=1e-9)
    rng, moved, gone = np.random.default_rng(2), 0.0, 0.0
    for _ in range(600):
        one = _database(_row(rng) for _ in range(3))
        other, without = one.copy(), one.copy()
        other[1], without[1] = _row(rng), (np.nan, "", np.nan)
        moved = max(moved, float(L1(SUMMARY(one) - SUMMARY(other))))
        gone = max(gone, float(L1(SUMMARY(one) - SUMMARY(without))))
    assert 0.95 * proof.value < moved <= proof.value
    assert 0.99 * lost < gone <= lost <= removed.value
    assert SUMMARY.global_sensitivity(L2, 5) is None


def test_without_its_weights_the_worst_case_would_be_passed() -> None:
    """A proof that left the count out, as if it were public, would be wrong by what a lost value moves it."""
    proof = replace(SUMMARY, table=(SEX,), bins=(), pairs=()).global_sensitivity(L1, 2)
    assert proof is not None
    summary = replace(SUMMARY, table=(SEX,), bins=(), pairs=())
    known, lost = (np.array([(text,)], dtype=[("sex", "U5")]) for text in ("F", ""))
    assert 2.29 < float(L1(summary(known) - summary(lost))) <= proof.value


@pytest.mark.parametrize("adjacency", [Adjacency.REPLACE_ONE_USER, Adjacency.ADD_OR_REMOVE_ONE_USER])
def test_one_person_moves_it_by_no_more_than_rows_times_that(adjacency: Adjacency) -> None:
    summary = replace(SUMMARY, person="who", rows=2)
    proof = summary.global_sensitivity(L1, 4, adjacency)
    assert proof is not None
    rng, moved = np.random.default_rng(6), 0.0
    for _ in range(150):
        others = [(_row(rng), who) for who in (1, 1, 2) for _ in range(2)]
        mine, yours = ([(_row(rng), 3)] * int(rng.integers(1, 6)) for _ in range(2))
        sides = [[*others, *mine], [*others, *([] if adjacency.removes else yours)]]
        first, second = (summary(_of_people(rows)) for rows in sides)
        moved = max(moved, float(L1(first - second)))
    assert 0.7 * proof.value < moved <= proof.value
    assert summary.global_sensitivity(L1, 4, Adjacency.REPLACE_ONE_RECORD) is None


def _of_people(rows: Any) -> Any:
    whose = people.numbered(np.array([who for _, who in rows]))
    order, whom = people.in_order(whose)
    arrays = {name: _database(row for row, _ in rows)[name] for name, _ in KIND}
    return people.with_people(arrays, order, whom, "who")


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"table": ()}, "columns"),
        ({"table": (COST, COST), "bins": (4, 4), "pairs": ()}, "columns"),
        ({"table": (Column("free"),), "bins": (4,), "pairs": ()}, "column “free”"),
        ({"table": (Column("who", role=PERSON),), "bins": (), "pairs": ()}, "column “who”"),
        ({"bins": (4,)}, "bins"),
        ({"bins": (4, 5_000)}, "bins"),
        ({"pairs": ((1, 0),)}, "pairs"),
        ({"pairs": ((0, 3),)}, "pairs"),
        ({"pairs": ((0, 1), (0, 1))}, "pairs"),
        ({"person": "cost"}, "person"),
    ],
)
def test_what_it_cannot_count_is_refused_by_name(changes: dict[str, Any], name: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        replace(SUMMARY, **changes)
    assert caught.value.name == name


def test_bounds_with_fewer_floats_between_them_than_bins_are_refused() -> None:
    near = Column("ns", bounds=(1.7e18, 1.7e18 + 1000))
    with pytest.raises(InvalidValueError, match="so near"):
        TableSummary((near,), (32,))
    assert len(TableSummary((near,), (2,)).labels(0)) == 2
