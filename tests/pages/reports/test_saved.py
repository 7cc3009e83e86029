"""The settings file of version 2: there and back, changed by hand, and whatever is put in place of a field."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from pages.reports.saved.everything import MOST_BYTES, Saved, SavedPlan, Whose, is_saved, read

from dpcore import (
    L1,
    Adjacency,
    GlobalSensitivity,
    Laplace,
    Ledger,
    OperatingPoint,
    Planned,
    PureDP,
    RandomDP,
    sample_sensitivity,
)
from dpcore.errors import TableError
from dpcore.guarantees.unit import Unit
from dpcore.ledger.accounting import Event, Standing
from dpcore.ledger.saved import MOST_LINES
from dpcore.oracles import Uniform
from dpcore.targets import Mean, Quantile
from pages.files.csv_columns.format import Format
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.settings import Settings

N, DAY = 6, "2026-11-22 19:40 UTC"
POINT = OperatingPoint.for_gamma(0.05)


def _ledger() -> Ledger:
    database = np.linspace(0, 1, N)
    sample = sample_sensitivity(Mean(), Uniform(0, 1), norm=L1, n=N, at=POINT, seed=1)
    proved = GlobalSensitivity(Mean(), 1.0, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", N)
    ledger = Ledger().planned([_planned(Mean()), _planned(Quantile(0.5))])
    ledger = ledger.add(Laplace().calibrate(sample.sensitivity(), PureDP(1.0)).release(database), answer="0.5", made=DAY)
    return ledger.add(Laplace().calibrate(proved, PureDP(0.5)).release(database))


def _planned(target: Any) -> Planned:
    return Planned(target, Uniform(0, 1), L1, N, POINT)


SAVED = Saved(
    made=DAY,
    declarations=Settings(Format(), False, Unit("stay", several=True), (Declaration(name="x", type="number"),)),
    views={"shown": {"table": "t.csv"}, "pins": {}},
    table=Whose.of("t.csv", "T", ("x",), ("of the table", "of a column")),
    ledgers=(_ledger(),),
    plan=(SavedPlan("0" * 32, {"table": "t.csv"}, False, _planned(Mean()).line),),
    budget=RandomDP(2.0, 0.0, 0.1),
)
CONTENT = SAVED.to_json()


def _edited(**parts: Any) -> bytes:
    said = json.loads(CONTENT)
    said["parts"] |= parts
    return json.dumps(said).encode()


def test_every_part_comes_back() -> None:
    found = read(CONTENT.encode())
    assert (found.made, found.changed, found.budget) == (DAY, False, SAVED.budget)
    assert (found.declarations, found.views, found.table, found.plan) == (
        SAVED.declarations,
        SAVED.views,
        SAVED.table,
        SAVED.plan,
    )
    assert found.ledgers == (Ledger.from_json(SAVED.ledgers[0].to_json(), loaded=DAY),)
    assert is_saved(CONTENT.encode())


def test_parts_may_be_absent() -> None:
    found = read(Saved(made=DAY).to_json().encode())
    assert found == Saved(made=DAY)
    assert not found.accounts
    assert "settings, never data" in Saved(made=DAY).to_json()
    assert "Do not publish" in CONTENT


def test_spaces_and_the_order_of_names_are_no_change() -> None:
    said = json.loads(CONTENT)
    said["parts"] = dict(reversed(said["parts"].items()))
    assert not read(json.dumps(said, indent=7).encode()).changed


def test_a_salt_of_its_own_makes_each_files_digests_its_own() -> None:
    first, second = (Whose.of("t", "T", ("x",), ("a digest",)) for _ in range(2))
    assert not first.digests & second.digests
    assert first.has(["another", "a digest"])
    assert not first.has(["another"])
    assert "of a column" not in CONTENT


def _places(said: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for name in said if isinstance(said, dict) else range(len(said)):
        yield (*place, name)
        if isinstance(said[name], (dict, list)):
            yield from _places(said[name], (*place, name))


STRANGE = [None, True, -1, 0.5, 10**30, "x", [], {}, [[1]]]


@pytest.mark.parametrize("part", [*(("parts", name) for name in json.loads(CONTENT)["parts"]), ()], ids=str)
def test_a_field_that_was_changed_by_hand_is_a_sentence_or_its_lines_count_as_entered(part: tuple[str, ...]) -> None:
    """Deleted, or of another kind: never another error, and what was sampled joins no total."""
    said = json.loads(CONTENT)
    if not part:
        said["parts"] = {}
    for *way, last in list(_places(said)):
        if (*way, last)[:2] == part or (not part and not way):
            for value in (..., *STRANGE):
                _refuse_or_change([*way], last, value)


def _refuse_or_change(way: list[Any], last: Any, value: Any) -> None:
    said = held = json.loads(CONTENT)
    for name in way:
        held = held[name]
    if value is not ... and value == held[last] and type(value) is type(held[last]):
        return
    if value is ...:
        del held[last]
    else:
        held[last] = value
    found, problem = None, ""
    try:
        found = read(json.dumps(said).encode())
    except TableError as error:
        problem = str(error)
    if found is None:
        assert problem.endswith(".")
        assert len(problem) < 900
        return
    assert found.changed or last == "note"
    for line in (line for one in found.ledgers for line in one.lines if found.changed):
        assert line.event is Event.ENTERED
        assert line.standing in (Standing.APART, Standing.PROVED, Standing.NONE)
        assert (line.standing is Standing.PROVED) == (line.gamma == 0 and line.guarantee is not None)


DEEP = json.loads('{"a":' * 400 + "1" + "}" * 400)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no settings file"),
        (b"\xff\xfe", "no settings file"),
        (b"[1]", "no settings file"),
        (b'{"settings": "all that a tab knows of a table", "version": 2, "saved": NaN}', "no settings file"),
        (CONTENT.replace('"version": 2', '"version": 3', 1).encode(), "of version 3"),
        (CONTENT.replace('"version": 2', '"version": true', 1).encode(), "of version True"),
        (CONTENT.replace('"epsilon": 1.0', '"epsilon": 1e999', 1).encode(), "must be a number"),
        (CONTENT.replace('"T"', '"\\ud800"').encode(), "no settings file"),
        (b" " * (MOST_BYTES + 1), "8 MB at most"),
        (b'{"a":' * 10**6, "no settings file"),
        (_edited(ledgers=[{"budget": None, "plan": [], "lines": [{}] * 10**6, "after_responses": False}]), f"{MOST_LINES:,}"),
        (_edited(ledgers=[_ledger().to_json()] * 2), "name of its own"),
        (_edited(more=1), "part"),
        (_edited(views={"shown": DEEP}), "views"),
        (_edited(budget={"kind": "RandomDP", "epsilon": 1, "delta": 0, "gamma": 0.1, "confidence": 0.9}), "without a confidence"),
        (_edited(budget={"kind": "RandomDP", "epsilon": 0, "delta": 0, "gamma": 0.1, "confidence": None}), "above 0"),
        (_edited(table={"name": "t"}), "table"),
    ],
    ids=range(17),
)
def test_what_cannot_be_read_is_a_sentence(content: bytes, words: str) -> None:
    with pytest.raises(TableError) as caught:
        read(content)
    assert words in str(caught.value)


def test_a_ledger_without_its_table_is_refused() -> None:
    said = json.loads(CONTENT)
    del said["parts"]["table"]
    with pytest.raises(TableError, match="with the table"):
        read(json.dumps(said).encode())


def test_what_is_nested_deeply_is_a_sentence_or_no_scenario() -> None:
    assert read(_edited(views={"shown": DEEP, "pins": {}})).changed
