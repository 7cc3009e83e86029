"""The allow-list: every part of the syntax tree that DuckDB's own parser makes of a query must be on a list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dpcore.base.text import quoted
from dpcore.errors import QueryError

TABLE = "data"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Functions (operators, then those of numbers, texts and dates) that give the same for the same table, in little more memory
# than it; and types.

AGGREGATES = _words("""
any_value arbitrary arg_max arg_max_null arg_min arg_min_null argmax argmin avg bit_and bit_or bit_xor bool_and bool_or corr
count count_if count_star countif covar_pop covar_samp entropy favg first fsum geomean geometric_mean kahan_sum kurtosis
kurtosis_pop last mad max max_by mean median min min_by mode product quantile quantile_cont quantile_disc regr_avgx regr_avgy
regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy sem skewness stddev stddev_pop stddev_samp sum sumkahan
var_pop var_samp variance wavg weighted_avg
""")
FUNCTIONS = AGGREGATES | _words("""
+ - * / // % ** ^ & | << >> ~ @ || ~~ !~~ ~~* !~~* ~~~ ^@ xor !__postfix like_escape ilike_escape not_like_escape
not_ilike_escape

abs acos acosh add asin asinh atan atan2 atanh bit_count cbrt ceil ceiling cos cosh cot degrees divide even exp factorial fdiv
floor fmod gamma gcd greatest greatest_common_divisor if isfinite isinf isnan lcm least least_common_multiple lgamma ln log log10
log2 mod multiply nextafter nullif pi pow power radians round round_even roundbankers sign signbit sin sinh sqrt subtract tan
tanh trunc

ascii char_length character_length concat contains ends_with instr lcase left len length levenshtein lower ltrim ord position
prefix regexp_extract regexp_full_match regexp_matches reverse right rtrim split_part starts_with strlen strpos substr substring
suffix trim ucase unicode upper

date_add date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc day dayofmonth dayofweek dayofyear
days_in_month epoch hour isodow isoyear last_day make_date minute month quarter second to_days to_hours to_minutes to_months
to_quarters to_seconds to_weeks to_years week weekday weekofyear year yearweek
""")
WINDOWS = AGGREGATES | _words("""
row_number rank dense_rank rank_dense percent_rank cume_dist ntile lag lead first_value last_value nth_value
""")
NUMBERS = _words("""
boolean bool logical tinyint int1 smallint int2 short integer int int4 signed bigint int8 long hugeint utinyint usmallint
uinteger ubigint uhugeint float float4 real double float8 decimal numeric dec
""")
TYPES = NUMBERS | _words("varchar char bpchar text string date timestamp datetime interval")
OF_THE_SYSTEM = _words("""
current_catalog current_database current_date current_localtime current_localtimestamp current_role current_schema current_time
current_timestamp current_user localtime localtimestamp session_user user
""")  # if no column has such a name, it is a value of the clock, or of the user

# Parts of a syntax tree.

_MOST_DEPTH = 400  # of parts within parts
_WINDOW_KINDS = {f"WINDOW_{name.upper()}" for name in (*WINDOWS, "aggregate", "rank_dense")}
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
    "WINDOW": _WINDOW_KINDS,
}
_TABLES = {"BASE_TABLE", "EMPTY", "EXPRESSION_LIST", "JOIN", "SUBQUERY"}
_PARTS = _TABLES | {
    "ASCENDING",
    "DESCENDING",
    "DISTINCT_MODIFIER",
    "LIMIT_MODIFIER",
    "ORDER_DEFAULT",
    "ORDER_MODIFIER",
    "SELECT_NODE",
    "SET_OPERATION_NODE",
}
_KEYS = _words("""
aggregate_handling alias aliases arg_orders arguments case_checks catalog catalog_name child children class column_name_alias
column_names columns comparison_type condition cte_map cte_name default_expr delim_flipped distinct distinct_on_targets
else_expr end end_expr exclude_clause exclude_list expr expression expression_name filter filter_expr from_table function_name
group_expressions group_sets has_ignore_nulls having ignore_nulls input is_implicit is_legacy_function_call is_operator
join_type key key_targets kind left limit limit_type literal lower map materialized modifiers name named_param_map nearest_count
nearest_order_type node null_order offset offset_expr order_bys orders partitions path qualified_name qualify query
query_location query_location_length query_node ref_type relation_name replace_list right schema schema_name select_list
setop_all setop_type start start_expr subquery subquery_type table_name text then_expr try_cast type type_expr type_name upper
using_columns value values when_expr where_clause
""")  # any other key of a part must be empty
_NAMES = {
    "POSITIONAL_REFERENCE": "A column by its number",
    "RECURSIVE_CTE_NODE": "A query that asks itself",
    "SHOW_REF": "DESCRIBE, SHOW or SUMMARIZE",
    "STRUCT_EXTRACT": "A part of a value",
    "TABLE_FUNCTION": "A table that a function makes",
    "VALUE_PARAMETER": "A parameter",
}
_WHAT = "A query may select, join, group and order the rows of the table “data”, with the usual functions of numbers and texts."
_WHICH_FUNCTIONS = (
    "Only functions whose value depends on nothing but their arguments, and needs little more memory than these, are allowed."
)
_THE_TABLE = f"The only table is called “{TABLE}”."
_ONE_QUERY = "Write one query that begins with SELECT, WITH or FROM."
_TOO_DEEP = ("The query is nested too deeply", "Write it with fewer brackets within brackets.")
Problem = tuple[str, str]
"""The problem and its remedy."""


def check(query: str, tree: Mapping[str, Any]) -> None:
    """Check that a query is one SELECT over the table, and that every part of it is on a list.

    Args:
        query: The query.
        tree: Its syntax tree, as DuckDB's ``json_serialize_sql`` writes it.

    Raises:
        QueryError: If a part is not on a list, or the query was not parsed.
    """
    if tree.get("error") is not False:
        raise _syntax_error(query, tree)
    statements = tree["statements"]
    if len(statements) != 1:
        problem = f"There are {len(statements)} statements" if statements else "There is no query"
        raise QueryError(problem, _ONE_QUERY, query)
    _check_part(query, statements[0], frozenset({TABLE}))


def _check_part(query: str, part: Any, tables: frozenset[str], place: object = None, depth: int = 0) -> None:
    """Raise ``QueryError`` unless everything in a part is on a list, and every table is one that the part can see."""
    if isinstance(part, list):
        for one in part:
            _check_part(query, one, tables, place, depth + 1)
    if not isinstance(part, dict):
        return
    if character_of(query, part.get("query_location")) is not None:
        place = part["query_location"]
    problem = _TOO_DEEP if depth > _MOST_DEPTH else _part_problem(part)
    if problem is None:
        for one in (part.get("cte_map") or {}).get("map", ()):
            _check_part(query, one["value"], tables, place, depth + 1)
            tables |= {str(one["key"]).casefold()}  # a later one of the list sees it, an earlier one does not
        problem = _name_problem(part, tables)
    if problem is not None:
        raise QueryError(*problem, query, character_of(query, place))
    for key, value in part.items():
        if key != "cte_map":
            _check_part(query, value, tables, place, depth + 1)


def _part_problem(part: Mapping[str, Any]) -> Problem | None:
    """Return why a part is not allowed: it samples rows, or a list does not know its kind or one of its keys."""
    kind, group = part.get("type"), part.get("class")
    if part.get("sample"):
        return "A query may not draw rows at random", "Leave TABLESAMPLE or USING SAMPLE out."
    known = kind in _EXPRESSIONS.get(group, ()) if isinstance(group, str) else kind is None or kind in _PARTS
    unknown = sorted(key for key, value in part.items() if key not in _KEYS and value)
    if known and not unknown:
        return None
    return f"{_NAMES.get(str(kind), f'The part {quoted(unknown[0] if known else kind)}')} is not allowed here", _WHAT


def _name_problem(part: Mapping[str, Any], tables: frozenset[str]) -> Problem | None:
    """Return why a name in a part is not allowed: that of a schema, table, join, function, type or column."""
    kind, path = part.get("type"), part.get("qualified_name")
    in_schema = any(part.get(key) for key in ("catalog", "catalog_name", "schema", "schema_name"))
    if in_schema or (isinstance(path, dict) and len(path.get("path", ())) > 1):
        return "A query may name no schema and no catalogue", _THE_TABLE
    if kind == "JOIN" and part.get("ref_type") not in ("REGULAR", "CROSS", "NATURAL"):
        return f"A join of the kind {part.get('ref_type')} is not allowed here", "Use JOIN … ON."
    if kind == "STAR" and part.get("expr"):
        return "Columns cannot be selected by a pattern here", "Name each column."
    if kind == "COLUMN_REF" and len(part["column_names"]) == 1 and part["column_names"][0].casefold() in OF_THE_SYSTEM:
        name = part["column_names"][0]
        problem = f"An answer may not depend on the clock or on the user, as {quoted(name)} does"
        return problem, f"If you mean a column, write “{TABLE}.{name}”."
    listed = {
        "BASE_TABLE": ("table_name", tables, "There is no table {}", _THE_TABLE),
        "TYPE": ("type_name", TYPES, "The type {} is not allowed here", "Use a type of numbers or texts."),
        "FUNCTION": ("function_name", FUNCTIONS, "The function {} is not allowed here", _WHICH_FUNCTIONS),
        **dict.fromkeys(_WINDOW_KINDS, ("function_name", WINDOWS, "The function {} is not allowed here", _WHICH_FUNCTIONS)),
    }
    if kind not in listed:
        return None
    key, names, problem, remedy = listed[kind]
    return None if str(part[key]).casefold() in names else (problem.format(quoted(part[key])), remedy)


def _syntax_error(query: str, tree: Mapping[str, Any]) -> QueryError:
    """Return the error of a text that the parser refuses, or takes for a statement other than a query."""
    if tree.get("error_type") == "not implemented":
        return QueryError("This is not a query", _ONE_QUERY, query, 0)
    message = " ".join(str(tree.get("error_message", "")).split()).rstrip(".!")
    if "expression depth" in message:
        return QueryError(*_TOO_DEEP, query)
    place = character_of(query, tree.get("position"))
    return QueryError(f"The query cannot be read: {message}", "Correct it there.", query, place)


def character_of(query: str, byte: object) -> int | None:
    """Return the index of the character that holds a byte of the query in UTF-8; None outside the query."""
    text, digits = query.encode(), str(byte)
    if not digits.isdecimal() or int(digits) > len(text):
        return None
    return len(text[: int(digits)].decode(errors="ignore"))


def columns_in(tree: Any) -> frozenset[str] | None:
    """Return the names of columns in a query, in lower case.

    Args:
        tree: The syntax tree of a query that was checked.

    Returns:
        The names. None if the query may use columns that it does not name: by a star, a natural join, a list of new column
        names, or a row as one value.
    """
    names, tables, last = set[str](), {TABLE}, set[str]()
    for part in parts(tree):
        if (
            part.get("type") == "STAR"
            or part.get("ref_type") == "NATURAL"
            or part.get("column_name_alias")
            or part.get("aliases")
        ):
            return None
        if part.get("type") in _TABLES:
            tables |= {str(part.get(key, "")).casefold() for key in ("alias", "table_name")}
        own = [str(one).casefold() for one in part.get("column_names") or ()]
        names.update(own, (str(one).casefold() for one in part.get("using_columns") or ()))
        last.update(own[-1:])
    return None if last & tables else frozenset(names)


def parts(tree: Any) -> Iterator[dict[str, Any]]:
    """Yield each part of a syntax tree, and those inside it."""
    if isinstance(tree, dict):
        yield tree
    for one in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from parts(one)
