"""A link to a question: it comes back as it was sent, and what does not fit costs itself, with a sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dpcore import Bound, Condition, Groups, Laplace, oracles, targets
from dpcore.base.declared import Column
from dpcore.base.types import draws_fields, takes_fields
from pages.experiment.question import asked
from pages.experiment.scenario import Scenario
from pages.files.tables import Table, read_csv
from pages.old.state.link import from_query, to_query

STAYS = b"cost,age,sex\n10,20,F\n20,30,F\n,40,M\n900,50,F\n30,,F\n40,70,\n"
FEMALE, BY_AGE = Condition("sex", "F"), Groups("age", (20.0, 30.0))
SUM = targets.Sum((0.0, 100.0))
PLAIN = Scenario(
    table="t",
    columns=("cost",),
    target=SUM,
    oracle=oracles.Normal(40, 9, (0.0, 100.0)),
    norm=Laplace().norm,
    n=5,
    bound=Bound.RANK,
    confidence=None,
    m=199,
    gamma=0.05,
    epsilon=1.0,
    delta=None,
    mechanism=Laplace(),
    seed=1,
)


def _table() -> Table:
    return read_csv(STAYS, "t", public=True).declared(
        Column("cost", bounds=(0.0, 100.0)), Column("age", bounds=(0.0, 120.0)), Column("sex", role="text")
    )


def _question() -> Scenario:
    return PLAIN.with_(**asked(PLAIN, _table(), (FEMALE,), BY_AGE))


def _opened(changes: dict[str, Any], *, public: bool = True) -> tuple[Scenario, list[str]]:
    query = to_query(_question()) | {name: json.dumps(value) for name, value in changes.items()}
    return from_query(query, {"t": _table().declared(public=public)}, PLAIN)


def test_a_question_comes_back_as_it_was_sent() -> None:
    question = _question()
    assert question.n == 6
    assert from_query(to_query(question), {"t": _table()}, PLAIN) == (question, [])
    assert from_query(to_query(question), {"t": _table()}, question) == (question, [])
    same = PLAIN.with_(**asked(PLAIN, _table(), (Condition("cost", interval=(0, 50)),)))
    assert (same.columns, same.n) == (("cost",), 6)  # the columns of the example, which leaves two records out
    assert from_query(to_query(same), {"t": _table()}, PLAIN) == (same, [])


def _with(**changes: Any) -> dict[str, Any]:
    return {"target": _question().to_json()["target"] | changes}


BAD: dict[str, dict[str, Any]] = {
    "columns in another order": {"columns": ["sex", "cost", "age"]},
    "too few columns": {"columns": ["cost"]},
    "a column that is not there": {"columns": ["cost", "gone", "age"]},
    "texts and numbers and no question": {"columns": ["cost", "sex"], "target": {"kind": "Mean"}},
    "a target that takes no missing values": _with(target={"kind": "Mean", "bounds": [0, 1]}),
    "a question in a question": _with(target=_question().to_json()["target"]),
    "a number of a column of text": _with(where=[{"kind": "Condition", "column": "sex", "category": 1}]),
    "conditions that are none": _with(where=[{"kind": "Condition", "column": "sex"}]),
    "groups that are none": _with(by={"kind": "Groups", "column": "age", "categories": []}),
    "too many groups": _with(by={"kind": "Groups", "column": "age", "categories": list(range(300))}),
    "an oracle of other columns": {"oracle": {"kind": "Uniform", "low": 0, "high": 1}},
    "an oracle of rows": {"oracle": {"kind": "Product", "columns": [{"kind": "Uniform", "low": 0, "high": 1}] * 3}},
    "an oracle of rows that is one of all columns": {
        "columns": ["cost", "age"],
        "oracle": {"kind": "Product", "columns": [{"kind": "Uniform", "low": 0, "high": 1}] * 2},
    }
    | _with(where=[], by=_question().to_json()["target"]["by"]),
    "an oracle of fields for a target of rows": {
        "columns": ["cost", "age"],
        "target": {"kind": "Correlation", "bounds": [[0, 100], [0, 120]]},
        "oracle": {"kind": "Product", "columns": [{"kind": "Uniform", "low": 0, "high": 1}] * 2, "names": ["cost", "age"]},
    },
    "an oracle of one name too few": {
        "oracle": {"kind": "Product", "columns": [{"kind": "Uniform", "low": 0, "high": 1}] * 3, "names": ["cost", "sex"]}
    },
    "an oracle of people for a question of rows": {
        "oracle": {
            "kind": "People",
            "rows": {"kind": "Exponential", "rate": 0.3},
            "columns": _question().to_json()["oracle"]["columns"],
            "names": list(_question().columns),
        }
    },
    "a plain target with an oracle of fields": {"columns": ["cost"], "target": PLAIN.to_json()["target"]},
    "a mechanism that does not suit": {"mechanism": {"kind": "Bernstein"}},
    "another number of rows": {"n": 5},
}


@pytest.mark.parametrize("name", BAD)
def test_what_does_not_fit_costs_itself_and_is_said(name: str) -> None:
    scenario, said = _opened(BAD[name])
    assert said
    assert all(sentence.endswith(".") for sentence in said)
    assert draws_fields(scenario.resolved_oracle(_table())) == takes_fields(scenario.target)
    prepared = _table().prepare(scenario.columns, scenario.target)
    assert len(prepared.database) == scenario.n
    assert len(scenario.target(prepared.database)) > 0
    assert from_query(to_query(scenario), {"t": _table()}, PLAIN) == (scenario, [])


def test_the_number_of_records_is_that_of_a_confidential_tables_made_up_one() -> None:
    scenario, said = _opened({"n": 5}, public=False)
    assert scenario.n == 5
    assert ["made-up table has 5 rows" in sentence for sentence in said] == [True]


@pytest.mark.parametrize("n", [0, 10**9, 2.5, True, None, "5", [5]])
def test_a_number_of_records_that_no_made_up_table_has_is_said(n: object) -> None:
    scenario, said = _opened({"n": n}, public=False)
    assert scenario.n == 6
    assert ["the table has 6: that is shown" in sentence for sentence in said] == [True]


def test_what_fits_stays_beside_what_does_not() -> None:
    kept = _opened({"oracle": {"kind": "Uniform", "low": 0, "high": 1}, "epsilon": 2.0})[0]
    assert (kept.target, kept.epsilon) == (_question().target, 2.0)
    lost = _opened(BAD["too many groups"] | {"epsilon": 2.0})[0]
    assert (takes_fields(lost.target), lost.epsilon) == (False, 2.0)
