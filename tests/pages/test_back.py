"""The browser's Back: what was shown comes back; an address that was on its way undoes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from pages.components.panels import GAMMA_GRID
from pages.session import address
from tests.pages.visit import opened, press, scenario, slide, sound, visit

GAMMA = GAMMA_GRID[-3]


def _gone_back(app: Any, query: dict[str, str]) -> Any:
    """The next run, with the address that the browser has then."""
    app.query_params.clear()
    for name, value in query.items():
        app.query_params[name] = value
    return sound(app.run())


def _address(app: Any) -> dict[str, str]:
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}


def test_back_restores_what_was_shown_and_forth_what_came_after() -> None:
    app = visit()
    first, before = _address(app), scenario(app)
    second = _address(slide(app, "gamma", GAMMA))
    after = scenario(app)
    assert scenario(_gone_back(app.run(), first)) == before  # the run in between has shown that the browser has the second
    assert _address(app) == first
    assert scenario(_gone_back(app, second)) == after


def test_back_at_once_waits_for_nothing_but_an_address_on_its_way(monkeypatch: pytest.MonkeyPatch) -> None:
    app = visit()
    first = _address(app)
    slide(app, "gamma", GAMMA)
    after = scenario(app)
    assert scenario(_gone_back(app, first)) == after  # within the time that an address takes
    monkeypatch.setattr(address, "_ON_ITS_WAY", 0.0)
    assert scenario(_gone_back(app, first)) != after


def test_a_change_that_is_made_with_an_old_address_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "_ON_ITS_WAY", 0.0)
    app = visit()
    first = _address(app)
    slide(app, "gamma", GAMMA)
    app.query_params.clear()
    for name, value in first.items():
        app.query_params[name] = value
    slide(app, "epsilon", 2.0)
    assert scenario(app).gamma != 0.05
    assert scenario(app).epsilon != 1


def test_a_page_without_an_address_keeps_what_is_shown() -> None:
    app = visit()
    slide(app, "gamma", GAMMA)
    after = scenario(app)
    assert scenario(_gone_back(opened(app), {})) == after


def test_an_address_that_this_session_never_wrote_is_read_as_a_link_is() -> None:
    app = visit()
    query = _address(app) | {"epsilon": "a lot"}
    shown = _gone_back(app, query)
    assert scenario(shown).epsilon == 1
    assert "cannot be read" in " ".join(warning.value for warning in shown.warning)


def test_back_brings_the_line_of_the_dots_back_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "_ON_ITS_WAY", 0.0)
    app = visit()
    for off in (0.5, 0.9):
        sound(app.number_input(key="off").set_value(off).run())
        if off == 0.5:
            first = _address(app)
    assert _gone_back(app, first).number_input(key="off").value == 0.5


def test_a_link_of_another_version_leads_to_no_place() -> None:
    app = visit(v="2", present="1", panel="odds")
    assert "version" in " ".join(warning.value for warning in app.warning)
    assert app.selectbox(key="pick_table")


def test_the_example_is_shown_and_what_was_before_comes_back() -> None:
    app = slide(visit(), "gamma", GAMMA)
    before = scenario(app)
    app = press(app, "back")
    assert scenario(app).gamma == 0.05
    assert scenario(press(app, "undo_button")) == before
