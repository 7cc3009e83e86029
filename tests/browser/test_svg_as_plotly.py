"""A figure says the same as SVG and where plotly draws it: how far each axis reaches, and every number at it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import plotly.io
import pytest
from playwright.sync_api import Browser, Page
from plotly.offline import get_plotlyjs

from dpcore import L1, Laplace, OperatingPoint, PureDP, oracles, sample_sensitivity, targets
from pages import charts
from pages.charts.answers.several import one_number
from pages.charts.drawn import figure
from pages.charts.groups import Whiskers, groups
from pages.charts.lessons import curves
from pages.charts.responses import responses
from pages.charts.svg import plain
from tests.pages.charts.svg.drawing import axes, lines_of

pytestmark = pytest.mark.browser
_SIZE = {"width": 480, "height": 300}
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
