"""The made-up table of a trial: that its rows are those of the trial, and that no confidential table is looked at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pages.old.experiment.made_up_table import made_up_table

from dpcore.base.declared import Column
from dpcore.oracles import Exponential
from dpcore.sampling.blocks import Replaced
from dpcore.targets import Mean, Variance
from pages import state
from pages.experiment.scenario import Scenario
from pages.files.table import Table
from pages.old.experiment import changes

X, Y = Column("x"), Column("y")


def _table(*, public: bool = True, n: int = 40) -> Table:
    values = {"x": np.linspace(0, 1, n), "y": np.linspace(5, 9, n)}
    values["x"][3] = np.nan
    return Table("ours", (X, Y), values, public=public)


def _scenario(**changes: Any) -> Scenario:
    plain = state.example().with_(table="ours", columns=("x",), n=40, m=19, target=Mean(), oracle=Exponential(1.0))
    return plain.with_(**changes)


def _sample(scenario: Scenario) -> Any:
    return scenario.sample(scenario.oracle, at=scenario.point, seed=scenario.seed)


@pytest.mark.parametrize("target", [Mean(), Variance()], ids=["additive", "pair"])
def test_the_two_tables_of_the_picture_are_the_distance_of_the_trial_apart(target: Any) -> None:
    scenario = _scenario(target=target)
    sample = _sample(scenario)
    for trial in (changes.typical(sample), changes.at_the_edge(sample)):
        made = changes.change(sample, trial)
        found = made_up_table(scenario, _table(), (X,), made)
        assert len(found.rest[0]) == 39
        first, second = (np.concatenate([found.rest[0], side[0]]) for side in (found.before, found.after))
        assert abs(float(target(first)[0] - target(second)[0])) == pytest.approx(trial.distance, rel=1e-9)
        assert found.marked


def test_the_table_is_the_public_one_and_rows_with_a_missing_value_are_left_out() -> None:
    scenario = _scenario()
    found = made_up_table(scenario, _table(), (X,), None)
    assert found.table is not None
    assert len(found.table[0]) == 39
    assert len(found.rest[0]) == 40
    broken = Replaced(np.array(1.0), np.array(np.nan), np.array([np.nan, 2.0]))
    other = made_up_table(scenario, _table(), (X,), broken)
    assert [one[0].tolist() for one in (other.rest, other.before, other.after)] == [[2.0], [1.0], []]
    assert other.lost == (0, 1)
    assert (found.marked, len(found.before[0]), len(found.after[0])) == (False, 0, 0)


def test_of_a_confidential_table_no_value_is_read() -> None:
    table = _table(public=False)
    table.values.clear()
    found = made_up_table(_scenario(), table, (X,), None)
    assert found.table is None
    assert len(found.rest[0]) == 40


def test_a_row_that_is_removed_has_none_in_its_place() -> None:
    made = Replaced(np.array([0.5]), None)
    found = made_up_table(_scenario(), _table(), (X,), made)
    assert [len(side[0]) for side in (found.rest, found.before, found.after)] == [40 - 1, 1, 0]
