"""The questions that a table offers by their words: numbers of rows or people, means, sums, medians, shares, also by group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, final

from dpcore import Column, Filter, GroupBy
from dpcore.base.columns import KNOWN
from dpcore.base.types import can_be_asked
from dpcore.errors import TableError
from dpcore.targets.user_limits import ContributionBounded
from pages.experiment import question
from pages.experiment.choices import columns_for, kind_called, kind_of, own_settings, rows_are_public, target_for, target_kinds
from pages.experiment.descriptions import question_of
from pages.experiment.question_list import Listed, shared_cap_of
from pages.experiment.question_list import question_of as as_listed
from pages.experiment.scenario import Scenario
from pages.files.tables import Table

_MOST_COLUMNS = 24  # offered by name; others can be chosen by editing a question
_MOST_GROUPS = 64
_MOST_SHARES = 8  # categories of a column that are offered one by one
_QUARTILES = (0.25, 0.5, 0.75)


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """A question in parts.

    Args:
        kind: Class name of the target.
        column: The column that it takes.
        where: The conditions.
        by: The groups.
        settings: Settings of the target by name.
        all_rows: Whether a count is of all rows with a value, and not of those in a category or an interval.
        once: Whether each person counts once, which makes a number of rows a number of people.
        groups_each: With ``once``, the maximum number of groups in which a person counts, if it was chosen.
    """

    kind: str
    column: str
    where: tuple[Filter, ...] = ()
    by: GroupBy | None = None
    settings: tuple[tuple[str, Any], ...] = ()
    all_rows: bool = False
    once: bool = False
    groups_each: int | None = None

    def scenario(self, table: Table, shown: Scenario) -> Scenario:
        """Return the question as a scenario.

        Args:
            table: The table.
            shown: The scenario that gives ε and the settings of the sampler.

        Raises:
            TableError: If the table's columns do not allow it.
        """
        plainly = not (self.where or self.by)
        if self.kind not in target_kinds(table):
            raise TableError("No column of this table suits that question.", "Choose another one")
        if self.all_rows and plainly and not (people_alone(table) if self.once else not rows_are_public(table)):
            what = "people" if self.once else "rows"
            remedy = f"add a group or a condition to ask for a number of {what}"
            raise TableError(f"How many {what} the table has is public:", remedy)
        columns, settings = (self._column(table),), dict(self.settings)
        fields = question.first_fields(table, self.kind, columns, all_rows=self.all_rows, **settings)
        if fields["delta"] is not None and shown.delta is not None:
            fields["delta"] = shown.delta
        plain = shown.with_(**fields)
        if plainly and not self.once:
            return plain
        found = plain.with_(**question.asked(plain, table, self.where, self.by))
        return found.with_(target=self._once(found.target, table)) if self.once else found

    def _once(self, target: Any, table: Table) -> Any:
        """Count each person once, in all of their groups if that needs no more noise than the limit on rows."""
        cap, groups = table.guesses.cap, len(target.groups)
        few = groups > cap * (1 if table.adjacency.removes else 2)
        each = min(self.groups_each or (cap if few else groups), groups)
        return replace(target, rows=1, groups_each=each or None)

    def _column(self, table: Table) -> str:
        """Return the column. For a number of rows, return one in which every counted row has a value, if possible."""
        if not self.all_rows:
            return self.column
        named = [*([self.by.column] if self.by else []), *(condition.column for condition in self.where)]
        full = [column.name for column in table.columns if column.missing != KNOWN]
        return next(iter((*named, *full)), self.column)


def words_of(one: Listed, table: Table) -> str:
    """Return a question in words, such as "Mean of cost, by ward", without the limit per person that the list shares.

    Args:
        one: The question.
        table: Its table.
    """
    if not isinstance(one.target, ContributionBounded) or shared_cap_of(one) is None:
        return question_of(one.target, one.columns, table)
    inner = one.target.question
    return question_of(inner, inner.fields, table)


def offered(table: Table, shown: Scenario) -> dict[str, tuple[Asked, ...]]:
    """Return the offered questions by their words. The quartiles are three questions.

    Args:
        table: The table.
        shown: The scenario on Explore, which gives the other settings.
    """
    found = {words_of(as_listed(one.scenario(table, shown), table), table): (one,) for one in _everyday(table)}
    return found | {f"Quartiles of {table.column(one[0].column).words}": one for one in _quartiles(table)}


def _everyday(table: Table) -> Iterator[Asked]:
    listed = ((column.name, column.categories or ()) for column in table.columns)
    groups = [GroupBy(name, categories) for name, categories in listed if 2 <= len(categories) <= _MOST_GROUPS]
    for kind in (kind for kind in target_kinds(table) if kind_called(kind).everyday):
        names = _columns(kind, table)
        number_of_rows = bool(kind_called(kind).once)
        if number_of_rows and table.persons is not None:
            yield from _of_people(Asked(kind, names[0], all_rows=True, once=True), groups, table)
        if number_of_rows:  # it is of no column
            names = names[:1]
        for name in names:
            if number_of_rows and not rows_are_public(table):
                yield Asked(kind, name, all_rows=True)
            elif not number_of_rows:
                yield from _settled(kind, table.column(name))
            if not kind_called(kind).chooses:
                yield from (
                    Asked(kind, name, by=by, all_rows=number_of_rows) for by in groups if by.column != name or len(names) == 1
                )


def people_alone(table: Table) -> bool:
    """Return whether the number of people in the table is confidential."""
    return table.persons is not None and table.adjacency.removes


def _of_people(asked: Asked, groups: list[GroupBy], table: Table) -> Iterator[Asked]:
    """Yield numbers of people: of all if that is confidential, by group, and with a row in one group."""
    if people_alone(table):
        yield asked
    for by in groups:
        yield replace(asked, by=by)
        yield from (replace(asked, where=(Filter(by.column, one),)) for one in by.categories[:_MOST_SHARES])


def _settled(kind: str, column: Column) -> Iterable[Asked]:
    """Yield the question with each category whose share can be asked."""
    if "category" in kind_called(kind).__dataclass_fields__ and column.categories is not None:
        return [Asked(kind, column.name, settings=(("category", one),)) for one in column.categories[:_MOST_SHARES]]
    return [Asked(kind, column.name)]


def _quartiles(table: Table) -> Iterator[tuple[Asked, ...]]:
    for kind in (kind for kind in target_kinds(table) if kind_called(kind).everyday and kind_called(kind).chooses):
        for name in _columns(kind, table):
            yield tuple(Asked(kind, name, settings=(("q", q),)) for q in _QUARTILES)


def _columns(kind: str, table: Table) -> list[str]:
    names = [column.name for column in table.columns[:_MOST_COLUMNS]]
    offered = [name for name in names if name in columns_for(kind, table, (name,))]
    return [name for name in offered if can_be_asked(target_for(kind, (table.column(name),)))]


def asked_by(scenario: Scenario) -> Asked:
    """Return a scenario's question in parts."""
    where, by = question.conditions(scenario)
    inner: Any = question.asked_alone(scenario)
    settings = tuple((one.name, getattr(inner, one.name)) for one in fields(inner) if one.init)
    said, column = scenario.target, question.own_columns(scenario)[0]
    return Asked(kind_of(inner), column, where, by, settings, inner.public_alone, said.each_once, said.groups_each)


def of_another_column(asked: Asked, scenario: Scenario, column: str) -> Asked:
    """Return a question about another column, without settings that were declared for the old one.

    Args:
        asked: The question.
        scenario: The scenario of the question.
        column: The other column.
    """
    stay = own_settings(question.asked_alone(scenario))
    return replace(asked, column=column, settings=tuple(stay.items()))
