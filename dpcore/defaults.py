"""Targets and oracles for the columns that were picked, from public declarations alone.

A target or oracle is offered for picking where its class has ``suited``: it makes the one that suits a column's public
bounds and categories, or for an oracle None where it suits none.
"""

from __future__ import annotations

from typing import Any

from dpcore import oracles
from dpcore.bounds import UNBOUNDED
from dpcore.catalog import from_json, members
from dpcore.scenario import TableRecords
from dpcore.tables import Column, Table
from dpcore.types import Oracle, Target

TABLE_RECORDS = "TableRecords"


def target_kinds() -> tuple[str, ...]:
    """The kinds of targets that can be picked, the mean first."""
    kinds = [name for name, kind in members("targets").items() if hasattr(kind, "suited")]
    return tuple(sorted(kinds, key=lambda name: (name != "Mean", name)))


def target_for(kind: str, columns: tuple[Column, ...]) -> Target:
    """A target of this kind for these columns; those of a single column take the first."""
    bounds = tuple(column.bounds for column in columns)
    target: Target = members("targets")[kind].suited(bounds, columns[0].categories)
    return target


def oracle_kinds(table: Table, columns: tuple[Column, ...]) -> tuple[str, ...]:
    """The kinds of oracles that suit all the columns, the table's own first; its own records only if it is public."""
    kinds = [
        name
        for name, kind in members("oracles").items()
        if hasattr(kind, "suited") and all(kind.suited(column.bounds, column.categories) for column in columns)
    ]
    preferred = table.oracle["kind"] if table.oracle is not None else "Uniform"
    ordered = sorted(kinds or ["Uniform"], key=lambda name: (name != preferred, name))
    return (*ordered, TABLE_RECORDS) if table.public else tuple(ordered)


def oracle_for(kind: str, table: Table, columns: tuple[Column, ...]) -> Oracle | TableRecords:
    """An oracle of this kind, one factor a column; uniform on the bounds of a column that it does not suit."""
    if kind == TABLE_RECORDS:
        return TableRecords()
    if table.oracle is not None and table.oracle["kind"] == kind and len(columns) == 1:
        suggested: Oracle = from_json(table.oracle, "oracles")
        return suggested
    factors = tuple(_factor(kind, column) for column in columns)
    return factors[0] if len(factors) == 1 else oracles.Product(factors)


def _factor(kind: str, column: Column) -> Oracle:
    suited: Oracle | None = members("oracles")[kind].suited(column.bounds, column.categories)
    return suited if suited is not None else oracles.Uniform(*(column.bounds or UNBOUNDED))


def kind_of(member: Any) -> str:
    """The name of a target's or an oracle's kind; a product's is its first factor's."""
    if isinstance(member, oracles.Product):
        return type(member.columns[0]).__name__
    return type(member).__name__


def title(kind: str) -> str:
    """The kind for people."""
    return "Records of this table" if kind == TABLE_RECORDS else kind
