"""The question of a scenario: target, conditions and groups, and the fields of the scenario that change with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dpcore import ApproxDP, Column, Filter, GroupBy
from dpcore.base.columns import KNOWN, TEXT, of_rows
from dpcore.base.types import (
    Oracle,
    Target,
)
from dpcore.oracles.columns import laws_of, of_columns, of_fields
from dpcore.oracles.users import with_rows_as
from dpcore.targets.query import questioned, unasked
from dpcore.targets.user_limits import about_people
from pages.experiment.choices import (
    columns_for,
    first_mechanism,
    kind_called,
    kind_of,
    mechanism_after,
    oracle_for,
    oracle_kinds,
    rows_are_public,
    target_for,
    usual_oracle,
)
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.tables import Table

DELTA = 1e-6  # δ of approximate DP
_OTHER = "other"


def asked(
    scenario: Scenario, table: Table, where: tuple[Filter, ...] = (), by: GroupBy | None = None, *, like: Scenario | None = None
) -> dict[str, Any]:
    """Return the fields of the scenario that change with conditions and groups.

    The oracle keeps the distribution of each column that still fits, and rows of the table stay the oracle. The mechanism stays
    if it still suits the target. n of a confidential table stays, because the simulated table may have another size. If the
    table has users, the new target is about users.

    Args:
        scenario: The scenario.
        table: Its table.
        where: The conditions; none by default.
        by: The groups; none by default.
        like: The scenario that states the contribution bound and the oracle's rows per user; ``scenario`` by default.

    Returns:
        The changed fields by name. Without conditions and groups, ``target`` is the bare target, unless only known values count.

    Raises:
        InvalidValueError: If the target has no form for known values.
    """
    target, own = unasked(scenario.target, scenario.columns)
    after = questioned(target, own, where, by, known=only_known(table, own))
    if table.persons is not None:
        after = about_people(after, own, table.persons.column, (like or scenario).target, cap=table.guesses.cap)
    return _changed_fields(scenario, table, after, own, like or scenario) | {"adjacency": table.adjacency}


def asked_plainly(scenario: Scenario, table: Table) -> dict[str, Any]:
    """Return the fields of the scenario that change if conditions, groups and users are removed.

    Args:
        scenario: The scenario.
        table: Its table.

    Returns:
        The changed fields by name. Empty for a written target, because its text contains all of this.
    """
    if scenario.target.written:
        return {}
    _, own = unasked(scenario.target, scenario.columns)
    target = questioned(scenario.target, own, (), None, known=only_known(table, own))
    return _changed_fields(scenario, table, target, own, scenario) | {"adjacency": table.adjacency_of_rows}


def only_known(table: Table, names: tuple[str, ...]) -> bool:
    """Return whether only the known values of some of these columns count."""
    return any(table.column(name).missing == KNOWN for name in names)


def with_question(scenario: Scenario, table: Table, target: Target) -> dict[str, Any]:
    """Return the fields of the scenario that change with another target.

    Args:
        scenario: The scenario.
        table: Its table.
        target: The new target, which names its own columns.
    """
    return _changed_fields(scenario, table, target, fields_of(target, ()), scenario)


def _changed_fields(scenario: Scenario, table: Table, after: Target, own: tuple[str, ...], like: Scenario) -> dict[str, Any]:
    columns = fields_of(after, own)
    mechanism = mechanism_after(scenario.target, after, scenario.mechanism)
    return {
        "target": after,
        "columns": columns,
        "oracle": _oracle_after(scenario, table, after, columns, like.oracle),
        "n": table.size(columns, after) if table.public else scenario.n,
        "mechanism": mechanism,
        "delta": scenario.delta if mechanism.privacy is ApproxDP else None,
    }


def first_fields(
    table: Table, kind: str, columns: tuple[str, ...] = (), *, all_rows: bool | None = None, **settings: Any
) -> dict[str, Any]:
    """Return the fields of a scenario that select a kind of target, without conditions and groups, with all that suits it.

    Args:
        table: The table.
        kind: Class name of the target or curve.
        columns: Names of columns; those that suit the target by default.
        all_rows: Whether a count is of all rows with a value; by default if the number of rows is confidential.
        **settings: Settings of the target other than the usual ones.
    """
    names = columns_for(kind, table, columns)
    picked = table.taken(names, kind_called(kind))
    inner: Any = target_for(kind, picked, all_rows=not rows_are_public(table) if all_rows is None else all_rows)
    target = questioned(replace(inner, **settings), names, (), None, known=only_known(table, names))
    mechanism = first_mechanism(target)
    return {
        "table": table.name,
        "columns": names,
        "target": target,
        "oracle": oracle_of_kind(oracle_kinds(table, picked)[0], table, picked, target),
        "n": table.size(names, target),
        "mechanism": mechanism,
        "delta": DELTA if mechanism.privacy is ApproxDP else None,
        "adjacency": table.adjacency_of_rows,
    }


def text_of(target: Target) -> str | None:
    """Return the text of a written target, such as a query in SQL, or None for other targets."""
    name = target.written
    return getattr(target, name) if name else None


def rewritten(scenario: Scenario, table: Table, text: str) -> dict[str, Any]:
    """Return the fields of the scenario that change with another text.

    Args:
        scenario: The scenario, with a written target.
        table: Its table.
        text: The new text.

    Raises:
        DpcoreError: If the text does not fit the table.
    """
    target: Any = scenario.target
    return with_question(scenario, table, target.rewritten(text, readable(table)))


def readable(table: Table) -> tuple[Column, ...]:
    """Return the columns that a text may name."""
    return tuple(filter(of_rows, table.columns))


def own_columns(scenario: Scenario) -> tuple[str, ...]:
    """Return the columns of the bare target, without those of conditions, groups and users."""
    person = scenario.target.person
    return tuple(name for name in unasked(scenario.target, scenario.columns)[1] if name != person)


def asked_alone(scenario: Scenario) -> Target:
    """Return the target without conditions and groups."""
    return unasked(scenario.target, scenario.columns)[0]


def conditions(scenario: Scenario) -> tuple[tuple[Filter, ...], GroupBy | None]:
    """Return the conditions and groups of a scenario's target; none for other targets."""
    return scenario.target.where, scenario.target.by


def fields_of(target: Any, otherwise: tuple[str, ...]) -> tuple[str, ...]:
    """Return the named fields that a target takes.

    Args:
        target: The target.
        otherwise: Returned for targets that take plain columns.
    """
    return tuple(target.fields) if target.accepts_structured else otherwise


def draws_for(oracle: Oracle, target: Target, columns: tuple[Column, ...]) -> bool:
    """Return whether an oracle draws records of these columns in the form that a target takes.

    The form is named fields or plain columns, and whole users if the target names a field of users.

    Args:
        oracle: The oracle.
        target: The target.
        columns: The columns.
    """
    person = target.person
    same_form = oracle.draws_fields == target.accepts_structured and oracle.draws_people == (person is not None)
    return same_form and oracle.fits(tuple(column for column in columns if column.name != person))


def oracle_of_questions(table: Table, targets: tuple[Target, ...], kept: Mapping[str, Oracle], before: object = None) -> Oracle:
    """Return one oracle over the named fields of several targets.

    Args:
        table: The table.
        targets: The targets. If they are about users, the oracle draws users.
        kept: Distributions by column, which are used if they fit. Other columns get the first one that suits them.
        before: An oracle of users whose number of rows per user is used; the usual number by default.
    """
    person = next((target.person for target in targets if target.person is not None), None)
    names = dict.fromkeys(name for target in targets for name in fields_of(target, ()) if name != person)
    columns = [_add_categories(table.column(name), targets) for name in names]
    laws = {column.name: _column_oracle(kept.get(column.name), table, column) for column in columns}
    return of_fields(laws) if person is None else with_rows_as(before, laws, person, table.guesses.rows)


def oracles_of(table: Table, columns: tuple[Column, ...], target: Target) -> tuple[str, ...]:
    """Return the kinds of oracles that are offered for these columns.

    Args:
        table: The table.
        columns: The columns.
        target: The target. If it names its columns, only kinds with independent columns are offered.
    """
    kinds = oracle_kinds(table, columns)
    if not target.accepts_structured:
        return kinds
    made = {kind: oracle_of_kind(kind, table, columns, target) for kind in kinds}
    rows = {kind: one if isinstance(one, TableRecords) else of_fields(laws_of(one, ())) for kind, one in made.items()}
    return tuple(kind for kind in kinds if kind_of(rows[kind]) == kind)  # of single rows, also if whole users are drawn


def oracle_of_kind(
    kind: str, table: Table, columns: tuple[Column, ...], target: Target, before: object = None
) -> Oracle | TableRecords:
    """Return an oracle of this kind, in the form that the target takes.

    Args:
        kind: Class name of the oracle.
        table: The table.
        columns: The columns.
        target: The target. If it is about users, the oracle draws users.
        before: An oracle of users whose number of rows per user is used; the usual number by default.
    """
    made = oracle_for(kind, table, columns)
    if isinstance(made, TableRecords) or not target.accepts_structured:
        return made
    kept = laws_of(made, tuple(column.name for column in columns))
    return oracle_of_questions(table, (target,), kept, before)


def _oracle_after(
    scenario: Scenario, table: Table, target: Target, columns: tuple[str, ...], like: object
) -> Oracle | TableRecords:
    if isinstance(scenario.oracle, TableRecords):
        return scenario.oracle
    laws = laws_of(scenario.oracle, own_columns(scenario))
    if target.accepts_structured:
        return oracle_of_questions(table, (target,), laws, like)
    picked = table.taken(columns, target)
    if draws_for(scenario.oracle, target, picked):
        return scenario.oracle
    if all(name in laws and laws[name].fits((table.column(name),)) for name in columns):
        return of_columns(tuple(laws[name] for name in columns))
    return usual_oracle(table, picked)


def _column_oracle(kept: Oracle | None, table: Table, column: Column) -> Oracle:
    usual: Any = usual_oracle(replace(table, oracle=None), (column,))  # never the table's rows, which are last in the list
    return kept if kept is not None and kept.fits((column,)) else usual


def _add_categories(column: Column, targets: tuple[Target, ...]) -> Column:
    """Return a text column without categories with the public ones that the targets name, and one other category."""
    if column.role != TEXT or column.categories is not None:
        return column
    found: list[Any] = []
    for question in targets:
        by, where = question.by, question.where
        found += () if by is None or by.column != column.name else by.categories
        found += (condition.category for condition in where if condition.column == column.name)
    named = tuple(dict.fromkeys(item for item in found if isinstance(item, str)))
    other = _OTHER if _OTHER not in named else max(named, key=len) + "…"  # longer than every other category
    return replace(column, categories=(*named, other)) if named else column
