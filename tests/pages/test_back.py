"""The browser's Back: what was shown comes back; an address that was on its way undoes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from pages.old.state import address
from tests.pages.visit import (
    confidential,
    declare,
    notices,
    scenario,
    slide,
    sound,
    upload,
    use,
    visit,
)

GAMMA = 0.1
_CSV = b"income\n" + b"1\n2\n3\n" * 20


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
    monkeypatch.setattr(address, "_ON_ITS_WAY", 60.0)  # which no machine is too slow for
    assert scenario(_gone_back(app, first)) == after
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


def test_an_address_that_this_session_never_wrote_is_read_as_a_link_is() -> None:
    app = visit()
    query = _address(app) | {"epsilon": "a lot"}
    shown = _gone_back(app, query)
    assert scenario(shown).epsilon == 1
    assert "cannot be read" in " ".join(warning.value for warning in shown.warning)


@pytest.mark.slow
def test_what_was_shown_of_a_table_that_is_another_now_is_read_again() -> None:
    app = confidential(_CSV, 0, 10)
    first = _address(slide(app, "epsilon", 2.0))
    use(declare(upload(app, "mine.csv", b"cost\n" + b"1\n2\n" * 40), "cost", 0, 10))
    _gone_back(app.run(), first)
    assert scenario(app).columns == ("cost",)
    assert "In the link, the columns must be" in notices(app)
