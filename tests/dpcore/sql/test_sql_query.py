"""A query as a target: a function of the declared table alone, with a sentence for whatever it is not."""

from __future__ import annotations

import json
import os
import pickle
import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from dpcore import (
    L1,
    ApproxDP,
    Column,
    GroupBy,
    LaplaceMechanism,
    OperatingPoint,
    PureDP,
    RandomDP,
    oracles,
    registry,
    sample_sensitivity,
)
from dpcore.base.fingerprint import fingerprint, to_json
from dpcore.errors import InfiniteSensitivityError, InvalidValueError, QueryError
from dpcore.sampling.methods import choose
from dpcore.sql import server_client
from dpcore.sql.parsed_query import as_arrow
from dpcore.targets import SampleAndAggregate, SqlQuery
from dpcore.targets.sample_and_aggregate import places_of_blocks
from tests.dpcore.sql.analysts import ORDINARY
from tests.dpcore.sql.tables import COLUMNS, DTYPE, drawn

ROOT = Path(__file__).parents[3]
COST = Column("cost", bounds=(0.0, 100.0))
WARDS = GroupBy("ward", ("Park", "Hill"))
MEAN = "SELECT avg(cost) FROM data"
OF_WARDS = "SELECT ward, avg(cost) FROM data GROUP BY ward"


def _rows(*rows: tuple[Any, ...]) -> Any:
    made = np.array([(*row, "")[:4] if len(row) == 3 else row for row in rows], dtype=DTYPE)
    made.flags.writeable = False
    return made


# The table is what was declared.


def test_data_is_the_table_after_its_declarations() -> None:
    """Clipped to bounds, NULL where missing or in no list of categories; “other” stands for these where it is listed."""
    table = _rows((900.0, -3.0, "Park"), (np.nan, 200.0, "Gone"), (-np.inf, np.nan, ""))
    wards = "count(ward), count(*) FILTER (WHERE ward = 'Park'), count(*) FILTER (WHERE ward IS NULL)"
    query = f"SELECT sum(cost), count(cost), sum(age), {wards}, count(note) FROM data"
    assert SqlQuery(query, COLUMNS)(table).tolist() == [100.0, 2, 90.0, 1, 1, 2, 0]
    with_other = replace(COLUMNS[2], categories=("Park", "other"))
    others = SqlQuery("SELECT count(*) FROM data WHERE ward = 'other'", (with_other,))
    assert others(table).tolist() == [1.0]
    codes = Column("code", categories=(1.0, 2.0))
    found = SqlQuery("SELECT count(code), sum(code) FROM data", (codes,))
    assert found(np.array([(1.0,), (2.0,), (3.0,), (1.5,)], dtype=[("code", float)])).tolist() == [2.0, 3.0]


def test_groups_are_the_declared_ones_in_their_order() -> None:
    table = _rows((1.0, 1.0, "Sea"), (2.0, 1.0, "Park"), (4.0, 1.0, "Park"))
    target = SqlQuery(OF_WARDS, COLUMNS, WARDS, answer_if_missing=7.0)
    assert target(table).tolist() == [3.0, 7.0]
    answer = target.answer(COLUMNS)
    assert (answer.labels, target.groups, target.numbers) == (("Park", "Hill"), ("Park", "Hill"), 1)
    several = SqlQuery("SELECT count(*) AS n, WARD, max(cost) AS most FROM data GROUP BY ward", COLUMNS, WARDS)
    assert several.answer(COLUMNS).labels == ("Park: n", "Park: most", "Hill: n", "Hill: most")
    assert several(table).tolist() == pytest.approx([2.0, 4.0, np.nan, np.nan], nan_ok=True)


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("SELECT avg(cost) FROM data WHERE cost > 1000", "returned a value that is not finite"),  # NULL
        ("SELECT 1 / (count(*) - 2) FROM data", "returned a value that is not finite"),  # infinite
        ("SELECT ln(-1)", "returned a value that is not finite"),
        ("SELECT cost FROM data WHERE cost > 1000", "returned a value that is not finite"),  # no row
        ("SELECT cost FROM data", "the query answered with 2 rows or more"),
        ("SELECT sum(note::INT) FROM data", "the query failed: a value cannot be cast to the type"),
        ("SELECT sum(cost::TINYINT * 100::TINYINT) FROM data", "the query failed: a number is outside the range of its type"),
    ],
)
def test_what_is_no_number_fails_or_is_the_stated_one(query: str, answer: str) -> None:
    table = _rows((2.0, 1.0, "Park", "k"), (3.0, 1.0, "Park", "k"))
    target, stated = SqlQuery(query, COLUMNS), SqlQuery(query, COLUMNS, answer_if_missing=5.0)
    assert stated(table).tolist() == [5.0]
    if "finite" in answer:
        assert np.isnan(target(table)).all()
    else:
        with pytest.raises(ValueError, match=re.escape(answer)):
            target(table)


def test_a_database_that_fails_among_others_leaves_theirs_as_they_are() -> None:
    good = _rows((2.0, 1.0, "Park", "3"), (3.0, 1.0, "Park", "4"))
    bad = _rows((2.0, 1.0, "Park", "3"), (3.0, 1.0, "Park", "k"))
    target = SqlQuery("SELECT sum(note::INT) FROM data", COLUMNS, answer_if_missing=-1.0)
    assert target.batch(np.stack([good, bad, good, bad, good])).ravel().tolist() == [7.0, -1.0, 7.0, -1.0, 7.0]
    with pytest.raises(ValueError, match="a value cannot be cast"):
        replace(target, answer_if_missing=None).batch(np.stack([good, bad]))


# It is a function of the table.


@pytest.mark.parametrize(("query", "by"), ORDINARY[::4])
def test_an_answer_hangs_on_no_other_database_and_on_no_earlier_call(query: str, by: GroupBy | None) -> None:
    """To the last bit: alone, among others, in another order, and in a process that was started anew."""
    databases, target = drawn(60, databases=2), SqlQuery(query, COLUMNS, by)
    alone = np.array([target(database) for database in databases])
    among = np.stack([databases[1], drawn(60, seed=9), databases[0], databases[1]])
    assert target.batch(among)[[2, 0, 3]].tobytes() == alone[[0, 1, 1]].tobytes()


def test_threads_that_ask_at_once_get_their_own_answers() -> None:
    databases, target = drawn(50, databases=16), SqlQuery(MEAN, COLUMNS)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(target, databases))
    assert np.array(found).tobytes() == target.batch(databases).tobytes()


def test_a_process_that_was_killed_is_started_again() -> None:
    target, table = SqlQuery(MEAN, COLUMNS), drawn(20)
    answer = target(table)
    os.kill(server_client._servers[0].process.pid, signal.SIGKILL)
    assert target(table).tobytes() == answer.tobytes()


# What it says of itself.


def test_it_is_of_the_catalogue() -> None:
    for target in (SqlQuery(MEAN, COLUMNS), SqlQuery(OF_WARDS, COLUMNS, WARDS, 0.0, "alike")):
        again = registry.from_json(to_json(target), "targets")
        assert again == target == pickle.loads(pickle.dumps(target))
        assert fingerprint(again) == fingerprint(target)
    assert registry.title_of(SqlQuery) == "SQL query"


def test_a_columns_bounds_are_part_of_what_it_is() -> None:
    one, other = (SqlQuery(MEAN, (Column("cost", bounds=(0.0, high)),)) for high in (1.0, 2.0))
    assert fingerprint(one) != fingerprint(other)
    with pytest.raises(InvalidValueError, match="bounds of “cost” must be two numbers, the lower one first"):
        registry.from_json(to_json(one) | {"table": [to_json(COST) | {"bounds": [2, 1]}]}, "targets")


# It is sampled and released.


def _oracle() -> Any:
    wards = oracles.Categorical((0.5, 0.3, 0.2), ("Park", "Hill", "Sea"))
    columns = (oracles.Uniform(0, 100), oracles.Uniform(0, 90), wards, oracles.Categorical((0.5, 0.5), ("well", "worse")))
    return oracles.IndependentColumns(columns, ("cost", "age", "ward", "note"))


def _sample(query: str, m: int = 99, **of: Any) -> Any:
    at = OperatingPoint.for_sample_size(m)
    return sample_sensitivity(SqlQuery(query, COLUMNS, **of), _oracle(), norm=L1, n=50, at=at, seed=3)


def test_it_is_sampled_in_batches_and_released() -> None:
    """A mean of 50 clipped numbers moves by at most 100/50 = 2, as the mean of the library does on the same draws."""
    sample = _sample(MEAN)
    assert sample.way == "batch"
    assert choose(sample.target).block_size(8, 50) == 1_000  # a thousand pairs are one call for each side
    assert (sample.distances <= 2.0).all()
    assert sample.distances.max() > 1.0
    release = LaplaceMechanism().calibrate(sample.sensitivity(), PureDP(1.0)).release(drawn(50))
    assert release.guarantee.gamma == 0.01
    assert release.provenance["target"].startswith("SqlQuery(query='SELECT avg(cost) FROM data'")


def test_failed_pairs_are_counted_with_their_reason() -> None:
    """A cast of a word fails on every pair; a division by nothing on those whose n is 0 somewhere."""
    with pytest.raises(InfiniteSensitivityError) as refused:
        _sample("SELECT sum(note::INT) FROM data", m=9).sensitivity()
    assert (refused.value.failed, refused.value.m) == (9, 9)
    assert "a value cannot be cast" in str(refused.value)
    some = _sample("SELECT 1 / sum((cost > 90)::INT) FROM data", m=199)
    assert 0 < len(some.failures) < 199
    assert set(some.failures.values()) == {"the query answered with no number"}
    assert np.isinf(some.distances).sum() == len(some.failures)
    assert not _sample("SELECT 1 / sum((cost > 90)::INT) FROM data", m=199, answer_if_missing=1.0).failures


@pytest.mark.parametrize(
    "more", [{}, {"between": (0.0, 100.0), "from_a_part": "alike"}, {"query": OF_WARDS, "by": WARDS, "answer_if_missing": 0.0}]
)
def test_no_mechanism_gives_a_query_pure_dp(more: dict[str, Any]) -> None:
    """Nothing is proved of it, and a sampled sensitivity gives random DP with every mechanism."""
    target = SqlQuery(**{"query": MEAN, "table": COLUMNS} | more)
    assert [target.global_sensitivity, target.lost, target.each] == [None] * 3
    for mechanism in (kind.suited(target) for kind in registry.releasing(registry.members("mechanisms").values(), target)):
        at = OperatingPoint.for_sample_size(9)
        sample = sample_sensitivity(target, _oracle(), norm=mechanism.norm, n=50, at=at, seed=3)
        privacy = PureDP(1.0) if mechanism.privacy is PureDP else ApproxDP(1.0, 1e-6)
        assert isinstance(mechanism.calibrate(sample.sensitivity(), privacy).release(drawn(50)).guarantee, RandomDP)


def test_blocks_are_asked_and_a_release_of_them_is_pure_dp() -> None:
    asked_of = SqlQuery("SELECT median(cost) FROM data", COLUMNS, from_a_part="alike")
    blocks = SampleAndAggregate(asked_of, 5, (0.0, 100.0), points=11)
    assert registry.from_json(to_json(blocks), "targets") == blocks
    table, other = drawn(100), drawn(100).copy()
    other[17] = (100.0, 1.0, "Sea", "worse")
    changed = blocks.answers(table) != blocks.answers(other)
    assert changed.sum() <= 1
    with pytest.raises(InvalidValueError, match="how its answer goes from a part of the rows to all"):
        SampleAndAggregate(SqlQuery(MEAN, COLUMNS), 5, (0.0, 100.0))


@pytest.mark.usefixtures("little_time")
def test_a_database_that_takes_too_much_costs_only_its_own_answer() -> None:
    """All are asked in one call; what is found of the others, and of each block, is what each answers alone."""
    old = "WITH old AS (SELECT age FROM data WHERE age > 70)"
    query = f"{old} SELECT sum(a.age * b.age * c.age * d.age * e.age) FROM old a, old b, old c, old d, old e"
    asked_of = SqlQuery(query, COLUMNS, answer_if_missing=0.0, from_a_part="alike")
    several = drawn(150, databases=4).copy()
    several["age"] = 50.0
    several["age"][1] = 80.0  # whose sum is over 150⁴ rows
    found, reasons = asked_of.tried(several)
    assert (reasons, np.isnan(found).ravel().tolist()) == (
        {1: "the query took more memory or processor time than it may"},
        [False, True, False, False],
    )
    rest, all_lost = asked_of.tried(several, most_lost=1)
    assert sorted(all_lost) == [1, 2, 3]
    assert np.isnan(rest).ravel().tolist() == [False, True, True, True]
    table = several.reshape(-1).copy()
    table["age"] = 50.0
    table["age"][places_of_blocks(600, 4, 0)[2]] = 80.0
    blocks = SampleAndAggregate(asked_of, 4, (0.0, 100.0), points=11)
    assert np.isnan(blocks.answers(table)).ravel().tolist() == [False, False, True, False]


def test_each_has_the_answer_that_it_has_alone_whatever_the_others_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of six tables of 1 to 6 rows that of 3 fails beside others, those of 2 and 5 always: told by a process that is made up."""
    tables, lengths, asked_for = as_arrow(COLUMNS, drawn(21)[None]), [1, 2, 3, 4, 5, 6], list[list[int]]()
    target = SqlQuery(MEAN, COLUMNS)

    def run(_do: str, _query: str, table: Any, several: list[int], _most: int) -> list[Any]:
        assert table.num_rows == sum(several)
        asked_for.append(several)
        lost = next((i for i, rows in enumerate(several) if rows in (2, 5) or (rows == 3 and len(several) > 1)), len(several))
        return [[[float(rows)]] for rows in several[:lost]]

    monkeypatch.setattr(server_client, "run", run)
    assert target._rows(tables, lengths, None) == [[[1.0]], None, [[3.0]], [[4.0]], None, [[6.0]]]
    assert [2] in asked_for, "by itself, once"
    assert target._rows(tables, lengths, 1) == [[[1.0]], *[None] * 5]


def test_none_of_many_has_more_room_or_time_than_it_has_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = drawn(30_000)
    texts = tables.copy().astype([(name, "U200" if name == "note" else kind) for name, kind in tables.dtype.descr])
    texts["note"][10_000:] = "x" * 200
    given = list[dict[str, Any]]()

    def ask(_server: object, message: Any) -> bytes:
        given.append(json.loads(pa.ipc.open_stream(message).schema.metadata[b"task"]))
        return b"\n"

    monkeypatch.setattr(server_client._Server, "ask", ask)
    arrow = as_arrow(COLUMNS, texts[None])
    server_client.run("answer", MEAN, arrow, [10_000, 20_000], 2)
    server_client.run("answer", MEAN, arrow.slice(0, 10_000), [10_000], 2)
    server_client.run("answer", MEAN, arrow.slice(10_000), [20_000], 2)
    together, small, large = ((task["seconds"], task["megabytes"]) for task in given)
    assert together == small
    assert small[0] < large[0]
    assert small[1] < large[1]


def test_bounds_of_the_answer_are_kept() -> None:
    bounded = SqlQuery("SELECT sum(cost), min(cost) FROM data", COLUMNS, between=(1.0, 50.0))
    assert bounded(drawn(50)).tolist() == [50.0, 1.0]
    assert bounded.answer_bounds(50) is None
    assert SqlQuery(MEAN, COLUMNS, between=(1.0, 50.0)).answer_bounds(50) == (1.0, 50.0)
    assert "kept between 1 and 50" in bounded.said_of(COLUMNS)
    with pytest.raises(InvalidValueError, match="between"):
        SqlQuery(MEAN, COLUMNS, between=(2.0, 1.0))


def test_a_sum_of_each_block_stands_for_all_rows() -> None:
    """7 blocks of 100 rows, of 14 or 15: each one's sum, times 100 over its rows (mathematics, section 20.4)."""
    table = drawn(100)
    blocks = SampleAndAggregate(SqlQuery("SELECT sum(cost) FROM data", COLUMNS, from_a_part="in proportion"), 7, (0.0, 1e4))
    wanted = [
        float(np.nansum(np.clip(table["cost"][places], 0, 100))) * 100 / len(places) for places in places_of_blocks(100, 7, 0)
    ]
    assert len({len(places) for places in places_of_blocks(100, 7, 0)}) == 2
    assert np.allclose(blocks.answers(table).ravel(), wanted, rtol=1e-12)


# Bad input.


@pytest.mark.parametrize(
    ("query", "said", "place"),
    [
        (
            "SELECT avg(cots) FROM data",
            "There is no column “cots” (line 1, character 12). The columns of “data” are cost, age,",
            11,
        ),
        ("SELECT ward FROM data", "The answer’s column “ward” holds no numbers, but “VARCHAR”. Answer with numbers", None),
        ("SELECT 'é',\n avg(nothing) FROM data", "There is no column “nothing” (line 2, character 6)", 17),
        ("SELECT avg(cost) FORM data", 'The query cannot be read: syntax error at or near "data" (line 1, character 23)', 22),
        ("SELECT\n  random()", "The function “random” is not allowed here (line 2, character 3)", 9),
        (
            "SELECT avg(cost) FROM patients",
            "There is no table “patients” (line 1, character 23). The only table is called “data”.",
            22,
        ),
        ("SELECT sum(cost), ward FROM data", 'The query does not fit the table: column "ward" must appear in the GROUP BY', 18),
        ("DELETE FROM data", "This is not a query (line 1, character 1). Write one query that begins with SELECT", 0),
        ("SELECT 1; SELECT 2", "There are 2 statements. Write one query", None),
        ("", "There is no query. Write one query", None),
        ("SELECT 1" + " " * 10_000, "A query has at most 10,000 characters", None),
        ("SELECT '\0'", "A query has at most 10,000 characters, and only whole ones", None),
    ],
)
def test_each_bad_query_has_a_sentence_with_its_place(query: str, said: str, place: int | None) -> None:
    with pytest.raises(QueryError) as refused:
        SqlQuery(query, COLUMNS)
    assert str(refused.value).startswith(said)
    assert refused.value.place == place
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"query": 1}, "query must be a text"),
        ({"table": ()}, "table must be the declared columns of the table, at least one"),
        ({"table": (COST, Column("COST"))}, "table must be columns whose names differ by more than capitals"),
        ({"table": (COST, Column("who", role="person"))}, "queries are about rows and not about people"),
        ({"by": "ward"}, "by must be groups, or left out"),
        ({"by": WARDS}, "The answer has 0 columns “ward”, and one must tell the group of each row"),
        ({"query": OF_WARDS, "table": COLUMNS, "by": GroupBy("ward", (1.0, 2.0))}, "holds “VARCHAR”, unlike the groups"),
        ({"answer_if_missing": np.inf}, "answer_if_missing must be a number"),
        ({"from_a_part": "as a maximum"}, "from_a_part must be “alike”, as a mean, “in proportion”, as a sum, or left out"),
    ],
)
def test_each_bad_setting_has_a_sentence(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        SqlQuery(**{"query": MEAN, "table": (COST,)} | given)


@pytest.mark.parametrize(
    ("database", "said"),
    [
        (np.zeros(3), "database must be with the named columns cost"),
        (np.zeros(3, dtype=[("age", float)]), "database must be with the named columns cost"),
        (np.array([("a",)], dtype=[("cost", "U1")]), "column cost must be numbers"),
    ],
)
def test_another_table_is_refused_in_a_sentence(database: Any, said: str) -> None:
    with pytest.raises(InvalidValueError, match=said):
        SqlQuery(MEAN, (COST,))(database)


def test_the_process_ends_with_the_one_that_asked() -> None:
    code = (
        "from dpcore import Column; from dpcore.targets import SqlQuery; from dpcore.sql import server_client;"
        "SqlQuery('SELECT 1', (Column('a'),)); print(server_client._servers[0].process.pid, flush=True); import os; os._exit(0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    for _ in range(100):
        if not Path(f"/proc/{done.stdout.strip()}").exists():
            return
        signal.sigtimedwait((), 0.05)
    raise AssertionError(f"the process {done.stdout.strip()} is still there")
