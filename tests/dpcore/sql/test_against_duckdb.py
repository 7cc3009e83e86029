"""Whatever query is not refused has DuckDB's own answer on the whole table, and so has the question that it is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore import Column
from dpcore.answers.grouped import Grouped
from dpcore.answers.ratio import Ratio
from dpcore.base.types import Database, FloatArray
from dpcore.errors import DpcoreError
from dpcore.sql.as_arrow import as_arrow
from dpcore.targets import SqlQuery
from tests.dpcore.sql.random_queries import NUMBERS, Writer

TABLE = (
    *(Column(name, bounds=(0.0, 9.0)) for name in NUMBERS),
    Column("ward", role="text", categories=("Park", "Hill")),
    Column("note", role="text"),
)
_ROWS = 14


def _drawn(seed: int) -> Database:
    """Within what is declared, so that the query and its question answer alike."""
    rng = np.random.default_rng(seed)
    made = np.empty(_ROWS, dtype=[(one.name, "U4" if one.role == "text" else float) for one in TABLE])
    for name in NUMBERS:
        made[name] = np.where(rng.random(_ROWS) < 0.15, np.nan, rng.integers(0, 10, _ROWS))
    made["ward"], made["note"] = rng.choice(["Park", "Hill", ""], _ROWS), rng.choice(["x", "Park", "", "Y"], _ROWS)
    return made


def _of_duckdb(query: str, rows: Database) -> tuple[list[str], list[Any]]:
    """The names and the rows of its answer; no row if it refuses a value of the table."""
    import duckdb

    with duckdb.connect(config={"threads": 1}) as connection:
        connection.register("data", as_arrow(TABLE, rows[None]))
        try:
            found = connection.execute(query)
            return [column[0].casefold() for column in found.description], found.fetchall()
        except duckdb.ConversionException:
            return [], []


def _numbers(target: SqlQuery, names: list[str], rows: list[Any]) -> list[float] | None:
    """In the order of the groups; None if the rows are other than asked."""
    if target.by is None or not rows:
        return [math.nan if cell is None else float(cell) for cell in rows[0]] if len(rows) == 1 else None
    key = names.index(target.by.column.casefold())
    found = [[row for row in rows if row[key] == group] for group in target.by.categories]
    if any(len(some) > 1 for some in found):
        return None
    cells = [[*some[0][:key], *some[0][key + 1 :]] if some else [None] * (len(names) - 1) for some in found]
    return [math.nan if cell is None else float(cell) for row in cells for cell in row]


def _of_the_question(target: SqlQuery, rows: Database) -> FloatArray | None:
    found = target.as_question()
    if found is None:
        return None
    question: Any = found[0]
    kind = question.answer(tuple(one for name in question.fields for one in TABLE if one.name == name))
    own, answer = kind.of if isinstance(kind, Grouped) else kind, question(rows)
    return np.asarray(own.value(answer.reshape(-1, 2))).ravel() if isinstance(own, Ratio) else answer


def _answered(seed: int) -> tuple[bool, bool]:
    """Whether the query of this seed is answered, and whether it is a question; AssertionError if an answer is another one."""
    query, rows = Writer(seed).query(), _drawn(seed)
    try:
        target = SqlQuery.suited(TABLE).rewritten(query, TABLE)
    except DpcoreError:
        return False, False
    found, _ = target.tried(rows[list(target.fields)][None].copy())
    expected = _numbers(target, *_of_duckdb(query, rows))
    if expected is None:
        assert np.isnan(found).all(), query
        return False, False
    assert found[0] == pytest.approx(expected, rel=1e-9, nan_ok=True), query
    asked = _of_the_question(target, rows)
    if asked is not None:
        known = ~np.isnan(expected)  # of no rows at all, a question has an answer too
        assert asked[known] == pytest.approx(np.array(expected)[known], rel=1e-9), query
    return True, asked is not None


@pytest.mark.parametrize("first", [0, *(pytest.param(first, marks=pytest.mark.slow) for first in (60,))])
def test_answers_are_those_of_duckdb(first: int) -> None:
    told = [_answered(seed) for seed in range(first, first + 60)]
    answered, questions = map(sum, zip(*told, strict=True))
    assert answered >= 15
    assert questions >= 2
