"""What a summary tells of a column as bars with whiskers, and of a pair of columns as cells."""

from __future__ import annotations

import numpy as np

from dpcore.guarantees.words import figure as in_figures
from pages.charts.drawn import BLUE, Drawn, axis, figure, heatmap, shown
from pages.charts.groups import Whiskers, groups
from pages.experiment.summary.told import ColumnTold, PairTold

_COLOURS = [[0.0, "rgba(0, 114, 178, 0.05)"], [1.0, "rgba(0, 114, 178, 1)"]]
_MARGIN = {"l": 80, "r": 10, "t": 20, "b": 60}


def bars_of(column: ColumnTold) -> tuple[Drawn, str]:
    """One bar for each bin or category, with the ± that all of them have; and a description."""
    near = Whiskers("95 in 100", np.full(len(column.bars), column.within), BLUE)
    values = np.array(column.bars, dtype=np.float64)
    drawn = groups(column.labels, values, [near], name="private answer", colour=BLUE, from_zero=True, unit="rows")
    name = column.column.label or column.column.name
    said = "; ".join(f"{label}: {bar:,}" for label, bar in zip(column.labels, column.bars, strict=True))
    return drawn, f"Bars of {name}, in rows, each ± {in_figures(column.within)}: {said}."


def cells_of(pair: PairTold) -> tuple[Drawn, str]:
    """The cells of a pair, darker where there are more rows; and a description."""
    (first, second), names = pair.labels, [column.label or column.name for column in pair.columns]
    z = np.array(pair.cells, dtype=np.float64)
    told = {"hovertemplate": "%{y}, %{x}: %{z:,.0f}<extra></extra>", "showscale": False}
    drawn = heatmap("private answer", shown(list(second)), shown(list(first)), z, _COLOURS, **told)
    x, y = axis(names[1], type="category"), axis(names[0], type="category")
    return figure([drawn], x=x, y=y, margin=_MARGIN), f"Rows by {names[0]} and {names[1]}, each ± {in_figures(pair.within)}."
