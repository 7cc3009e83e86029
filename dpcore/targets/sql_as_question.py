"""The question that a simple SQL query is, where there is one, and where the two answer otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, final

from dpcore.base.condition import Condition
from dpcore.base.counted import counted
from dpcore.base.declared import OTHER, PERSON, TEXT, Column
from dpcore.base.groups import Groups
from dpcore.base.types import Target
from dpcore.sql.plain_question import Compared, Constant, PlainQuestion
from dpcore.targets.capped import Capped
from dpcore.targets.known_count import KnownCount
from dpcore.targets.known_mean import KnownMean
from dpcore.targets.on import On
from dpcore.targets.sum import Sum

_MISSING = "it is missing for the query, and a value of its own for the question"
_OTHER = "it is “other” for the query, and a value of its own for the question"
_BETWEEN = ("between", "not between")


AsQuestion = tuple[On | Capped, tuple[str, ...]]
"""A question, and a sentence for each case in which it answers otherwise."""


class Whose(NamedTuple):
    """The field that says whose a row is, and how many rows of each person a query reads, which a salt keeps."""

    person: str
    rows: int
    salt: int


class _NoneError(Exception):
    """No question says the same."""


def as_question(
    asked: PlainQuestion | None,
    table: tuple[Column, ...],
    by: Groups | None,
    missing: float | None,
    whose: Whose | None = None,
) -> AsQuestion | None:
    """The same as a question, and a sentence for each case in which the answers differ; None where no question says it.

    ``by`` and ``missing``: the groups that the query answers for, and what stands where it has no number. Of people, the
    question keeps as many rows of each, by the same salt: the same ones where all rows count in it.
    """
    if asked is None:
        return None
    try:
        question, differences = _Reader(table).question(asked, by, missing)
    except _NoneError:
        return None
    if whose is None:
        return question, differences
    many = counted(whose.rows, " rows")
    said = (
        f"Of a person with more than {many} the query reads {whose.rows:,}, whatever these say. The question chooses among those "
    )
    said += "that it counts."
    return Capped(question, whose.person, whose.rows, salt=whose.salt), (*differences, said)


@final
class _Reader:
    """Finds columns by their names, and gathers where the answers differ."""

    def __init__(self, table: tuple[Column, ...]) -> None:
        self._columns = {column.name.casefold(): column for column in table if column.role != PERSON}
        self._differences = dict[str, None]()

    def question(self, asked: PlainQuestion, by: Groups | None, missing: float | None) -> tuple[On, tuple[str, ...]]:
        _must((by is None) == (asked.by is None))
        where = tuple(self._condition(one) for one in asked.where)
        groups = None if by is None else self._groups(by, asked)
        asked = self._of_known(asked)
        target, column = self._target(asked, groups)
        self._where_nothing_is_left(asked, target, missing)
        return On(target, (column,), where, groups), tuple(self._differences)

    def _of_known(self, asked: PlainQuestion) -> PlainQuestion:
        """A row counts where its value is known, and so does one that a condition holds of, or that is in a group."""
        named = (asked.column, asked.by, *(one.column for one in asked.where))
        left = {name.casefold() for name in asked.known} - {name.casefold() for name in named if name is not None}
        _must(len(left) <= (asked.column is None))
        return replace(asked, column=left.pop()) if left else asked

    def _target(self, asked: PlainQuestion, groups: Groups | None) -> tuple[Target, str]:
        if asked.column is None:  # a row of which a condition holds, or that is in a group, has a value there
            names = [*(one.column for one in asked.where), *([] if groups is None else [groups.column])]
            _must(bool(names))
            return KnownCount(), self._column(names[0]).name
        column = self._column(asked.column)
        if asked.function == "count":
            if column.categories is not None and OTHER not in column.categories:
                self._unlisted(column, _MISSING)
            return KnownCount(), column.name
        if column.bounds is None or column.categories is not None:
            raise _NoneError
        return (Sum if asked.function == "sum" else KnownMean)(column.bounds), column.name

    def _where_nothing_is_left(self, asked: PlainQuestion, target: Target, missing: float | None) -> None:
        which = "In a group without" if asked.by else "Without"
        of = "any row" if asked.function == "count" else f"any known {_called(self._column(asked.column or ''))}"
        of += " where the conditions hold" if asked.where or asked.known else ""
        stands = "has no number" if missing is None else f"answers {missing:g}"
        middle = f"the middle of the bounds, {sum(target.bounds) / 2:g}" if isinstance(target, KnownMean) else "0"
        if isinstance(target, KnownMean) or (missing != 0 and (asked.by or asked.function != "count")):
            self._say(f"{which} {of}, the query {stands}, and the question answers {middle}.")

    def _condition(self, one: Compared) -> Condition:
        column, texts = self._column(one.column), isinstance(one.constants[0], str)
        _must(all(isinstance(constant, str) == texts == (column.role == TEXT) for constant in one.constants))
        if one.sign in ("=", "<>"):
            return self._category(column, one.constants[0], excluded=one.sign == "<>")
        _must(not texts and column.categories is None)
        return self._interval(column, one.sign, tuple(map(float, one.constants)))

    def _category(self, column: Column, constant: Constant, *, excluded: bool) -> Condition:
        _must(constant != "" and self._in_table(column, constant))
        if column.categories is not None and (constant == OTHER or (excluded and OTHER not in column.categories)):
            self._unlisted(column, _OTHER if OTHER in column.categories else _MISSING)
        return Condition(column.name, category=constant, excluded=excluded)

    def _interval(self, column: Column, sign: str, constants: tuple[float, ...]) -> Condition:
        """An end that the query leaves open is the column's own bound; what is beyond that counts at the bound in the query."""
        if column.bounds is None:
            _must(sign in _BETWEEN and constants[0] < constants[1])
            return Condition(column.name, interval=(constants[0], constants[1]), excluded=sign == "not between")
        low, high = column.bounds
        if sign in _BETWEEN:
            _must(low <= constants[0] < constants[1] <= high)
            ends = constants[0], constants[1]
        else:
            _must(low < constants[0] < high)
            ends = (constants[0], high) if sign in (">=", "<") else (low, constants[0])
        if low in ends or high in ends:
            self._beyond(column)
        return Condition(column.name, interval=ends, excluded=sign in ("<", ">", "not between"))

    def _groups(self, by: Groups, asked: PlainQuestion) -> Groups:
        column = self._column(asked.by or "")
        _must(by.column.casefold() == (asked.key or "").casefold())
        _must(all(isinstance(one, str) == (column.role == TEXT) and self._in_table(column, one) for one in by.categories))
        if OTHER in by.categories and column.categories is not None:
            self._unlisted(column, _OTHER)
        return replace(by, column=column.name)

    def _in_table(self, column: Column, constant: Constant) -> bool:
        """Whether the query's table can hold it."""
        if column.categories is not None:
            return constant in column.categories
        if column.bounds is None or isinstance(constant, str):
            return True
        if constant in column.bounds:
            self._beyond(column)
        return column.bounds[0] <= constant <= column.bounds[1]

    def _column(self, name: str) -> Column:
        _must(name.casefold() in self._columns)
        return self._columns[name.casefold()]

    def _beyond(self, column: Column) -> None:
        self._say(f"Where {_called(column)} is beyond its bounds, the query takes the bound, and the question what is there.")

    def _unlisted(self, column: Column, what: str) -> None:
        self._say(f"Where {_called(column)} is none of its categories, {what}.")

    def _say(self, sentence: str) -> None:
        self._differences[sentence] = None


def _called(column: Column) -> str:
    return column.label or column.name


def _must(held: bool) -> None:
    if not held:
        raise _NoneError
