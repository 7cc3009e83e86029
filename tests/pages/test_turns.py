"""Callbacks of one session run one after another, and those of two sessions beside each other."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from streamlit.runtime.state.session_state import SessionState

from pages.server import startup

_LONG = 1.0  # seconds: a quarter of it is room for a busy machine


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Of each run, when its callbacks begin and end."""
    told: list[str] = []

    def begins(session: Any, name: str, seconds: float) -> None:
        told.append(f"{name} begins")
        time.sleep(seconds)
        told.append(f"{name} ends")

    monkeypatch.setattr(SessionState, "on_script_will_rerun", begins)
    startup.keep_turns()
    startup.keep_turns()  # once is enough
    return told


def _runs(*runs: tuple[SessionState, str, float]) -> None:
    threads = []
    for run in runs:
        threads.append(threading.Thread(target=SessionState.on_script_will_rerun, args=run))
        threads[-1].start()
        time.sleep(_LONG / 4)
    for thread in threads:
        thread.join()


def test_the_next_run_waits(said: list[str]) -> None:
    session = SessionState()
    _runs((session, "first", _LONG), (session, "second", 0))
    assert said == ["first begins", "first ends", "second begins", "second ends"]


def test_another_session_waits_for_nothing(said: list[str]) -> None:
    _runs((SessionState(), "first", _LONG), (SessionState(), "second", 0))
    assert said == ["first begins", "second begins", "second ends", "first ends"]


def test_nobody_waits_for_ever(said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "PATIENCE", _LONG / 4)
    session = SessionState()
    _runs((session, "first", _LONG), (session, "second", 0), (session, "third", 0))
    assert said == ["first begins", "second begins", "second ends", "third begins", "third ends", "first ends"]
