"""Single changes to be looked at: a typical trial, the one that Δ̂ is, the furthest beyond it, and one that is not covered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.declared import TEXT, Column
from dpcore.base.facts import facts
from dpcore.base.norms import Norm
from dpcore.base.types import Database, takes_fields
from dpcore.guarantees.words import figure
from dpcore.sampling.blocks import Change, Ranked
from dpcore.sampling.sampler import SensitivitySample, drawn_again
from pages.experiment.computable import computable
from pages.experiment.scenario import Scenario

MOST_DRAWN = 500_000  # records of a block that is drawn again for one of its pairs: about 20 ms
_MOST_COLUMNS, _MOST_ROWS, _MOST_TEXT = 4, 3, 40


@final
@dataclass(frozen=True, slots=True)
class Trial:
    """Number ``pair`` of a sample, from 0, and how far the answer moved in it."""

    pair: int
    distance: float


def typical(sample: SensitivitySample[Norm]) -> Trial:
    """The middle one of the trials in the order of their distances, the lower of two."""
    return _in_order(sample, (len(sample.distances) - 1) // 2)


def at_the_edge(sample: SensitivitySample[Norm]) -> Trial:
    """The k-th in order: its distance is Δ̂."""
    return _in_order(sample, sample.point.k - 1)


def left_out(sample: SensitivitySample[Norm], covered: float) -> Trial | None:
    """The furthest beyond what is covered, among those with an answer; None where none is beyond."""
    finite = np.where(np.isfinite(sample.distances), sample.distances, -1.0)
    pair = int(np.argmax(finite))
    return Trial(pair, float(finite[pair])) if finite[pair] > covered else None


def _in_order(sample: SensitivitySample[Norm], place: int) -> Trial:
    pair = int(np.argsort(sample.distances, kind="stable")[place])
    return Trial(pair, float(sample.distances[pair]))


@computable
def change(sample: SensitivitySample[Norm], trial: Trial) -> Change | None:
    """What was replaced by what in a trial, drawn again from its block; None where that would take long."""
    return drawn_again(sample, trial.pair, most=MOST_DRAWN)


def parts(made: Change, columns: tuple[Column, ...], person: str | None) -> tuple[str, str | None]:
    """What was there before and what came in its place, in a few words each; None where nothing came.

    They hold texts from outside: a page escapes them.
    """
    if isinstance(made, Ranked):
        return f"number {made.before:,} of {made.of:,} in order", f"number {made.after:,}"
    return record(made.before, columns, person), None if made.after is None else record(made.after, columns, person)


def record(value: Database, columns: tuple[Column, ...], person: str | None = None) -> str:
    """One record, column by column; of a person, how many rows there are, and the first of them."""
    value = np.asarray(value)
    if person is None:
        return _row(value, columns)
    rows = [_row(row, columns) for row in value[:_MOST_ROWS]]
    more = "; …" if len(value) > len(rows) else ""
    return f"{counted(f'{len(value):,}', ' rows')}: {'; '.join(rows)}{more}"


def _row(value: Database, columns: tuple[Column, ...]) -> str:
    cells = _cells(value, columns)
    more = ", …" if len(cells) > _MOST_COLUMNS else ""
    return ", ".join(_cell(cell, column, named=len(cells) > 1) for cell, column in cells[:_MOST_COLUMNS]) + more


def _cells(value: Database, columns: tuple[Column, ...]) -> list[tuple[Any, Column]]:
    """Each number or text of a record, with the column that it is of; the field of people is none of them."""
    if (names := value.dtype.names) is not None:
        known = {column.name: column for column in columns}
        return [(value[name].item(), known.get(name, Column(name))) for name in names if value.dtype[name].names is None]
    cells = value.reshape(-1).tolist()
    return [(cell, columns[i] if i < len(columns) else Column(f"column {i + 1}")) for i, cell in enumerate(cells)]


def _cell(cell: Any, column: Column, *, named: bool) -> str:
    """A value as people know it, with its unit, and where there are several the name of its column."""
    name = f"{column.label or column.name} " if named else ""
    if cell == "" or cell != cell:  # NaN alone is not itself
        return f"{name}missing"
    if isinstance(cell, str):
        return name + (cell if len(cell) <= _MOST_TEXT else f"{cell[: _MOST_TEXT - 1]}…")
    if column.since or column.category_names:
        return name + column.shown(float(np.round(cell)) if column.since else cell)
    return name + counted(figure(cell), f" {column.unit}" if column.unit else "")


# An example of a change that a sampled sensitivity does not cover, in the records' own unit.


_PLACES = 5  # of a column's range at which it is seen whether the answer follows a record's value
_STRAIGHT = 1e-9  # of the whole way


def far_apart(scenario: Scenario, columns: tuple[Column, ...], sensitivity: float) -> float | None:
    """How far the values of a record and its replacement must be apart for the answer to move by more than this: Δ̂ times
    ``stride``, and None where there is none, or where no two values within the bounds are so far apart."""
    found = stride(scenario, columns)
    if found is None:
        return None
    apart = sensitivity * found[0]
    return None if apart >= found[1] else apart


def stride(scenario: Scenario, columns: tuple[Column, ...]) -> tuple[float, float] | None:
    """How far apart a record and its replacement are for each unit that the answer moves by; and the most that they can be.

    It is 1/|c′|, for a target of one number that adds up c(x) over the records of one column, where c is a straight line
    within the column's bounds: the answer then moves by |c(x) − c(x′)| (mathematics, section 1.8). None for every other target.
    """
    contribution, bounds = facts(scenario.target).contribution, columns[0].bounds
    if takes_fields(scenario.target) or len(columns) > 1 or columns[0].role == TEXT or contribution is None:
        return None
    low, high = bounds or (0.0, 1.0)
    steps = np.asarray(contribution(np.linspace(low, high, _PLACES), scenario.n))
    if steps.shape != (_PLACES, 1):
        return None
    rises = np.diff(steps[:, 0])
    whole = abs(float(rises.sum()))
    if not 0 < whole < np.inf or not np.ptp(rises) <= _STRAIGHT * whole:
        return None
    return (high - low) / whole, np.inf if bounds is None else high - low
