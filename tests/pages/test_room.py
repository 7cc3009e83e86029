"""A server without room refuses visitors in a sentence, and says a fault that repeats itself a few times a minute."""

from __future__ import annotations

import asyncio
import resource
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from pages.server import room
from pages.server.room import Room, most_streams, raise_limit


def _limits(monkeypatch: pytest.MonkeyPatch, soft: int, hard: int) -> list[tuple[int, int]]:
    """Descriptors that the system allows, and what it was asked to allow."""
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(room.resource, "getrlimit", lambda _: asked[-1] if asked else (soft, hard))
    monkeypatch.setattr(room.resource, "setrlimit", lambda _, limits: asked.append(limits))
    return asked


@pytest.mark.parametrize(
    ("soft", "hard", "asked"),
    [
        (1024, 524_288, [(65_536, 524_288)]),
        (1024, 4096, [(4096, 4096)]),
        (256, 256, []),
        (1024, resource.RLIM_INFINITY, [(65_536, resource.RLIM_INFINITY)]),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, []),
        (100_000, 524_288, []),
    ],
)
def test_the_limit_of_descriptors_is_raised_as_far_as_it_may_be(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, asked: list[tuple[int, int]]
) -> None:
    said = _limits(monkeypatch, soft, hard)
    raise_limit()
    assert said == asked


@pytest.mark.parametrize(
    ("soft", "least", "most"), [(256, 8, 8), (1024, 100, 160), (8192, 1_500, 2_000), (resource.RLIM_INFINITY, 10_000, 20_000)]
)
def test_there_is_room_for_as_many_as_the_descriptors_suffice_for(
    monkeypatch: pytest.MonkeyPatch, soft: int, least: int, most: int
) -> None:
    _limits(monkeypatch, soft, soft)
    assert least <= most_streams() <= most


class _Full:
    """An app with so many streams open, and what it is asked then."""

    def __init__(self, streams: int) -> None:
        self.streams, self.passed = streams, list[str]()

    def ask(self, scope: dict[str, Any]) -> list[Message]:
        """What is sent in answer."""
        with ThreadPoolExecutor(1) as thread:  # a browser test before this one leaves an event loop in the main one
            return thread.submit(asyncio.run, self._ask(scope)).result()

    async def _ask(self, scope: dict[str, Any]) -> list[Message]:
        sent: list[Message] = []
        end = asyncio.Event()

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            self.passed.append(scope["type"])
            await end.wait()

        async def receive() -> Message:
            return {"type": "websocket.connect"}

        async def send(message: Message) -> None:
            sent.append(message)

        guarded = Room(app)
        tasks = [asyncio.create_task(guarded({"type": "websocket"}, receive, send)) for _ in range(self.streams)]
        await asyncio.sleep(0)
        last = asyncio.create_task(guarded(scope, receive, send))
        await asyncio.sleep(0)
        end.set()
        await asyncio.gather(last, *tasks)
        again = asyncio.create_task(guarded({"type": "websocket"}, receive, send))  # once they have left
        await again
        assert self.passed[-1] == "websocket"
        return sent


_PAGE = {"type": "http", "headers": [(b"accept", b"text/html,*/*")]}


@pytest.fixture
def ten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server for ten visitors."""
    monkeypatch.setattr(room, "most_streams", lambda: 10)


@pytest.mark.usefixtures("ten")
def test_one_too_many_is_refused_and_told_when_to_come_back() -> None:
    assert _Full(10).ask({"type": "websocket"}) == [{"type": "websocket.close", "code": 1013}]
    start, body = _Full(10).ask(_PAGE)
    assert start["status"] == 503
    assert (b"retry-after", b"60") in start["headers"]
    assert b"no room for another visitor. Try again in a minute" in body["body"]


@pytest.mark.usefixtures("ten")
def test_visitors_who_are_there_are_served_where_it_is_full() -> None:
    full = _Full(10)
    assert full.ask({"type": "http", "headers": [(b"accept", b"*/*")]}) == []
    assert full.passed[10] == "http"
    for scope in ({"type": "websocket"}, _PAGE):
        almost = _Full(9)
        assert almost.ask(scope) == []
        assert almost.passed[9] == scope["type"]
