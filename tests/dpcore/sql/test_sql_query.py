"""A query as a target: a function of the declared table only, with a sentence for every refusal."""

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

from dpcore import L1, ApproxDP, Column, LaplaceMechanism, OperatingPoint, PureDP, RandomDP, oracles, registry, sample_sensitivity
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
MEAN = "SELECT avg(cost) FROM data"
TOO_MUCH = "the query took more memory or processor time than it may"


def _rows(*rows: tuple[Any, ...]) -> Any:
    made = np.array([(*row, "")[:4] for row in rows], dtype=DTYPE)
    made.flags.writeable = False
    return made


# The table is as declared.


def test_data_is_the_table_after_its_declarations() -> None:
    table = _rows((900.0, -3.0, "Park"), (np.nan, 200.0, "Gone"), (-np.inf, np.nan, ""))
    wards = "count(ward), count(*) FILTER (WHERE ward = 'Park'), count(*) FILTER (WHERE ward IS NULL)"
    query = f"SELECT sum(cost), count(cost), sum(age), {wards}, count(note) FROM data"
    assert SqlQuery(query, COLUMNS)(table).tolist() == [100.0, 2, 90.0, 1, 1, 2, 0]
    with_other = replace(COLUMNS[2], categories=("Park", "other"))
    assert SqlQuery("SELECT count(*) FROM data WHERE ward = 'other'", (with_other,))(table).tolist() == [1.0]
    codes = SqlQuery("SELECT count(code), sum(code) FROM data", (Column("code", categories=(1.0, 2.0)),))
    for kind in (float, np.float32):
        assert codes(np.array([(1,), (2,), (3,), (1.5,)], dtype=[("code", kind)])).tolist() == [2.0, 3.0]
    assert codes(np.array([(True,), (False,)], dtype=[("code", bool)])).tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("SELECT avg(cost) FROM data WHERE cost > 1000", "the query answered with no number"),  # NULL
        ("SELECT 1 / (count(*) - 2) FROM data", "the query answered with no number"),  # infinite
        ("SELECT ln(-1)", "the query answered with no number"),
        ("SELECT cost FROM data WHERE cost > 1000", "the query answered with no number"),  # no row
        ("SELECT cost FROM data", "the query answered with several rows"),
        ("SELECT sum(note::INT) FROM data", "the query failed: a value cannot be cast to the type"),
        ("SELECT sum(cost::TINYINT * 100::TINYINT) FROM data", "the query failed: a number is outside the range of its type"),
    ],
)
def test_what_is_no_number_fails_or_is_the_stated_one(query: str, reason: str) -> None:
    table = _rows((2.0, 1.0, "Park", "k"), (3.0, 1.0, "Park", "k"))
    assert SqlQuery(query, COLUMNS, answer_if_missing=5.0)(table).tolist() == [5.0]
    with pytest.raises(ValueError, match=re.escape(reason)):
        SqlQuery(query, COLUMNS)(table)


def test_a_database_that_fails_leaves_others_as_they_are() -> None:
    good = _rows((2.0, 1.0, "Park", "3"), (3.0, 1.0, "Park", "4"))
    bad = _rows((2.0, 1.0, "Park", "3"), (3.0, 1.0, "Park", "k"))
    target = SqlQuery("SELECT sum(note::INT) FROM data", COLUMNS, answer_if_missing=-1.0)
    assert target.batch(np.stack([good, bad, good, bad, good])).ravel().tolist() == [7.0, -1.0, 7.0, -1.0, 7.0]
    with pytest.raises(ValueError, match="a value cannot be cast"):
        replace(target, answer_if_missing=None).batch(np.stack([good, bad]))


# It is a function of the table.


@pytest.mark.parametrize("query", ORDINARY[::5])
def test_an_answer_depends_on_its_own_database_only(query: str) -> None:
    """To the last bit: in a separate call, among others, and in another order."""
    databases, target = drawn(60, databases=2), SqlQuery(query, COLUMNS)
    alone = np.array([target(database) for database in databases])
    among = np.stack([databases[1], drawn(60, seed=9), databases[0], databases[1]])
    assert target.batch(among)[[2, 0, 3]].tobytes() == alone[[0, 1, 1]].tobytes()


def test_threads_that_ask_at_once_get_their_own_answers() -> None:
    databases, target = drawn(50, databases=16), SqlQuery(MEAN, COLUMNS)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(target, databases))
    assert np.array(found).tobytes() == target.batch(databases).tobytes()


def test_a_program_that_was_killed_is_started_again() -> None:
    target, table = SqlQuery(MEAN, COLUMNS), drawn(20)
    answer = target(table)
    os.kill(server_client._servers[0][0].pid, signal.SIGKILL)
    server_client._servers[0][0].wait()
    assert target(table).tobytes() == answer.tobytes()


def test_a_call_whose_program_is_killed_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    """MemoryError is the machine's failure, which no sampler counts as a failed pair."""
    target, send = SqlQuery(MEAN, COLUMNS), server_client.socket.send_fds

    def kill_first(*given: Any) -> int:
        os.kill(server_client._servers[0][0].pid, signal.SIGKILL)
        server_client._servers[0][0].wait()
        return send(*given)

    monkeypatch.setattr(server_client.socket, "send_fds", kill_first)
    with pytest.raises(MemoryError, match="could not be started"):
        target(drawn(20))


# Descriptions.


def test_it_is_in_the_catalogue() -> None:
    for target in (SqlQuery(MEAN, COLUMNS), SqlQuery(MEAN, (COST,), 0.0, "alike", (0.0, 50.0))):
        again = registry.from_json(to_json(target), "targets")
        assert again == target == pickle.loads(pickle.dumps(target))
        assert fingerprint(again) == fingerprint(target)


def test_a_columns_bounds_are_part_of_the_query() -> None:
    one, other = (SqlQuery(MEAN, (Column("cost", bounds=(0.0, high)),)) for high in (1.0, 2.0))
    assert fingerprint(one) != fingerprint(other)
    with pytest.raises(InvalidValueError, match="bounds of “cost” must be two numbers, the lower one first"):
        registry.from_json(to_json(one) | {"table": [to_json(COST) | {"bounds": [2, 1]}]}, "targets")


# It is sampled and released.


def _sample(target: SqlQuery, m: int = 99, norm: Any = L1) -> Any:
    wards = oracles.Categorical((0.5, 0.3, 0.2), ("Park", "Hill", "Sea"))
    columns = (oracles.Uniform(0, 100), oracles.Uniform(0, 90), wards, oracles.Categorical((0.5, 0.5), ("well", "worse")))
    oracle = oracles.IndependentColumns(columns, ("cost", "age", "ward", "note"))
    return sample_sensitivity(target, oracle, norm=norm, n=50, at=OperatingPoint.for_sample_size(m), seed=3)


def test_it_is_sampled_in_batches_and_released() -> None:
    """A mean of 50 clipped numbers moves by at most 100/50 = 2."""
    sample = _sample(SqlQuery(MEAN, COLUMNS))
    assert sample.way == "batch"
    assert choose(sample.target).block_size(8, 50) == 1_000  # a thousand pairs are one call for each side
    assert 1.0 < sample.distances.max() <= 2.0
    release = LaplaceMechanism().calibrate(sample.sensitivity(), PureDP(1.0)).release(drawn(50))
    assert release.guarantee.gamma == 0.01
    assert release.provenance["target"].startswith("SqlQuery(query='SELECT avg(cost) FROM data'")


def test_failed_pairs_are_counted_with_their_reason() -> None:
    """A cast of a word fails on every pair; a division by nothing on those whose n is 0 somewhere."""
    with pytest.raises(InfiniteSensitivityError) as refused:
        _sample(SqlQuery("SELECT sum(note::INT) FROM data", COLUMNS), m=9).sensitivity()
    assert (refused.value.failed, refused.value.m) == (9, 9)
    assert "a value cannot be cast" in str(refused.value)
    divides = SqlQuery("SELECT 1 / sum((cost > 90)::INT) FROM data", COLUMNS)
    some = _sample(divides, m=199)
    assert 0 < len(some.failures) < 199
    assert set(some.failures.values()) == {"the query answered with no number"}
    assert np.isinf(some.distances).sum() == len(some.failures)
    assert not _sample(replace(divides, answer_if_missing=1.0), m=199).failures


def test_no_mechanism_gives_a_query_pure_dp() -> None:
    """Nothing is proved of it, and a sampled sensitivity gives random DP with every mechanism."""
    target = SqlQuery(MEAN, COLUMNS, between=(0.0, 100.0), from_a_part="alike")
    assert [target.global_sensitivity, target.lost, target.each] == [None] * 3
    for mechanism in (kind.suited(target) for kind in registry.releasing(registry.members("mechanisms").values(), target)):
        privacy = PureDP(1.0) if mechanism.privacy is PureDP else ApproxDP(1.0, 1e-6)
        sensitivity = _sample(target, 9, mechanism.norm).sensitivity()
        assert isinstance(mechanism.calibrate(sensitivity, privacy).release(drawn(50)).guarantee, RandomDP)


def test_blocks_change_one_answer_for_one_row() -> None:
    target = SqlQuery("SELECT median(cost) FROM data", COLUMNS, from_a_part="alike")
    blocks = SampleAndAggregate(target, 5, (0.0, 100.0), points=11)
    assert registry.from_json(to_json(blocks), "targets") == blocks
    table, other = drawn(100), drawn(100).copy()
    other[17] = (100.0, 1.0, "Sea", "worse")
    assert (blocks.answers(table) != blocks.answers(other)).sum() <= 1
    with pytest.raises(InvalidValueError, match="how its answer goes from a part of the rows to all"):
        SampleAndAggregate(SqlQuery(MEAN, COLUMNS), 5, (0.0, 100.0))


def test_a_sum_of_each_block_stands_for_all_rows() -> None:
    """7 blocks of 100 rows, of 14 or 15: each one's sum, times 100 over its rows (mathematics, section 20.4)."""
    table, places = drawn(100), places_of_blocks(100, 7, 0)
    blocks = SampleAndAggregate(SqlQuery("SELECT sum(cost) FROM data", COLUMNS, from_a_part="in proportion"), 7, (0.0, 1e4))
    wanted = [float(np.nansum(np.clip(table["cost"][some], 0, 100))) * 100 / len(some) for some in places]
    assert len(set(map(len, places))) == 2
    assert np.allclose(blocks.answers(table).ravel(), wanted, rtol=1e-12)


@pytest.mark.usefixtures("little_time")
def test_a_database_that_takes_too_much_costs_only_its_own_answer() -> None:
    old = "WITH old AS (SELECT age FROM data WHERE age > 70)"
    query = f"{old} SELECT sum(a.age * b.age * c.age * d.age * e.age) FROM old a, old b, old c, old d, old e"
    target = SqlQuery(query, COLUMNS, answer_if_missing=0.0, from_a_part="alike")
    several = drawn(150, databases=4).copy()
    several["age"] = 50.0
    several["age"][1] = 80.0  # whose sum is over 150⁴ rows
    found, reasons = target.tried(several)
    assert reasons == {1: TOO_MUCH}
    assert np.isnan(found).ravel().tolist() == [False, True, False, False]
    assert sorted(target.tried(several, most_lost=1)[1]) == [1, 2, 3]
    table = several.reshape(-1).copy()
    table["age"] = 50.0
    table["age"][places_of_blocks(600, 4, 0)[2]] = 80.0
    blocks = SampleAndAggregate(target, 4, (0.0, 100.0), points=11)
    assert np.isnan(blocks.answers(table)).ravel().tolist() == [False, False, True, False]


def test_each_database_has_the_answer_of_a_separate_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of six databases of a simulated process, number 2 fails beside others, and numbers 1 and 4 always."""
    target, databases = SqlQuery(MEAN, COLUMNS), drawn(1, databases=6).copy()
    databases["cost"] = np.arange(6.0)[:, None]
    starts = list[float]()

    def run(_query: str, table: Any, count: int, _most: int) -> list[Any]:
        values = table["cost"].to_pylist()
        assert len(values) == count
        starts.append(values[0])
        lost = next((i for i, value in enumerate(values) if value in (1, 4) or (value == 2 and i > 0)), count)
        return [[[value]] for value in values[:lost]]

    monkeypatch.setattr(server_client, "run", run)
    assert target._rows(databases, None) == [[[0.0]], None, [[2.0]], [[3.0]], None, [[5.0]]]
    assert starts == [0, 1, 2, 4, 5]
    assert target._rows(databases, 1) == [[[0.0]], *[None] * 5]


def test_limits_depend_on_rows_and_columns_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """So none of many databases has more memory or time than in a separate call."""
    tasks = list[dict[str, Any]]()
    write = pa.ipc.new_stream

    def new_stream(channel: Any, schema: Any) -> Any:
        tasks.append(json.loads(schema.metadata[b"task"]))
        return write(channel, schema)

    monkeypatch.setattr(pa.ipc, "new_stream", new_stream)
    long = drawn(30_000).astype([(name, "U200" if name == "note" else kind) for name, kind in drawn().dtype.descr])
    long["note"] = "x" * 200
    for rows, count in ((drawn(30_000), 3), (long, 3), (drawn(10_000), 1), (drawn(30_000), 1)):
        server_client.run("SELECT 1", as_arrow(COLUMNS, rows), count)
    limits = [(task["seconds"], task["megabytes"]) for task in tasks]
    assert limits[0] == limits[1] == limits[2] < limits[3]


def test_bounds_of_the_answer_are_kept() -> None:
    bounded = SqlQuery("SELECT sum(cost), min(cost) FROM data", COLUMNS, between=(1.0, 50.0))
    assert bounded(drawn(50)).tolist() == [50.0, 1.0]
    assert bounded.answer_bounds(50) is None
    assert SqlQuery(MEAN, COLUMNS, between=(1.0, 50.0)).answer_bounds(50) == (1.0, 50.0)
    assert "kept between 1 and 50" in bounded.said_of(COLUMNS)


# Bad input.


@pytest.mark.parametrize(
    ("query", "message", "place"),
    [
        (
            "SELECT avg(cots) FROM data",
            'Referenced column "cots" not found in FROM clause (line 1, character 12). The columns',
            11,
        ),
        ("SELECT ward FROM data", "The answer’s column “ward” holds no numbers, but “VARCHAR”. Answer with one row of num", None),
        ("SELECT 'é',\n avg(nothing) FROM data", "not found in FROM clause (line 2, character 6)", 17),
        ("SELECT avg(cost) FORM data", 'The query cannot be read: syntax error at or near "data" (line 1, character 23)', 22),
        ("SELECT\n  random()", "The function “random” is not allowed here (line 2, character 3)", 9),
        (
            "SELECT avg(cost) FROM patients",
            "The table “patients” does not exist (line 1, character 23). The only table is called",
            22,
        ),
        ("SELECT sum(cost), ward FROM data", 'column "ward" must appear in the GROUP BY', 18),
        ("DELETE FROM data", "Only SELECT statements can be serialized to json. Write one query that begins with SELECT", None),
        ("SELECT 1; SELECT 2", "There are 2 statements. Write one query", None),
        ("", "There are no statements. Write one query", None),
        ("SELECT 1" + " " * 10_000, "A query has at most 10,000 characters", None),
        ("SELECT '\0'", "A query has at most 10,000 characters, and only whole ones", None),
    ],
)
def test_bad_query_is_refused_with_its_place(query: str, message: str, place: int | None) -> None:
    with pytest.raises(QueryError, match=re.escape(message)) as refused:
        SqlQuery(query, COLUMNS)
    assert refused.value.place == place
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"query": 1}, "query must be a text"),
        ({"table": ()}, "table must be the declared columns of the table, at least one"),
        ({"table": (COST, Column("COST"))}, "table must be columns whose names differ by more than capitals"),
        ({"table": (COST, Column("who", role="person"))}, "queries are about rows and not about people"),
        ({"answer_if_missing": np.inf}, "answer_if_missing must be a number"),
        ({"from_a_part": "as a maximum"}, "from_a_part must be “alike”, as a mean, “in proportion”, as a sum, or left out"),
        ({"between": (2.0, 1.0)}, "between must be two numbers, the lower one first"),
    ],
)
def test_bad_setting_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        SqlQuery(**{"query": MEAN, "table": (COST,)} | settings)


@pytest.mark.parametrize(
    ("database", "message"),
    [
        (np.zeros(3), "database must be with the named columns cost"),
        (np.zeros(3, dtype=[("age", float)]), "database must be with the named columns cost"),
        (np.array([("a",)], dtype=[("cost", "U1")]), "column cost must be numbers"),
    ],
)
def test_another_table_is_refused(database: Any, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        SqlQuery(MEAN, (COST,))(database)


def test_the_program_ends_with_the_process_that_started_it() -> None:
    code = (
        "from dpcore import Column; from dpcore.targets import SqlQuery; from dpcore.sql import server_client;"
        "SqlQuery('SELECT 1', (Column('a'),)); print(server_client._servers[0][0].pid, flush=True); import os; os._exit(0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    for _ in range(100):
        if not Path(f"/proc/{done.stdout.strip()}").exists():
            return
        signal.sigtimedwait((), 0.05)
    raise AssertionError(f"the process {done.stdout.strip()} is still there")
