"""Two neighbouring tables that an attack tells apart: a public or made-up table, and the same with one row changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from typing import final

import numpy as np

from dpcore.base.declared import Column
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.sampling.blocks import answered, compared
from pages.experiment.computable import computable
from pages.experiment.scenario import Scenario
from pages.old.experiment.numeric_columns import ABOVE, BELOW, columns_of, middle, values_of

_MOST_ROWS, _MOST_CORNERS = 24, 16
_NEARLY = 1 + 1e-9


@final
@dataclass(frozen=True, eq=False)
class Change:
    """The answers to the table with a row and to its neighbour, and how far these are apart in the sensitivity's norm; and both
    tables."""

    answers: tuple[FloatArray, FloatArray]
    distance: float
    tables: tuple[Database, Database]


def calls(scenario: Scenario, columns: tuple[Column, ...]) -> int:
    """About how many answers of a whole table it takes: two for each change that is tried."""
    return 2 * (min(scenario.n, _MOST_ROWS) + min(_MOST_CORNERS, int(2 ** len(columns_of(columns)))))


@computable
def changes(scenario: Scenario, database: Database, columns: tuple[Column, ...]) -> tuple[Change, ...]:
    """Changes of one row, the furthest first: rows far out in the place of the middle row, and rows of the table itself.

    Nothing of them depends on ε or γ. ``database``: public, or made up by the oracle. InvalidValueError where no change has an
    answer.
    """
    home, removes = _home(scenario, database, columns), scenario.adjacency.removes
    pairs = [_tables(database, home, removes, *one) for one in _rows(database, columns, home)]
    with np.errstate(all="ignore"):
        answers = [answered(scenario.target, iter(pair)) for pair in pairs]
    distances = compared(scenario.norm, answers).distances
    order = [i for i in np.argsort(-distances, kind="stable").tolist() if np.isfinite(distances[i])]
    known = ((answers[i], float(distances[i]), pairs[i]) for i in order)
    found = tuple(Change(pair, apart, tables) for pair, apart, tables in known if not isinstance(pair, str))
    if not found:
        raise InvalidValueError("target", "one that has an answer where a row is changed", None)
    return found


def furthest(found: tuple[Change, ...], most: float) -> Change | None:
    """The furthest of those that move the answer by at most this; None where each moves it further."""
    return next((one for one in found if one.distance <= most * _NEARLY), None)


def _tables(database: Database, home: int, removes: bool, place: int, row: Database) -> tuple[Database, Database]:
    """The table with the row at a place, and the one with the middle row there, or without the row."""
    with_row = database.copy()
    with_row[place] = row[0]
    other = np.delete(with_row, place, axis=0) if removes else database.copy()
    if not removes:
        other[place] = database[home]
    with_row.flags.writeable = other.flags.writeable = False
    return with_row, other


def _home(scenario: Scenario, database: Database, columns: tuple[Column, ...]) -> int:
    """The row in the middle of the first column of numbers; the first row where there is none."""
    numbers = columns_of(columns)
    found = middle(scenario.target, database, values_of(database, columns, numbers[0])) if numbers else None
    return found or 0


def _rows(database: Database, columns: tuple[Column, ...], home: int) -> Iterator[tuple[int, Database]]:
    """The middle row with its numbers at their bounds, or far from all others; and rows of the table at their own places."""
    numbers = columns_of(columns)
    ends = [_ends(values_of(database, columns, column), column) for column in numbers]
    for corner in islice(product(*ends), _MOST_CORNERS) if numbers else ():
        row = database[[home]].copy()
        for column, value in zip(numbers, corner, strict=True):
            values_of(row, columns, column)[:] = value
        yield home, row
    order = np.argsort(values_of(database, columns, numbers[0]), kind="stable") if numbers else np.arange(len(database))
    for at in np.unique(np.linspace(0, len(order) - 1, min(len(order), _MOST_ROWS)).astype(int)):
        yield int(order[at]), database[[order[at]]]


def _ends(values: FloatArray, column: Column) -> tuple[float, ...]:
    """The column's public bounds; without any, places far from all its values; those above come first."""
    if column.bounds is not None:
        return column.bounds[1], column.bounds[0]
    known = values[np.isfinite(values)]
    if not known.size:
        return (float(values[0]),)
    low, high = float(known.min()), float(known.max())
    wide = high - low or abs(low) or 1.0
    return high + ABOVE * wide, low - BELOW * wide
