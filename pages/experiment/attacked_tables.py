"""What an attack asks of a public or made-up table: answers with a row far out, with another in its place, and on halves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from typing import final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.declared import Column
from dpcore.base.types import Database, FloatArray, SteppedTarget, only_to_choose
from dpcore.errors import InvalidValueError
from dpcore.sampling.blocks import answered, compared, generator, vector
from pages.experiment.computable import UNREACHABLE
from pages.experiment.numeric_columns import ABOVE, BELOW, columns_of, middle, values_of
from pages.experiment.scenario import Scenario
from pages.experiment.steps import Steps, computable_in_steps, finished

HALVES, FEWER = 2_000, 400  # of the table; where an answer takes long
_MOST_ROWS, _FEW_ROWS, _MOST_CORNERS = 200, 24, 16
_MOST_NUMBERS = 16  # of an answer on halves
_STREAM = 7  # of the scenario's seed: no trial and no simulated answer has it
_NEARLY = 1 + 1e-9
NO_HALVES = "On some halves of the table the question has no answer, so PAC privacy has no noise."


@final
@dataclass(frozen=True, eq=False)
class Change:
    """A row, (1, …), that stands at a place of the table; the answers to the table with it and without it, and how far these are
    apart, in the sensitivity's norm."""

    place: int
    row: Database
    answers: tuple[FloatArray, FloatArray]
    distance: float


@final
@dataclass(frozen=True, eq=False)
class Halves:
    """Answers on random halves of the table, (halves, d), with the row that is furthest out ``inside`` or not; and on two of them
    that differ in this row alone."""

    answers: FloatArray
    inside: NDArray[np.bool_]
    pair: tuple[FloatArray, FloatArray]


@final
@dataclass(frozen=True, eq=False)
class Asked:
    """All answers that an attack needs. ``changes``: the furthest first; ``halves``: or a sentence on why there are none."""

    database: Database
    home: int
    removes: bool
    changes: tuple[Change, ...]
    halves: Halves | str

    def furthest(self, most: float = np.inf) -> Change | None:
        """That change, of those no further than this."""
        return next((one for one in self.changes if one.distance <= most * _NEARLY), None)

    def tables(self, change: Change) -> tuple[Database, Database]:
        """The table with the row, and the one with the middle row in its place, or without it."""
        return _tables(self.database, self.home, self.removes, change.place, change.row)


def calls(scenario: Scenario, columns: tuple[Column, ...], *, few: bool = False) -> int:
    """About how many answers of a whole table it takes: each change takes two, and half a table counts half."""
    rows = min(scenario.n, _FEW_ROWS if few else _MOST_ROWS)
    corners = min(_MOST_CORNERS, int(2 ** len(columns_of(columns))))
    return 2 * (rows + corners) + (FEWER if few else HALVES) // 2 + 4


@computable_in_steps
def asking(scenario: Scenario, database: Database, columns: tuple[Column, ...], *, few: bool = False) -> Steps[Asked]:
    """The target's answers, before any noise: they hang on neither ε nor γ. ``database``: public, or made up by the oracle.

    ``few``: of fewer rows and halves, where an answer takes long. InvalidValueError where no change of a row has an answer.
    """
    home, removes, answers = _home(scenario, database, columns), scenario.adjacency.removes, []
    rows, many = list(_rows(database, columns, home, _FEW_ROWS if few else _MOST_ROWS)), FEWER if few else HALVES
    of_rows = 4 * len(rows) / (4 * len(rows) + many)  # of all: each takes two answers, and half a table half of one
    for one in rows:
        with np.errstate(all="ignore"):
            answers.append(answered(scenario.target, iter(_tables(database, home, removes, *one))))
        yield of_rows * len(answers) / len(rows)
    distances = compared(scenario.norm, answers).distances
    order = [i for i in np.argsort(-distances, kind="stable").tolist() if np.isfinite(distances[i])]
    known = [(*rows[i], answers[i], float(distances[i])) for i in order]
    changes = tuple(Change(place, row, pair, apart) for place, row, pair, apart in known if not isinstance(pair, str))
    if not changes:
        raise InvalidValueError("target", "one that has an answer where a row is changed", None)
    found = Asked(database, home, removes, changes, "")
    table = found.tables(changes[0])[0]
    halving = _halves(scenario, table, changes[0].place, changes[0].answers[0].size, many)
    while True:
        try:
            yield of_rows + (1 - of_rows) * next(halving)
        except StopIteration as end:
            return Asked(database, home, removes, changes, end.value)


def asked(scenario: Scenario, database: Database, columns: tuple[Column, ...], *, few: bool = False) -> Asked:
    """The same at once."""
    return finished(asking(scenario, database, columns, few=few))


def _tables(database: Database, home: int, removes: bool, place: int, row: Database) -> tuple[Database, Database]:
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


def _rows(database: Database, columns: tuple[Column, ...], home: int, most: int) -> Iterator[tuple[int, Database]]:
    """The middle row with its numbers at their bounds, or far from all others; and rows of the table at their own places."""
    numbers = columns_of(columns)
    ends = [_ends(values_of(database, columns, column), column) for column in numbers]
    for corner in islice(product(*ends), _MOST_CORNERS) if numbers else ():
        row = database[[home]].copy()
        for column, value in zip(numbers, corner, strict=True):
            values_of(row, columns, column)[:] = value
        yield home, row
    order = np.argsort(values_of(database, columns, numbers[0]), kind="stable") if numbers else np.arange(len(database))
    for at in np.unique(np.linspace(0, len(order) - 1, min(len(order), most)).astype(int)):
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


def _halves(scenario: Scenario, table: Database, place: int, numbers: int, many: int) -> Steps[Halves | str]:
    """Answers on so many random halves of the table, with the row at this place in each by the toss of a coin."""
    if only_to_choose(scenario.target) or isinstance(scenario.target, SteppedTarget):
        return "PAC privacy adds noise to numbers, and this answer is a choice."
    if numbers > _MOST_NUMBERS:
        return f"PAC privacy is tried for answers of at most {_MOST_NUMBERS} numbers; this one has {numbers:,}."
    others, half, rng = np.delete(np.arange(len(table)), place), len(table) // 2, generator(scenario.seed, 0, _STREAM)
    if half < 1:
        return NO_HALVES
    inside = rng.random(many) < 0.5

    def answer(rest: NDArray[np.int64], with_row: bool) -> FloatArray:
        part = table[np.sort(np.append(rest, place) if with_row else rest)]
        part.flags.writeable = False
        with np.errstate(all="ignore"):
            return vector(scenario.target(part))

    each: list[FloatArray] = []
    try:
        for one in inside.tolist():
            each.append(answer(_some(others, half - one, rng), one))
            yield len(each) / many
        rest = _some(others, half, rng)
        return Halves(np.array(each), inside, (answer(rest[1:], True), answer(rest, False)))
    except (*UNREACHABLE, TypeError):
        return NO_HALVES


def _some(others: NDArray[np.int64], many: int, rng: np.random.Generator) -> NDArray[np.int64]:
    return rng.choice(others, many, replace=False, shuffle=False)
