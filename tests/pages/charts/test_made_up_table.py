"""The picture of what an oracle is: what is drawn of either side, and where the row is that a trial changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pages.old.charts.made_up_table import NOT_LOOKED_AT, made_up_beside
from pages.old.experiment.made_up_table import MadeUpTable

from dpcore.base.declared import TEXT, Column
from pages.old.charts.drawn import BLUE, GREY, VERMILION, Drawn
from pages.old.charts.svg import svg

TITLES = ("the table:<br>4 rows", "a made-up table:<br>4 rows, one changed")
RNG = np.random.default_rng(5)
X = Column("x", "Time & <b>more</b>", "years")


def _found(table: Any, rest: Any, before: Any, after: Any, *columns: Column) -> MadeUpTable:
    def values(side: Any) -> Any:
        return tuple(np.asarray(one) for one in side)

    shown = columns or (X,)
    own = None if table is None else values(table)
    return MadeUpTable(
        columns=shown, table=own, rest=values(rest), before=values(before), after=values(after), marked=True, lost=(0, 0)
    )


def _parts(figure: Drawn) -> dict[str, Any]:
    """Each trace by its colour, and the two of the changed row by their names."""
    svg(figure, alt="what it shows")  # every property is one that is drawn
    traces = list(figure.ready()["data"])
    return {str(trace["name"] or trace["marker"]["color"]): trace for trace in traces if "marker" in trace}


def test_the_changed_row_is_hollow_on_top_of_its_column_and_filled_where_it_came_to() -> None:
    figure = made_up_beside(_found([[0, 1, 2, 4]], [[0, 0, 4]], [[0.0]], [[4.0]]), TITLES)
    parts = _parts(figure)
    was, now, rest = parts["was"], parts["is"], parts[GREY]
    assert was["marker"]["symbol"] == "circle-open"
    assert now["marker"] == {"color": VERMILION, "symbol": "circle", "size": 12}
    low = float(np.min(rest["x"]))
    assert was["x"].tolist() == [low]
    assert was["y"][0] > np.max(rest["y"][rest["x"] == low])  # the third in its column
    assert now["y"][0] > np.max(rest["y"][rest["x"] != low])  # the second in its
    assert len(parts[BLUE]["x"]) == 4
    layout = figure.ready()["layout"]
    assert layout["xaxis"]["range"] == layout["xaxis2"]["range"]
    assert layout["xaxis"]["range"] == pytest.approx([-0.16, 4.16])
    assert layout["yaxis"]["range"] == layout["yaxis2"]["range"]
    assert layout["yaxis2"]["visible"] is False


def test_a_row_that_was_taken_away_is_hollow_alone() -> None:
    parts = _parts(made_up_beside(_found([[0, 1]], [[1.0]], [[0.0]], [[]]), TITLES))
    assert len(parts["was"]["x"]) == 1
    assert len(parts["is"]["x"]) == 0


def test_names_from_outside_are_shown_as_they_are() -> None:
    column = Column("<i>kind</i>", role=TEXT, categories=("<b>a</b>", "b" * 40))
    found = _found([["<b>a</b>"]], [["<b>a</b>"]], [["<b>a</b>"]], [["b" * 40]], column)
    layout = made_up_beside(found, TITLES).ready()["layout"]
    assert layout["xaxis2"]["ticktext"] == ["&lt;b&gt;a&lt;/b&gt;", "bbbbbbbbb…"]
    assert layout["xaxis"]["title"]["text"] == layout["xaxis2"]["title"]["text"] == "&lt;i&gt;kind&lt;/i&gt;"


def test_of_a_confidential_table_a_closed_box_stands_there() -> None:
    for columns, at in (((X,), [[1.0]]), ((X, Column("y")), [[1.0], [2.0]]), ((Column("k", categories=(1.0, 2.0)),), [[1.0]])):
        figure = made_up_beside(_found(None, at, at, at, *columns), TITLES)
        assert BLUE not in _parts(figure)
        assert NOT_LOOKED_AT in [note["text"] for note in figure.ready()["layout"]["annotations"]]
        assert figure.ready()["layout"]["xaxis"]["visible"] is False
