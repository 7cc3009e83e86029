"""What a simple query asks, read off the tree that DuckDB's parser makes of it: a count, sum or mean, of which rows, by what."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

Constant = float | str
Part = Mapping[str, Any]
_FUNCTIONS = {"count_star": "count", "count": "count", "sum": "sum", "avg": "avg", "mean": "avg"}
_SIGNS = {
    "COMPARE_EQUAL": "=",
    "COMPARE_NOTEQUAL": "<>",
    "COMPARE_GREATERTHANOREQUALTO": ">=",
    "COMPARE_LESSTHANOREQUALTO": "<=",
    "COMPARE_GREATERTHAN": ">",
    "COMPARE_LESSTHAN": "<",
}
_TURNED = {"=": "=", "<>": "<>", ">=": "<=", "<=": ">=", ">": "<", "<": ">"}
_OPPOSITE = {"=": "<>", "<>": "=", ">=": "<", "<=": ">", ">": "<=", "<": ">=", "between": "not between", "not between": "between"}
_OF_A_QUERY = ("select_list", "from_table", "where_clause", "group_expressions", "group_sets", "aggregate_handling", "modifiers")
_PLACES = {"query_location", "query_location_length"}
_MOST_DIGITS = 15  # of a number: a longer one may be another one as a decimal than as a float


@final
@dataclass(frozen=True, slots=True)
class Compared:
    """A column beside one constant, two for “between”, or none where it only has to have a value."""

    column: str
    sign: str
    constants: tuple[Constant, ...]


@final
@dataclass(frozen=True, slots=True)
class PlainQuestion:
    """``function``: count, sum or avg; of ``column``, or of rows where that is None. ``known``: columns that must have a value.
    ``by``: the column of the groups, as the table calls it, and ``key`` as the answer does. Names are as they are written."""

    function: str
    column: str | None
    where: tuple[Compared, ...]
    known: tuple[str, ...] = ()
    by: str | None = None
    key: str | None = None


class _OtherwiseError(Exception):
    """The query says more than a plain question does."""


def plain_question(tree: Part) -> PlainQuestion | None:
    """What a checked tree asks; None where it is not a single count, sum or mean with plain conditions and one group at most."""
    try:
        (statement,) = tree["statements"]
        return _asked(statement["node"])
    except _OtherwiseError:
        return None


def _asked(node: Part) -> PlainQuestion:
    _says(node, "SELECT_NODE", *_OF_A_QUERY)
    _says(node["from_table"], "BASE_TABLE", "alias", "table_name", "qualified_name")
    _must(node["aggregate_handling"] == "STANDARD_HANDLING" and node["group_sets"] in ([], [[0]]))
    for modifier in node["modifiers"]:  # in which order the groups come changes nothing
        _says(modifier, "ORDER_MODIFIER", "orders")
        _must(all(one["expression"]["class"] == "COLUMN_REF" for one in modifier["orders"]))
    selected, grouped = list(node["select_list"]), list(node["group_expressions"])
    keys = [one for one in selected if one["class"] == "COLUMN_REF"]
    _must(len(selected) == 1 + len(keys) and len(keys) == len(grouped) <= 1)
    function, column = _aggregate(next(one for one in selected if one["class"] != "COLUMN_REF"))
    held = _conditions(node["where_clause"]) if node.get("where_clause") else ()
    where, known = tuple(one for one in held if one.constants), tuple(one.column for one in held if not one.constants)
    if not keys:
        return PlainQuestion(function, column, where, known)
    by = _column(keys[0])
    _must(by.casefold() == _column(grouped[0]).casefold())
    return PlainQuestion(function, column, where, known, by, keys[0].get("alias") or by)


def _aggregate(part: Part) -> tuple[str, str | None]:
    _says(part, "FUNCTION", "alias", "function_name", "order_bys", "arguments", "qualified_name")
    name, arguments = _FUNCTIONS.get(part["function_name"]), part["arguments"]
    _must(name is not None and not part["order_bys"].get("orders"))
    if part["function_name"] == "count_star":
        return "count", None
    _must(len(arguments) == 1 and not arguments[0].get("name"))
    if name == "count" and arguments[0]["expression"]["class"] == "CONSTANT":
        _constant(arguments[0]["expression"])
        return name, None
    return str(name), _column(arguments[0]["expression"])


def _conditions(part: Part) -> tuple[Compared, ...]:
    if part["type"] == "CONJUNCTION_AND":
        return tuple(one for child in part["children"] for one in _conditions(child))
    if part["type"] != "OPERATOR_NOT":
        return _compared(part)
    _says(part, "OPERATOR_NOT", "children")
    held = _compared(part["children"][0], several=True)
    _must(all(one.sign in _OPPOSITE for one in held))
    return tuple(Compared(one.column, _OPPOSITE[one.sign], one.constants) for one in held)


def _compared(part: Part, *, several: bool = False) -> tuple[Compared, ...]:
    """One comparison; of IN one for each of the list, of which any may hold, where there may be several."""
    kind = part["type"]
    if kind in _SIGNS:
        _says(part, kind, "left", "right")
        left, right, sign = part["left"], part["right"], _SIGNS[kind]
        if left["class"] == "CONSTANT":
            left, right, sign = right, left, _TURNED[sign]
        return (Compared(_column(left), sign, (_constant(right),)),)
    if kind == "COMPARE_BETWEEN":
        _says(part, kind, "input", "lower", "upper")
        return (Compared(_column(part["input"]), "between", (_constant(part["lower"]), _constant(part["upper"]))),)
    if kind == "OPERATOR_IS_NOT_NULL":
        _says(part, kind, "children")
        return (Compared(_column(part["children"][0]), "known", ()),)
    _says(part, "COMPARE_IN", "children")
    column, *listed = part["children"]
    _must(several or len(listed) == 1)
    return tuple(Compared(_column(column), "=", (_constant(one),)) for one in listed)


def _column(part: Part) -> str:
    _says(part, "COLUMN_REF", "alias", "column_names")
    return str(part["column_names"][-1])


def _constant(part: Part) -> Constant:
    _says(part, "VALUE_CONSTANT", "literal")
    literal = part["literal"]
    if literal["kind"] == "STRING":
        return str(literal["text"])
    _must(literal["kind"] in ("INTEGER", "NUMERIC") and sum(map(str.isdigit, literal["text"])) <= _MOST_DIGITS)
    number = float(literal["text"].replace("_", ""))
    _must(math.isfinite(number))
    return number


def _says(part: Any, kind: str, *keys: str) -> None:
    """That it is of this type, and says nothing beside these."""
    _must(isinstance(part, dict) and part.get("type") == kind)
    _must(all(key in keys or key in ("type", "class", *_PLACES) or _empty(value) for key, value in part.items()))


def _empty(value: Any) -> bool:
    return not value or (isinstance(value, dict) and all(map(_empty, value.values())))


def _must(held: bool) -> None:
    if not held:
        raise _OtherwiseError
