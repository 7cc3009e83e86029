"""How lines and areas look, as attributes."""

from __future__ import annotations

from typing import Any

from dpcore.plots.svg.paths import number
from dpcore.plots.svg.refused import NotDrawnError
from dpcore.plots.svg.values import colour

_DASHES = {  # in widths of the line, of a line of at least 3 pixels
    "solid": (),
    "dot": (1, 1),
    "dash": (3, 3),
    "longdash": (5, 5),
    "dashdot": (3, 1, 1, 1),
    "longdashdot": (5, 2, 1, 2),
}
_LEAST = 3.0


def paint(kind: str, value: Any, times: float = 1.0) -> str:
    """A fill or a stroke, with how opaque it is."""
    name, opacity = colour(value)
    opacity *= times
    more = f' {kind}-opacity="{number(opacity)}"' if opacity < 1 and name != "none" else ""
    return f' {kind}="{name}"{more}'


def fill(look: dict[str, Any], times: float = 1.0) -> str:
    """Of an area, by its ``color`` and ``opacity``."""
    opacity = look.get("opacity")
    return paint("fill", look.get("color") or "#444444", times * (1.0 if opacity is None else float(opacity)))


def line_look(line: dict[str, Any]) -> str:
    """Of a line, by its ``color``, ``width`` and ``dash``; nothing for a line of no width."""
    width = float(line.get("width", 2))
    if width <= 0:
        return ""
    dashes = dash(line.get("dash") or "solid", width)
    more = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f' fill="none"{paint("stroke", line.get("color") or "#444444")} stroke-width="{number(width)}"{more}'


def dash(name: str, width: float) -> str:
    """Lengths of dashes and gaps in pixels: of a style that has a name, or as they are given."""
    if name in _DASHES:
        return " ".join(number(part * max(width, _LEAST)) for part in _DASHES[name])
    try:
        return " ".join(number(float(part.strip().removesuffix("px"))) for part in name.split(","))
    except ValueError:
        raise NotDrawnError("line.dash", name) from None
