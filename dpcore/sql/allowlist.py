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

# Parts of a syntax tree: their classes, types and kinds of a join, and their keys that may have a value.

_WITH_A_FUNCTION = {"FUNCTION"} | {f"WINDOW_{name.upper()}" for name in (*WINDOWS, "aggregate", "rank_dense")}
_TABLES = _words("BASE_TABLE EMPTY EXPRESSION_LIST JOIN SUBQUERY")
_KINDS = (
    _WITH_A_FUNCTION
    | _TABLES
    | _words("""
ASCENDING BETWEEN CASE CASE_EXPR CAST COLUMN_REF COMPARE_BETWEEN COMPARE_DISTINCT_FROM COMPARE_EQUAL COMPARE_GREATERTHAN
COMPARE_GREATERTHANOREQUALTO COMPARE_IN COMPARE_LESSTHAN COMPARE_LESSTHANOREQUALTO COMPARE_NOTEQUAL COMPARE_NOT_DISTINCT_FROM
COMPARE_NOT_IN COMPARISON CONJUNCTION CONJUNCTION_AND CONJUNCTION_OR CONSTANT CROSS DESCENDING DISTINCT_MODIFIER LIMIT_MODIFIER
NATURAL OPERATOR OPERATOR_CAST OPERATOR_COALESCE OPERATOR_IS_NOT_NULL OPERATOR_IS_NULL OPERATOR_NOT OPERATOR_NULLIF OPERATOR_TRY
ORDER_DEFAULT ORDER_MODIFIER REGULAR SELECT_NODE SET_OPERATION_NODE STAR TYPE VALUE_CONSTANT WINDOW
""")
)
_KEYS = _words("""
aggregate_handling alias aliases arg_orders arguments case_checks child children class column_name_alias column_names columns
comparison_type condition cte_map cte_name default_expr delim_flipped distinct distinct_on_targets else_expr end end_expr
exclude_clause exclude_list expression expression_name filter filter_expr from_table function_name group_expressions group_sets
has_ignore_nulls having ignore_nulls input is_implicit is_legacy_function_call is_operator join_type key key_targets kind left
limit limit_type literal lower map materialized modifiers name named_param_map nearest_count nearest_order_type node null_order
offset offset_expr order_bys orders partitions path qualified_name qualify query query_location query_location_length query_node
ref_type relation_name replace_list right select_list setop_all setop_type start start_expr subquery subquery_type table_name
text then_expr try_cast type type_expr type_name upper using_columns value values when_expr where_clause
""")
_IN_WORDS = {  # of frequent parts that are on no list
    "ASOF": "An ASOF join",
    "POSITIONAL": "A positional join",
    "POSITIONAL_REFERENCE": "A column by its number",
    "RECURSIVE_CTE_NODE": "A query that asks itself",
    "SHOW_REF": "DESCRIBE, SHOW or SUMMARIZE",
    "STRUCT_EXTRACT": "A part of a value",
    "TABLE_FUNCTION": "A table that a function makes",
    "VALUE_PARAMETER": "A parameter",
    "catalog": "A catalogue",
    "catalog_name": "A catalogue",
    "expr": "A pattern in place of columns",
    "sample": "A random sample of rows",
    "schema": "A schema",
    "schema_name": "A schema",
}
_WHAT = "A query may select, join, group and order the rows of the table “data”, with the usual functions of numbers and texts."
_WHICH_FUNCTIONS = (
    "Only functions whose value depends on nothing but their arguments, and needs little more memory than these, are allowed."
)
_THE_TABLE = f"The only table is called “{TABLE}”."
ONE_QUERY = "Write one query that begins with SELECT, WITH or FROM."
_MOST_DEPTH = 400  # of parts within parts
_NOWHERE = 2**64 - 1  # the place of a part that DuckDB added


def check(query: str, statements: list[Any]) -> None:
    """Check that a query is one SELECT over the table, and that every part of it is on a list.

    Args:
        query: The query.
        statements: The statements in it, as DuckDB's ``json_serialize_sql`` writes them.

    Raises:
        QueryError: If a part is not on a list.
        RecursionError: If the query is nested too deeply.

    Examples:
        >>> check("SELECT random()", [])
        Traceback (most recent call last):
            ...
        dpcore.errors.QueryError: There are no statements. Write one query that begins with SELECT, WITH or FROM.
    """
    if len(statements) != 1:
        raise QueryError(f"There are {len(statements) or 'no'} statements", ONE_QUERY, query)
    for part, tables, place in parts(statements[0]):
        if problem_and_remedy := _problem(part, tables):
            raise QueryError(*problem_and_remedy, query, character_of(query, place))


Found = tuple[dict[str, Any], frozenset[str], int]
"""A part, the tables that it can see, and its byte in the query."""


def parts(tree: Any, tables: frozenset[str] = frozenset({TABLE}), place: int = _NOWHERE, depth: int = 0) -> Iterator[Found]:
    """Yield each part of a syntax tree.

    Args:
        tree: The tree, or a part of it.
        tables: The tables that the tree can see.
        place: Its byte in the query.
        depth: The number of parts around it.

    Raises:
        RecursionError: If the tree is too deep.

    Examples:
        >>> [part["type"] for part, _, _ in parts({"type": "ORDER_MODIFIER", "orders": [{"type": "ORDER_DEFAULT"}]})]
        ['ORDER_MODIFIER', 'ORDER_DEFAULT']
    """
    if depth > _MOST_DEPTH:
        raise RecursionError
    if isinstance(tree, list):
        for one in tree:
            yield from parts(one, tables, place, depth + 1)
    elif isinstance(tree, dict):
        place = place if tree.get("query_location", _NOWHERE) == _NOWHERE else tree["query_location"]
        for one in (tree.get("cte_map") or {}).get("map", ()):
            yield from parts(one["value"], tables, place, depth + 1)
            tables |= {str(one["key"]).casefold()}  # a later query of the list sees it, an earlier one does not
        yield tree, tables, place
        for key, value in tree.items():
            if key != "cte_map":
                yield from parts(value, tables, place, depth + 1)


def _problem(part: Mapping[str, Any], tables: frozenset[str]) -> tuple[str, str] | None:
    """Return the problem and its remedy if a part has a kind, a key with a value, or a name that is on no list."""
    kind, columns = part.get("type"), list[str](part.get("column_names") or ())
    unlisted = [part[key] for key in ("class", "type", "ref_type") if part.get(key) and part[key] not in _KINDS]
    unlisted += [key for key, value in part.items() if value and key not in _KEYS]
    if unlisted:
        name = next((one for one in unlisted if one in _IN_WORDS), unlisted[0])
        return f"{_IN_WORDS.get(name, f'The part {quoted(name)}')} is not allowed here", _WHAT
    if len((part.get("qualified_name") or {}).get("path", ())) > 1:
        return "A query may name no schema and no catalogue", _THE_TABLE
    if len(columns) == 1 and columns[0].casefold() in OF_THE_SYSTEM:
        problem = f"An answer may not depend on the clock or on the user, as {quoted(columns[0])} does"
        return problem, f"If you mean a column, write “{TABLE}.{columns[0]}”."
    if kind == "BASE_TABLE" and str(part.get("table_name")).casefold() not in tables:
        return f"The table {quoted(part.get('table_name'))} does not exist", _THE_TABLE
    if kind == "TYPE" and str(part.get("type_name")).casefold() not in TYPES:
        return f"The type {quoted(part.get('type_name'))} is not allowed here", "Use a type of numbers or texts."
    if kind in _WITH_A_FUNCTION and str(part.get("function_name")).casefold() not in FUNCTIONS | WINDOWS:
        return f"The function {quoted(part.get('function_name'))} is not allowed here", _WHICH_FUNCTIONS
    return None


def character_of(query: str, byte: int) -> int | None:
    """Return the index of the character that holds a byte of the query in UTF-8; None outside the query.

    Examples:
        >>> character_of("SELECT 'é', x", 13)
        12
    """
    text = query.encode()
    return len(text[:byte].decode(errors="ignore")) if 0 <= byte <= len(text) else None


def columns_in(tree: Any) -> frozenset[str] | None:
    """Return the names of columns in a query, in lower case.

    Args:
        tree: The syntax tree of a query that was checked.

    Returns:
        The names. None if the query may use columns that it does not name: by a star, a natural join, a list of new column
        names, or a row as one value.

    Examples:
        >>> columns_in({"class": "COLUMN_REF", "type": "COLUMN_REF", "column_names": ["Cost"]})
        frozenset({'cost'})
    """
    names, tables, last = set[str](), {TABLE}, set[str]()
    for part, _, _ in parts(tree):
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
