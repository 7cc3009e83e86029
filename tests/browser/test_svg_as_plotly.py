"""A figure is the same by each renderer: as plotly draws it, as our module does in a page, and as the SVG of the server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import numpy as np
import plotly.io
import pytest
from playwright.sync_api import Browser, Page
from plotly.offline import get_plotlyjs

from dpcore import L1, Laplace, OperatingPoint, PureDP, oracles, sample_sensitivity, targets
from pages import charts
from pages.charts import answers as of_kinds
from pages.charts.answers.several import one_number
from pages.charts.bundle import script
from pages.charts.drawn import Drawn, figure
from pages.charts.groups import Whiskers, groups
from pages.charts.lessons import curves
from pages.charts.responses import responses
from pages.charts.svg import plain, svg
from pages.experiment.error_curve import error_curve
from tests.pages.charts.live.questions import EVERY
from tests.pages.charts.svg.drawing import axes, lines_of, run

pytestmark = pytest.mark.browser
_SIZE = {"width": 480, "height": 300}
_ASKED = "Click to enter"  # in place of a title that a figure does not have
_SEEN = """async ([data, layout]) => {
  await Plotly.newPlot("figure", data, layout, { staticPlot: true });
  const full = document.getElementById("figure")._fullLayout, seen = {};
  for (const name of Object.keys(full)) {
    if (/^[xy]axis\\d*$/.test(name) && full[name].visible) {
      seen[name] = [full[name].range, full[name]._vals.map(tick => tick.text)];
    }
  }
  return seen;
}"""


@cache
def _figures() -> dict[str, Any]:
    point = OperatingPoint.for_gamma(0.05)
    sample = sample_sensitivity(targets.Mean(), oracles.Exponential(rate=1.0), norm=L1, n=50, at=point, seed=1)
    noise = Laplace().calibrate(sample.sensitivity(), PureDP(epsilon=1.0))
    values = np.array([1.0, -0.4, 2.2])
    marks = {"type": "scatter", "mode": "markers", "name": "a", "x": np.geomspace(3e-4, 20, 9), "y": np.geomspace(2e5, 3, 9)}
    wide = {"type": "log", "dtick": 1, "exponentformat": "power"}
    return {
        "distances": charts.sensitivity_cdf(sample, unit="€"),
        "a density": responses(np.ones(1), noise, None),
        "bars": responses(values, noise, None, labels=("p", "q", "r"), bars=True),
        "shares": charts.miss(point),
        "trials": charts.operating_points(point, most_m=10_000),
        "orders": charts.orders(point),
        "groups": groups(("p", "q", "r"), values, [Whiskers("w", values, "#0072B2")], name="n", colour="#009E73", from_zero=True),
        "a number": one_number(12_345.0, 812.0, "€"),
        "small numbers": curves((("a", values * 1e-5, values),), x="x", y="y"),
        "digits": figure([marks], x={"type": "log", "nticks": 9}, y=wide),
        "narrow": figure(
            [marks | {"x": np.linspace(2, 9, 9)}],
            x={"type": "log"},
            y={"tickvals": [5.0, 20_000.0, 300_000.0], "type": "log"},
        ),
    }


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    page.set_content('<div id="figure"></div>')
    page.add_script_tag(content=get_plotlyjs())
    yield page
    page.close()


def _plain(text: Any) -> str:
    return "".join(run["letters"] for run in lines_of(str(text))[0])


def test_axes_are_those_of_plotly(page: Page) -> None:
    for name, one in _figures().items():
        own = axes(plain(one.ready()), _SIZE["width"], _SIZE["height"])
        written = json.loads(plotly.io.to_json(one, validate=False))
        seen = page.evaluate(_SEEN, [written["data"], written["layout"] | _SIZE | {"template": {}}])
        assert seen or name == "a number"
        for of_plotly, (shown, texts) in seen.items():
            axis = own[of_plotly[0] + of_plotly[5:]]
            near = 0.01 * abs(shown[1] - shown[0])
            assert axis["shown"] == pytest.approx(shown, abs=near), (name, of_plotly)
            assert [_plain(tick["text"]) for tick in axis["ticks"]] == [_plain(text) for text in texts], (name, of_plotly)


# Marks and words, of figures of every kind of answer.


_MARKS = """async ([data, layout]) => {
  await Plotly.newPlot("figure", data, layout, { staticPlot: true });
  const { _fullLayout: full, _fullData: traces, calcdata } = document.getElementById("figure");
  const axis = (name) => full[`${name[0]}axis${name.slice(1)}`];
  const marks = traces.map((trace, i) => {
    const [x, y] = [axis(trace.xaxis), axis(trace.yaxis)];
    const at = (one, value) => one._offset + one.c2p(value);
    if (trace.type === "bar") return calcdata[i].map(({ p0, p1, s0, s1 }) => [at(x, p0), at(x, p1), at(y, s0), at(y, s1)]);
    if (trace.type !== "scatter") return [];
    return calcdata[i].map(({ x: a, y: b }) => [at(x, a), at(y, b)]);
  });
  return { marks, titles: Object.keys(full).filter((name) => /^[xy]axis/.test(name)).map((name) => full[name].title?.text ?? ""),
    notes: (full.annotations ?? []).map(({ text }) => text), names: traces.map(({ name }) => name) };
}"""
_OURS = """
  const { axes, plots } = known.pictureOf(given.figure, given.wide, given.high);
  const found = given.figure.data.map(() => null);
  for (const { x, y, traces } of plots) {
    const bars = traces.filter(({ type }) => type === "bar");
    const taken = known.slots(bars, (values) => x.counted(values), given.figure.layout);
    for (const trace of traces) {
      const i = given.figure.data.indexOf(trace.given);
      if (trace.type === "bar") {
        const [left, right] = known.edges(trace, x.counted(trace.x), taken[bars.indexOf(trace)]).map((edge) => x.at(edge));
        found[i] = y.place(trace.y).map((top, j) => [left[j], right[j], y.at([0])[0], top]);
      } else if (trace.type === "scatter") {
        const ys = y.place(trace.y);
        found[i] = x.place(trace.x).map((at, j) => [at, ys[j]]);
      } else found[i] = [];
    }
  }
  return found;
"""
_TREE = """([figure, wide, high]) => {
  const { drawWith, layers, patch, pictureOf } = window.ours;
  drawWith(null, 1);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const theme = { grid: "#e3e4e8", ground: "#ffffff" };
  const bare = { ...figure, layout: { ...figure.layout, annotations: [] } };
  for (const one of [bare, figure]) patch(svg, layers(pictureOf(one, wide, high), theme)); // which changes what is there
  const named = ({ attributes }) => Object.fromEntries([...attributes].map(({ name, value }) => [name, value]));
  const tree = (one) => one.nodeType === 3 ? one.nodeValue : [one.localName, named(one), [...one.childNodes].map(tree)];
  return [...svg.childNodes].map(tree);
}"""


@cache
def _of_every_kind() -> dict[str, Any]:
    found = dict(_figures())
    for name, question in EVERY.items():
        shown = question.at(0.05, 0.5)
        found[f"{name}: answer"] = of_kinds.described(shown)[0]
        found[f"{name}: error"] = of_kinds.errors_of(shown, error_curve(shown), shown.error(shown.noise.law))[0]
        if (dots := of_kinds.dots(shown, question.leading(shown), 0.03)) is not None:
            found[f"{name}: dots"] = dots[0]
    return found


def _bare(one: Any) -> dict[str, Any]:
    """Without the legend, whose rows each renderer breaks by its own widths of letters."""
    ready: dict[str, Any] = one.ready()
    return plain(ready | {"layout": ready["layout"] | {"showlegend": False}})


def test_marks_and_words_are_plotly_s_to_a_pixel(page: Page) -> None:
    compared = 0
    for name, one in _of_every_kind().items():
        bare = _bare(one)
        wide, high = _SIZE["width"], _SIZE["height"]
        written = json.loads(plotly.io.to_json({"data": bare["data"], "layout": bare["layout"]}, validate=False))
        seen = page.evaluate(_MARKS, [written["data"], written["layout"] | _SIZE | {"template": {}}])
        ours = run(_OURS, figure=bare, wide=wide, high=high)
        for i, (of_plotly, own) in enumerate(zip(seen["marks"], ours, strict=True)):
            if own is None:
                continue  # one of nothing, which is in the legend alone
            wanted, found = (np.array([[np.nan if v is None else v for v in row] for row in rows]) for rows in (of_plotly, own))
            if not wanted.size:
                continue
            inside = np.isfinite(found).all(axis=1) & np.isfinite(wanted[: len(found)]).all(axis=1)
            assert np.abs(found[inside] - wanted[: len(found)][inside]).max(initial=0) <= 1, (name, i)
            compared += int(inside.sum())
        text = svg(one, alt=name, width=wide, height=high)
        said = {"".join(part.itertext()) for part in fromstring(text).iter("{http://www.w3.org/2000/svg}text")}
        for words in (*seen["titles"], *seen["notes"]):
            assert not words or words.startswith(_ASKED) or _plain(words) in said, (name, words)
        for trace, words in zip(one.ready()["data"], seen["names"], strict=True):
            if trace.get("showlegend") is not False and trace.get("type") != "heatmap" and len(one.ready()["data"]) > 1:
                assert _plain(words) in said, (name, words)
    assert compared > 5_000


def test_the_page_draws_the_nodes_that_the_server_writes(page: Page) -> None:
    names = ("drawWith", "layers", "patch", "pictureOf")
    page.evaluate("(text) => { window.ours = new Function(text)(); }", f"{script(*names)}return {{ {', '.join(names)} }};")
    for name, one in _of_every_kind().items():
        bare = _bare(one)
        drawn = page.evaluate(_TREE, [bare, _SIZE["width"], _SIZE["height"]])
        figure = Drawn({"data": one.ready()["data"], "layout": one.ready()["layout"] | {"showlegend": False}})
        root = fromstring(svg(figure, alt=name, width=_SIZE["width"], height=_SIZE["height"]))
        assert drawn == [_tree(part) for part in root][2:], name  # after its name and its ground


def _tree(one: Element) -> list[Any]:
    inside: list[Any] = [one.text] if one.text else []
    for part in one:
        inside += [_tree(part), *([part.tail] if part.tail else [])]
    return [one.tag.split("}")[1], dict(one.attrib), inside]
