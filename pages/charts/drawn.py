"""A figure as the dict that it is sent as: plotly checks it where somebody looks into it, and in the tests."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import lru_cache
from typing import Any, final

import numpy as np
import plotly.graph_objects as go
import plotly.io
from _plotly_utils.utils import is_skipped_key, to_typed_array_spec


@final
class Drawn(go.Figure):
    """A plotly figure from a ready dict of ``data`` and ``layout``; its JSON is that of the same figure, checked.

    Plotly needs longer to check the properties of a figure than a redraw needs for all else. So they are checked at the first
    look into the figure, or at its first change, and not where it is only written. The tests check every figure that they make.
    """

    def __init__(self, ready: dict[str, Any]) -> None:
        self.__dict__["_ready"] = ready

    def __getattr__(self, name: str) -> Any:
        """What a checked figure has. Python asks here only for what is not there: so the figure was not checked yet."""
        ready = self.__dict__.pop("_ready", None)
        if ready is None:
            raise AttributeError(f"a figure has no attribute {name!r}", name=name, obj=self)
        try:
            super().__init__(ready, skip_invalid=False)
        except ValueError:
            self.__dict__["_ready"] = ready
            raise
        return getattr(self, name)

    def ready(self) -> dict[str, Any]:
        """Its ``data`` and ``layout``, to make another figure of: not to be changed."""
        ready: dict[str, Any] | None = self.__dict__.get("_ready")
        return dict(self.to_plotly_json()) if ready is None else ready

    def to_dict(self) -> dict[str, Any]:
        """A copy as plotly writes it: arrays as text of their bytes, and the default template where there is no other."""
        ready = self.__dict__.get("_ready")
        if ready is None:
            return dict(super().to_dict())
        written: dict[str, Any] = _written(ready)
        if "template" not in written["layout"] and (template := _template(plotly.io.templates.default)) is not None:
            written["layout"]["template"] = json.loads(template)
        return written


def _written(part: Any) -> Any:
    """As plotly writes it; a property that is None is one that was not given."""
    if isinstance(part, dict):
        given = ((key, value) for key, value in part.items() if value is not None)
        return {key: value if is_skipped_key(key) else _written(value) for key, value in given}
    if isinstance(part, (list, tuple)):
        return [_written(item) for item in part]
    return _bytes(part) if isinstance(part, np.ndarray) else part


def _bytes(array: Any) -> Any:
    """As plotly writes an array, which takes it long to recognise; nearly all arrays here are plain ones of numbers."""
    if array.dtype == np.float64 and array.ndim == 1 and array.size:
        return {"dtype": "f8", "bdata": b64encode(array.tobytes()).decode("ascii")}
    return to_typed_array_spec(array)


@lru_cache(maxsize=8)
def _template(name: str | None) -> str | None:
    """A template's properties as text, from which a copy is made quickly."""
    return None if name is None else json.dumps(plotly.io.templates[name].to_plotly_json())
