"""Targets, oracles and mechanisms that suit the selected columns.

Every plug-in class states what it suits. It is offered if its ``suited(columns)``, or ``suited(target)`` for a mechanism,
returns an instance made from public declarations. ``takes`` lists the columns that it takes, and ``place`` is its position in a
list. A curve is selected like a target and released on a lattice. An oracle for one column is also offered for several columns,
as a product.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from dpcore import Column, registry
from dpcore.base.bounds import UNBOUNDED
from dpcore.base.columns import Slot
from dpcore.base.types import Oracle, Target
from dpcore.mechanisms.base import Mechanism
from dpcore.oracles import Uniform
from dpcore.oracles.columns import of_columns
from dpcore.registry import from_json, members, title_of
from dpcore.targets.counts import Count
from dpcore.targets.on_lattice import of_curve
from pages.experiment.scenario import MOST_NUMBERS, OF_THE_TABLE, TableRecords
from pages.files.tables import Table

TABLE_RECORDS, TABLE_COPULA = OF_THE_TABLE
DEGREE = 25  # degree of the Bernstein polynomial of a curve over one dimension


def target_kinds(table: Table) -> tuple[str, ...]:
    """Return the names of the target classes that suit a table: the mean first, curves last.

    For a table of users, these are the targets that add up rows.
    """
    kinds = [kind for folder in ("targets", "curves") for kind in registry.takers(_ordered_kinds(folder), table.columns)]
    if table.persons is not None:
        kinds = [kind for kind in kinds if kind.rows_that_count is not None]
    return tuple(kind.__name__ for kind in kinds)


def kind_called(name: str) -> Any:
    """Return the target class or curve class with this name."""
    return members("targets").get(name) or members("curves")[name]


def columns_for(kind: str, table: Table, current: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the columns for a kind of target: the current ones if it can use them, then the table's first ones.

    Args:
        kind: Class name of the target or curve.
        table: The table.
        current: Columns that are selected now.
    """
    made = kind_called(kind)
    if table.persons is not None:  # a question about users, which asks for one column
        current = current[:1]
    return registry.columns_for(made, registry.usable(made, table.columns), current, table.suggested_columns)


def choices_for(kind: str, table: Table, slot: Slot, taken: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the columns that fit one slot of a kind of target.

    Args:
        kind: Class name of the target or curve.
        table: The table.
        slot: The slot.
        taken: Columns in its other slots.
    """
    made = kind_called(kind)
    return registry.choices(made, registry.usable(made, table.columns), slot, taken)


def rows_are_public(table: Table) -> bool:
    """Return whether the number of rows of a table is public, so that it is asked only with conditions or groups."""
    return table.persons is None and table.stated is None


def target_for(kind: str, columns: tuple[Column, ...], *, all_rows: bool = False) -> Target:
    """Return a target of this kind for these columns.

    Args:
        kind: Class name of the target or curve.
        columns: The columns; targets of fewer columns use the first ones.
        all_rows: Whether a count is of all rows with a value, and not of those in a category or an interval.
    """
    made = kind_called(kind)
    if made is Count and all_rows:
        return Count()
    used = columns if any(slot.several for slot in made.takes) else columns[: len(made.takes)]
    member: Any = made.suited(used)
    target: Target = member if kind in members("targets") else of_curve(member, degree=DEGREE, most=MOST_NUMBERS)
    return target


def first_kind(table: Table) -> str:
    """Return the kind of target that a table is first shown with."""
    kinds = target_kinds(table)
    return table.target["kind"] if table.target is not None and table.target["kind"] in kinds else kinds[0]


def oracle_kinds(table: Table, columns: tuple[Column, ...]) -> tuple[str, ...]:
    """Return the names of the oracle classes that suit all columns, the one that the table suggests first.

    Public tables also offer their own rows and, for several columns, a copula of them.

    Args:
        table: The table.
        columns: The columns.
    """
    kinds = [kind for kind in _ordered_kinds("oracles") if _suitable_oracle(kind, columns) is not None] or [Uniform]
    suggested = _suggested_oracle(table, columns)
    names = sorted((kind.__name__ for kind in kinds), key=lambda name: name != suggested)  # a stable order
    if table.public:
        names += (TABLE_RECORDS,) if len(columns) < 2 or table.persons is not None else (TABLE_RECORDS, TABLE_COPULA)
    return tuple(names)


def oracle_for(kind: str, table: Table, columns: tuple[Column, ...]) -> Oracle | TableRecords:
    """Return an oracle of this kind.

    Args:
        kind: Class name of the oracle.
        table: The table.
        columns: The columns. Columns that the kind does not suit get a fallback oracle.

    Returns:
        One oracle for all columns if the kind has one, otherwise a product of one oracle per column.
    """
    if kind in OF_THE_TABLE:
        return OF_THE_TABLE[kind]
    if kind == _suggested_oracle(table, columns):
        suggested: Oracle = from_json(table.oracle, "oracles")
        return suggested
    made = members("oracles")[kind]
    suitable = _suitable_oracle(made, columns)
    return of_columns(tuple(_column_oracle(made, column) for column in columns)) if suitable is None else suitable


def usual_oracle(table: Table, columns: tuple[Column, ...]) -> Oracle | TableRecords:
    """Return the oracle that is offered first for these columns.

    Args:
        table: The table.
        columns: The columns.
    """
    return oracle_for(oracle_kinds(table, columns)[0], table, columns)


def _suitable_oracle(kind: Any, columns: tuple[Column, ...]) -> Oracle | None:
    """Return an oracle of this kind for all columns, or None.

    In a product, columns of categories may get an oracle of another kind.
    """
    whole: Oracle | None = registry.suited(kind, columns)
    if whole is not None:
        return whole
    measures = [column for column in columns if column.categories is None] or columns
    if len(columns) < 2 or any(registry.suited(kind, (column,)) is None for column in measures):
        return None
    return of_columns(tuple(_column_oracle(kind, column) for column in columns))


def _column_oracle(kind: Any, column: Column) -> Oracle:
    """Return an oracle for one column: of this kind, otherwise the first kind that suits it, otherwise uniform."""
    for law in (kind, *(() if column.categories is None else _ordered_kinds("oracles"))):
        suited: Oracle | None = registry.suited(law, (column,))
        if suited is not None:
            return suited
    return Uniform(*(column.bounds or UNBOUNDED))


def _ordered_kinds(folder: str) -> tuple[Any, ...]:
    """Return the classes of a plug-in package in the order of their lists: by position, then by name."""
    return registry.ordered(members(folder).values())


def mechanism_kinds(target: Target) -> tuple[str, ...]:
    """Return the names of the mechanism classes that can release a target, its usual one first."""
    return tuple(kind.__name__ for kind in registry.releasing(members("mechanisms").values(), target))


def mechanism_for(target: Target, current: Mechanism[Any, Any], kind: str = "") -> Mechanism[Any, Any]:
    """Return the current mechanism if it can release the target and is of this kind, otherwise a new one.

    Args:
        target: The target.
        current: The current mechanism.
        kind: Class name of the mechanism; any by default.
    """
    own = type(current)
    if kind == own.__name__ or (not kind and own.suited(target) is not None):
        return current.fitted(target)
    return first_mechanism(target, kind)


def mechanism_after(before: Target, after: Target, current: Mechanism[Any, Any]) -> Mechanism[Any, Any]:
    """Return the mechanism for a target that replaces another one.

    If both targets are of one kind, the current mechanism stays. Otherwise it stays if it suits the new target and both targets
    have the same usual mechanism. A target with groups and one without groups count as different kinds.

    Args:
        before: The target so far.
        after: The new target.
        current: The current mechanism.
    """
    if kind_of(after) == kind_of(before) and bool(after.groups) == bool(before.groups):
        return current.fitted(after)  # only settings changed: the mechanism stays, or raises an error
    own = mechanism_kinds(after)[0]
    return mechanism_for(after, current, "" if mechanism_kinds(before)[0] == own else own)


def first_mechanism(target: Target, kind: str = "") -> Mechanism[Any, Any]:
    """Return a new mechanism for a target.

    Args:
        target: The target.
        kind: Class name of the mechanism; the usual one by default.
    """
    made: Mechanism[Any, Any] = members("mechanisms")[kind or mechanism_kinds(target)[0]].suited(target)
    return made


def kind_of(member: Any) -> str:
    """Return the class name of a target or oracle; a substitute has the name of the instance that it replaces."""
    inner = member.stands_for if isinstance(member, Target | Oracle) else None
    return type(inner or member).__name__


def own_settings(member: Any) -> dict[str, Any]:
    """Return the settings that a user selected, without declarations of columns. They stay when the columns change."""
    selected = [field for field in fields(member) if not field.metadata.get("declared", field.name.endswith("bounds"))]
    return {field.name: getattr(member, field.name) for field in selected if field.init}


def title(kind: str) -> str:
    """Return the title of a kind on the page."""
    if kind in OF_THE_TABLE:
        return OF_THE_TABLE[kind].title
    folders = ("targets", "curves", "oracles", "mechanisms")
    return next((title_of(members(folder)[kind]) for folder in folders if kind in members(folder)), kind)


def _suggested_oracle(table: Table, columns: tuple[Column, ...]) -> str | None:
    """Return the kind of oracle that a table suggests for these columns, or None."""
    names = tuple(column.name for column in columns)
    suggested = names == table.suggested_columns or (not table.suggested_columns and len(columns) == 1)
    return table.oracle["kind"] if suggested and table.oracle is not None else None
