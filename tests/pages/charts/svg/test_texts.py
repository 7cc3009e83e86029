"""What is from outside is text, whatever it says; and many pictures stand in one page."""

from __future__ import annotations

import re
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest

from pages.old.charts.drawn import BLUE, DARK_INKS, figure, scatter
from pages.old.charts.svg import Theme, svg
from tests.pages.charts.svg.drawing import lines_of
from tests.pages.charts.svg.drawn_figures import TAG, made, parsed, texts

EVIL = '</text><script>alert(1)</script><b>&amp;"\'\x00\ud800 <a href="x">'
SEEN = '</text><script>alert(1)</script><b>&amp;"\'\ufffd\ufffd <a href="x">'
X = np.array([0.0, 1.0])


def test_every_text_from_outside_is_shown_as_it_is() -> None:
    """A figure's own texts are escaped where it is made; the words given here are escaped by the writer."""
    traces = [scatter(EVIL, [EVIL, "b"], X, {"color": BLUE}), {"type": "bar", "name": "b", "x": [EVIL, "b"], "y": [1, 2]}]
    one = figure(traces, x={"title": {"text": EVIL}, "type": "category"}, y={"title": {"text": EVIL}}, showlegend=True)
    text = svg(one, alt=EVIL, title=EVIL, note=EVIL, width=4_000)
    root = fromstring(text)
    said = ["".join(part.itertext()) for part in root.iter(f"{TAG}text")]
    assert said.count(SEEN) == 6  # the title, a name in the legend, a category, two axes, and the note
    assert [root.findtext(f"{TAG}title"), root.findtext(f"{TAG}desc")] == [SEEN, SEEN]
    assert {part.tag for part in root.iter()} <= {
        TAG + tag for tag in ("svg", "title", "desc", "rect", "g", "path", "text", "tspan")
    }
    assert "script" not in re.sub("&lt;/?script", "", text)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a<br>b", ["a", "b"]),
        ("a <br/>b", ["a ", "b"]),
        ("a < b > c", ["a < b > c"]),
        ("<u>x</u>", ["<u>x</u>"]),
        ("", [""]),
        ("</b>x", ["x"]),
        ("<b>x", ["x"]),
        ("&lt;br&gt;", ["<br>"]),
        ("<b><sup>x</sup>y</b>", ["xy"]),
    ],
)
def test_what_is_no_known_tag_is_text(text: str, lines: list[str]) -> None:
    assert ["".join(run["letters"] for run in line) for line in lines_of(text)] == lines


def test_forty_in_one_page_do_not_touch_one_another() -> None:
    text = svg(made([{"mode": "lines+markers", "x": X, "y": X}]), alt="a")
    assert not re.search(r'\s(id|class|href|style|xlink:href|clip-path)="|<style|url\(', text)


def test_the_words_for_who_does_not_see() -> None:
    one = made([{"mode": "lines", "x": X, "y": X}])
    root = parsed(one)
    assert (root.attrib["role"], root[0].tag, root[0].text) == ("img", f"{TAG}title", "what it shows")
    titled = parsed(one, title="Its title")
    assert [titled[0].text, titled[1].tag, titled[1].text] == ["Its title", f"{TAG}desc", "what it shows"]


def test_the_legend_names_what_is_drawn_and_no_more() -> None:
    one = {"mode": "lines", "x": X, "y": X}
    hidden, empty = one | {"name": "hidden", "showlegend": False}, one | {"name": "empty", "x": [], "y": []}
    both = made([one | {"name": "a"}, one | {"name": "b", "x": [None], "y": [None]}, hidden, empty], showlegend=None)
    assert [text for text in texts(both) if text in ("a", "b", "hidden", "empty")] == ["a", "b"]
    assert "a" not in texts(made([one | {"name": "a"}], showlegend=None))  # alone it needs none
    assert "a" in texts(made([one | {"name": "a"}], showlegend=True))


def test_each_colour_can_be_read_on_its_ground() -> None:
    """WCAG 2.2, 1.4.11: 3 : 1 on light; 4.5 : 1 on dark."""
    for light, dark in DARK_INKS.items():
        assert _contrast(dark, Theme.DARK.ground) >= 4.5
        assert _contrast(light, Theme.LIGHT.ground) >= 3


def _contrast(one: str, other: str) -> float:
    bright, faint = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (faint + 0.05)


def _luminance(colour: str) -> float:
    shares = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
