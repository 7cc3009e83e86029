"""Plotly checks every figure that any test makes, which the app itself writes unchecked; and each is written as SVG."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any
from xml.etree.ElementTree import fromstring

import plotly.graph_objects as go
import plotly.io
import pytest

from pages.charts.drawn import Drawn
from pages.charts.svg import svg
from tests.slowness import checks

_HEAVY = ("dp_accounting", "opendp.prelude", "pandas", "scipy.stats", "sklearn.svm", "streamlit.testing.v1")


@pytest.fixture(autouse=True, scope="session")
def _imports_are_nobodys_time() -> None:
    """What a test takes is its own: libraries that load for seconds are there before the first one."""
    for name in _HEAVY:
        importlib.import_module(name)


@pytest.fixture(autouse=True, scope="session")
def _figures_are_checked() -> Iterator[None]:
    made = Drawn.__init__
    seen = set[str]()

    def checked(self: Drawn, ready: dict[str, Any], moves: Any = ()) -> None:
        made(self, ready, moves)
        with checks():
            check(self, ready)

    def check(one: Drawn, ready: dict[str, Any]) -> None:
        right = go.Figure(deepcopy(ready), skip_invalid=False)
        text = plotly.io.to_json(one)
        assert json.loads(text) == json.loads(plotly.io.to_json(right))
        if "margin" in ready["layout"] and text not in seen:  # as each has that pages.charts makes
            seen.add(text)
            fromstring(svg(one, alt="what it shows"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Drawn, "__init__", checked)
        yield
