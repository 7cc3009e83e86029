"""What comes from outside and is odd: hostile names, numbers that are none, and too many of them.

Each is tried on several builders: the figure is drawn by the server's renderer as text and marks, within what a browser can take.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import numpy as np
import pytest

from pages.old.charts.drawn import BLUE, MOST_POINTS, Drawn
from pages.old.charts.groups import Whiskers, groups
from pages.old.charts.lessons import curves, rows
from pages.old.charts.named import Room, named
from pages.old.charts.svg import svg

HOSTILE = ("<img src=x onerror=alert(1)>", "</text><script>x</script>", "&lt;b&gt; & ]]>", "a\u202eb", '" onload="x', "x" * 300)
OURS = {"svg", "title", "desc", "rect", "g", "path", "text", "tspan"}
TAG = "{http://www.w3.org/2000/svg}"


def _drawn(one: Drawn) -> Element:
    """Its picture. There is none with an element that is not ours, or a number that is none."""
    text = svg(named(one, Room(640, 400, 12))[0], alt="what it shows")
    root = fromstring(text)
    assert {element.tag.removeprefix(TAG) for element in root.iter()} <= OURS
    assert "NaN" not in text.replace("what it shows", "")
    assert "Infinity" not in text
    return root


def _said(one: Drawn) -> set[str]:
    return {"".join(text.itertext()) for text in _drawn(one).iter(f"{TAG}text")}


def _groups(names: tuple[str, ...], values: Any, reaches: Any, *, from_zero: bool = False) -> Drawn:
    reach = Whiskers("reach", np.asarray(reaches, float), BLUE)
    return groups(names, np.asarray(values, float), [reach], name="a", colour=BLUE, from_zero=from_zero)


NAMED: dict[str, Callable[[str], Drawn]] = {
    "groups": lambda name: _groups((name, "b"), [1, 2], [1, 1]),
    "lines": lambda name: curves(((name, np.arange(3.0), np.arange(3.0)), ("b", np.arange(3.0), np.ones(3))), x=name, y=name),
    "rows": lambda name: rows(((name, np.arange(3.0)), ("b", np.arange(3.0))), (), x=name),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("builder", NAMED)
def test_a_hostile_name_is_text_wherever_it_stands(builder: str, name: str) -> None:
    made = NAMED[builder](name)
    said = " ".join(_said(made))
    beginning = name[:3] if len(name) > 40 or builder == "groups" else name
    assert beginning in said
    for trace in made.ready()["data"]:
        assert "<img" not in str(trace.get("name")), "plotly would read its tag"
        assert "<img" not in str(trace.get("customdata"))


ODD = np.array([1.0, np.nan, np.inf, -np.inf, 2.0, 1e9, -1e-9])
NUMBERS: dict[str, Callable[[Any], Drawn]] = {
    "groups": lambda values: _groups(tuple(map(str, range(len(values)))), values, np.abs(values)),
    "bars from 0": lambda values: _groups(tuple(map(str, range(len(values)))), values, np.ones(len(values)), from_zero=True),
    "lines": lambda values: curves((("a", np.arange(float(len(values))), values),), x="", y="", dots=(("b", values, values),)),
}


@pytest.mark.parametrize("values", [ODD, np.full(7, np.nan), np.full(7, np.inf), np.zeros(7)], ids=["mixed", "nan", "inf", "0"])
@pytest.mark.parametrize("builder", NUMBERS)
def test_what_is_no_number_is_left_out_of_the_picture(builder: str, values: Any) -> None:
    assert _said(NUMBERS[builder](values))


MANY = np.linspace(0, 1, 100_000)


LARGE: dict[str, Callable[[], Drawn]] = {
    "lines": lambda: curves((("a", MANY, MANY),), x="", y="", dots=(("b", MANY, MANY),)),
    "rows": lambda: rows((("a", MANY), ("b", MANY)), (), x=""),
    "groups": lambda: _groups(tuple(map(str, range(100_000))), MANY, MANY),
}


@pytest.mark.parametrize("builder", LARGE)
def test_a_hundred_thousand_points_are_drawn_with_a_thousand_at_most(builder: str) -> None:
    made = LARGE[builder]()
    assert max(len(trace["x"]) for trace in made.ready()["data"]) <= MOST_POINTS
    _drawn(made)
