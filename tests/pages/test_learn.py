"""The gallery on the page Learn: each exhibit, its place in the address, and the way to Explore."""

from __future__ import annotations

import json

import pytest

from data.exhibits.exhibit import gallery
from pages import state
from pages.exports.link import from_text
from pages.widgets.gallery import slides
from tests.pages.visit import CHARTS, charts, notices, press, scenario, settled, sound, text, visit

NAMES = list(gallery())


def test_every_exhibit_shows_its_charts_and_what_differs() -> None:
    app = visit("learn", exhibit=NAMES[0])
    for one in gallery().values():
        sound(app.selectbox(key="pick_exhibit").set_value(one.name).run())
        assert set(charts(app)) == {
            f"exhibit_{one.name}_{number}_{facet}" for number, chart in enumerate(one.charts) for facet in chart.facets
        }
        assert one.title in text(app)
        assert all(title in text(app) for title in ("### The paper says", "### Agrees", "### Differs, because"))
        assert not notices(app)
        assert app.query_params["exhibit"] in (one.name, [one.name])


def test_unknown_exhibit_shows_the_first() -> None:
    app = visit("learn", exhibit="figure_99<b>")
    assert "no exhibit “figure_99" in notices(app)
    assert app.selectbox(key="pick_exhibit").value == NAMES[0]


@pytest.mark.parametrize("name", ["figure_4", "diffpriv_letters", "tutorial"])  # tests/gallery reads all links
def test_exhibit_opens_its_experiment_on_explore(name: str) -> None:
    app = settled(press(visit("learn", exhibit=name), "exhibit_live"))
    assert scenario(app) == from_text(json.dumps(gallery()[name].live), state.catalog())
    assert charts(app).keys() >= CHARTS
    assert not notices(app)


def test_slides_are_all_charts_in_order() -> None:
    assert [address["exhibit"] for address, _, _ in slides()] == [
        one.name for one in gallery().values() for chart in one.charts for _ in chart.facets
    ]
    assert {"exhibit": "figure_5", "panel": "2"} in [address for address, _, _ in slides()]
