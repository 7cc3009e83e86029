"""The copula of a public table as an oracle: a link holds none of its records, and a confidential table has none."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpcore.errors import InvalidValueError
from dpcore.oracles import Copula
from pages import state
from pages.experiment.choices import oracle_kinds
from pages.experiment.scenario import Scenario, TableCopula, TableRecords
from tests.pages.visit import link, notices, pick, scenario, settled

CORRELATION = {"kind": "Correlation", "bounds": [[0, 1], [0, 1]]}
QUESTION = {"table": "two_classes", "columns": ["x1", "x2"], "target": CORRELATION}


def test_it_is_picked_and_its_link_holds_no_record() -> None:
    app = settled(pick(link(**QUESTION), "oracle", "TableCopula"))
    assert scenario(app).oracle == TableCopula() != TableRecords()
    assert scenario(app).to_json()["oracle"] == {"kind": "TableCopula"}
    assert Scenario.from_json(json.loads(json.dumps(scenario(app).to_json()))) == scenario(app)
    again = settled(link(**QUESTION, oracle={"kind": "TableCopula"}))
    assert notices(again) == ""
    assert scenario(again).oracle == TableCopula()
    table = state.catalog()["two_classes"]
    drawn = scenario(again).resolved_oracle(table)
    assert isinstance(drawn, Copula)
    assert (drawn.records == table.prepare(("x1", "x2"))).all()


def test_it_is_offered_for_several_columns_of_a_public_table_alone() -> None:
    table = state.catalog()["two_classes"]
    two, one = (tuple(table.column(name) for name in names) for names in (("x1", "x2"), ("x1",)))
    assert oracle_kinds(table, two)[-2:] == ("TableRecords", "TableCopula")
    assert "TableCopula" not in oracle_kinds(table, one)
    assert "TableCopula" not in oracle_kinds(table.declared(public=False), two)
    asked = scenario(link(**QUESTION)).with_(oracle=TableCopula())
    with pytest.raises(InvalidValueError) as refused:
        asked.resolved_oracle(table.declared(public=False))
    assert refused.value.name == "oracle"
    assert np.isfinite(asked.resolved_oracle(table).draw(1, 5, rng=np.random.default_rng(1))).all()


def test_where_records_are_people_there_is_none_and_a_link_with_one_is_answered() -> None:
    table = state.catalog()["players"]
    asked = scenario(link(table="players"))
    assert "TableCopula" not in oracle_kinds(table, table.taken(asked.columns, asked.target))
    with pytest.raises(InvalidValueError, match="draws people") as refused:
        asked.with_(oracle=TableCopula()).resolved_oracle(table)
    assert refused.value.name == "oracle"
    app = link(table="players", oracle={"kind": "TableCopula"})
    assert "a copula draws single rows" in notices(app)
