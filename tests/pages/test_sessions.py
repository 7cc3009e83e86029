"""Sessions of visitors who left are ended within two minutes, whether or not somebody else comes."""

from __future__ import annotations

import asyncio
import itertools
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.session_manager import SessionInfo

from pages.server import sessions
from pages.server.sessions import Departed


class _Session:
    def __init__(self, name: str) -> None:
        self.id, self.ended = name, 0

    def shutdown(self) -> None:
        self.ended += 1


def _info(session: Any) -> SessionInfo:
    return SessionInfo(client=None, session=session)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The time, which a test moves."""
    now = SimpleNamespace(seconds=1_000.0)
    monkeypatch.setattr(sessions, "time", SimpleNamespace(monotonic=lambda: now.seconds))
    return now


def test_a_session_can_be_come_back_to_for_a_while(clock: SimpleNamespace) -> None:
    storage, session = Departed(), _Session("a")
    storage.save(_info(session))
    clock.seconds += sessions.KEPT - 1
    found = storage.get("a")
    assert found is not None
    assert found.session is session
    assert (storage.get("b"), storage.gone(), len(storage.list())) == (None, (), 1)
    storage.delete("a")
    assert (storage.get("a"), storage.list()) == (None, [])


def test_those_that_left_too_long_ago_are_named(clock: SimpleNamespace) -> None:
    storage = Departed()
    for name in "abc":
        storage.save(_info(_Session(name)))
        clock.seconds += sessions.KEPT / 2
    assert storage.gone() == ("a", "b")


def test_of_too_many_the_first_to_leave_is_ended(clock: SimpleNamespace) -> None:
    storage, visitors = Departed(), [_Session(f"{number}") for number in range(200)]
    for session in visitors:
        storage.save(_info(session))
    assert len(storage.list()) == 128
    assert [session.ended for session in visitors] == [1] * 72 + [0] * 128


def test_the_server_ends_them_and_gives_memory_back(clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    manager, ended, collected = SimpleNamespace(_session_storage=None), list[str](), list[bool]()

    def close(name: str) -> None:
        ended.append(name)
        manager._session_storage.delete(name)

    server = SimpleNamespace(_session_mgr=manager, close_session=close)
    monkeypatch.setattr(sessions.st.runtime, "get_instance", lambda: server)
    monkeypatch.setattr(sessions, "set_aside", lambda: collected.append(True))
    monkeypatch.setattr(sessions, "EVERY", 0.01)

    async def a_while() -> None:
        async with sessions.giving_back():
            manager._session_storage.save(_info(_Session("a")))
            await asyncio.sleep(0.1)
            assert (ended, collected) == ([], [])
            clock.seconds += sessions.KEPT
            for _ in itertools.takewhile(lambda _: not collected, range(200)):
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.05)
            assert (ended, collected) == (["a"], [True])

    with ThreadPoolExecutor(1) as thread:  # a browser test before this one leaves an event loop in the main one
        thread.submit(asyncio.run, a_while()).result()


def test_all_is_given_back_within_two_minutes() -> None:
    assert sessions.KEPT + 2 * sessions.EVERY < 120
