"""Targets, oracles and mechanisms for the columns that were picked, from public declarations alone.

A target or oracle is offered for picking where its class makes the one that suits public declarations: ``suited`` from the
bounds and categories of columns of numbers, ``suited_text`` for a column of text, ``suited_pair`` (an oracle) for two
columns at once, ``suited_classes`` from the bounds of features that a label of two classes follows. An oracle's may return
None where it suits none. A curve is picked like a target, on a lattice.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from dpcore import oracles
from dpcore.base.bounds import UNBOUNDED
from dpcore.base.types import LatticeTarget, Oracle, Target
from dpcore.mechanisms.base import Mechanism
from dpcore.mechanisms.bernstein import Bernstein
from dpcore.mechanisms.exponential import Exponential
from dpcore.mechanisms.laplace import Laplace
from dpcore.registry.catalog import from_json, members
from dpcore.targets import OnLattice
from dpcore.workbench.scenario import TableRecords
from dpcore.workbench.tables import Column, Table

TABLE_RECORDS = "TableRecords"
DEGREE, ORDER = 25, 6  # of the Bernstein polynomial that a curve is released as
FEATURES = 2  # of a classifier, until others are picked
_TITLES = {TABLE_RECORDS: "Records of this table", "PriestleyChao": "Kernel regression", "LinearSVM": "Linear SVM",
           "Resample": "Records drawn again"}  # fmt: skip
_TWO = (0.0, 1.0)  # the categories of a label


def target_kinds(table: Table) -> tuple[str, ...]:
    """The kinds of targets that the table has columns for, the mean first, curves last."""
    numbers, texts = len(table.number_columns), len(table.text_columns)
    plain = [name for name, kind in members("targets").items() if hasattr(kind, "suited") and numbers]
    text = [name for name, kind in members("targets").items() if hasattr(kind, "suited_text") and texts]
    classes = [name for name, kind in members("targets").items() if hasattr(kind, "suited_classes") and label_columns(table)]
    curves = [name for name, kind in members("curves").items() if kind.columns_needed <= numbers]
    return (*sorted(plain, key=lambda name: (name != "Mean", name)), *classes, *text, *curves)


def label_columns(table: Table) -> tuple[str, ...]:
    """The columns of two categories, 0 and 1, that others with bounds could tell apart; one of the role "label" first."""
    two = [column for column in table.number_columns if column.categories == _TWO and feature_columns(table, column.name)]
    return tuple(column.name for column in sorted(two, key=lambda column: column.role != "label"))


def feature_columns(table: Table, label: str) -> tuple[str, ...]:
    """The columns of numbers beside the label that have public bounds."""
    return tuple(column.name for column in table.number_columns if column.bounds is not None and column.name != label)


def columns_for(kind: str, table: Table, current: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The columns that this kind of target takes: of the current ones as many as it can use, then the table's first."""
    if takes_classes(kind):
        return _features_and_label(table, current)
    if hasattr(members("targets").get(kind), "suited_text"):
        fit, most = table.text_columns, 1
    else:
        fit, most = table.number_columns, getattr(members("curves").get(kind), "columns_needed", 1)
    known = [column.name for column in fit]
    if kind == "Mean":
        most = max(1, len([name for name in current if name in known]))
    wanted = [name for name in (*current, *table.suggested_columns) if name in known] or known[:1]
    labels = [column.name for column in fit if column.role == "label"] if most == 2 else []
    return tuple(dict.fromkeys([*wanted, *labels, *known]))[:most]


def takes_classes(kind: str) -> bool:
    """Whether this kind of target takes features and a label."""
    return hasattr(members("targets").get(kind), "suited_classes")


def _features_and_label(table: Table, current: tuple[str, ...]) -> tuple[str, ...]:
    """The current columns as they are where they end with a label, else filled up to two features."""
    labels = label_columns(table)
    label = next(name for name in (*current[::-1], *table.suggested_columns[::-1], *labels) if name in labels)
    features = feature_columns(table, label)
    kept = tuple(name for name in current if name in features)
    if kept and current[-1] == label:
        return (*kept, label)
    wanted = [name for name in (*kept, *table.suggested_columns, *features) if name in features]
    return (*tuple(dict.fromkeys(wanted))[: max(FEATURES, len(kept))], label)


def target_for(kind: str, columns: tuple[Column, ...]) -> Target:
    """A target of this kind for these columns; those of a single column take the first."""
    bounds = tuple(column.bounds for column in columns)
    if kind in members("curves"):
        return OnLattice(members("curves")[kind].suited(bounds), DEGREE)
    made: Any = members("targets")[kind]
    if takes_classes(kind):
        classifier: Target = made.suited_classes(bounds[:-1])
        return classifier
    target: Target = made.suited_text() if hasattr(made, "suited_text") else made.suited(bounds, columns[0].categories)
    return target


def first_kind(table: Table) -> str:
    """The kind of target that a table is shown with first."""
    suggested = table.target["kind"] if table.target is not None else ""
    kinds = target_kinds(table)
    return suggested if suggested in kinds else kinds[0]


def oracle_kinds(table: Table, columns: tuple[Column, ...]) -> tuple[str, ...]:
    """The kinds of oracles that suit all the columns, the table's own first; its own records only if it is public."""
    kinds = [name for name, kind in members("oracles").items() if _suits(kind, columns)]
    preferred = table.oracle["kind"] if table.oracle is not None and _suggested(table, columns) else "Uniform"
    ordered = sorted(kinds or ["Uniform"], key=lambda name: (name != preferred, name))
    return (*ordered, TABLE_RECORDS) if table.public else tuple(ordered)


def oracle_for(kind: str, table: Table, columns: tuple[Column, ...]) -> Oracle | TableRecords:
    """An oracle of this kind, one factor a column; uniform on the bounds of a column that it does not suit."""
    if kind == TABLE_RECORDS:
        return TableRecords()
    if table.oracle is not None and table.oracle["kind"] == kind and _suggested(table, columns):
        suggested: Oracle = from_json(table.oracle, "oracles")
        return suggested
    made: Any = members("oracles")[kind]
    if hasattr(made, "suited_text"):
        text: Oracle = made.suited_text()
        return text
    if hasattr(made, "suited_classes"):
        classes: Oracle = made.suited_classes(tuple(column.bounds for column in columns[:-1]))
        return classes
    if hasattr(made, "suited_pair"):
        pair: Oracle = made.suited_pair(*(column.bounds for column in columns))
        return pair
    factors = tuple(_factor(made, column) for column in columns)
    return factors[0] if len(factors) == 1 else oracles.Product(factors)


def mechanism_kinds(target: Target) -> tuple[str, ...]:
    """The kinds of mechanisms that can release the target, its own first."""
    if isinstance(target, LatticeTarget):
        return ("Bernstein",)
    if not hasattr(target, "candidates"):
        return ("Laplace", "Gaussian")
    text = hasattr(type(target), "suited_text")
    return ("Exponential", "Laplace", "Gaussian") if text else ("Laplace", "Gaussian", "Exponential")


def mechanism_for(target: Target, current: Mechanism[Any, Any], kind: str = "") -> Mechanism[Any, Any]:
    """The current mechanism, fitted to the target, if it can release it and is of this kind; else a new one."""
    kinds = mechanism_kinds(target)
    kind = kind or (type(current).__name__ if type(current).__name__ in kinds else kinds[0])
    candidates = getattr(target, "candidates", ())
    if type(current).__name__ == kind:
        return replace(current, candidates=candidates) if isinstance(current, Exponential) else current
    if kind == "Exponential":
        return Exponential(candidates)
    made: Mechanism[Any, Any] = Bernstein(order=ORDER) if kind == "Bernstein" else members("mechanisms")[kind]()
    return made


def mechanism_after(before: Target, after: Target, current: Mechanism[Any, Any]) -> Mechanism[Any, Any]:
    """The mechanism for a target that takes another's place: the current one as long as that was an equal choice."""
    own = mechanism_kinds(after)[0]
    return mechanism_for(after, current, "" if mechanism_kinds(before)[0] == own else own)


def first_mechanism(target: Target) -> Mechanism[Any, Any]:
    """What a target is released by unless something else is chosen."""
    return mechanism_for(target, Laplace(), mechanism_kinds(target)[0])


def kind_of(member: Any) -> str:
    """The name of a target's or an oracle's kind; a curve's its own, a product's its first factor's that is of no category."""
    if isinstance(member, oracles.Product):
        measures = [factor for factor in member.columns if not isinstance(factor, (oracles.Bernoulli, oracles.Categorical))]
        return type((*measures, *member.columns)[0]).__name__
    return type(member.curve if isinstance(member, OnLattice) else member).__name__


def title(kind: str) -> str:
    """The kind for people."""
    return _TITLES.get(kind) or re.sub(r"(?<!^)([A-Z])", lambda capital: f" {capital[1].lower()}", kind)


def _suits(kind: Any, columns: tuple[Column, ...]) -> bool:
    if any(column.role == "text" for column in columns):
        return hasattr(kind, "suited_text")
    if hasattr(kind, "suited_classes"):
        *features, label = columns
        measured = all(column.bounds is not None and column.categories is None for column in features)
        return bool(features) and measured and label.categories == _TWO
    if hasattr(kind, "suited_pair") and len(columns) == 2:
        return kind.suited_pair(*(column.bounds for column in columns)) is not None
    measures = [column for column in columns if column.categories is None] or columns  # categories get a law of their own
    return hasattr(kind, "suited") and all(kind.suited(column.bounds, column.categories) for column in measures)


def _suggested(table: Table, columns: tuple[Column, ...]) -> bool:
    names = tuple(column.name for column in columns)
    return names == table.suggested_columns or (not table.suggested_columns and len(columns) == 1)


def _factor(kind: Any, column: Column) -> Oracle:
    for law in (kind, oracles.Bernoulli, oracles.Categorical):
        suited: Oracle | None = law.suited(column.bounds, column.categories)
        if suited is not None:
            return suited
    return oracles.Uniform(*(column.bounds or UNBOUNDED))
