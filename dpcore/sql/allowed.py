"""Which queries are run: each part of the tree that DuckDB's own parser makes of a text must be on a list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, final

from dpcore.base.quoted import quoted
from dpcore.sql.listed import FUNCTIONS, OF_THE_SYSTEM, TYPES, WINDOWS, named
from dpcore.sql.query_error import QueryError, character_of

TABLE = "data"
_MOST_DEPTH = 400  # of parts within parts
_EXPRESSIONS = {
    "BETWEEN": {"COMPARE_BETWEEN"},
    "CASE": {"CASE_EXPR"},
    "CAST": {"OPERATOR_CAST"},
    "COLUMN_REF": {"COLUMN_REF"},
    "COMPARISON": {
        "COMPARE_DISTINCT_FROM",
        "COMPARE_EQUAL",
        "COMPARE_GREATERTHAN",
        "COMPARE_GREATERTHANOREQUALTO",
        "COMPARE_LESSTHAN",
        "COMPARE_LESSTHANOREQUALTO",
        "COMPARE_NOTEQUAL",
        "COMPARE_NOT_DISTINCT_FROM",
    },
    "CONJUNCTION": {"CONJUNCTION_AND", "CONJUNCTION_OR"},
    "CONSTANT": {"VALUE_CONSTANT"},
    "FUNCTION": {"FUNCTION"},
    "OPERATOR": {
        "COMPARE_IN",
        "COMPARE_NOT_IN",
        "OPERATOR_COALESCE",
        "OPERATOR_IS_NOT_NULL",
        "OPERATOR_IS_NULL",
        "OPERATOR_NOT",
        "OPERATOR_NULLIF",
        "OPERATOR_TRY",
    },
    "STAR": {"STAR"},
    "SUBQUERY": {"SUBQUERY"},
    "TYPE": {"TYPE"},
    "WINDOW": {f"WINDOW_{name.upper()}" for name in (*WINDOWS, "aggregate", "rank_dense")},
}
_QUERIES = {"SELECT_NODE", "SET_OPERATION_NODE"}
_TABLES = {"BASE_TABLE", "EMPTY", "EXPRESSION_LIST", "JOIN", "SUBQUERY"}
_ORDERS = {"ASCENDING", "DESCENDING", "ORDER_DEFAULT"}
_MODIFIERS = {"DISTINCT_MODIFIER", "LIMIT_MODIFIER", "ORDER_MODIFIER"}
_PARTS = _QUERIES | _TABLES | _ORDERS | _MODIFIERS
_KEYS = named("""
aggregate_handling alias aliases arg_orders arguments case_checks catalog catalog_name child children class column_name_alias
column_names columns comparison_type condition cte_map cte_name default_expr delim_flipped distinct distinct_on_targets
else_expr end end_expr exclude_clause exclude_list expr expression expression_name filter filter_expr from_table function_name
group_expressions group_sets has_ignore_nulls having ignore_nulls input is_implicit is_legacy_function_call is_operator
join_type key key_targets kind left limit limit_type literal lower map materialized modifiers name named_param_map nearest_count
nearest_order_type node null_order offset offset_expr order_bys orders partitions path qualified_name qualify query
query_location query_location_length query_node ref_type relation_name replace_list right schema schema_name select_list
setop_all setop_type start start_expr subquery subquery_type table_name text then_expr try_cast type type_expr type_name upper
using_columns value values when_expr where_clause
""")  # whatever else a part says must be empty: nothing is run that no list here knows
_NAMES = {
    "POSITIONAL_REFERENCE": "A column by its number",
    "RECURSIVE_CTE_NODE": "A query that asks itself",
    "SHOW_REF": "DESCRIBE, SHOW or SUMMARIZE",
    "STRUCT_EXTRACT": "A part of a value",
    "TABLE_FUNCTION": "A table that a function makes",
    "VALUE_PARAMETER": "A parameter",
}
_WHAT = "A query may select, join, group and order the rows of the table “data”, with the usual functions of numbers and texts"


@final
class _Check:
    """Walks a tree, with the names of the tables that each part of it can see."""

    def __init__(self, query: str) -> None:
        self._query = query

    def refuse(self, problem: str, remedy: str, place: object) -> QueryError:
        return QueryError(problem, remedy, self._query, character_of(self._query, place))

    def part(self, part: Any, tables: frozenset[str], place: object = None, depth: int = 0) -> None:
        """QueryError unless all of it is on a list."""
        if depth > _MOST_DEPTH:
            raise self.refuse("The query is nested too deeply", "Write it with fewer brackets within brackets.", place)
        if isinstance(part, list):
            for one in part:
                self.part(one, tables, place, depth + 1)
        if not isinstance(part, dict):
            return
        if character_of(self._query, part.get("query_location")) is not None:
            place = part["query_location"]
        self._kind(part, place)
        tables = self._with(part.get("cte_map"), tables, place, depth)
        self._names(part, tables, place)
        for key, value in part.items():
            if key != "cte_map":
                self.part(value, tables, place, depth + 1)

    def _kind(self, part: Mapping[str, Any], place: object) -> None:
        kind, of = part.get("type"), part.get("class")
        if part.get("sample"):
            raise self.refuse("A query may not draw rows at random", "Leave TABLESAMPLE or USING SAMPLE out.", place)
        known = kind in _EXPRESSIONS.get(of, ()) if isinstance(of, str) else kind is None or kind in _PARTS
        unknown = sorted(key for key, value in part.items() if key not in _KEYS and value)
        if not known or unknown:
            name = _NAMES.get(str(kind), f"The part {quoted(unknown[0] if known else kind)}")
            raise self.refuse(f"{name} is not run here", f"{_WHAT}.", place)

    def _with(self, ctes: Any, tables: frozenset[str], place: object, depth: int) -> frozenset[str]:
        """The tables that a query sees: those around it, and those that it names itself, each of which sees the earlier ones."""
        for one in (ctes or {}).get("map", ()):
            self._renamed(one["value"].get("aliases"), one["value"], one["key"], place)
            self.part(one["value"], tables, place, depth + 1)
            tables |= {str(one["key"]).casefold()}
        return tables

    def _renamed(self, columns: Any, part: Mapping[str, Any], table: object, place: object) -> None:
        """QueryError if columns get other names by their places. A list of values has no other names, so it may get some."""
        if columns and not _of_values(part):
            problem = f"The list of column names behind {quoted(table)} is not read here"
            raise self.refuse(problem, "Name each column where it is selected: (SELECT age AS a FROM data) AS d.", place)

    def _names(self, part: Mapping[str, Any], tables: frozenset[str], place: object) -> None:
        kind = part.get("type")
        self._renamed(part.get("column_name_alias"), part, part.get("alias"), place)
        if any(part.get(key) for key in ("catalog", "catalog_name", "schema", "schema_name")) or _is_long(part):
            raise self.refuse("A query may name no schema and no catalogue", f"The one table is called “{TABLE}”.", place)
        if kind == "BASE_TABLE" and str(part["table_name"]).casefold() not in tables:
            raise self.refuse(f"There is no table {quoted(part['table_name'])}", f"The one table is called “{TABLE}”.", place)
        if kind == "JOIN" and part.get("ref_type") not in ("REGULAR", "CROSS", "NATURAL"):
            raise self.refuse(f"A join of the kind {part.get('ref_type')} is not run here", "Use JOIN … ON.", place)
        if kind in ("FUNCTION", *_EXPRESSIONS["WINDOW"]):
            self._function(str(part["function_name"]).casefold(), FUNCTIONS if kind == "FUNCTION" else WINDOWS, place)
        if kind == "TYPE" and str(part["type_name"]).casefold() not in TYPES:
            raise self.refuse(f"The type {quoted(part['type_name'])} is not used here", "Use a type of numbers or texts.", place)
        if kind == "COLUMN_REF" and len(part["column_names"]) == 1 and part["column_names"][0].casefold() in OF_THE_SYSTEM:
            name = part["column_names"][0]
            why = "An answer may not hang on the clock or on who asks"
            raise self.refuse(f"{why}, as {quoted(name)} does", f"Of a column, say “{TABLE}.{name}”.", place)
        if kind == "STAR" and part.get("expr"):
            raise self.refuse("Columns cannot be picked by a pattern here", "Name each column.", place)

    def _function(self, name: str, listed: frozenset[str], place: object) -> None:
        if name not in listed:
            remedy = "Only functions run that give the same answer for the same table, and take little more memory than it."
            raise self.refuse(f"The function {quoted(name)} is not run here", remedy, place)


def _of_values(part: Mapping[str, Any]) -> bool:
    """Whether it is a list of values alone, as VALUES (1), (2)."""
    node = part.get("query_node") or (part.get("subquery") or part.get("query") or {}).get("node") or {}
    return (node.get("from_table") or part).get("type") == "EXPRESSION_LIST"


def _is_long(part: Mapping[str, Any]) -> bool:
    named = part.get("qualified_name")
    return isinstance(named, dict) and len(named.get("path", ())) > 1


def check(query: str, tree: Mapping[str, Any]) -> None:
    """QueryError unless the tree is that of one query over the table, all of whose parts are on a list."""
    if tree.get("error") is not False:
        raise _unread(query, tree)
    statements = tree["statements"]
    if len(statements) != 1:
        problem = f"There are {len(statements)} statements" if statements else "There is no query"
        raise QueryError(problem, "Write one query that begins with SELECT, WITH or FROM.", query)
    _Check(query).part(statements[0], frozenset({TABLE}))


def _unread(query: str, tree: Mapping[str, Any]) -> QueryError:
    """Of a text that the parser does not take, or takes for another statement than a query."""
    if tree.get("error_type") == "not implemented":
        return QueryError("This is no query", "Write one query that begins with SELECT, WITH or FROM.", query, 0)
    place = str(tree.get("position", ""))
    said = " ".join(str(tree.get("error_message", "")).split()).rstrip(".!")
    if "expression depth" in said:
        return QueryError("The query is nested too deeply", "Write it with fewer brackets within brackets.", query)
    where = character_of(query, int(place)) if place.isdigit() else None
    return QueryError(f"The query cannot be read: {said}", "Mend it there.", query, where)


def names(tree: Any) -> frozenset[str] | None:
    """All words that a tree names something by, in small letters; None where it may read columns that it does not name: by a
    star, in a natural join, or as a row in one piece, which may be written with a schema, as main.data."""
    words, tables, rows = set[str](), {TABLE}, set[str]()
    for part in parts(tree):
        kind = part.get("type")
        if kind == "STAR" or part.get("ref_type") == "NATURAL":
            return None
        if kind in _TABLES:
            tables |= {str(part.get(key, "")).casefold() for key in ("alias", "table_name")}
        own = [one.casefold() for one in part.get("column_names") or ()]
        words.update(own, (one.casefold() for one in part.get("using_columns") or ()))
        if own and (len(own) == 1 or own[0] != own[-1]):
            rows.add(own[-1])
    return None if rows & tables else frozenset(words)


def parts(tree: Any) -> Iterator[dict[str, Any]]:
    """Each part of a tree, and those within it."""
    if isinstance(tree, dict):
        yield tree
    for one in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from parts(one)
