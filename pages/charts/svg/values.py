"""Values of a figure as numbers and texts, however they were given."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.errors import DpcoreError

# What this writer refuses to draw, as it would draw it wrongly.


T = TypeVar("T")


@dataclass(eq=False)
class NotDrawnError(DpcoreError, ValueError):
    """A property of a figure, or a value of one, that the writer of SVG does not know."""

    what: str
    got: object

    def __str__(self) -> str:
        return (
            f"The SVG of a figure must use what pages.charts.svg can draw; got {self.what} = {self.got!r:.80}. "
            "Leave it out of the figure, or teach pages.charts.svg to draw it."
        )


def one_of(known: Mapping[str, T], got: Any, what: str) -> T:
    """What a name stands for; NotDrawnError for one that is not known."""
    if not isinstance(got, str) or got not in known:
        raise NotDrawnError(what, got)
    return known[got]


_COLOUR = re.compile(r"#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?\Z|[a-z]+\Z")
_RGB = re.compile(r"rgba?\(\s*([\d.]+)\s*,\s*([\d.]+)\s*,\s*([\d.]+)\s*(?:,\s*([\d.]+)\s*)?\)\Z")


def given(part: Any) -> Any:
    """The same without what is None, which says that it is not given."""
    if isinstance(part, dict):
        return {name: given(value) for name, value in part.items() if value is not None}
    return [given(one) for one in part] if isinstance(part, (list, tuple)) and part and isinstance(part[0], dict) else part


def unpacked(values: Any) -> Any:
    """An array that plotly has written as the text of its bytes; all else as it is."""
    if not (isinstance(values, dict) and "bdata" in values):
        return values
    flat = np.frombuffer(b64decode(values["bdata"]), dtype=values["dtype"])
    shape = values.get("shape")
    return flat if shape is None else flat.reshape([int(size) for size in str(shape).split(",")])


def numbers(values: Any, what: str = "values") -> FloatArray:
    """As float64; None is NaN. NotDrawnError for what is no number."""
    values = unpacked(values)
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise NotDrawnError(what, values) from None


def count(values: Any) -> int:
    """How many values there are; 0 where none were given."""
    values = unpacked(values)
    return 0 if values is None else len(values)


def several(value: Any) -> bool:
    """Whether it is one value a point."""
    return isinstance(value, (list, tuple, np.ndarray)) or (isinstance(value, dict) and "bdata" in value)


def each(value: Any, size: int) -> list[Any]:
    """One value a point, of one that is the same for all too."""
    return list(unpacked(value)) if several(value) else [value] * size


def colour(value: Any) -> tuple[str, float]:
    """A colour and how opaque it is. Only what is a colour: it stands in an attribute."""
    text = str(value)
    if _COLOUR.match(text):
        return ("none", 0.0) if text == "transparent" else (text, 1.0)
    found = _RGB.match(text)
    if found is None:
        raise NotDrawnError("a colour", value)
    red, green, blue = (min(255, round(float(found[i]))) for i in (1, 2, 3))
    return f"#{red:02x}{green:02x}{blue:02x}", float(found[4] or 1)
