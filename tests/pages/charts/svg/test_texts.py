"""What is from outside is text, whatever it says; and many pictures stand in one page."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest

from pages.charts.drawn import BLUE, DARK_INKS, VERMILION, figure, line, scatter
from pages.charts.icons import icons
from pages.charts.svg import Theme, sheet, svg
from pages.reports.document import Report
from pages.reports.html import html
from tests.pages.charts.svg.drawing import called, lines_of
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


def test_tags_that_figures_use_are_understood() -> None:
    note = {
        "x": 0,
        "y": 0,
        "showarrow": False,
        "text": "<b>bold</b> and ━<br>10<sup>−3</sup> &lt;b&gt;",
    }
    root = parsed(made([{"mode": "lines", "x": X, "y": X}], {"range": [0, 1]}, {"range": [0, 1]}, annotations=[note]))
    (text,) = [one for one in root.iter(f"{TAG}text") if "bold" in "".join(one.itertext())]
    spans = {"".join(span.itertext()): span.attrib for span in text.iter(f"{TAG}tspan")}
    assert spans["bold"]["font-weight"] == "700"
    assert float(spans["−3"]["dy"]) < 0 < float(spans[" <b>"]["dy"])
    assert "".join(text.itertext()) == "bold and ━10−3 <b>"


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


def test_wider_texts_are_wider() -> None:
    sizes = [called("width", text, 10) for text in ("", "i", "ii", "mm", "<b>mm</b>", "mmm<br>i", "日本語日本")]
    assert sizes == sorted(sizes)
    assert called("width", "10<sup>2</sup>", 10) < called("width", "102", 10)
    assert called("width", "Δ̂", 10) == called("width", "Δ", 10)  # a combining sign takes no room


def test_forty_in_one_page_do_not_touch_one_another() -> None:
    text = svg(made([{"mode": "lines+markers", "x": X, "y": X}]), alt="a")
    assert not re.search(r'\s(id|class|href|style|xlink:href|clip-path)="|<style|url\(', text)


def test_the_words_for_who_does_not_see() -> None:
    one = made([{"mode": "lines", "x": X, "y": X}])
    root = parsed(one)
    assert (root.attrib["role"], root[0].tag, root[0].text) == ("img", f"{TAG}title", "what it shows")
    titled = parsed(one, title="Its title")
    assert [titled[0].text, titled[1].tag, titled[1].text] == ["Its title", f"{TAG}desc", "what it shows"]


def test_a_title_and_what_is_said_stand_around_the_chart_which_keeps_its_height() -> None:
    one = made([{"mode": "lines", "x": X, "y": X}])
    plain, root = parsed(one), parsed(one, title="word " * 40, says="one sentence.\nanother one.", note="do not publish")
    assert plain.attrib["viewBox"] == "0 0 480 290"
    high = float(root.attrib["height"])
    title, *below = found = [part for part in root if part.tag == f"{TAG}text"]
    heights = [float(part.attrib["y"]) for part in found]
    assert 0 < heights[0] < 40
    assert len(title) >= 3  # the title goes on in further lines
    assert ["|".join(part.itertext()) for part in below] == ["one sentence.|another one.", "do not publish"]
    assert [part.get("font-weight") for part in found] == ["700", None, "700"]
    assert 290 + heights[0] < heights[1] < heights[2] < high
    assert root.findtext(f"{TAG}desc") == "what it shows one sentence.\nanother one."


def test_several_charts_are_one_picture() -> None:
    charts = [(made([{"mode": "lines", "x": X, "y": X * i}]), f"chart {i}", f"The {i}th") for i in range(1, 4)]
    root = fromstring(sheet(charts, width=800, height=200, columns=2, title="All", says="What they say."))
    assert root.attrib["viewBox"].startswith("0 0 800 ")
    assert 2 * 200 < float(root.attrib["height"]) < 2 * 200 + 120
    said = ["".join(part.itertext()) for part in root.iter(f"{TAG}text")]
    assert [text for text in said if text.startswith("The ")] == ["The 1th", "The 2th", "The 3th"]
    places = [part.attrib["transform"] for part in root if "transform" in part.attrib]
    assert len({place.split()[0] for place in places}) == 2
    assert root.findtext(f"{TAG}desc") == "chart 1 chart 2 chart 3 What they say."


def test_themes() -> None:
    one = made([{"mode": "lines", "name": "a", "x": X, "y": X, "line": {"color": BLUE}}])
    seen: dict[Theme, Any] = {theme: parsed(one, theme=theme) for theme in Theme}
    for theme, root in seen.items():
        assert root.attrib["fill"] == theme.ink
        assert root.find(f"{TAG}rect").attrib["fill"] == theme.ground
        assert any(path.get("stroke") == theme.grid for path in root.iter(f"{TAG}path"))
        assert any(path.get("stroke") == theme.inks.get(BLUE, BLUE) for path in root.iter(f"{TAG}path"))
    assert Theme.PAGE.ink == f"var(--ink, {Theme.LIGHT.ink})"
    assert Theme.PAGE.ground == "var(--ground, transparent)"


def test_pictures_are_small() -> None:
    x = np.linspace(0, 1, 1_000)
    noisy = line("a", x, np.random.default_rng(3).normal(size=1_000), BLUE)
    assert len(svg(figure([noisy], x={}, y={}), alt="a")) <= 14_000
    smooth = line("a", x, np.sin(9 * x), BLUE)
    text = svg(figure([smooth], x={}, y={}), alt="a")
    assert len(text) <= 10_000
    assert not re.search(r"\d\.\d{3}", text)


def test_many_names_make_it_higher_and_hide_nothing() -> None:
    traces = [line(f"a rather long name of series {i}", X, X, BLUE) for i in range(30)]
    root = fromstring(svg(figure(traces, x={}, y={}), alt="a", width=360, height=300))
    high = float(root.attrib["height"])
    assert high > 500
    assert all(0 < float(text.attrib["y"]) < high for text in root.iter(f"{TAG}text"))


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


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
@pytest.mark.parametrize("colour", [BLUE, VERMILION])
def test_icons_can_be_told_from_their_ground_and_filled_ones_from_rings(theme: Theme, colour: str) -> None:
    rings, filled = parsed(icons(50, "50", "if you are in", colour)[0], theme=theme).iter(f"{TAG}path")
    assert (rings.attrib["fill"], "stroke" in filled.attrib) == ("none", False)
    for mark in (rings.attrib["stroke"], filled.attrib["fill"]):
        assert _contrast(mark, theme.ground) >= (3 if theme is Theme.LIGHT else 4.5)


def _contrast(one: str, other: str) -> float:
    bright, faint = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (faint + 0.05)


def _luminance(colour: str) -> float:
    shares = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_files_that_pictures_stand_in_have_the_colours_of_the_dark_palette() -> None:
    written = html(Report("", "", (), ""))
    for light in DARK_INKS:
        name, other = re.fullmatch(r"var\((--\w+), (#\w+)\)", Theme.PAGE.inks[light]).groups()
        assert other == light
        assert f"{name}: {DARK_INKS[light]};" in written
