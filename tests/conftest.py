"""Plotly checks every figure that any test makes: the app itself writes them unchecked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import plotly.graph_objects as go
import plotly.io
import pytest

from dpcore.plots.drawn import Drawn


@pytest.fixture(autouse=True, scope="session")
def _figures_are_checked() -> Iterator[None]:
    made = Drawn.__init__

    def checked(self: Drawn, ready: dict[str, Any]) -> None:
        made(self, ready)
        right = go.Figure(deepcopy(ready), skip_invalid=False)
        assert json.loads(plotly.io.to_json(self)) == json.loads(plotly.io.to_json(right))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Drawn, "__init__", checked)
        yield
