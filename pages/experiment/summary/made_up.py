"""A made-up table with the bars of a released summary: drawn from the released numbers alone, and marked as that."""

from __future__ import annotations

import csv
import hashlib
import io

import numpy as np

from dpcore.base.types import FloatArray
from pages.experiment.summary.told import ColumnTold, SummaryTold
from pages.files import drawn_from

MOST_ROWS = 100_000
_MARK = 12  # letters of the release's name in the ledger


def name_of(charge: str) -> str:
    """Of its file."""
    return f"made-up-table-{charge[:_MARK]}.csv"


def made_up(found: SummaryTold, rows: int, charge: str) -> str:
    """As CSV: so many rows, each column drawn by itself from its released bars, missing as often as the released count says.

    The same release gives the same. ``charge``: its name in the ledger, of which the mark is the beginning.
    """
    rows = min(rows, MOST_ROWS)
    rng = np.random.default_rng(int(hashlib.sha256(charge.encode()).hexdigest()[:16], 16))
    columns = {column.column.name: _drawn(column, rows, rng) for column in found.columns}
    mark = f"{drawn_from.BEGINS} {charge[:_MARK]}"
    name = drawn_from.COLUMN
    while name in columns:
        name += "!"
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*columns, name])
    writer.writerows(zip(*columns.values(), [mark] * rows, strict=True))
    return text.getvalue()


def _drawn(column: ColumnTold, rows: int, rng: np.random.Generator) -> list[str]:
    """The cells of a column."""
    weights = np.array(column.bars, dtype=np.float64)
    weights = weights / weights.sum() if weights.sum() else np.full(len(weights), 1 / len(weights))
    at = rng.choice(len(weights), rows, p=weights)
    missing = rng.random(rows) >= min(1.0, column.known.value / rows)
    own = column.column
    if own.categories is not None:
        names = [own.shown(one) for one in own.categories]
        return ["" if gone else names[place] for place, gone in zip(at.tolist(), missing.tolist(), strict=True)]
    edges: FloatArray = np.array(column.edges)
    values = edges[at] + (edges[at + 1] - edges[at]) * rng.random(rows)
    values[missing] = np.nan
    bounds = (column.edges[0], column.edges[-1])
    return drawn_from.written(drawn_from.marked(values, bounds), bounds)
