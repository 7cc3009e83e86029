"""The slide as SVG: it fills its size, its smallest type can be read in a meeting, its dots are on one axis or on several."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, fromstring

import numpy as np
import pytest
from pages.charts.slide import HEIGHT, NARROW, WIDTH, Row, Slide, on_one_axis, picture

from pages.charts.fifty_dots import fifty_dots
from pages.charts.svg import Theme

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '<script>alert(1)</script> & "x" \x00 \x1b[0m'


def dots(scale: float, raw: float = 1.0) -> Any:
    """Fifty answers around one, as far off as that."""
    return fifty_dots(raw, scale * np.linspace(-1, 1, 50), off=0.9 * scale, unit="years")


def slide(many: int = 3, *, shared: bool = True, label: str = "ε = {}") -> Slide:
    """So many rows, each more accurate than the one before."""
    figures = [dots(2.0**-i) for i in range(many)]
    rows = tuple(
        Row(
            label=label.format(i),
            promise=f"pure DP, ε = {i}",
            reach=f"± {i} years",
            guesser=f"a guesser is right {i} in 100",
            dots=one,
        )
        for i, one in enumerate(on_one_axis(figures) if shared else figures)
    )
    notes = ("What the dots are.", "Not protected: up to 1 in 20.", "public table, simulated noise: may be published")
    return Slide(title="The conclusion", says=("Mean of time",), rows=rows, notes=notes, shared=shared)


def _texts(root: Element) -> list[Element]:
    return list(root.iter(f"{SVG}text"))


def _said(root: Element) -> list[str]:
    return ["".join(one.itertext()) for one in _texts(root)]


@pytest.mark.parametrize("many", [1, 2, 3, 8])
def test_it_is_1920_by_1080_and_no_type_is_smaller_than_24(many: int) -> None:
    root = fromstring(picture(slide(many)))
    assert (root.attrib["width"], root.attrib["height"]) == (str(WIDTH), str(HEIGHT)) == ("1920", "1080")
    assert min(float(one.attrib["font-size"]) for one in _texts(root)) >= 24
    said = _said(root)
    assert said[0] == "The conclusion"
    assert said[-3:] == list(slide().notes)
    for row in slide(many).rows:
        assert {*row.left, *row.right} <= set(said)


def test_another_size_is_filled_too_and_a_theme_changes_its_colours_alone() -> None:
    light, dark = (fromstring(picture(slide(), width=1810, height=928, theme=theme)) for theme in (Theme.LIGHT, Theme.DARK))
    assert light.attrib["height"] == "928"
    assert _said(light) == _said(dark)
    assert light.attrib["fill"] != dark.attrib["fill"]
    assert Theme.DARK.ground not in picture(slide(), theme=Theme.DARK, ground="none")


def test_a_narrow_one_has_its_words_above_its_dots_and_says_the_same() -> None:
    wide, narrow = (fromstring(picture(slide(), width=width)) for width in (WIDTH, NARROW))
    assert narrow.attrib["width"] == "720"
    assert float(narrow.attrib["height"]) > NARROW
    assert min(float(one.attrib["font-size"]) for one in _texts(narrow)) >= 24
    assert set(_said(wide)) - {"0.5", "1.5"} <= set(_said(narrow)) | {"0", "1", "2"}


def test_all_dots_on_one_axis_have_one_row_of_numbers_and_else_each_its_own() -> None:
    shared, apart = (_said(fromstring(picture(slide(shared=shared)))) for shared in (True, False))
    assert shared.count("what may be published (years)") == 1
    assert shared.count("1") == 1
    assert "what may be published (years)" not in apart
    assert apart.count("1") == 3
    figures = on_one_axis([dots(1.0), dots(0.01, raw=3.0)])
    assert len({tuple(one.ready()["layout"]["xaxis"]["range"]) for one in figures}) == 1
    low, high = figures[0].ready()["layout"]["xaxis"]["range"]
    assert low < 0
    assert high > 3


def test_what_comes_from_outside_is_text() -> None:
    text = picture(slide(label=HOSTILE))
    assert "<script" not in text
    root = fromstring(text)
    assert any("<script>alert(1)</script>" in one.replace(" ", "") for one in _said(root))


def test_a_row_without_an_answer_says_why_and_one_without_dots_has_words_alone() -> None:
    rows = (
        Row(label="A", why="Its table is not here any more."),
        Row(label="B", promise="pure DP, ε = 1", reach="right 9 times in 10"),
    )
    root = fromstring(picture(Slide(title="t", says=(), rows=rows, notes=("n",), shared=True)))
    assert _said(root) == ["t", "A", "Its table is not here any more.", "B", "pure DP, ε = 1", "right 9 times in 10", "n"]
    assert root.attrib["height"] == "1080"


def test_its_description_says_all_of_it() -> None:
    made = slide()
    for part in (made.title, *made.says, *(word for row in made.rows for word in (*row.left, *row.right)), *made.notes):
        assert part.rstrip(".") in made.alt
