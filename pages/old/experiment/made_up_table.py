"""What an oracle is, as values to draw: the table itself, and the made-up table of one trial with the row that it changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.declared import PERSON, Column
from dpcore.base.types import Database, person_of
from dpcore.sampling.blocks import Change, Replaced, generator
from pages.experiment.computable import computable
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.old.experiment.numeric_columns import columns_of

MOST_CHANGED = 20  # of one person's rows
_MOST_MADE = 2_000  # rows, or people, that are made up for a picture
_STREAM = 7  # of the scenario's seed: no trial and no other use has it

Values = tuple[Database, ...]
"""Of each column that is drawn, (rows,), without the rows in which one of them is missing."""


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class MadeUpTable:
    """``table``: the public table's own values; None of a confidential one, which is not looked at. ``rest``: those of the
    made-up table that the trial left as they were; ``before`` and ``after``: what was replaced by what, empty where nothing is.

    ``marked``: whether the trial's row is known. ``lost``: rows of either side that are left out, as a value is missing.
    """

    columns: tuple[Column, ...]
    table: Values | None
    rest: Values
    before: Values
    after: Values
    marked: bool
    lost: tuple[int, int]


def drawn_columns(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """The first two of numbers, or the one there is; else the first of categories; none of texts alone."""
    named = tuple(column for column in columns if column.categories is not None and column.role != PERSON)
    return columns_of(columns)[:2] or named[:1]


@computable
def made_up_table(scenario: Scenario, table: Table, columns: tuple[Column, ...], change: Change | None) -> MadeUpTable:
    """``columns``: those that are drawn; ``change``: of one trial, or None where it cannot be drawn again at once.

    The rows around the trial's own are that trial's. Where it drew none of them, since all others cancel, they are other draws
    of the oracle: the distance is the same whatever they are.
    """
    oracle, person = scenario.resolved_oracle(table), person_of(scenario.target)
    found = change if isinstance(change, Replaced) else None
    rest = None if found is None else found.rest
    if rest is None:
        others = scenario.n if found is None else scenario.n - 1
        rest = oracle.draw(1, max(1, min(others, _MOST_MADE)), rng=generator(scenario.seed, 0, _STREAM))[0][: max(0, others)]
    real = table.prepare(scenario.columns, scenario.target).database if table.public else None
    names = tuple(name for name in scenario.columns if name != person)
    before, after = (None, None) if found is None else (found.before, found.after)
    seen = {side: _values(rows, names, columns) for side, rows in (("table", real), ("rest", rest))}
    moved = [_values(_as_rows(rows, person), names, columns) for rows in (before, after)]
    lost = tuple(0 if rows is None else len(rows) - len(seen[side][0]) for side, rows in (("table", real), ("rest", rest)))
    return MadeUpTable(
        columns=columns,
        table=None if real is None else seen["table"],
        rest=seen["rest"],
        before=tuple(evenly(one, MOST_CHANGED) for one in moved[0]),
        after=tuple(evenly(one, MOST_CHANGED) for one in moved[1]),
        marked=found is not None,
        lost=(lost[0], lost[1]),
    )


def _as_rows(record: Database | None, person: str | None) -> Database | None:
    """A record as a table of one row; a person already is one of all rows."""
    return record if record is None or person is not None else np.asarray(record)[None]


def _values(rows: Database | None, names: tuple[str, ...], columns: tuple[Column, ...]) -> Values:
    if rows is None:
        return tuple(np.empty(0) for _ in columns)
    values = [_of_column(rows, names, column.name) for column in columns]
    known = np.logical_and.reduce([_known(one) for one in values])
    return tuple(one[known] for one in values)


def _of_column(rows: Database, names: tuple[str, ...], name: str) -> Database:
    """The values of one column of records with named fields, or with one number for each of the names."""
    if rows.dtype.names is not None:
        return np.asarray(rows[name])
    return rows if rows.ndim == 1 else np.asarray(rows[:, names.index(name)])


def _known(values: Database) -> NDArray[np.bool_]:
    return np.asarray(values != "" if values.dtype.kind == "U" else np.isfinite(values))


def evenly(values: Database, most: int) -> Database:
    """So many of the values, from all places alike: a table can be in order."""
    return values if len(values) <= most else np.asarray(values[np.linspace(0, len(values) - 1, most).astype(np.int64)])
