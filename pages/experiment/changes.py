"""Trials to be looked at one by one: a typical one, the one that Δ̂ is, and the furthest that Δ̂ leaves out; in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.declared import Column
from dpcore.base.norms import Norm
from dpcore.base.types import Database
from dpcore.guarantees.words import figure
from dpcore.sampling.blocks import Change, Ranked
from dpcore.sampling.sampler import SensitivitySample, drawn_again
from pages.experiment.computable import computable

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
