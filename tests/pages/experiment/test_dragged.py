"""A record that is dragged moves the answer as far as an independent computation says, at each place that is tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from dpcore import targets
from dpcore.base.condition import Condition
from dpcore.base.declared import Column
from dpcore.base.types import Database, FloatArray
from dpcore.guarantees.privacy import Adjacency
from pages.experiment import dragged
from pages.experiment.attacked_tables import columns_of
from pages.experiment.dragged import Dragged, spread
from tests.pages.charts.live.asked import asked

BOUNDS = (0.0, 8.0)
WAITING = Column("a", unit="minutes", bounds=BOUNDS)


def _values(n: int = 30) -> FloatArray:
    return np.random.default_rng(6).uniform(0.0, 5.0, n)


def _found(target: Any, database: Database, *columns: Column, seconds: float = 0.0, **changes: Any) -> Dragged:
    found = _tried(target, database, *columns, seconds=seconds, **changes)
    assert isinstance(found, Dragged), found
    return found


def _tried(target: Any, database: Database, *columns: Column, seconds: float = 0.0, **changes: Any) -> Dragged | str:
    named = columns or (WAITING,)
    names = tuple(column.name for column in named)
    scenario = asked(target=target, n=len(database), columns=names, declared=named).scenario.with_(**changes)
    database.flags.writeable = False
    return dragged.dragged(scenario, database, named, named[0], lambda: seconds)


def _middle(values: FloatArray) -> int:
    return int(np.flatnonzero(values == np.quantile(values, 0.5, method="lower"))[0])


def test_of_a_mean_it_is_the_step_over_n() -> None:
    """|x − x_i|/n, within the bounds; with the record counted or left out |x|/n of a sum over a public number."""
    values = _values()
    own = values[_middle(values)]
    found = _found(targets.Mean(BOUNDS), values)
    assert found.places[found.home] == own
    assert found.distances == pytest.approx(np.abs(np.clip(found.places, *BOUNDS) - own) / 30, abs=1e-15)
    free = _found(targets.Mean(), values, Column("a"))
    assert free.distances == pytest.approx(np.abs(free.places - own) / 30, abs=1e-15)
    assert free.places[-1] > 3 * values.max()
    assert np.isnan(free.like).all()


def test_of_a_record_that_is_counted_or_left_out_it_is_its_own_part() -> None:
    found = _found(targets.Sum(BOUNDS), _values(), adjacency=Adjacency.ADD_OR_REMOVE_ONE_RECORD)
    assert found.removes
    assert found.distances == pytest.approx(np.clip(found.places, *BOUNDS), abs=1e-15)


@pytest.mark.parametrize("n", [9, 10])
def test_of_a_median_it_is_that_of_the_sorted_values(n: int) -> None:
    values = _values(n)
    i = _middle(values)
    found = _found(targets.Quantile(0.5, bounds=BOUNDS), values)
    others = np.delete(values, i).tolist()

    def median(place: float) -> float:
        ordered = sorted([*others, min(max(place, 0.0), 8.0)])
        return (ordered[(n - 1) // 2] + ordered[n // 2]) / 2

    wanted = [abs(median(place) - median(values[i])) for place in found.places]
    assert found.distances == pytest.approx(wanted, abs=1e-15)
    assert len(set(found.distances)) >= 3
    assert found.others.tolist() == sorted(others)


def test_of_several_columns_one_moves_and_the_others_stay() -> None:
    rng = np.random.default_rng(8)
    both = rng.uniform(0.0, 8.0, (40, 2))
    columns = WAITING, Column("b", bounds=BOUNDS)
    found = _found(targets.Correlation((BOUNDS, BOUNDS)), both.copy(), *columns)
    i = _middle(both[:, 0])

    def correlation(place: float) -> float:
        moved = both.copy()
        moved[i, 0] = min(max(place, 0.0), 8.0)
        return float(np.corrcoef(moved.T)[0, 1])

    wanted = [abs(correlation(place) - correlation(both[i, 0])) for place in found.places]
    assert found.distances == pytest.approx(wanted, abs=1e-12)


def test_the_record_meets_the_conditions_and_has_a_value() -> None:
    """The middle one of those asked for: moved out of a condition on its own column, it counts nowhere."""
    whole = np.empty(20, dtype=[("a", float), ("b", float)])
    whole["a"], whole["b"] = np.arange(20.0), np.arange(20) % 2
    whole["a"][7] = np.nan
    question = targets.On(
        targets.Count(interval=(-100.0, 100.0)), ("a",), where=(Condition("b", 1.0), Condition("a", interval=(0.0, 12.0)))
    )
    found = _found(question, whole, Column("a"), Column("b"), columns=("a", "b"))
    assert found.places[found.home] == 5.0  # of 1, 3, 5, 9 and 11
    assert found.distances.tolist() == [0.0 if 0 <= place <= 12 else 1.0 for place in found.places]
    assert len(found.others) == 18


def test_a_distance_that_is_the_sensitivity_is_that_to_the_bit() -> None:
    """As the trials measure an answer that adds up: one that is computed of two whole tables is off by their rounding."""
    values = np.array([0.0, 1.0] * 250 + [0.0])
    target = targets.Proportion(interval=(0.5, 1.5))
    found = _found(target, values, Column("a"))
    assert {0.0, float(1 / np.float64(501))} == set(found.distances.tolist())
    moved = values.copy()
    moved[0] = 1.0
    assert float(np.abs(target(moved) - target(values))[0]) != 1 / 501


@dataclass(frozen=True)
class _Fails:
    """A mean that fails where a record is too large."""

    def __call__(self, database: Database, /) -> FloatArray:
        if database.max() > 10:
            raise ValueError("too large")
        return np.array([np.log(database.mean() + 0.5)])


def test_where_there_is_no_answer_the_distance_is_infinite() -> None:
    found = _found(_Fails(), _values(), Column("a"))
    assert (np.isinf(found.distances) == (found.places > 10)).all()
    assert 0 < np.isinf(found.distances).sum() < len(found.places)


def test_a_slow_answer_is_asked_for_at_fewer_places_and_a_very_slow_one_at_none() -> None:
    quick, slow = (_found(_Fails(), _values(), Column("a"), seconds=seconds) for seconds in (0.001, 0.02))
    assert len(slow.places) <= 30 < 60 < len(quick.places) <= dragged.MOST_PLACES
    assert _tried(_Fails(), _values(), Column("a"), seconds=0.1) == dragged.SLOW.format(0.1)
    assert len(_found(targets.Mean(), _values(), Column("a"), seconds=9.0).places) > 60  # which looks at the record alone


def test_without_a_known_value_there_is_none_to_drag() -> None:
    question = targets.On(targets.Count(interval=(0.0, 1.0)), ("a",))
    whole = np.full(5, np.nan).astype([("a", float)])
    assert _tried(question, whole, Column("a")) == dragged.UNKNOWN


@pytest.mark.parametrize("most", [24, 57, 200])
@pytest.mark.parametrize(
    ("others", "own", "bounds"),
    [
        ([0.0, 1.0, 6.6], 0.7464, None),
        ([19.0, 50.0, 79.0], 50.0, (0.0, 120.0)),
        ([4.0], 4.0, None),
        ([0.0], 0.0, None),
        ([5.0, 5.0], 5.0, (0.0, 10.0)),
        ([1e-9, 3e-9], 2e-9, (0.0, 1.0)),
        ([-2e12, 5e12], 0.1, None),
        ([0.0, 10_000.0], 123.456, (0.0, 1e6)),
        ([3.0, 3.1], 9.0, (0.0, 1.0)),
    ],
)
def test_places_rise_and_hold_the_column_its_own_value_and_bounds_within_reach(
    others: list[float], own: float, bounds: tuple[float, float] | None, most: int
) -> None:
    places = spread(np.array(others), own, bounds, most)
    assert 3 <= len(places) <= most
    assert (np.diff(places) > 0).all()
    assert own in places
    assert places[0] <= min(others) <= max(others) <= places[-1]
    wide = max(others) - min(others)
    for bound in bounds or ():
        assert bound in places or not wide or min(abs(bound - other) for other in others) > 9 * wide


def test_whole_numbers_move_by_whole_steps_and_days_not_before_the_first() -> None:
    places = spread(np.array([1.0, 3.0]), 2.0, None, 200)
    assert places.tolist() == [0.0, *range(1, 10)]
    day = Column("a", since="2024-12-31")
    found = _found(targets.Mean(), np.array([1.0, 40.0, 80.0]), day)
    assert found.words[0] == "2024-12-31"
    assert found.words[found.home] == "2025-02-09"


def test_what_lies_beyond_a_bound_counts_like_it_only_where_it_does() -> None:
    clipped, free = (_found(targets.Mean(bounds), _values()) for bounds in (BOUNDS, None))
    beyond = clipped.places > 8
    assert clipped.words[-1].endswith("minutes (counts like 8)")
    assert (clipped.like[beyond] == 8).all()
    assert np.isnan(clipped.like[(clipped.places >= 0) & ~beyond]).all()
    assert np.isnan(free.like).all()
    assert free.words[-1] == f"{free.places[-1]:g} minutes"


def test_a_record_has_a_place_in_columns_of_numbers_alone() -> None:
    some = Column("name", role="text"), Column("sex", categories=(0.0, 1.0)), Column("age"), Column("who", role="person")
    assert columns_of(some) == (some[2],)
