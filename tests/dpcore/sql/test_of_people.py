"""A query about people: on at most so many rows of each, whatever they are called and wherever they stand."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcore import L1, Column, Exponential, Groups, Laplace, Ledger, OperatingPoint, PureDP, oracles, sample_sensitivity
from dpcore.base.facts import facts
from dpcore.base.people import CODE, KEY, PERSON, count, per_user
from dpcore.base.types import Database, FloatArray
from dpcore.errors import DatabaseMismatchError, InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.words import unit_of
from dpcore.oracles import Categorical, People, Uniform
from dpcore.registry import catalog
from dpcore.sql.arrow_table import _uuids, keep_rows
from dpcore.sql.query_error import QueryError
from dpcore.targets import Capped, KnownCount, On, SampleAndAggregate, SqlQuery
from tests.dpcore.sampling.people import naive

REPLACED, REMOVED = Adjacency.REPLACE_ONE_USER, Adjacency.ADD_OR_REMOVE_ONE_USER
WHO = Column("who", role="person")
WARDS = Groups("ward", ("Park", "Hill"))
TABLE = (Column("cost", bounds=(0.0, 100.0)), Column("ward", role="text", categories=("Park", "Hill")), WHO)
A_PERSON = "SELECT avg(total), max(n), count(*) FROM (SELECT sum(cost) AS total, count(*) AS n FROM data GROUP BY who)"
ORACLE = People(
    oracles.Exponential(0.3), (Uniform(-20, 120), Categorical((0.5, 0.3, 0.2), ("Park", "Hill", "Sea"))), ("cost", "ward"), "who"
)


def _people(rows: list[tuple[str, float, str]]) -> Database:
    """Of (id, cost, ward), one a row."""
    of = np.array([row[1:] for row in rows], dtype=[("cost", float), ("ward", "U4")])
    return per_user(of, np.array([row[0] for row in rows], dtype="U8"), person="who")


def _drawn(people: int = 40, seed: int = 1) -> Database:
    return ORACLE.draw(1, people, rng=np.random.default_rng(seed))[0]


def _by_loop(rows: Database, s: int, salt: int = 0) -> list[list[float]]:
    """The clipped costs of each person's rows that stay: those that a question about people keeps under that salt."""
    weights = Capped(On(KnownCount(), ("day",)), "who", s, salt=salt).weights(_with_days(rows))
    people: list[list[float]] = [[] for _ in range(count(rows["who"]))]
    for row, weight in zip(rows, weights.tolist(), strict=True):
        if weight:
            people[int(row["who"][CODE])].append(min(max(float(row["cost"]), 0.0), 100.0))
    return people


def _with_days(rows: Database) -> Database:
    """A column of which nothing is missing, so that all rows count."""
    made = np.zeros(len(rows), dtype=[("day", float), ("who", PERSON)])
    made["who"] = rows["who"]
    return made


# The table is at most s rows a person.


@pytest.mark.parametrize(("s", "salt"), [(1, 0), (2, 7), (1_000, 0)])
def test_answers_are_those_of_a_loop_over_the_rows_that_a_capped_question_keeps(s: int, salt: int) -> None:
    target = SqlQuery(A_PERSON, TABLE, rows=s, salt=salt)
    databases = [_drawn(people, seed) for people, seed in product((1, 7, 40), range(3))]
    for rows, answer in zip(databases, target.batch_of_people(databases), strict=True):
        people = _by_loop(rows, s, salt)
        sums, most = [sum(costs) for costs in people], max(map(len, people))
        assert most <= s
        assert answer == pytest.approx([np.mean(sums), most, len(people)], rel=1e-12)


def test_answers_are_those_of_pandas_where_the_cap_cuts_nothing() -> None:
    rows = _drawn(200)
    frame = pd.DataFrame({"cost": rows["cost"].clip(0, 100), "ward": rows["ward"], "who": rows["who"][CODE]})
    park, hill = (frame[frame.ward == ward].groupby("who").cost for ward in ("Park", "Hill"))
    in_both = "data a JOIN data b ON a.who = b.who WHERE a.ward = 'Park' AND b.ward = 'Hill'"
    for query, by, expected in (
        ("SELECT max(c) FROM (SELECT who, sum(cost) AS c FROM data WHERE ward = 'Park' GROUP BY who)", None, [park.sum().max()]),
        ("SELECT median(m) FROM (SELECT max(cost) AS m FROM data WHERE ward = 'Park' GROUP BY who)", None, [park.max().median()]),
        ("SELECT count(DISTINCT who) FROM data", None, [200.0]),
        ("SELECT ward, count(DISTINCT who) FROM data GROUP BY ward", WARDS, [park.ngroups, hill.ngroups]),
        (
            "SELECT count(*) FROM (SELECT who FROM data GROUP BY who HAVING count(*) > 4)",
            None,
            [(frame.who.value_counts() > 4).sum()],
        ),
        (f"SELECT count(DISTINCT a.who) FROM {in_both}", None, [len(set(park.groups) & set(hill.groups))]),
        (
            "SELECT avg(cost) FROM (SELECT cost, row_number() OVER (PARTITION BY who ORDER BY cost) AS r FROM data) WHERE r = 1",
            None,
            [frame.groupby("who").cost.min().mean()],
        ),
    ):
        assert SqlQuery(query, TABLE, by, rows=10**6)(rows) == pytest.approx(expected, rel=1e-12)


def test_every_table_of_up_to_three_rows() -> None:
    """Of two people and of nobody, with costs that are missing, usual and beyond the bounds; by loops over Python's floats."""
    cells = [("a", np.nan), ("a", 5.0), ("a", 200.0), ("b", 5.0), ("", 5.0)]
    tables = [_people([(who, cost, "Park") for who, cost in rows]) for n in range(4) for rows in product(cells, repeat=n)]
    assert len(tables) == 1 + 5 + 25 + 125
    query = (
        "SELECT count(*), max(n), max(total), sum(total) FROM (SELECT count(*) AS n, sum(cost) AS total FROM data GROUP BY who)"
    )
    for s in (1, 2):
        answers = SqlQuery(query, TABLE, rows=s, answer_if_missing=-1.0).batch_of_people(tables)
        for rows, answer in zip(tables, answers, strict=True):
            weights = Capped(On(KnownCount(), ("day",)), "who", s, salt=0).weights(_with_days(rows)) if len(rows) else []
            people: dict[int, list[float]] = {}
            for row, weight in zip(rows, weights, strict=True):
                people.setdefault(int(row["who"][CODE]), []).extend([float(row["cost"])] * int(weight))
            known = [[min(cost, 100.0) for cost in costs if cost == cost] for costs in people.values()]
            sums = [sum(costs) for costs in known if costs]
            lengths = [len(costs) for costs in people.values()]
            assert max(lengths, default=0) <= s
            assert lengths == [min(s, n) for n in np.bincount(rows["who"][CODE]).tolist()]
            expected = [len(people), max(lengths, default=-1), max(sums, default=-1), sum(sums) if sums else -1]
            assert answer.tolist() == expected


def test_which_rows_stay_hangs_on_the_salt_and_on_no_value() -> None:
    """So a person cannot choose: not by what a row says, and its place is as good as any other."""
    rows = _drawn(3_000)
    other = rows.copy()
    other["cost"] = np.arange(len(rows))
    first = np.append(True, rows["who"][CODE][1:] != rows["who"][CODE][:-1])
    several = np.bincount(rows["who"][CODE])[rows["who"][CODE]] == 4
    other["ward"][first] = "Sea"
    stayed = {salt: set(keep_rows(other, "who", 1, salt)["cost"].tolist()) for salt in (0, 1)}
    assert stayed[0] != stayed[1]
    swapped = replace_field(other, "cost", other["cost"][::-1].copy())
    assert set((len(rows) - 1 - keep_rows(swapped, "who", 1, 0)["cost"]).tolist()) == stayed[0]
    share = np.isin(other["cost"][first & several], list(stayed[0])).mean()
    assert abs(share - 0.25) < 6 * np.sqrt(0.25 * 0.75 / (first & several).sum())


def replace_field(rows: Database, name: str, values: Any) -> Database:
    made = rows.copy()
    made[name] = values
    return made


# It hangs on people, not on what they are called or where they stand.


ORDERED = (
    "SELECT first(cost), sum(cost), arg_max(cost, who), sum(cost) FILTER (WHERE who < (SELECT max(who) FROM data)) FROM data"
)


def _elsewhere(rows: Database, order: Any) -> Database:
    """The same people, each with all rows and the same key, in another order."""
    parts = [rows[rows["who"][CODE] == code].copy() for code in order]
    for code, part in enumerate(parts):
        part["who"][CODE] = code
    return np.concatenate(parts)


@pytest.mark.parametrize("query", [A_PERSON, ORDERED])
def test_where_a_person_stands_changes_no_bit(query: str) -> None:
    rows, target = _drawn(30), SqlQuery(query, TABLE, rows=2)
    for seed in range(2):
        other = _elsewhere(rows, np.random.default_rng(seed).permutation(30))
        assert target(other).tobytes() == target(rows).tobytes()


def test_the_rows_of_all_others_stay_where_one_person_is_replaced() -> None:
    for seed in range(20):
        rows, new = _drawn(12, seed), _drawn(1, 100 + seed)
        at = seed % 12
        others = [rows[rows["who"][CODE] == code] for code in range(12)]
        changed = np.concatenate([*others[:at], replace_field(new, "who", new["who"]), *others[at + 1 :]])
        changed["who"][CODE][np.isin(changed["who"][KEY], new["who"][KEY])] = at
        before, after = (keep_rows(one, "who", 2, 3) for one in (rows, changed))
        gone, came = others[at]["who"][KEY][0], new["who"][KEY][0]
        assert before[before["who"][KEY] != gone].tobytes() == after[after["who"][KEY] != came].tobytes()


def test_rows_without_an_id_and_people_who_share_a_key_are_people_of_their_own() -> None:
    rows = _people([("", 1.0, "Park"), ("b", 2.0, "Park"), ("", 3.0, "Park"), ("b", 4.0, "Park"), ("a", 5.0, "Park")])
    target = SqlQuery(A_PERSON, TABLE, rows=2)
    assert target(rows).tolist() == [15 / 4, 2, 4]
    alike = rows.copy()
    alike["who"][KEY] = 2**64 - 1
    assert target(alike).tolist() == [15 / 4, 2, 4]
    assert len(set(_uuids(keep_rows(alike, "who", 2, 0)["who"]).to_pylist())) == 4


# It is sampled.


def _sample(target: Any, adjacency: Adjacency = REPLACED, m: int = 40, **more: Any) -> Any:
    at = OperatingPoint.for_sample_size(m)
    return sample_sensitivity(target, ORACLE, norm=L1, n=6, at=at, seed=8, adjacency=adjacency, **more)


@pytest.mark.parametrize(("query", "adjacency"), [(A_PERSON, REPLACED), (ORDERED, REMOVED)])
def test_pairs_replace_whole_people_as_a_loop_that_concatenates_does(query: str, adjacency: Adjacency) -> None:
    target = SqlQuery(query, TABLE, rows=2)
    sample = _sample(target, adjacency, m=6)
    assert sample.way == "batch"
    assert sample.distances.tolist() == [naive(target, ORACLE, adjacency, 6, 8, pair) for pair in range(6)]
    assert (sample.distances > 0).mean() > 0.8
    plain = _sample(lambda rows: target(rows), adjacency, m=6)
    assert plain.way == "plain"
    assert plain.distances.tolist() == sample.distances.tolist()
    assert plain.sizes.tolist() == sample.sizes.tolist()


def test_distances_are_those_of_a_target_in_numpy() -> None:
    def total(rows: Database, /) -> FloatArray:
        return np.array([np.mean([sum(costs) for costs in _by_loop(rows, 2)])])

    query = "SELECT avg(total) FROM (SELECT sum(cost) AS total FROM data GROUP BY who)"
    ours, theirs = _sample(SqlQuery(query, TABLE, rows=2)), _sample(total)
    assert ours.distances == pytest.approx(theirs.distances, rel=1e-9)
    assert (ours.distances <= 2 * 100 / 6).all()
    whole = _sample(SqlQuery(query, TABLE, rows=1_000))
    assert whole.order_statistic > 1.5 * ours.order_statistic


@pytest.mark.parametrize(("s", "adjacency"), [(3, REPLACED), (3, REMOVED), (10**6, REPLACED)])
def test_a_sum_moves_by_the_width_times_the_rows_of_a_person_that_are_read(s: int, adjacency: Adjacency) -> None:
    """In closed form: each of 5 rows is 1 with all rows of the person, or 0, so a pair moves by 0 or by min(s, 5)."""
    oracle = People(Uniform(4.5, 5.0), (oracles.Bernoulli(0.5),), ("paid",), "who", alike=1.0)
    target = SqlQuery("SELECT sum(paid) FROM data", (Column("paid", bounds=(0.0, 1.0)), WHO), rows=s)
    at = OperatingPoint.for_sample_size(200)
    sample = sample_sensitivity(target, oracle, norm=L1, n=20, at=at, seed=3, adjacency=adjacency)
    most = min(s, 5)
    assert set(sample.distances.tolist()) == {0.0, most}
    assert abs((sample.distances > 0).mean() - 0.5) < 5 * np.sqrt(0.25 / 200)
    assert facts(target).global_sensitivity is None


@pytest.mark.parametrize("place", [0, 19])
def test_a_query_that_names_a_value_of_the_peoples_column_moves_by_what_it_takes_of_a_person(place: int) -> None:
    """The value is somebody else's in nearly every neighbour, so trials show the term, wherever that person stands."""
    oracle = People(Uniform(1.0, 1.5), (oracles.Uniform(0.0, 1.0),), ("paid",), "who")
    one = f"sum(CASE WHEN who::VARCHAR LIKE '%{place:012x}' THEN paid END)"
    asked = SqlQuery(f"SELECT avg(paid) + 1000 * coalesce({one}, 0) FROM data", (Column("paid", bounds=(0.0, 1.0)), WHO), rows=2)
    at = OperatingPoint.for_sample_size(60)
    sample = sample_sensitivity(asked, oracle, norm=L1, n=20, at=at, seed=4, adjacency=REPLACED)
    assert (sample.distances > 1).mean() > 0.8


def test_a_pair_that_fails_is_a_distance_beyond_all_and_no_other_is() -> None:
    query = "SELECT 1 / sum((cost > 60)::INT) FROM data"
    some, stated = (_sample(SqlQuery(query, TABLE, rows=1, answer_if_missing=missing)) for missing in (None, 2.0))
    failed = np.isinf(some.distances)
    assert 0 < failed.sum() < 20
    assert set(some.failures) == set(np.flatnonzero(failed).tolist())
    assert stated.failures == {}
    assert some.distances[~failed].tolist() == stated.distances[~failed].tolist()
    refused = _sample(SqlQuery("SELECT max((ward || 'x')::INT + (cost > 50)::INT) FROM data", TABLE, rows=1), m=5)
    assert all("a value cannot be cast" in why for why in refused.failures.values())
    assert len(refused.failures) == 5


def test_it_is_released_and_charged_for_people() -> None:
    target = SqlQuery("SELECT avg(total) FROM (SELECT sum(cost) AS total FROM data GROUP BY who)", TABLE, rows=2)
    sample = _sample(target)
    calibrated = Laplace().calibrate(sample.sensitivity(), PureDP(1.0))
    release = calibrated.release(_drawn(6))
    assert (release.adjacency, unit_of(release.adjacency)) == (REPLACED, "a person")
    assert release.provenance["n"] == 6
    assert "rows=2, salt=0" in release.provenance["target"]
    assert Ledger().add(release).total() == release.guarantee
    with pytest.raises(DatabaseMismatchError, match="number of people of 6"):
        calibrated.release(_drawn(7))
    with pytest.raises(DatabaseMismatchError, match="field of people named who"):
        calibrated.release(_drawn(6)[["cost", "ward"]])


def test_blocks_of_whole_people_are_asked_under_pure_dp() -> None:
    query = "SELECT avg(total) FROM (SELECT sum(cost) AS total FROM data GROUP BY who)"
    asked = SqlQuery(query, TABLE, from_a_part="alike", rows=2)
    blocks = SampleAndAggregate(asked, 5, (0.0, 200.0), person="who", points=11)
    assert catalog.from_json(catalog.to_json(blocks), "targets") == blocks
    assert blocks.fits(TABLE)
    rows = _drawn(60)
    new = replace_field(rows, "cost", np.where(rows["who"][CODE] == 17, 90.0, rows["cost"]))
    assert 0 < (blocks.answers(rows) != blocks.answers(new)).sum() <= 1
    proof = blocks.proved(60, REPLACED)
    chosen = Exponential.suited(blocks).calibrate(proof, PureDP(1.0)).release(rows)
    assert chosen.guarantee == PureDP(1.0)
    assert chosen.adjacency is REPLACED
    for other in (None, "whom"):
        with pytest.raises(InvalidValueError, match="person must be who, the field that the target itself asks"):
            SampleAndAggregate(asked, 5, (0.0, 200.0), person=other)


# Bad input.


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (
            "SELECT count(*) FROM data WHERE who = 'Anna'",
            "The column “who” only distinguishes people, so it equals no constant",
        ),
        ("SELECT count(*) FROM data d WHERE 7 <> d.WHO", "The column “who” only distinguishes people"),
        ("SELECT count(*) FROM data WHERE who IN ('Anna', 'Ben')", "The column “who” only distinguishes people"),
        ("SELECT count(*) FROM data WHERE who BETWEEN 'A' AND 'B'", "The column “who” only distinguishes people"),
        ("SELECT sum(who) FROM data", "The query does not fit the table: No function matches"),
        ("SELECT who FROM data", "The answer’s column “who” holds no numbers"),
    ],
)
def test_a_query_that_asks_who_somebody_is_has_a_sentence(query: str, said: str) -> None:
    with pytest.raises(QueryError, match=re.escape(said)):
        SqlQuery(query, TABLE, rows=1)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (_drawn(3)[["cost", "ward"]], "database must be with the field of people “who”"),
        (
            np.zeros(2, dtype=[("cost", float), ("who", float)]),
            "rows of people, each person's together, as “per_user” makes them",
        ),
        (_drawn(3)[::-1], "rows of people, each person's together, as"),
    ],
)
def test_a_table_without_people_is_refused_in_a_sentence(rows: Any, said: str) -> None:
    with pytest.raises(InvalidValueError, match=re.escape(said)):
        SqlQuery(A_PERSON, TABLE, rows=1)(rows)
