"""What a summary tells of a column as bars with whiskers, and of a pair of columns as cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.guarantees.words import figure as in_figures
from pages.charts.drawn import BLUE, Drawn, axis, bar, figure, gapped, heatmap, line, shown
from pages.charts.groups import FAINT, axis_of, room_of
from pages.experiment.summary.told import ColumnTold, PairTold

_COLOURS = [[0.0, "rgba(0, 114, 178, 0.05)"], [1.0, "rgba(0, 114, 178, 1)"]]
_MARGIN = {"l": 60, "r": 8, "t": 8, "b": 44}
_LETTER = 6.5  # pixels of a letter on an axis
_WIDE = 0.9  # of a bar


def bars_of(column: ColumnTold) -> tuple[Drawn, str]:
    """One bar for each bin, along the column's own scale, or for each category, with the ± that all have; and a description."""
    values = np.array(column.bars, dtype=np.float64)
    margin: dict[str, Any] = {}
    if column.edges:
        edges = np.array(column.edges)
        places, wide = (edges[1:] + edges[:-1]) / 2, _WIDE * np.diff(edges)
        x = axis(column.column.words, range=[edges[0], edges[-1]], nticks=5)
    else:
        places, wide = np.arange(len(values), dtype=np.float64), np.full(len(values), _WIDE)
        x, margin = axis_of(column.labels), {"b": room_of(column.labels)}
    told = {"customdata": shown(list(column.labels)), "hovertemplate": "%{customdata}: %{y:,.0f} rows<extra></extra>"}
    drawn = bar("private answer", places, values, {"color": BLUE, "opacity": FAINT}, width=wide, **told)
    ends = gapped(np.maximum(values - column.within, 0.0), values + column.within)
    whiskers = line("95 in 100", np.repeat(places, 3), ends, BLUE, hoverinfo="skip")
    y = axis("rows", nticks=4, rangemode="tozero")
    name = column.column.label or column.column.name
    said = "; ".join(f"{label}: {number:,}" for label, number in zip(column.labels, column.bars, strict=True))
    figured = figure([drawn, whiskers], x=x, y=y, margin=_MARGIN | margin, showlegend=False)
    return figured, f"Bars of {name}, in rows, each ± {in_figures(column.within)}: {said}."


def cells_of(pair: PairTold) -> tuple[Drawn, str]:
    """The cells of a pair, darker where there are more rows; and a description."""
    (first, second), names = pair.labels, [column.label or column.name for column in pair.columns]
    z = np.array(pair.cells, dtype=np.float64)
    told = {"hovertemplate": "%{y}, %{x}: %{z:,.0f}<extra></extra>", "showscale": False}
    drawn = heatmap("private answer", shown(list(second)), shown(list(first)), z, _COLOURS, **told)
    x, y = axis(names[1], type="category"), axis("", type="category")
    left = {"l": 16 + round(_LETTER * max(map(len, first)))}
    return figure(
        [drawn], x=x, y=y, margin=_MARGIN | left
    ), f"Rows by {names[0]} and {names[1]}, each ± {in_figures(pair.within)}."
