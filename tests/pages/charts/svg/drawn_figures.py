"""What tests of the writer draw, and what they read in it."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element, fromstring

from pages.old.charts.drawn import Drawn, figure
from pages.old.charts.svg import svg

TAG = "{http://www.w3.org/2000/svg}"
MARGIN = {"l": 60, "r": 20, "t": 50, "b": 40}
WIDE, HIGH = 480, 290  # so that the plot is 400 by 200, from (60, 50) on
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")


def made(traces: list[dict[str, Any]], x: dict[str, Any] | None = None, y: dict[str, Any] | None = None, **layout: Any) -> Drawn:
    """A figure whose plot is 400 pixels wide and 200 high, without a legend unless it asks for one."""
    return figure(
        [{"type": "scatter"} | trace for trace in traces],
        x=x or {},
        y=y or {},
        **({"margin": MARGIN, "showlegend": False} | layout),
    )


def parsed(one: Drawn, **more: Any) -> Element:
    """Its SVG, read by an XML parser."""
    return fromstring(svg(one, alt="what it shows", **({"width": WIDE, "height": HIGH} | more)))


def paths(one: Drawn, **attributes: str) -> list[str]:
    """The ``d`` of every path that has these attributes; _ stands for - in their names."""
    wanted = {name.replace("_", "-"): value for name, value in attributes.items()}
    found = parsed(one).iter(f"{TAG}path")
    return [path.attrib["d"] for path in found if all(path.get(name) == value for name, value in wanted.items())]


def texts(one: Drawn, **more: Any) -> list[str]:
    """Every text, without its tags."""
    return ["".join(text.itertext()) for text in parsed(one, **more).iter(f"{TAG}text")]


def points(d: str) -> list[tuple[float, float]]:
    """The corners of a line that is written as M, and l with steps."""
    at: list[tuple[float, float]] = []
    for letter, rest in re.findall(r"([Mlh])([^a-zA-Z]*)", d):
        values = [float(number) for number in _NUMBER.findall(rest)]
        if letter == "M":
            at.append((values[0], values[1]))
        elif letter == "l":
            for right, down in zip(values[::2], values[1::2], strict=True):
                at.append((at[-1][0] + right, at[-1][1] + down))
    return at
