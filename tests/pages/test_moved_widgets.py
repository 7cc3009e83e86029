"""A widget that the server moved is another one from then on."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pages.widgets import controls as widgets


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Begins a session in a browser; called again, another one."""

    def begin() -> dict[str, Any]:
        state: dict[str, Any] = {}
        browser = SimpleNamespace(headers={"Host": "here"})
        monkeypatch.setattr(widgets, "st", SimpleNamespace(session_state=state, context=browser))
        return state

    return begin


def test_moved_value_gets_another_widget(session: Any) -> None:
    state, said = session(), list[float]()
    first = widgets.showing("gamma", 0.05)
    state[first] = 0.1
    widgets.entered("gamma", first, said.append)
    assert said == [0.1]
    assert widgets.showing("gamma", 0.1) == first
    second = widgets.showing("gamma", 0.2)
    assert second != first
    widgets.entered("gamma", first, said.append)  # which a browser still says that has not heard of the second
    assert said == [0.1]


def test_restarted_server_ignores_old_entries(session: Any) -> None:
    session()
    shown = [widgets.showing("gamma", value) for value in (0.05, 0.144, 0.3)]
    state, said = session(), list[float]()
    state.update(dict.fromkeys(shown, 0.144))
    for value in (0.144, 0.012, 0.02):
        assert widgets.showing("gamma", value) not in shown
        for key in shown:
            widgets.entered("gamma", key, said.append)
    assert said == []
