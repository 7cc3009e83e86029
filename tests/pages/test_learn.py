"""The page Learn: each exhibit of the gallery, its place in the address, and the way to Explore."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.experiment.tables import DATA
from pages.old.learn import gallery
from pages.old.learn.exhibits.exhibit import Gallery, read_gallery
from tests.pages.visit import CHARTS, charts, notices, press, scenario, settled, sound, text, visit

STORED = read_gallery(DATA / "gallery").exhibits
NAMES = [one.name for one in STORED]


def _shown(app: AppTest) -> str:
    return str(app.selectbox(key="pick_exhibit").value)


def _address(app: AppTest) -> str:
    """The exhibit in it; the first stands in none, until another was chosen."""
    said = app.query_params.get("exhibit", NAMES[0])
    return said if isinstance(said, str) else said[0]


def test_every_exhibit_shows_its_charts_what_differs_and_what_was_checked() -> None:
    app = visit("learn", exhibit=NAMES[0])
    for one in STORED:
        sound(app.selectbox(key="pick_exhibit").set_value(one.name).run())
        assert set(charts(app)) == {f"exhibit_{one.name}_{number}" for number in range(len(one.charts))}
        assert one.title in text(app)
        assert "### Checked" in text(app)
        assert all(chart.title in text(app) for chart in one.charts)
        assert not notices(app)
        assert _address(app) == one.name


def test_an_exhibit_that_is_not_there_is_said_and_the_first_is_shown() -> None:
    app = visit("learn", exhibit="figure_99<b>")
    assert "figure_99" in notices(app)
    assert "not in this gallery" in notices(app)
    assert _shown(app) == NAMES[0]
    assert _shown(press(app, "exhibit_next")) == NAMES[1]
    assert not notices(app)


@pytest.mark.parametrize("name", ["figure_4", "diffpriv_letters", "tutorial"])  # of each, tests/gallery makes it without a page
def test_its_smaller_version_is_computed_on_explore(name: str) -> None:
    (one,) = (one for one in STORED if one.name == name)
    app = settled(press(visit("learn", exhibit=name), "exhibit_live"))
    assert scenario(app) == one.live
    assert charts(app).keys() >= CHARTS
    assert not notices(app)


def test_a_stored_result_that_cannot_be_read_is_said_and_the_others_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = DATA / "gallery" / "figure_4.json"
    (tmp_path / "figure_4.json").write_bytes(good.read_bytes())
    (tmp_path / "figure_9.json").write_text(good.read_text().replace('"version": 1,\n', '"version": 7,\n'))
    read: Gallery = read_gallery(tmp_path)
    monkeypatch.setattr(gallery, "stored", lambda: read)
    app = visit("learn", exhibit="figure_4")
    assert "version 7" in notices(app)
    assert "Figure or table: " in text(app)  # it is the only one
