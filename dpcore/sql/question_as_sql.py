"""The SQL that a question is, for a table of declared columns: written here from the question alone, never by a person.

Constants are parameters, and names of columns stand in quotation marks. Each sum is one of whole numbers, so no order of rows
and no number of threads changes a digit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

from dpcore.base.bounds import Interval
from dpcore.base.condition import Category, Condition
from dpcore.base.declared import OTHER, TEXT, Column
from dpcore.base.facts import facts
from dpcore.base.groups import Groups
from dpcore.base.summands import OfInside, OfKnown, OfPlaces, OfSides, OfValues, Summand
from dpcore.base.types import Target
from dpcore.sql.understood import identifier

Parameter = float | str | list[str]


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """A target of ``columns``, with conditions and groups. ``width``: what its answer is divided by, among others."""

    question: Target
    target: Target
    columns: tuple[str, ...]
    where: tuple[Condition, ...] = ()
    by: Groups | None = None
    width: float | None = None

    @property
    def fields(self) -> tuple[str, ...]:
        """Every column that it reads, in order."""
        by = () if self.by is None else (self.by.column,)
        return tuple(dict.fromkeys((*self.columns, *(condition.column for condition in self.where), *by)))


def asked_in(question: Target, columns: tuple[str, ...] = ()) -> tuple[Asked, ...]:
    """The questions in one, each with its width; itself where it asks no others. ``columns``: of one that names none itself."""
    said = facts(question)
    if said.asks_together:
        return tuple(
            replace(one, width=width)
            for part, width in zip(said.parts, said.widths, strict=True)
            for one in asked_in(part, columns)
        )
    if said.target is None:
        return (Asked(question, question, columns),)
    return (Asked(question, said.target, said.columns, said.where, said.by),)


def as_sql(asked: Asked, columns: Sequence[Column], files: Sequence[str]) -> tuple[str, list[Parameter]]:
    """A query and its parameters. It answers with one row of whole numbers, one for each of its target's summands; with groups
    with a row for each category that some record is in, which stands first.

    ``columns``: those that it reads, by whose declarations cells are read.
    """
    written = _Written([list(files)])
    of = identifier(asked.columns[0])
    by = None if asked.by is None else identifier(asked.by.column)
    cells = ", ".join(f"{written.cell(_as_grouped(column, asked.by))} AS {identifier(column.name)}" for column in columns)
    where = [written.condition(condition) for condition in asked.where]
    if asked.by is not None:
        where.append(written.grouped(asked.by, columns))
    sums = [written.summed(summand, of) for summand in facts(asked.target).summands]
    query = (
        f"SELECT {', '.join([*filter(None, [by]), *sums])} FROM (SELECT {cells} FROM read_parquet($1, hive_partitioning = false))"
    )
    query += f" WHERE {' AND '.join(where)}" * bool(where) + f" GROUP BY {by}" * (by is not None)
    return query, written.parameters


@final
class _Written:
    """Writes parts of a query, and gathers its constants."""

    def __init__(self, parameters: list[Parameter]) -> None:
        self.parameters = parameters

    def listed(self, constants: Iterable[Any]) -> str:
        """A list of constants."""
        return f"({', '.join(map(self._constant, constants))})"

    def cell(self, column: Column) -> str:
        """A value as it is declared, NULL where it is missing: NaN and the empty text are, and of listed categories what is none
        of them, unless “other” is listed, which then stands for it."""
        name = identifier(column.name)
        if column.role != TEXT:
            number = f"CAST({name} AS DOUBLE)"
            held = f"NOT isnan({number})" if column.categories is None else f"{number} IN {self.listed(column.categories)}"
            return f"CASE WHEN {held} THEN {number} END"
        if column.categories is None:
            return f"nullif({name}, '')"
        other = f" WHEN {name} <> '' THEN '{OTHER}'" * (OTHER in column.categories)
        return f"CASE WHEN {name} IN {self.listed(column.categories)} THEN {name}{other} END"

    def grouped(self, by: Groups, columns: Sequence[Column]) -> str:
        """That a row is in a group; no list is gone through twice where each of the column's own categories is a group."""
        column = next(_as_grouped(column, by) for column in columns if column.name == by.column)
        every = column.categories is not None and set(column.categories) <= set(by.categories)
        return f"{identifier(by.column)} " + ("IS NOT NULL" if every else f"IN {self.listed(by.categories)}")

    def condition(self, condition: Condition) -> str:
        """False or NULL where the value is missing, also where the condition excludes."""
        held = self._inside(identifier(condition.column), condition.category, condition.interval)
        return f"NOT ({held})" if condition.excluded else held

    def summed(self, summand: Summand, of: str) -> str:
        """The sum over all rows; 0 of none."""
        if isinstance(summand, OfKnown):
            return f"count({of})"
        if isinstance(summand, (OfInside, OfSides)):
            inside = f"count(*) FILTER (WHERE {self._inside(of, summand.category, summand.interval)})"
            return inside if isinstance(summand, OfInside) else f"2 * {inside} - count({of})"
        low, high = map(self._constant, summand.bounds)
        clipped = f"CASE WHEN {of} < {low} THEN {low} WHEN {of} > {high} THEN {high} ELSE {of} END"  # greatest leaves NULL out
        if isinstance(summand, OfPlaces):
            width, steps = self._constant(summand.bounds[1] - summand.bounds[0]), self._constant(1 / summand.step)
            return _of_whole(f"(2e0 * ((({clipped}) - {low}) / {width}) - 1e0) * {steps}")
        assert isinstance(summand, OfValues)
        return _of_whole(f"({clipped}) / {self._constant(summand.step)}")

    def _inside(self, name: str, category: Category, interval: Interval | None) -> str:
        if interval is None:
            return f"{name} = {self._constant(category)}"
        low, high = map(self._constant, interval)
        return f"{name} >= {low} AND {name} <= {high}"

    def _constant(self, value: Any) -> str:
        self.parameters.append(value)
        return f"${len(self.parameters)}"


def _as_grouped(column: Column, by: Groups | None) -> Column:
    """Without its list of categories, where the groups are among these: what is in no group is left out in any case."""
    named = by is not None and by.column == column.name and column.categories is not None
    if not named or by is None or OTHER in by.categories or not set(by.categories) <= set(column.categories or ()):
        return column
    return replace(column, categories=None)


def _of_whole(number: str) -> str:
    """Of numbers up to 2⁵³ in size, each rounded to a whole one."""
    return f"coalesce(sum(CAST({number} AS BIGINT)), 0)"
