"""A link opens as the scenario that it was made of, or is refused as a whole with a sentence."""

from __future__ import annotations

import json
import random
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from dpcore import Adjacency, Bound, Column
from dpcore.errors import DpcoreError
from pages.experiment.choices import target_kinds
from pages.experiment.error_sentences import plain
from pages.experiment.examples import EXAMPLES, example_named, first_scenario
from pages.experiment.question import asked_plainly, oracle_of_kind, oracles_of, own_columns
from pages.experiment.scenario import Noise, Scenario, TableRecords, plain_form
from pages.experiment.tables import ours
from pages.exports import ExportError
from pages.exports.link import LONGEST, from_text, to_text

TABLES = ours()
EXAMPLE = example_named("Mean", TABLES)


def _with_each_oracle(first: Scenario) -> list[Scenario]:
    """The scenario with each oracle that its table offers for it."""
    table = TABLES[first.table]
    own = first.with_(**asked_plainly(first, table)) if first.target.accepts_structured else first
    columns = table.taken(own_columns(own), own.target)
    kinds = oracles_of(table, columns, own.target)
    return [first.with_(oracle=oracle_of_kind(kind, table, columns, first.target, first.oracle)) for kind in kinds]


@pytest.mark.parametrize("name", TABLES)
def test_every_scenario_of_a_table_round_trips(name: str) -> None:
    for kind in target_kinds(TABLES[name]):
        for scenario in _with_each_oracle(first_scenario(TABLES[name], kind)):
            assert from_text(to_text(scenario), TABLES).to_json() == scenario.to_json()


def test_sliders_noise_and_bound_round_trip() -> None:
    changed = EXAMPLE.with_(
        m=999, gamma=0.1, epsilon=0.25, bound=Bound.TOLERANCE, confidence=0.9, noise=Noise.WORST_CASE, seed=2**127
    )
    assert from_text(to_text(changed), TABLES) == changed


def test_neighbours_never_become_others() -> None:
    people = example_named("People", TABLES)
    removed = people.with_(adjacency=Adjacency.ADD_OR_REMOVE_ONE_USER)
    with pytest.raises(DpcoreError, match="one person replaced"):
        from_text(to_text(removed), TABLES)
    visits = TABLES["visits"]
    assert visits.persons is not None
    stated = replace(visits, persons=replace(visits.persons, stated=people.n), public=False)
    assert from_text(to_text(removed), TABLES | {"visits": stated}).adjacency is Adjacency.ADD_OR_REMOVE_ONE_USER


def test_usual_link_is_short() -> None:
    assert len(to_text(EXAMPLE)) < 200


def _text(**changes: Any) -> str:
    """The example's link with other entries; None leaves one out."""
    said = json.loads(to_text(EXAMPLE)) | changes
    return json.dumps({key: value for key, value in said.items() if value is not ...})


def _of(name: str, **changes: Any) -> str:
    return json.dumps(json.loads(to_text(example_named(name, TABLES))) | changes)


_WIDE = {"kind": "TwoClasses", "dims": 10**8}
_CURVE = {"kind": "OnLattice", "curve": {"kind": "PriestleyChao", "y_bounds": [-1.5, 1.5]}}
_LETTERS = "".join(map(chr, range(0x4E00, 0x4E00 + 2_500)))
BAD: dict[str, tuple[str, str]] = {
    "empty": ("", "read"),
    "no JSON": ("epsilon=3", "read"),
    "a list": ("[1]", "read"),
    "cut off": (to_text(EXAMPLE)[:-9], "read"),
    "100 kB": (_text(x="a" * 100_000), "8,000"),
    "deep": ("[" * 7_900, "read"),
    "rather deep": ("[" * 400 + "]" * 400, "read"),
    "deep within a member": (_text(f={"kind": "Mean", "bounds": json.loads("[" * 30 + "]" * 30)}), "read"),
    "NaN": (_text(e=float("nan")), "read"),
    "infinity": (_text(e=float("inf")), "read"),
    "1e309": (to_text(EXAMPLE)[:-1] + ',"e":1e309}', "read"),
    "a very long number": (to_text(EXAMPLE)[:-1] + f',"s":{"9" * 5_000}}}', "read"),
    "a long number": (to_text(EXAMPLE)[:-1] + f',"s":{"9" * 4_000}}}', "seed"),
    "half a character": (_text(t="\ud800"), "read"),
    "an unknown setting": (_text(epsilon=1), "epsilon"),
    "another version": (_text(v=2), "version"),
    "no target": (_text(f=...), "target"),
    "no n": (_text(n=...), "rows must be given"),
    "another table": (_text(t="mine.csv"), "mine.csv"),
    "a list as table": (_text(t=["loan_defaults"]), "name"),
    "an unknown column": (_text(c=["strange"]), "strange"),
    "columns as text": (_text(c="years_to_default"), "list"),
    "a column twice": (_text(c=["years_to_default"] * 2), "column"),
    "columns of another target": (_text(f={"kind": "Correlation", "bounds": [[0, 1], [0, 1]]}), "target"),
    "an unknown target": (_text(f={"kind": "os.system"}), "system"),
    "a target with a strange field": (_text(f={"kind": "Mean", "code": "1"}), "code"),
    "a target that is a number": (_text(f=1), "target"),
    "bounds that are true": (_text(f={"kind": "Mean", "bounds": [False, True]}), "bounds|kinds"),
    "bounds in the wrong order": (_text(f={"kind": "Mean", "bounds": [1, 0]}), "bounds"),
    "an oracle of another width": (_text(o={"kind": "TwoClasses"}), "oracle"),
    "an oracle with 10⁸ columns": (_text(o=_WIDE), "dimensions"),
    "an oracle of ragged rows": (_text(o={"kind": "Resample", "records": [[1], [2, 3]]}), "Resample|records|values"),
    "another n": (_text(n=499), "500"),
    "n as text": (_text(n="500"), "rows must"),
    "true as n": (_text(n=True), "rows must"),
    "ε out of range": (_text(e=101), "ε"),
    "true as ε": (_text(e=True), "ε"),
    "γ out of range": (_text(g=0), "γ"),
    "γ that m cannot certify": (_text(g=0.001), "γ"),
    "m out of range": (_text(m=10**7), "100,000"),
    "m that is no whole number": (_text(m=199.5), "whole"),
    "a negative seed": (_text(s=-1), "seed"),
    "an unknown bound": (_text(b="CLT"), "CLT"),
    "a confidence that is missing": (_text(b="TOLERANCE"), "confidence"),
    "a δ under pure DP": (_text(d=0.1), "δ"),
    "an unknown noise": (_text(z="NONE"), "NONE"),
    "other neighbours": (_text(a="ADD_OR_REMOVE_ONE_RECORD"), "one row replaced"),
    "neighbours of people on rows": (_text(a="REPLACE_ONE_USER"), "row"),
    "rows of a table of people": (_of("People", a="REPLACE_ONE_RECORD"), "person"),
    "a mechanism of other targets": (_text(k={"kind": "TwoStepMechanism"}), "mechanism|noise"),
    "2,500 letters": (
        json.dumps(
            json.loads(to_text(example_named("Letters", TABLES))) | {"f": {"kind": "LetterCounts", "alphabet": _LETTERS}},
            ensure_ascii=False,
        ),
        "letters",
    ),
    "900 bins": (_of("Histogram", f={"kind": "Histogram", "edges": list(range(900))}), "256"),
    "degree 2,000 and order 1,000": (
        _of("Curve", f=_CURVE | {"degree": 2_000}, k={"kind": "BernsteinMechanism", "order": 1_000}),
        "degree|order",
    ),
    "degree 10⁹": (_of("Curve", f=_CURVE | {"degree": 10**9}, k={"kind": "BernsteinMechanism"}), "degree|order"),
    "an order of 10⁹": (_of("Curve", k={"kind": "BernsteinMechanism", "order": 10**9}), "order"),
    "10⁹ rows a person": (
        _of("People", f=json.loads(to_text(example_named("People", TABLES)))["f"] | {"rows": 10**18}),
        "rows",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_link_is_refused_as_a_whole(name: str) -> None:
    text, words = BAD[name]
    began = time.process_time()
    tracemalloc.start()
    with pytest.raises(DpcoreError) as refused:
        from_text(text, TABLES)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert time.process_time() - began < 5
    assert peak < 50_000_000
    sentence = plain(refused.value)
    assert any(word in sentence for word in words.split("|")), sentence
    assert len(sentence) < 700
    assert sentence.endswith(".")


EXTREME: list[Any] = [10**9, 10**18, 1e308, 5e-324, -1, 0, True, None, "x", [], [[]], {"kind": "Mean"}, 0.5]


def _places(said: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in plain data."""
    items = said.items() if isinstance(said, dict) else enumerate(said) if isinstance(said, list) else ()
    for name, item in items:
        yield (*place, name)
        yield from _places(item, (*place, name))


def test_changed_links_are_refused_or_open_unchanged() -> None:
    """A thousand links with one value replaced by an extreme one."""
    draw = random.Random(2017)
    firsts = [first_scenario(table, kind) for table in TABLES.values() for kind in target_kinds(table)]
    opened = 0
    for _ in range(1_000):
        first = draw.choice(firsts)
        said = json.loads(to_text(first)) | {"f": plain_form(first.target), "o": plain_form(first.oracle)}
        *way, last = draw.choice(list(_places(said)))
        inner = said
        for name in way:
            inner = inner[name]
        inner[last] = draw.choice(EXTREME)
        began = time.process_time()
        try:
            found = from_text(json.dumps(said), TABLES)
        except DpcoreError:
            continue
        finally:
            assert time.process_time() - began < 5
        opened += 1
        assert from_text(to_text(found), TABLES).to_json() == found.to_json()
    assert 20 < opened < 500


def test_link_to_upload_opens_once_it_is_there() -> None:
    columns = (Column("years_to_default", bounds=(0.0, 10.0)),)
    mine = replace(TABLES["loan_defaults"], name="mine.csv", title="mine.csv", columns=columns, public=False)
    there = TABLES | {mine.name: mine}
    made = first_scenario(mine, "Mean")
    with pytest.raises(ExportError, match=r"“mine\.csv”"):
        from_text(to_text(made), TABLES)
    assert from_text(to_text(made), there) == made
    assert from_text(to_text(made.with_(n=80)), there).n == 80  # a simulated table of another size
    with pytest.raises(DpcoreError, match="1,000,000"):
        from_text(to_text(made.with_(n=10**12)), there)
    with pytest.raises(DpcoreError, match="confidential"):
        from_text(to_text(made.with_(oracle=TableRecords())), there)


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_link_is_longer_than_one_may_be(name: str) -> None:
    assert len(to_text(example_named(name, TABLES))) < LONGEST / 10
