"""A figure that is written unchecked is the checked one, wherever anybody looks."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest

from pages.old.charts import drawn
from pages.old.charts.drawn import BLUE, Drawn, figure, line

X = np.array([0.0, 0.5, np.nan])


def _made() -> Drawn:
    return figure([line("a", X, X, BLUE)], x={"title": {"text": "x"}, "range": [0, 1]}, y={"range": [np.float64(0), np.int64(2)]})


def _json(one: Any) -> Any:
    return json.loads(plotly.io.to_json(one, validate=False))


def test_a_figure_is_written_without_being_checked() -> None:
    made = _made()
    written = _json(made)
    assert "_ready" in vars(made)
    assert [trace.name for trace in made.data] == ["a"]  # checked by this look
    assert "_ready" not in vars(made)
    assert _json(made) == written


@pytest.mark.parametrize(
    "array",
    [
        X,
        X[::2],
        X[:0],
        np.arange(3),
        np.arange(3) + 10**12,
        X.astype(np.float32),
        np.array(["<b>", "b"]),
        np.eye(2),
        X > 0,
        X.astype(">f8"),
    ],
    ids=lambda array: f"{array.dtype} {array.shape}",
)
def test_every_array_is_written_as_plotly_writes_it(array: Any) -> None:
    spec = {
        "data": [{"type": "scatter", "x": array, "customdata": array, "ids": None, "marker": {"size": (1, 2.5, 3)}}],
        "layout": {},
    }
    assert _json(Drawn(copy.deepcopy(spec))) == _json(go.Figure(copy.deepcopy(spec)))


@pytest.mark.parametrize(
    "again", [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy, go.Figure], ids=["pickled", "copied", "made by plotly"]
)
def test_a_copy_is_the_same_figure(again: Callable[[Any], Any]) -> None:
    made = _made()
    assert _json(again(made)) == _json(_made()) == _json(made)
    assert made == _made()


def test_what_is_done_to_a_written_figure_changes_no_other() -> None:
    before, made = _json(_made()), _made()
    written = made.to_dict()
    written["layout"]["template"]["layout"].clear()
    written["layout"]["xaxis"].clear()
    written["data"].clear()
    assert _json(made) == _json(_made()) == before


@pytest.mark.parametrize("colour", drawn.DARK_INKS)
def test_on_a_dark_ground_every_colour_of_the_palette_is_that_of_dark_grounds_and_no_text_is_changed(colour: str) -> None:
    dark = drawn.DARK_INKS[colour]
    said = f'{colour} <span style="color:{colour}">a</span>'
    traces = [
        line(said, X, X, colour, fill="toself", fillcolor=drawn.faded(colour, 0.25)),
        drawn.scatter("b", X, X, {"color": [colour, "#123456", colour], "line": {"color": colour}}),
    ]
    shade = {"type": "rect", "x0": 0, "x1": 1, "y0": 0, "y1": 1, "fillcolor": drawn.faded(colour, 0.14)}
    made = figure(traces, x={"title": {"text": colour + " x"}, "range": [0, 1]}, y={"range": [0, 1]}, shapes=[shade])
    before = json.loads(made.to_json())
    inked = drawn.inked(made)
    assert (inked.data[0].line.color, inked.data[0].fillcolor) == (dark, drawn.faded(dark, 0.25))
    assert (list(inked.data[1].marker.color), inked.data[1].marker.line.color) == ([dark, "#123456", dark], dark)
    assert inked.layout.shapes[0].fillcolor == drawn.faded(dark, 0.14)
    assert (inked.data[0].name, inked.layout.xaxis.title.text) == (drawn.shown(said), colour + " x")
    assert json.loads(made.to_json()) == before
