"""What the lists admit is there, hangs on nothing but the table, and no part is run that they do not know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dpcore.errors import QueryError
from dpcore.sql.allowlist import FUNCTIONS, OF_THE_SYSTEM, WINDOWS, check, columns_in
from dpcore.sql.parsed_query import parse
from dpcore.targets import SqlQuery
from tests.dpcore.sql.tables import COLUMNS


def _at_depth(calls: int, ask: Callable[[], object]) -> object:
    return ask() if calls == 0 else _at_depth(calls - 1, ask)


@pytest.mark.parametrize("levels", range(220, 330, 20))
def test_deeply_nested_query_is_refused(levels: int) -> None:
    """A page has a hundred calls on its stack, and the process that parse the query has few."""
    query = f"SELECT {'1+(' * levels}1{')' * levels}"
    with pytest.raises(QueryError, match=r"nested too deeply|expression depth"):
        _at_depth(250, lambda: parse(query))


@pytest.fixture(scope="module")
def known() -> dict[str, set[str]]:
    """How DuckDB itself says that each of its functions, by name, hangs on chance, state and the clock. Not of moments with a
    time zone, which hang on a setting: no type, column or function that is listed gives one."""
    import duckdb

    asked_for = "function_name, coalesce(stability, 'CONSISTENT'), concat(parameter_types::VARCHAR, return_type)"
    with duckdb.connect() as connection:
        found = connection.execute(f"SELECT {asked_for} FROM duckdb_functions()").fetchall()
    of: dict[str, set[str]] = {}
    for name, stability, types in found:
        if "TIME ZONE" not in types and "TIMESTAMPTZ" not in types:
            of.setdefault(name, set()).add(stability)
    return of


def test_listed_functions_depend_on_arguments_only(known: dict[str, set[str]]) -> None:
    assert FUNCTIONS - set(known) == set()
    assert {name for name in (FUNCTIONS | WINDOWS) & set(known) if known[name] != {"CONSISTENT"}} == set()
    assert {"random", "nextval", "uuid"} <= {name for name, said in known.items() if said != {"CONSISTENT"}}


def test_bare_words_of_the_system_are_refused(known: dict[str, set[str]]) -> None:
    """Each word that DuckDB knows, where it stands without brackets: what it takes without a column of that name is refused."""
    import duckdb

    with duckdb.connect() as connection:
        words = {row[0] for row in connection.execute("SELECT keyword_name FROM duckdb_keywords()").fetchall()} | set(known)
        taken = {word for word in words if word.isidentifier() and _binds(connection, word)} - {"true", "false", "null"}
    assert "current_date" in taken <= OF_THE_SYSTEM
    for word in sorted(OF_THE_SYSTEM):
        with pytest.raises(QueryError):
            SqlQuery(f"SELECT {word}", COLUMNS)


def _binds(connection: Any, word: str) -> bool:
    import duckdb

    try:
        connection.sql(f"SELECT {word}")
    except duckdb.Error:
        return False
    return True


def _tree(query: str) -> Any:
    return parse.__wrapped__(query)


@pytest.mark.parametrize(
    "change",
    [
        lambda node: node.update(sideways=1),
        lambda node: node["from_table"].update(type="LATER_TABLE"),
        lambda node: node["select_list"][0].update(type="LATER_FUNCTION"),
        lambda node: node["select_list"][0].update({"class": "LATER"}),
        lambda node: node["select_list"][0]["arguments"][0]["expression"].update(hint={"a": 1}),
        lambda node: node["modifiers"].append({"type": "LATER_MODIFIER"}),
        lambda node: node.update(type="LATER_NODE"),
    ],
)
def test_unlisted_part_is_refused(change: Any) -> None:
    """As a later DuckDB could write one."""
    query = "SELECT avg(cost) FROM data"
    statements = _tree(query)["statements"]
    check(query, statements)
    change(statements[0]["node"])
    with pytest.raises(QueryError):
        check(query, statements)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("SELECT avg(COST) FROM data WHERE d.Age > 3", {"cost", "d", "age"}),
        ("SELECT count(*) FROM data JOIN data AS b USING (ward)", {"ward"}),
        ("SELECT count(*) FROM data", set()),
        ("SELECT sum(cost) FROM (SELECT * FROM data)", None),
        ("SELECT count(*) FROM data NATURAL JOIN data AS b", None),
        ("SELECT count(d) FROM data AS d", None),
        ("SELECT count(data) FROM data", None),
        ("SELECT count(DISTINCT main.data) FROM data", None),
        ("SELECT avg(d.d) FROM data AS d", None),
        ("SELECT avg(age) FROM data AS d(age)", None),
        ("SELECT avg(a) FROM (SELECT age FROM data) AS s(a)", None),
        ("SELECT avg(a) FROM data, LATERAL (SELECT age) AS s(a)", None),
        ("WITH x(a) AS (SELECT age FROM data) SELECT avg(a) FROM x", None),
        ("SELECT avg(a) FROM (SELECT age AS a FROM data) AS d", {"a", "age"}),
    ],
)
def test_columns_that_a_query_may_read(query: str, found: set[str] | None) -> None:
    assert columns_in(_tree(query)) == found
