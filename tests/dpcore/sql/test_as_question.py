"""A simple query as a question: they answer alike on every table of up to four rows, but where a sentence says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest

from dpcore import L1, Column, Groups
from dpcore.answers.grouped import Grouped
from dpcore.answers.ratio import Ratio
from dpcore.base.types import Database, FloatArray
from dpcore.oracles import Categorical, Exponential, People, Uniform
from dpcore.targets import KnownCount, KnownMean, On, SqlQuery, Sum

COST = Column("cost", bounds=(0.0, 100.0))
AGE = Column("age", bounds=(0.0, 90.0))
WARD = Column("ward", role="text", categories=("Park", "Hill"))
OTHERS = Column("ward", role="text", categories=("Park", "other"))
FREE = Column("ward", role="text")
CODE = Column("code", categories=(1.0, 2.0))
LENGTH = Column("length")
CELLS: dict[str, tuple[Any, ...]] = {
    "cost": (np.nan, -5.0, 7.0, 200.0),
    "age": (np.nan, -3.0, 40.0, 65.0, 90.0, 95.0),
    "ward": ("", "Park", "Hill", "Gone"),
    "code": (np.nan, 1.0, 2.0, 3.0),
    "length": (np.nan, 1.0, 2.5, 4.0),
}
FEWER: dict[int, dict[str, tuple[Any, ...]]] = {  # of so many columns, for time
    1: {},
    2: {"cost": (np.nan, 7.0)},
    3: {"cost": (np.nan, 7.0), "age": (40.0, 65.0, 95.0), "ward": ("Park", "Gone")},
}
WARDS = Groups("ward", ("Park", "Hill"))
MOST = 4
Told = Callable[[Database], bool]


@dataclass(frozen=True)
class Case:
    """A query of these columns; the question that it is, in words; how each of its differences begins, and when it is there."""

    query: str
    table: tuple[Column, ...]
    target: type
    words: str
    told: tuple[tuple[str, Told], ...] = ()
    by: Groups | None = None
    missing: float | None = None


def _beyond(name: str, low: float, high: float) -> Told:
    return lambda rows: bool(((rows[name] < low) | (rows[name] > high)).any())


def _has(name: str, value: str | float) -> Told:
    return lambda rows: bool((rows[name] == value).any())


def _none(held: Callable[[Database], Any], wards: tuple[str, ...] = ()) -> Told:
    """Where no row is left, or none in one of the wards."""
    return lambda rows: any(not (held(rows) & (rows["ward"] == ward)).any() for ward in wards) if wards else not held(rows).any()


AGE_BEYOND = ("Where age is beyond its bounds", _beyond("age", 0.0, 90.0))
UNLISTED = ("Where ward is none of its categories, it is missing for the query", _has("ward", "Gone"))
TWO = ("Park", "Hill")
CASES = (
    Case("SELECT count(cost) FROM data", (COST,), KnownCount, ""),
    Case("SELECT count(*) FROM data WHERE cost IS NOT NULL", (COST,), KnownCount, ""),
    Case("SELECT count(*) FROM data WHERE age >= 65", (AGE,), KnownCount, "where age from 65 to 90", (AGE_BEYOND,)),
    Case("SELECT count(1) FROM data WHERE 65 > data.age", (AGE,), KnownCount, "where age not from 65 to 90", (AGE_BEYOND,)),
    Case("SELECT count(*) FROM data WHERE NOT AGE <= 40", (AGE,), KnownCount, "where age not from 0 to 40", (AGE_BEYOND,)),
    Case("SELECT count(*) FROM data WHERE NOT age >= 40", (AGE,), KnownCount, "where age not from 40 to 90", (AGE_BEYOND,)),
    Case("SELECT count(*) FROM data WHERE NOT age < 40", (AGE,), KnownCount, "where age from 40 to 90", (AGE_BEYOND,)),
    Case("SELECT count(*) FROM data WHERE NOT age > 40", (AGE,), KnownCount, "where age from 0 to 40", (AGE_BEYOND,)),
    Case("SELECT count(*) FROM data WHERE NOT ward <> 'Park'", (FREE,), KnownCount, "where ward is Park"),
    Case("SELECT count(*) FROM data WHERE age BETWEEN 40 AND 65", (AGE,), KnownCount, "where age from 40 to 65"),
    Case("SELECT count(*) FROM data WHERE age NOT BETWEEN 40 AND 65", (AGE,), KnownCount, "where age not from 40 to 65"),
    Case("SELECT count(*) FROM data WHERE age = 90", (AGE,), KnownCount, "where age is 90", (AGE_BEYOND,)),
    Case("SELECT count(*) FROM data WHERE age <> 40.0", (AGE,), KnownCount, "where age is not 40"),
    Case("SELECT count(*) FROM data WHERE length BETWEEN 1 AND 2.5", (LENGTH,), KnownCount, "where length from 1 to 2.5"),
    Case("SELECT count(*) AS n FROM data d WHERE d.ward = 'Park'", (WARD,), KnownCount, "where ward is Park"),
    Case("SELECT count(*) FROM data WHERE ward IN ('Park')", (FREE,), KnownCount, "where ward is Park"),
    Case("SELECT count(*) FROM data WHERE ward <> 'Park'", (FREE,), KnownCount, "where ward is not Park"),
    Case("SELECT count(*) FROM data WHERE ward <> 'Park'", (WARD,), KnownCount, "where ward is not Park", (UNLISTED,)),
    Case("SELECT count(*) FROM data WHERE NOT ward = 'Park'", (OTHERS,), KnownCount, "where ward is not Park"),
    Case(
        "SELECT count(*) FROM data WHERE ward NOT IN ('Park', 'Hill')",
        (WARD,),
        KnownCount,
        "where ward is not Park and ward is not Hill",
        (UNLISTED,),
    ),
    Case(
        "SELECT count(*) FROM data WHERE ward = 'other'",
        (OTHERS,),
        KnownCount,
        "where ward is other",
        (
            (
                "Where ward is none of its categories, it is “other” for the query",
                lambda rows: bool(np.isin(rows["ward"], ["Gone", "Hill"]).any()),
            ),
        ),
    ),
    Case("SELECT count(ward) FROM data", (WARD,), KnownCount, "", (UNLISTED,)),
    Case("SELECT count(ward) FROM data", (OTHERS,), KnownCount, ""),
    Case("SELECT count(*) FROM data WHERE code = 2", (CODE,), KnownCount, "where code is 2"),
    Case(
        "SELECT count(*) FROM data WHERE code <> 2",
        (CODE,),
        KnownCount,
        "where code is not 2",
        (("Where code is none of its categories", _has("code", 3.0)),),
    ),
    Case(
        "SELECT sum(cost) FROM data",
        (COST,),
        Sum,
        "",
        (
            (
                "Without any known cost, the query has no number, and the question answers 0.",
                _none(lambda rows: ~np.isnan(rows["cost"])),
            ),
        ),
    ),
    Case("SELECT sum(cost) FROM data WHERE cost IS NOT NULL", (COST,), Sum, "", (), None, 0.0),
    Case(
        "SELECT avg(cost) AS mean FROM data",
        (COST,),
        KnownMean,
        "",
        (
            (
                "Without any known cost, the query answers 0, and the question answers the middle of the bounds, 50.",
                _none(lambda rows: ~np.isnan(rows["cost"])),
            ),
        ),
        None,
        0.0,
    ),
    Case(
        "SELECT mean(cost) FROM data WHERE age >= 65 AND ward = 'Park'",
        (COST, AGE, WARD),
        KnownMean,
        "where age from 65 to 90 and ward is Park",
        (
            AGE_BEYOND,
            (
                "Without any known cost where the conditions hold, the query has no number",
                _none(lambda rows: ~np.isnan(rows["cost"]) & (rows["age"] >= 65) & (rows["ward"] == "Park")),
            ),
        ),
    ),
    Case(
        "SELECT ward, count(*) FROM data GROUP BY ward ORDER BY ward",
        (WARD,),
        KnownCount,
        "by ward",
        (
            (
                "In a group without any row, the query has no number, and the question answers 0.",
                _none(lambda rows: rows["ward"] != "", TWO),
            ),
        ),
        WARDS,
    ),
    Case("SELECT ward, count(*) FROM data GROUP BY ward", (WARD,), KnownCount, "by ward", (), WARDS, 0.0),
    Case(
        "SELECT count(cost), ward AS part FROM data GROUP BY ward",
        (COST, WARD),
        KnownCount,
        "by ward",
        (),
        Groups("part", TWO),
        0.0,
    ),
    Case(
        "SELECT ward, avg(cost) FROM data GROUP BY ward",
        (COST, WARD),
        KnownMean,
        "by ward",
        (("In a group without any known cost, the query has no number", _none(lambda rows: ~np.isnan(rows["cost"]), TWO)),),
        WARDS,
    ),
    Case(
        "SELECT ward, count(*) FROM data GROUP BY ward",
        (OTHERS,),
        KnownCount,
        "by ward",
        (
            (
                "Where ward is none of its categories, it is “other” for the query",
                lambda rows: bool(np.isin(rows["ward"], ["Gone", "Hill"]).any()),
            ),
        ),
        Groups("ward", ("Park", "other")),
        0.0,
    ),
    Case("SELECT code, count(*) FROM data GROUP BY code", (CODE,), KnownCount, "by code", (), Groups("code", (1.0, 2.0)), 0.0),
    Case(
        "SELECT age, count(*) FROM data GROUP BY age",
        (AGE,),
        KnownCount,
        "by age",
        (AGE_BEYOND,),
        Groups("age", (40.0, 90.0)),
        0.0,
    ),
)


def _tables(columns: tuple[Column, ...]) -> list[Database]:
    """All of up to four rows, whatever their order: of each number of rows those of one length together, (b, n)."""
    cells = CELLS | FEWER[len(columns)]
    kinds = [(column.name, "U4" if column.role == "text" else float) for column in columns]
    rows = list(product(*(cells[column.name] for column in columns)))
    several = [[row for chosen in combinations_with_replacement(rows, n) for row in chosen] for n in range(MOST + 1)]
    return [np.array(made, dtype=kinds).reshape(-1 if n else 1, n) for n, made in enumerate(several)]


def _read(target: On, columns: tuple[Column, ...], answer: FloatArray) -> FloatArray:
    """The question's numbers as people read them: of a mean the ratio of its two."""
    kind: Any = target.answer(tuple({column.name: column for column in columns}[name] for name in target.fields))
    own = kind.of if isinstance(kind, Grouped) else kind
    return np.asarray(own.value(answer.reshape(-1, 2))).ravel() if isinstance(own, Ratio) else answer


@pytest.mark.parametrize("case", CASES[::2], ids=lambda case: f"{case.query}, {case.table[-1].categories}")
def test_both_answer_alike_but_where_a_difference_says_so(case: Case) -> None:
    query = SqlQuery(case.query, case.table, case.by, case.missing)
    found = query.as_question()
    assert found is not None
    question, differences = found
    assert (type(question.target), question.words()) == (case.target, case.words)
    assert question.global_sensitivity(L1, 10) is not None
    assert len(differences) == len(case.told)
    assert all(any(said.startswith(told) for said in differences) for told, _ in case.told), differences
    alone = set[int]()
    for tables in _tables(case.table):
        for rows, answer in zip(tables, query.batch(tables), strict=True):
            same = bool((np.abs(_read(question, case.table, question(rows)) - answer) <= 1e-12 * np.fmax(1, answer)).all())
            told = [place for place, (_, there) in enumerate(case.told) if there(rows)]
            assert same or told, f"on {rows!r} the query answers {answer!r}, and the question {question(rows)!r}"
            alone.update(told if not same and len(told) == 1 else [])
    assert alone == set(range(len(case.told))), "a difference that is said is nowhere seen by itself"


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM data",  # the public n
        "SELECT median(cost) FROM data",
        "SELECT count(DISTINCT cost) FROM data",
        "SELECT count(*) FILTER (WHERE cost > 5) FROM data",
        "SELECT sum(cost), avg(cost) FROM data",
        "SELECT sum(cost + 1) FROM data",
        "SELECT sum(cost) + 1 FROM data",
        "SELECT DISTINCT sum(cost) FROM data",
        "SELECT sum(cost) FROM data LIMIT 0",
        "SELECT sum(cost) FROM data HAVING count(*) > 2",
        "SELECT sum(cost) FROM (SELECT * FROM data)",
        "WITH x AS (SELECT 1) SELECT sum(cost) FROM data",
        "SELECT sum(a.cost) FROM data a, data b",
        "SELECT sum(cost) FROM data UNION SELECT 1",
        "SELECT sum(cost) OVER () FROM data LIMIT 1",
        "SELECT count(*) FROM data WHERE age > 5 OR cost > 5",
        "SELECT count(*) FROM data WHERE NOT (age > 5 AND cost > 5)",
        "SELECT count(*) FROM data WHERE ward IN ('Park', 'Hill')",
        "SELECT count(*) FROM data WHERE ward IS NULL",
        "SELECT count(*) FROM data WHERE NOT (ward IS NOT NULL)",
        "SELECT count(*) FROM data WHERE ward = 'Sea'",
        "SELECT count(*) FROM data WHERE ward = ''",
        "SELECT count(*) FROM data WHERE ward > 'Park'",
        "SELECT count(*) FROM data WHERE age > cost",
        "SELECT count(*) FROM data WHERE age > 90",
        "SELECT count(*) FROM data WHERE age >= 0",
        "SELECT count(*) FROM data WHERE age BETWEEN 65 AND 40",
        "SELECT count(*) FROM data WHERE age = '65'",
        "SELECT count(*) FROM data WHERE age = 0.1000000000000000055",
        "SELECT count(*) FROM data WHERE age + 1 > 5",
        "SELECT count(*) FROM data WHERE age > NULL",
        "SELECT sum(cost) FROM data WHERE age IS NOT NULL",
        "SELECT count(*) FROM data WHERE age IS NOT NULL AND cost IS NOT NULL",
        "SELECT avg(cost) FROM data GROUP BY ALL",
        "SELECT avg(cost) FROM data GROUP BY ward",
        "SELECT any_value(cost) FROM data",
    ],
)
def test_what_no_question_says_is_none(query: str) -> None:
    assert SqlQuery(query, (COST, AGE, WARD)).as_question() is None


@pytest.mark.parametrize(
    ("query", "by"),
    [
        ("SELECT ward, sum(cost) FROM data GROUP BY ROLLUP (ward)", WARDS),
        ("SELECT ward, sum(cost) FROM data GROUP BY ward, age", WARDS),
        ("SELECT ward, sum(cost) FROM data GROUP BY ward", Groups("ward", ("Park", "Gone"))),
        ("SELECT upper(ward) AS ward, sum(cost) FROM data GROUP BY ward", WARDS),
        ("SELECT ward, sum(cost) FROM data GROUP BY ward LIMIT 1", WARDS),
        ("SELECT ward, sum(cost) FROM data GROUP BY ward QUALIFY rank() OVER () = 1", WARDS),
    ],
)
def test_groups_that_no_question_has_are_none(query: str, by: Groups) -> None:
    assert SqlQuery(query, (COST, AGE, WARD), by).as_question() is None


def test_of_what_is_not_bounded_there_is_none() -> None:
    for column in (LENGTH, CODE):
        assert SqlQuery(f"SELECT sum({column.name}) FROM data", (column,)).as_question() is None
    assert SqlQuery("SELECT count(*) FROM data WHERE length > 2", (LENGTH,)).as_question() is None


WHO = Column("who", role="person")
PEOPLE = People(
    Exponential(0.3), (Uniform(0.0, 100.0), Categorical((0.6, 0.4), ("Park", "Hill"))), ("cost", "ward"), "who", alike=0.5
)


@pytest.mark.parametrize(
    ("query", "counts"),
    [
        ("SELECT count(cost) FROM data", lambda rows: rows["cost"] >= 0),
        ("SELECT sum(cost) FROM data", lambda rows: rows["cost"] >= 0),
        ("SELECT avg(cost) FROM data", lambda rows: rows["cost"] >= 0),
        ("SELECT ward, sum(cost) FROM data GROUP BY ward", lambda rows: rows["cost"] >= 0),
        ("SELECT count(*) FROM data WHERE ward = 'Park'", lambda rows: rows["ward"] == "Park"),
        ("SELECT avg(cost) FROM data WHERE ward <> 'Park'", lambda rows: rows["ward"] == "Hill"),
    ],
)
@pytest.mark.parametrize("s", [2, 1_000])
def test_about_people_both_keep_the_same_rows_but_where_some_of_a_person_do_not_count(query: str, counts: Told, s: int) -> None:
    by = WARDS if "GROUP" in query else None
    asked = SqlQuery(query, (COST, WARD, WHO), by, rows=s, salt=5)
    found = asked.as_question()
    assert found is not None
    question, differences = found
    assert (question.person, question.rows, question.salt) == ("who", s, 5)
    assert differences[-1].startswith(f"Of a person with more than {s:,} rows the query reads {s:,}, whatever these say")
    apart = 0
    for seed in range(6):
        rows = PEOPLE.draw(1, 12, rng=np.random.default_rng(seed))[0]
        of_each = np.bincount(rows["who"]["code"])
        told = bool((of_each[rows["who"]["code"]][~counts(rows)] > s).any())
        one, other = asked(rows), _read(question.question, (COST, WARD), question(rows))
        apart += told
        if not told:
            assert other == pytest.approx(one, rel=1e-12)
    if s == 2 and "WHERE" in query:
        assert apart > 0


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(who) FROM data",
        "SELECT count(DISTINCT who) FROM data",
        "SELECT count(*) FROM data WHERE who IS NOT NULL",
        "SELECT sum(total) FROM (SELECT sum(cost) AS total FROM data GROUP BY who)",
    ],
)
def test_what_reads_the_peoples_column_is_no_question(query: str) -> None:
    assert SqlQuery(query, (COST, WHO), rows=1).as_question() is None


def test_a_label_is_what_a_difference_calls_a_column() -> None:
    labelled = replace(AGE, label="Age of the mother")
    found = SqlQuery("SELECT count(*) FROM data WHERE age >= 65", (labelled,)).as_question()
    assert found is not None
    assert found[1] == (
        "Where Age of the mother is beyond its bounds, the query takes the bound, and the question what is there.",
    )
