"""Messages of a visitor are taken as fast as they are answered; those that nobody answers wait, and delay no other visitor."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.server.pace import AT_ONCE, PATIENCE, Paced

_ASKED: Message = {"type": "websocket.receive", "bytes": b"x"}
_MANY = 30


def _sent(how: ForwardMsg.ScriptFinishedStatus.ValueType | None) -> Message:
    message = ForwardMsg() if how is None else ForwardMsg(hash="0" * 32, script_finished=how)
    return {"type": "websocket.send", "bytes": message.SerializeToString()}


class _Visitor:
    """Sends without a pause. ``taken`` of its messages reached the app, which sends ``answer`` after each."""

    def __init__(self, answer: Message | None, most: int = _MANY) -> None:
        self.answer, self.most = answer, most
        self.taken: list[float] = []

    async def visit(self, paced: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
        async def receive() -> Message:
            return _ASKED

        async def send(message: Message) -> None:
            pass

        await paced({"type": "websocket", "visitor": self}, receive, send)


async def _app(scope: Scope, receive: Receive, send: Send) -> None:
    visitor: _Visitor = scope["visitor"]
    while len(visitor.taken) < visitor.most:
        await receive()
        visitor.taken.append(time.monotonic())
        if visitor.answer is not None:
            await send(visitor.answer)


def _together(*visitors: _Visitor, seconds: float) -> None:
    async def all_of_them() -> None:
        paced = Paced(_app)
        tasks = [asyncio.create_task(visitor.visit(paced)) for visitor in visitors]
        await asyncio.wait(tasks, timeout=seconds)
        for task in tasks:
            task.cancel()
            if task.done() and not task.cancelled():
                task.result()

    with ThreadPoolExecutor(1) as thread:  # a browser test before this one leaves an event loop in the main one
        thread.submit(asyncio.run, all_of_them()).result()


def test_a_visitor_who_is_answered_does_not_wait() -> None:
    visitor = _Visitor(_sent(ForwardMsg.FINISHED_SUCCESSFULLY))
    _together(visitor, seconds=2)
    assert len(visitor.taken) == _MANY
    assert visitor.taken[-1] - visitor.taken[0] < PATIENCE


@pytest.mark.parametrize(
    "answer", [None, _sent(None), _sent(ForwardMsg.FINISHED_EARLY_FOR_RERUN), {"type": "websocket.send", "bytes": b"\xff" * 65}]
)
def test_who_does_not_wait_for_the_answer_is_slowed_down(answer: Message | None) -> None:
    visitor, seconds = _Visitor(answer), 4.5 * PATIENCE
    _together(visitor, seconds=seconds)
    assert 3 <= len(visitor.taken) <= 5


def test_a_guest_is_taken_in_turn_with_many_who_do_not_wait() -> None:
    floods, guest = [_Visitor(None) for _ in range(3 * AT_ONCE)], _Visitor(_sent(ForwardMsg.FINISHED_SUCCESSFULLY), most=2)
    began = time.monotonic()
    _together(*floods, guest, seconds=12 * PATIENCE)
    assert len(guest.taken) == 2
    assert guest.taken[1] - began < 8 * PATIENCE  # twice behind three times as many as are taken at once
    assert (
        6 * AT_ONCE <= sum(len(flood.taken) for flood in floods) <= 13 * AT_ONCE
    )  # nobody is answered: each place is free four times a second


def test_requests_that_are_no_streams_pass() -> None:
    seen: list[Any] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append((scope["type"], receive, send))

    async def nothing(*_: Any) -> Any:
        return None

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, Paced(app)({"type": "http"}, nothing, nothing)).result()
    assert seen == [("http", nothing, nothing)]
