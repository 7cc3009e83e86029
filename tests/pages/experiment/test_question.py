"""Conditions and groups around a scenario's target: what changes, its database, its made-up records, and its answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import L1, Bound, ExponentialMechanism, Filter, GroupBy, LaplaceMechanism, PureDP, oracles, targets
from dpcore.base.columns import Column
from dpcore.errors import InvalidValueError
from dpcore.result_types.numbers import answer_of
from pages.experiment.choices import mechanism_after, target_kinds
from pages.experiment.cost import QUICK, a_draw
from pages.experiment.noise import answered, calibrate_sampled, calibrate_worst_case, worst_case
from pages.experiment.question import asked, draws_for, own_columns
from pages.experiment.scenario import Scenario, TableRecords
from pages.experiment.view import Question
from pages.files.tables import Table, read_csv

STAYS = b"cost,age,sex,ward\n10,20,F,a\n20,30,F,b\n,40,M,a\n900,50,F,a\n30,,F,b\n40,70,,b\n"
DECLARED = (
    Column("cost", "Cost", "\u20ac", bounds=(0.0, 100.0)),
    Column("age", bounds=(0.0, 120.0)),
    Column("ward", role="text", categories=("a", "b")),
)
FEMALE, ADULT, BY_WARD = Filter("sex", "F"), Filter("age", interval=(18, 65)), GroupBy("ward", ("a", "b"))
SUM = targets.Sum((0.0, 100.0))


def _table(*, public: bool = False) -> Table:
    return read_csv(STAYS, "t", public=public).declared(*DECLARED)


def _scenario(target: Any = SUM, oracle: Any = None, columns: tuple[str, ...] = ("cost",), mechanism: Any = None) -> Scenario:
    mechanism = mechanism or LaplaceMechanism()
    return Scenario(
        table="t",
        columns=columns,
        target=target,
        oracle=oracle or oracles.Normal(40, 9, (0.0, 100.0)),
        n=6,
        bound=Bound.RANK,
        confidence=None,
        m=199,
        gamma=0.05,
        epsilon=1.0,
        delta=None,
        mechanism=mechanism,
        seed=1,
    )


def _asked(scenario: Scenario, table: Table, *where: Filter, by: GroupBy | None = None) -> Scenario:
    return scenario.with_(**asked(scenario, table, where, by))


def test_asked_wraps_and_unwraps_the_target() -> None:
    before, table = _scenario(), _table()
    after = _asked(before, table, FEMALE, ADULT, by=BY_WARD)
    assert after.target == targets.Query(SUM, ("cost",), (FEMALE, ADULT), BY_WARD)
    assert after.columns == ("cost", "sex", "age", "ward")
    assert (after.mechanism, after.norm, after.n) == (LaplaceMechanism(), L1, 6)
    assert own_columns(after) == own_columns(before) == ("cost",)
    laws = dict(zip(after.oracle.names, after.oracle.columns, strict=True))
    assert laws["cost"] == before.oracle
    assert laws["sex"] == oracles.Categorical((0.5, 0.5), ("F", "other"))
    assert laws["ward"] == oracles.Categorical((0.5, 0.5), ("a", "b"))
    assert draws_for(after.oracle, after.target, tuple(map(table.column, after.columns)))
    assert _asked(after, table, ADULT).target == targets.Query(SUM, ("cost",), (ADULT,))
    assert _asked(after, table) == before


def test_asked_keeps_chosen_laws_and_table_records() -> None:
    table = _table(public=True)
    chosen = oracles.WithMissing(oracles.Uniform(0, 50), 0.1)
    after = _asked(_scenario(oracle=chosen), table, FEMALE)
    again = _asked(after, table, ADULT)
    assert again.oracle.columns[again.oracle.names.index("cost")] == chosen
    assert _asked(again, table).oracle == chosen
    kept = _asked(_scenario(oracle=TableRecords()), table, FEMALE)
    drawn = kept.resolved_oracle(table)
    assert drawn.draw(1, 4, rng=np.random.default_rng(1)).dtype.names == ("cost", "sex")
    assert draws_for(drawn, kept.target, tuple(map(table.column, kept.columns)))
    assert np.isfinite(Question(kept, table).sample(kept.m).distances).all()


def test_asked_refuses_targets_without_missing_values() -> None:
    with pytest.raises(InvalidValueError, match="missing values"):
        asked(_scenario(targets.Mean()), _table(), (FEMALE,))


def test_asked_scenario_round_trips_with_its_own_columns() -> None:
    after = _asked(_scenario(), _table(), FEMALE, by=BY_WARD)
    assert Scenario.from_json(after.to_json()) == after
    for columns in (("cost",), ("sex", "cost", "ward"), ("cost", "sex", "ward", "age")):
        with pytest.raises(InvalidValueError) as caught:
            after.with_(columns=columns)
        assert caught.value.name == "columns"
    assert "Query" not in target_kinds(_table())


def test_too_many_groups_are_refused() -> None:
    many = GroupBy("ward", tuple(f"w{i}" for i in range(257)))
    with pytest.raises(InvalidValueError, match="groups"):
        _asked(_scenario(), _table(), by=many)
    median = targets.QuantileScores(0.5, (0.0, 100.0), points=100_001)
    with pytest.raises(InvalidValueError, match="groups"):
        _asked(
            _scenario(median, mechanism=ExponentialMechanism.suited(median)),
            _table(),
            by=GroupBy("ward", tuple(map(str, range(11)))),
        )


@pytest.mark.parametrize("public", [False, True])
def test_every_record_stays_under_its_columns_names(public: bool) -> None:
    table, target = _table(public=public), targets.Query(SUM, ("cost",), (FEMALE,))
    prepared = table.prepare(("cost", "sex"), target)
    assert prepared.dtype.names == ("cost", "sex")
    assert len(prepared) == table.size(("cost", "sex"), target) == 6
    assert target(prepared).tolist() == [10 + 20 + 100 + 30]
    assert "fits no condition" in table.missing_rule(("cost", "sex"), target)
    assert not prepared.flags.writeable


def test_prepare_needs_bounds_only_of_summed_columns() -> None:
    table = read_csv(STAYS, "t", public=False)
    with pytest.raises(InvalidValueError, match="bounds of “cost”"):
        table.prepare(("cost", "sex"), targets.Query(SUM, ("cost",), (FEMALE,)))
    counted = targets.Query(targets.Count("F"), ("sex",), (ADULT,))
    assert counted(table.prepare(("sex", "age"), counted)).tolist() == [3]


@pytest.mark.parametrize(
    ("target", "column"),
    [
        (SUM, "cost"),
        (targets.Mean((0.0, 100.0)), "cost"),
        (targets.Count("F"), "sex"),
        (targets.Proportion("F"), "sex"),
        (targets.Histogram(categories=("F", "M"), counts=True), "sex"),
        (targets.QuantileScores(0.5, (0.0, 100.0), points=101), "cost"),
        (targets.Proportion(interval=(0, 50)), "cost"),
    ],
    ids=repr,
)
def test_question_without_groups_is_answered_like_its_target(target: Any, column: str) -> None:
    table = _table()
    law = oracles.Normal(40, 9, (0.0, 100.0)) if column == "cost" else oracles.Categorical((0.5, 0.5), ("F", "M"))
    plain = _scenario(target, law, (column,), mechanism_after(SUM, target, LaplaceMechanism()))
    scenario = _asked(plain, table, ADULT)
    assert type(scenario.mechanism) is type(plain.mechanism)
    oracle, columns = scenario.resolved_oracle(table), tuple(map(table.column, scenario.columns))
    assert scenario.m * a_draw(scenario, oracle) <= QUICK
    shown = Question(scenario, table)
    sample, proved = shown.sample(scenario.m), worst_case(scenario)
    assert proved is not None
    assert sample.failures == {}
    assert 0 < sample.distances.max() <= proved.value
    form = target.of_known_values()
    assert answered(scenario, columns) == answer_of(form, columns[:1])
    assert np.isfinite(shown.exact).all()
    assert shown.accuracy.error(calibrate_sampled(scenario, sample).law) > 0
    known = np.where(_adult(table), table.values[column], "" if column == "sex" else np.nan)
    database = table.prepare(scenario.columns, scenario.target)
    assert scenario.target(database).tolist() == form(known).tolist()
    worst = calibrate_worst_case(scenario)
    assert worst is not None
    assert worst.release(database).guarantee == PureDP(1.0)


def _adult(table: Table) -> Any:
    return (table.values["age"] >= 18) & (table.values["age"] <= 65)
