"""Plotly checks the figures that tests make, which the app itself writes unchecked.

Of figures that differ only in their numbers, the first of a process is checked: there are thousands, of a few hundred shapes.
"""

from __future__ import annotations

import importlib
import math
import os
import re
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from xdist.scheduler.loadfile import LoadFileScheduling

from pages.figures.theme import Chart


class ByFileAndBrowser(LoadFileScheduling):
    """Tests of one file share a worker, and so do all tests in a browser: beside each other, each takes five times as long."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return _BROWSER if file.startswith(_BROWSER) else file


@pytest.hookimpl(optionalhook=True)  # without xdist there is nothing to give
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling:
    """Give groups of tests to the workers."""
    return ByFileAndBrowser(config, log)


_BROWSER = "tests/browser/"
os.environ.setdefault("DPCORE_SQL", "1")  # SQL is tested, as on the computer of “make app”
_HEAVY = ("dp_accounting", "opendp.prelude", "pandas", "scipy.stats", "sklearn.svm", "streamlit.testing.v1")
_DIGITS = re.compile(r"\d[\d.,]*")


@pytest.fixture(autouse=True, scope="session")
def _heavy_imports() -> None:
    """Import the slow libraries first, so that a test that measures time does not measure imports."""
    for name in _HEAVY:
        importlib.import_module(name)


@pytest.fixture(autouse=True, scope="session")
def _figures_are_checked() -> Iterator[None]:
    made = Chart.figure
    seen = set[Hashable]()

    def checked(self: Chart, *given: Any, **named: Any) -> dict[str, Any]:
        figure = made(self, *given, **named)
        if (shape := shape_of(figure)) not in seen:
            go.Figure(figure, skip_invalid=False)
            seen.add(shape)
        return figure

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Chart, "figure", checked)
        yield


def shape_of(part: Any) -> Hashable:
    """Its properties, words and colours; the kinds in a list; of a number whether it is finite, negative, 0, or above 1."""
    if isinstance(part, dict):
        return tuple((name, shape_of(value)) for name, value in part.items())
    if isinstance(part, np.ndarray):
        finite = part.dtype.kind != "f" or bool(np.isfinite(part).all())
        return part.dtype.kind, part.ndim, part.size > 0, finite
    if isinstance(part, list | tuple):
        return frozenset(map(shape_of, part))
    if isinstance(part, str):
        return _DIGITS.sub("0", part)
    if part is None or isinstance(part, bool | np.bool_):
        return str(part)
    size = float(part)
    return math.isfinite(size) and (size > 0) - (size < 0) + (size > 1)
