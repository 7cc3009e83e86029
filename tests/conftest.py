"""Plotly checks every figure that any test makes, which the app itself writes unchecked; and each is written as SVG."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import plotly.graph_objects as go
import plotly.io
import pytest

from pages.charts.drawn import Drawn
from pages.charts.encoded import plain
from pages.charts.svg import svg
from tests.slowness import checks


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--keep-figures", type=Path, help="write every figure to this file with its test, and check none")


_HEAVY = ("dp_accounting", "opendp.prelude", "pandas", "scipy.stats", "sklearn.svm", "streamlit.testing.v1")


@pytest.fixture(autouse=True, scope="session")
def _imports_are_nobodys_time() -> None:
    """What a test takes is its own: libraries that load for seconds are there before the first one."""
    for name in _HEAVY:
        importlib.import_module(name)


@pytest.fixture(autouse=True, scope="session")
def _figures_are_checked(request: pytest.FixtureRequest) -> Iterator[None]:
    made = Drawn.__init__
    seen = set[str]()
    kept: Path | None = request.config.getoption("keep_figures")
    by_text: dict[str, str] = {}

    def checked(self: Drawn, ready: dict[str, Any], moves: Any = ()) -> None:
        made(self, ready, moves)
        with checks():
            if kept is None:
                check(self, ready)
            elif "margin" in ready["layout"]:
                by_text.setdefault(json.dumps(plain(ready)), os.environ["PYTEST_CURRENT_TEST"])

    def check(one: Drawn, ready: dict[str, Any]) -> None:
        text = plotly.io.to_json(one)
        if text in seen:
            return
        right = go.Figure(deepcopy(ready), skip_invalid=False)
        assert json.loads(text) == json.loads(plotly.io.to_json(right))
        seen.add(text)
        if "margin" in ready["layout"]:  # as each has that pages.charts makes
            fromstring(svg(one, alt="what it shows"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Drawn, "__init__", checked)
        yield
    if kept is not None:
        kept.write_text(json.dumps(list(by_text.items())))
