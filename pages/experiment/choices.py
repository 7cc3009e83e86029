"""Targets, oracles and mechanisms for the columns that were picked, as each kind says itself what suits it.

A kind is offered where its ``suited(columns)`` makes the member that suits public declarations: for a mechanism,
``suited(target)``. What columns it takes stands in ``takes``, and its place in a picker in ``place``. A curve is picked like
a target, on a lattice. An oracle that takes one column is offered for several too, a factor each.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from dpcore.base.declared import Column
from dpcore.base.facts import facts
from dpcore.base.slots import Slot
from dpcore.base.types import Oracle, Target, groups_of
from dpcore.guarantees.operating_points import Bound
from dpcore.guarantees.privacy import ApproxDP
from dpcore.mechanisms.base import Mechanism
from dpcore.oracles.product import of_columns
from dpcore.registry import fit
from dpcore.registry.catalog import from_json, members, title_of
from dpcore.targets.on_lattice import of_curve
from pages.experiment.scenario import MOST_NUMBERS, OF_THE_TABLE, Scenario, TableRecords
from pages.files.tables import Table

TABLE_RECORDS, TABLE_COPULA = OF_THE_TABLE
DEGREE = 25  # of the Bernstein polynomial that a curve of one dimension is released as
_OF_THE_TABLE_TITLES = {TABLE_RECORDS: "Rows of this table", TABLE_COPULA: "Copula of this table"}


def target_kinds(table: Table, *, asked: bool = False) -> tuple[str, ...]:
    """The kinds of targets that the table has columns for, the mean first, curves last; of people, those that add up rows, and
    those that say themselves how they ask about people.

    One whose answer is public where nothing is asked beside it is left out, but where conditions or groups are ``asked``, or the
    number of rows is confidential.
    """
    if table.persons is not None:
        said = ((kind, facts(kind)) for kind in fit.takers(_ordered("targets"), table.columns))
        kinds = [kind for kind, of in said if of.rows_that_count is not None or of.about_people is not None]
    else:
        found = [kind for room in ("targets", "curves") for kind in fit.takers(_ordered(room), table.columns)]
        kinds = [kind for kind in found if asked or table.stated is not None or not facts(kind).public_alone]
    return tuple(kind.__name__ for kind in kinds)


def kind_called(name: str) -> Any:
    """The target or the curve of this name."""
    return members("targets").get(name) or members("curves")[name]


def columns_for(kind: str, table: Table, current: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The columns that this kind of target takes: of the current ones as many as it can use, then the table's first."""
    made = kind_called(kind)
    return fit.columns_for(made, fit.usable(made, table.columns), current, table.suggested_columns)


def choices_for(kind: str, table: Table, slot: Slot, taken: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The columns that can stand in a slot of this kind of target, beside those that are taken."""
    made = kind_called(kind)
    return fit.choices(made, fit.usable(made, table.columns), slot, taken)


def target_for(kind: str, columns: tuple[Column, ...]) -> Target:
    """A target of this kind for these columns; those of fewer columns take the first."""
    made = kind_called(kind)
    few = columns if any(slot.several for slot in fit.slots_of(made)) else columns[: len(fit.slots_of(made))]
    member = made.suited(few)
    if kind in members("targets"):
        target: Target = member
        return target
    return of_curve(member, degree=DEGREE, most=MOST_NUMBERS)


def first_kind(table: Table) -> str:
    """The kind of target that a table is shown with first."""
    suggested = table.target["kind"] if table.target is not None else ""
    kinds = target_kinds(table)
    return suggested if suggested in kinds else kinds[0]


def oracle_kinds(table: Table, columns: tuple[Column, ...]) -> tuple[str, ...]:
    """The kinds of oracles that suit all the columns, the table's own first; its own records, and the copula of
    several columns of them, only if it is public."""
    kinds = [kind for kind in _ordered("oracles") if _law(kind, columns) is not None] or _last_resorts()
    suggested = table.oracle["kind"] if table.oracle is not None and _suggested(table, columns) else None
    ordered = sorted(kinds, key=lambda kind: kind.__name__ != suggested) if suggested else kinds
    names = tuple(kind.__name__ for kind in ordered)
    own = (TABLE_RECORDS,) if len(columns) < 2 or table.persons is not None else (TABLE_RECORDS, TABLE_COPULA)
    return (*names, *own) if table.public else names


def oracle_for(kind: str, table: Table, columns: tuple[Column, ...]) -> Oracle | TableRecords:
    """An oracle of this kind, one factor a column; one that is made for anything on a column that it does not suit."""
    if kind in OF_THE_TABLE:
        return OF_THE_TABLE[kind]
    if table.oracle is not None and table.oracle["kind"] == kind and _suggested(table, columns):
        suggested: Oracle = from_json(table.oracle, "oracles")
        return suggested
    made = members("oracles")[kind]
    whole: Oracle | None = fit.suited(made, columns)
    return whole if whole is not None else of_columns(tuple(_factor(made, column) for column in columns))


def usual_oracle(table: Table, columns: tuple[Column, ...]) -> Oracle | TableRecords:
    """The oracle that is offered first for these columns."""
    return oracle_for(oracle_kinds(table, columns)[0], table, columns)


def _law(kind: Any, columns: tuple[Column, ...]) -> Oracle | None:
    """The one of this kind for all the columns; categories beside measures get a law of their own."""
    whole: Oracle | None = fit.suited(kind, columns)
    if whole is not None:
        return whole
    measures = [column for column in columns if column.categories is None] or columns
    if len(columns) < 2 or any(fit.suited(kind, (column,)) is None for column in measures):
        return None
    return of_columns(tuple(_factor(kind, column) for column in columns))


def _factor(kind: Any, column: Column) -> Oracle:
    """The law of one column: of this kind, else the first other one that suits it, else one that is made for anything."""
    for law in (kind, *(() if column.categories is None else _ordered("oracles"))):
        suited: Oracle | None = fit.suited(law, (column,))
        if suited is not None:
            return suited
    made: Oracle = _last_resorts()[0].otherwise((column,))
    return made


def _last_resorts() -> list[Any]:
    return [kind for kind in _ordered("oracles") if facts(kind).otherwise is not None]


def _ordered(folder: str) -> tuple[Any, ...]:
    """The kinds of a room in the order of its pickers: as they state it, then by name."""
    return fit.ordered(members(folder).values())


def mechanism_kinds(target: Target) -> tuple[str, ...]:
    """The kinds of mechanisms that can release the target, its own first."""
    return tuple(kind.__name__ for kind in fit.releasing(members("mechanisms").values(), target))


def mechanism_for(target: Target, current: Mechanism[Any, Any], kind: str = "") -> Mechanism[Any, Any]:
    """The current mechanism, fitted to the target, if it can release it and is of this kind; else a new one."""
    own = type(current)
    if kind == own.__name__ or (not kind and fit.suits(own, target)):
        return current.fitted(target)
    return first_mechanism(target, kind)


def mechanism_after(before: Target, after: Target, current: Mechanism[Any, Any]) -> Mechanism[Any, Any]:
    """The mechanism for a target that takes another's place: the current one as long as that was an equal choice.

    One that answers by group is another question than the same without groups, and so may need another mechanism.
    """
    if kind_of(after) == kind_of(before) and bool(groups_of(after)) == bool(groups_of(before)):
        return current.fitted(after)  # another setting: it stays, or refuses it in a sentence
    own = mechanism_kinds(after)[0]
    return mechanism_for(after, current, "" if mechanism_kinds(before)[0] == own else own)


def first_mechanism(target: Target, kind: str = "") -> Mechanism[Any, Any]:
    """What a target is released by unless something else is chosen; or a new mechanism of this kind."""
    made: Mechanism[Any, Any] = members("mechanisms")[kind or mechanism_kinds(target)[0]].suited(target)
    return made


def kind_of(member: Any) -> str:
    """The name of a target's or an oracle's kind; one that stands for another has that one's."""
    return type(facts(member).stands_for or member).__name__


def own_settings(member: Any) -> dict[str, Any]:
    """What a person chose of it, and not its columns' declarations: it stays when the columns change."""
    stay = [field for field in fields(member) if not field.metadata.get("declared", field.name.endswith("bounds"))]
    return {field.name: getattr(member, field.name) for field in stay if field.init}


def title(kind: str) -> str:
    """The kind for people."""
    if kind in OF_THE_TABLE:
        return _OF_THE_TABLE_TITLES[kind]
    found = [members(room)[kind] for room in ("targets", "curves", "oracles", "mechanisms") if kind in members(room)]
    return title_of(found[0]) if found else kind


def _suggested(table: Table, columns: tuple[Column, ...]) -> bool:
    names = tuple(column.name for column in columns)
    return names == table.suggested_columns or (not table.suggested_columns and len(columns) == 1)


# The scenario that a table is shown with first.


NAME = "loan_defaults"
DELTA = 1e-6  # where a mechanism of approximate DP is chosen


def example(of: Table) -> Scenario:
    """Of the table of that name it is Example 6 of Rubinstein & Aldà (2017): the mean of 500 times to default, Exponential(1)."""
    kind = first_kind(of)
    names = columns_for(kind, of)
    columns = tuple(of.column(name) for name in names)
    target = target_for(kind, columns)
    mechanism = first_mechanism(target)
    return Scenario(
        table=of.name,
        columns=names,
        target=target,
        oracle=usual_oracle(of, columns),
        norm=mechanism.norm,
        n=of.size(names),
        bound=Bound.RANK,
        confidence=None,
        m=199,
        gamma=0.05,
        epsilon=1.0,
        delta=DELTA if mechanism.privacy is ApproxDP else None,
        mechanism=mechanism,
        seed=1,
    )
