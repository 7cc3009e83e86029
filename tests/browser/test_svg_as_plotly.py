"""Every figure that tests of the charts make is the same by plotly, by our module in a page, and in the SVG of the server."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from plotly.offline import get_plotlyjs

from pages.charts.bundle import script
from pages.charts.drawn import Drawn
from pages.charts.svg import svg

pytestmark = pytest.mark.browser
_WIDE, _HIGH = 480, 196  # pixels of a picture, and of its plot
_BEYOND_PLOTLY = ("the largest floats", "the smallest floats", "no cell")  # which ours draws, and plotly does not
_OF_ONE_TEST = 12  # figures, at most: those of a test with more differ in a number or a word
_NO_LETTER = re.compile(
    r"\\u(?:000[0-8bcef]|001.|d[89a-f]..)"
)  # as JSON has those that no XML has: the server writes them as missing
_TESTS = ["tests/pages/charts", "tests/pages/live", "tests/pages/experiment/test_matrix_and_loadings.py"]
_ROOT = Path(__file__).parents[2]
_NAMES = ("NotDrawn", "drawWith", "edges", "ends", "layers", "linesOf", "patch", "pictureOf", "slots")
_COMPARED = """async ([figure, bare, text, wide, high]) => {
  const { drawWith, edges, ends, layers, linesOf, patch, pictureOf, slots } = window.ours;
  const wrong = [], near = (one, other) => Math.abs(one - other) <= 1;
  const letters = (text) => linesOf(text).flat().map((run) => run.letters).join("");
  let marks = 0;

  const given = structuredClone(bare);
  const size = { width: wide, height: high, template: {} };
  await Plotly.newPlot("figure", given.data, { ...given.layout, ...size }, { staticPlot: true });
  const { _fullLayout: full, _fullData: theirs, calcdata } = document.getElementById("figure");
  const axisOf = (name) => full[`${name[0]}axis${name.slice(1)}`];

  drawWith(null, 1);
  const theme = { grid: "#e3e4e8", ground: "#ffffff" };
  patch(window.whole, layers(pictureOf(figure, wide, high), theme));
  const picture = pictureOf(bare, wide, high);
  patch(window.svg, layers(picture, theme)); // over the figure before
  const server = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  for (const one of [server, window.svg]) one.normalize();
  const [written, drawn] = [[...server.childNodes].slice(2), [...window.svg.childNodes]]; // without its name and its ground
  if (written.length !== drawn.length) wrong.push(["nodes", written.length, drawn.length]);
  const other = written.findIndex((one, i) => drawn[i] && !one.isEqualNode(drawn[i]));
  if (other >= 0) wrong.push(["node", written[other].outerHTML, drawn[other].outerHTML]);

  for (const name of Object.keys(full).filter((name) => /^[xy]axis\\d*$/.test(name) && full[name].visible)) {
    const [axis, own] = [full[name], picture.axes[name[0] + name.slice(5)]];
    const along = (one, other) => one[1] - other[1];
    const ticks = axis._vals.map((tick) => [letters(tick.text), axis._offset + axis.l2p(tick.x)]).sort(along);
    const ours = own.ticks().map((tick) => [letters(tick.text), tick.pixel]).sort(along);
    const same = ticks.length === ours.length && ticks.every(([said, at], i) => said === ours[i][0] && near(at, ours[i][1]));
    if (!same) wrong.push([name, ticks, ours]);
  }

  for (const { x, y, traces } of picture.plots) {
    const bars = traces.filter(({ type }) => type === "bar");
    const taken = slots(bars, (values) => x.counted(values), bare.layout);
    const dots = traces.filter(({ type }) => type === "scatter");
    const middles = new Map(slots(dots, (values) => x.counted(values), bare.layout).map(({ middle }, i) => [dots[i], middle]));
    for (const trace of traces) {
      const i = bare.data.indexOf(trace.given), [across, up] = [axisOf(theirs[i].xaxis), axisOf(theirs[i].yaxis)];
      const at = (axis, value) => axis._offset + axis.c2p(value);
      let wanted, found;
      if (trace.type === "bar") {
        wanted = calcdata[i].map(({ p0, p1, s0, s1 }) => [at(across, p0), at(across, p1), at(up, s0), at(up, s1)]);
        const [left, right] = edges(trace, x.counted(trace.x), taken[bars.indexOf(trace)]).map((edge) => x.at(edge));
        const zero = y.at([y.kind === "log" ? y.shown[0] : 0])[0];
        found = y.place(trace.y).map((top, j) => [left[j], right[j], zero, top]);
      } else if (trace.type === "scatter") {
        wanted = calcdata[i].map(({ x, y }) => [at(across, x), at(up, y)]);
        const ys = y.place(trace.y);
        found = x.at(x.counted(trace.x).map((place) => place + middles.get(trace))).map((place, j) => [place, ys[j]]);
      } else {
        const sides = calcdata[i][0];
        wanted = [[across, sides.x], [up, sides.y]].map(([axis, values]) => Array.from(values ?? [], (value) => at(axis, value)));
        const sidesOf = trace.type === "heatmap" ? ends : (middles) => middles;
        found = [x, y].map((axis) => axis.at(sidesOf(axis.counted(trace[axis.letter]))));
      }
      found.forEach((row, j) => {
        if (![...row, ...wanted[j]].every(Number.isFinite)) return;
        marks += 1;
        const same = row.length === wanted[j].length && row.every((one, k) => near(one, wanted[j][k]));
        if (!same) wrong.push([trace.name, j, wanted[j], row]);
      });
    }
  }

  const said = new Set([...window.whole.querySelectorAll("text")].map((one) => one.textContent));
  const titles = Object.keys(full).filter((name) => /^[xy]axis/.test(name)).map((name) => full[name].title?.text ?? "");
  const notes = [...document.querySelectorAll("#figure .annotation-text")].map((one) => one.dataset.unformatted);
  const named = theirs.filter(({ type, visible, showlegend }) => visible && showlegend && !/heatmap|contour/.test(type));
  const legend = figure.layout.showlegend ?? named.length > 1;
  for (const words of [...titles, ...notes, ...(legend ? named : []).map(({ name }) => name)]) {
    const asking = words.startsWith("Click to enter"); // in place of a title that a figure does not have
    if (words && !asking && !said.has(letters(words))) wrong.push(["text", words]);
  }
  return [wrong.slice(0, 3), marks];
}"""


def _bare(figure: dict[str, Any]) -> dict[str, Any]:
    """Without what takes room by how wide its letters are, which each renderer measures by itself."""
    axes = {name: axis | {"automargin": False} for name, axis in figure["layout"].items() if name[1:].startswith("axis")}
    data = [trace | ({"showscale": False} if trace.get("type") == "heatmap" else {}) for trace in figure["data"]]
    return {"data": data, "layout": figure["layout"] | axes | {"showlegend": False}}


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    page.set_content('<div id="figure"></div><svg id="whole"></svg><svg id="svg"></svg>')
    page.add_script_tag(content=get_plotlyjs())
    page.evaluate("(text) => { window.ours = new Function(text)(); }", f"{script(*_NAMES)}return {{ {', '.join(_NAMES)} }};")
    yield page
    page.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """By test the figures that it makes, each of them once."""
    kept = tmp_path_factory.mktemp("made") / "figures"
    command = [sys.executable, "-m", "pytest", *_TESTS, f"--keep-figures={kept}", "-m", "not slow"]
    run = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-2_000:]
    found: dict[str, list[Any]] = defaultdict(list)
    for text, test in json.loads(kept.read_text()):
        found[test].append(json.loads(_NO_LETTER.sub(r"\\ufffd", text)))
    return found


def test_every_figure_is_the_same_by_each_renderer(page: Page, made: dict[str, list[dict[str, Any]]]) -> None:
    wrong, marks, figures = [], 0, 0
    for test, several in made.items():
        if any(name in test for name in _BEYOND_PLOTLY):
            continue
        for figure in several[:: -(-len(several) // _OF_ONE_TEST)]:
            bare = _bare(figure)
            high = _HIGH + sum(figure["layout"]["margin"].get(side, 80) for side in "tb")
            text = svg(Drawn(bare), alt=test, width=_WIDE, height=high)
            found, compared = page.evaluate(_COMPARED, [figure, bare, text, _WIDE, high])
            wrong += [(test, *one) for one in found]
            marks, figures = marks + compared, figures + 1
    assert not wrong, "\n".join(str(one)[:1_000] for one in wrong[:10])
    assert figures > 300
    assert marks > 60_000
