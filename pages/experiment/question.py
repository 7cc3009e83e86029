"""Conditions and groups around a scenario's target: what changes where they are asked for, or taken away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dpcore.base.condition import Condition
from dpcore.base.declared import TEXT, Column
from dpcore.base.facts import facts
from dpcore.base.groups import Groups
from dpcore.base.types import (
    Oracle,
    Target,
    draws_fields,
    draws_people,
    person_of,
    takes_fields,
)
from dpcore.guarantees.privacy import ApproxDP
from dpcore.oracles.people import with_rows_as
from dpcore.oracles.product import laws_of, of_columns, of_fields
from dpcore.registry.fit import fits
from dpcore.targets.capped import about_people
from dpcore.targets.on import naming, questioned, unasked
from pages.experiment.choices import kind_of, mechanism_after, oracle_for, oracle_kinds, target_kinds, usual_oracle
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.tables import Table

_OTHER = "other"


def asked(
    scenario: Scenario, table: Table, where: tuple[Condition, ...] = (), by: Groups | None = None, *, like: Scenario | None = None
) -> dict[str, Any]:
    """The fields of the scenario that change where its target is asked under these conditions and in these groups.

    Neither of them gives the target itself back. The oracle keeps each column's law that still fits, the records of the table
    stay those, and the mechanism stays where it still suits. Of a confidential table n stays what it was, for that of a made-up
    one may be another. Where the table's records are people, it is a question about them, with the cap and with as many rows a
    person as in the scenario that it is ``like``, or in this one. InvalidValueError for a target that takes no missing values.
    """
    target, own = unasked(scenario.target, scenario.columns)
    after = questioned(target, own, where, by)
    if table.persons is not None:
        after = about_people(after, own, table.persons.column, (like or scenario).target, cap=table.guesses.cap)
    return _fields(scenario, table, after, own, like or scenario) | {"adjacency": table.adjacency}


def asked_plainly(scenario: Scenario, table: Table) -> dict[str, Any]:
    """The fields of the scenario that change where its target is asked of the rows, without conditions, groups and people; none
    of one whose text says all of this itself."""
    if facts(scenario.target).written:
        return {}
    target, own = unasked(scenario.target, scenario.columns)
    return _fields(scenario, table, target, own, scenario) | {"adjacency": table.adjacency_of_rows}


def named(scenario: Scenario, table: Table) -> dict[str, Any]:
    """The fields of the scenario that change where its question names its columns, whether or not anything is asked beside it."""
    target, own = unasked(scenario.target, scenario.columns)
    after = scenario.target if takes_fields(scenario.target) else naming(target, own)
    return _fields(scenario, table, after, own, scenario)


def with_question(scenario: Scenario, table: Table, target: Target) -> dict[str, Any]:
    """The fields of the scenario that change with another target, which names its own columns."""
    return _fields(scenario, table, target, fields_of(target, ()), scenario)


def _fields(scenario: Scenario, table: Table, after: Target, own: tuple[str, ...], like: Scenario) -> dict[str, Any]:
    columns = fields_of(after, own)
    mechanism = mechanism_after(scenario.target, after, scenario.mechanism)
    return {
        "target": after,
        "columns": columns,
        "oracle": _oracle(scenario, table, after, columns, like.oracle),
        "n": table.size(columns, after) if table.public else scenario.n,
        "mechanism": mechanism,
        "norm": mechanism.norm,
        "delta": scenario.delta if mechanism.privacy is ApproxDP else None,
    }


def own_columns(scenario: Scenario) -> tuple[str, ...]:
    """Those that the target itself is asked of, without those of conditions, groups and people."""
    person = person_of(scenario.target)
    return tuple(name for name in unasked(scenario.target, scenario.columns)[1] if name != person)


def asked_alone(scenario: Scenario) -> Target:
    """What is asked, without conditions and groups."""
    return unasked(scenario.target, scenario.columns)[0]


def conditions(scenario: Scenario) -> tuple[tuple[Condition, ...], Groups | None]:
    """The conditions and the groups of a scenario's question; none of another target."""
    target: Any = scenario.target
    return facts(target).where, facts(target).by


def kinds_like(table: Table, target: Any) -> tuple[str, ...]:
    """The kinds of targets that are offered for the table, with the conditions and groups of this one."""
    return target_kinds(table, asked=bool(facts(target).where or facts(target).by))


def fields_of(target: Any, otherwise: tuple[str, ...]) -> tuple[str, ...]:
    """The named fields that a target takes; of another target the columns that are given."""
    return tuple(target.fields) if takes_fields(target) else otherwise


def draws_for(oracle: Oracle, target: Target, columns: tuple[Column, ...]) -> bool:
    """Whether an oracle's records are those of these columns, as the target takes them: with named fields, or without, and whole
    people where the target names the field of people."""
    person = person_of(target)
    alike = draws_fields(oracle) == takes_fields(target) and draws_people(oracle) == (person is not None)
    return alike and fits(oracle, tuple(column for column in columns if column.name != person))


def oracle_of_fields(table: Table, target: Target, kept: Mapping[str, Oracle], before: object = None) -> Oracle:
    """Records with the fields that a question takes: each column's law is the one that is ``kept`` for it where that fits, else
    the first that suits it. Of a question about people it draws these, with as many rows as those of the oracle ``before``."""
    return oracle_of_questions(table, (target,), kept, before)


def oracle_of_questions(table: Table, targets: tuple[Target, ...], kept: Mapping[str, Oracle], before: object = None) -> Oracle:
    """The same for several questions that name their columns: one oracle over all of these."""
    person = person_of(*targets)
    names = dict.fromkeys(name for target in targets for name in fields_of(target, ()) if name != person)
    columns = [_with_categories(table.column(name), targets) for name in names]
    laws = {column.name: _law(kept.get(column.name), table, column) for column in columns}
    return of_fields(laws) if person is None else with_rows_as(before, laws, person, table.guesses.rows)


def oracles_of(table: Table, columns: tuple[Column, ...], target: Target) -> tuple[str, ...]:
    """The kinds of oracles that are offered for these columns; of a target that names them, those that draw each by itself."""
    kinds = oracle_kinds(table, columns)
    if not takes_fields(target):
        return kinds
    made = {kind: oracle_of_kind(kind, table, columns, target) for kind in kinds}
    return tuple(kind for kind, one in made.items() if kind_of(_of_rows(one)) == kind)


def _of_rows(oracle: Oracle | TableRecords) -> Oracle | TableRecords:
    """What draws a row of named columns, also where whole people are drawn."""
    return oracle if isinstance(oracle, TableRecords) else of_fields(laws_of(oracle, ()))


def oracle_of_kind(
    kind: str, table: Table, columns: tuple[Column, ...], target: Target, before: object = None
) -> Oracle | TableRecords:
    """An oracle of this kind for these columns; of a target that names them each by its name, and of one about people of these,
    with as many rows as those of the oracle ``before``."""
    made = oracle_for(kind, table, columns)
    if isinstance(made, TableRecords) or not takes_fields(target):
        return made
    return oracle_of_fields(table, target, laws_of(made, tuple(column.name for column in columns)), before)


def _oracle(scenario: Scenario, table: Table, target: Target, columns: tuple[str, ...], like: object) -> Oracle | TableRecords:
    if isinstance(scenario.oracle, TableRecords):
        return scenario.oracle
    laws = laws_of(scenario.oracle, own_columns(scenario))
    if takes_fields(target):
        return oracle_of_fields(table, target, laws, like)
    picked = table.taken(columns, target)
    if draws_for(scenario.oracle, target, picked):
        return scenario.oracle
    if all(name in laws and fits(laws[name], (table.column(name),)) for name in columns):
        return of_columns(tuple(laws[name] for name in columns))
    return usual_oracle(table, picked)


def _law(kept: Oracle | None, table: Table, column: Column) -> Oracle:
    if kept is not None and fits(kept, (column,)):
        return kept
    found = oracle_for(oracle_kinds(table, (column,))[0], replace(table, oracle=None), (column,))
    assert not isinstance(found, TableRecords)  # which is offered last
    return found


def _with_categories(column: Column, targets: tuple[Target, ...]) -> Column:
    """A column of text that declares no categories, with those that a question names, which are as public, and another."""
    if column.role != TEXT or column.categories is not None:
        return column
    found: list[Any] = []
    for question in targets:
        by, where = facts(question).by, facts(question).where
        found += () if by is None or by.column != column.name else by.categories
        found += (condition.category for condition in where if condition.column == column.name)
    named = tuple(dict.fromkeys(item for item in found if isinstance(item, str)))
    other = _OTHER if _OTHER not in named else max(named, key=len) + "…"  # longer than each of them, so none of them
    return replace(column, categories=(*named, other)) if named else column
