"""The client of the load benchmarks says and hears what a browser's tab does."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.benchmarks.client import Tab


def _alone(work: Coroutine[Any, Any, Any]) -> Any:
    """Run in a separate thread, because an earlier browser test leaves an event loop in the main one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


class Socket:
    """A server that answers each run with the next messages."""

    def __init__(self, *runs: list[ForwardMsg]) -> None:
        self.asked: list[Any] = []
        self._runs = iter(runs)
        self._messages: list[bytes] = []

    async def send(self, data: bytes) -> None:
        self.asked.append(BackMsg.FromString(data).rerun_script)
        self._messages = [message.SerializeToString() for message in next(self._runs)]

    async def recv(self) -> bytes:
        return self._messages.pop(0)


def _finished(status: int = ForwardMsg.FINISHED_SUCCESSFULLY) -> ForwardMsg:
    return ForwardMsg(script_finished=status)


def _page() -> ForwardMsg:
    message = ForwardMsg()
    message.navigation.page_script_hash = "explore"
    return message


def _query(text: str) -> ForwardMsg:
    message = ForwardMsg()
    message.page_info_changed.query_string = text
    return message


def _slider(value: str, fragment: str = "") -> ForwardMsg:
    message = ForwardMsg()
    message.delta.fragment_id = fragment
    slider = message.delta.new_element.slider
    slider.id, slider.label, slider.set_value = "$$ID-1-slide", "ε", True
    slider.options.extend(["1", "2"])
    slider.raw_value.append(value)
    return message


def _chart(name: str) -> ForwardMsg:
    message = ForwardMsg(hash=name)
    message.metadata.cacheable = True
    message.delta.new_element.plotly_chart.id = f"$$ID-2-{name}"
    return message


def _error() -> ForwardMsg:
    message = ForwardMsg()
    message.delta.new_element.exception.message = "no"
    return message


def test_move_sends_state_and_counts_kept_elements() -> None:
    early = _finished(ForwardMsg.FINISHED_EARLY_FOR_RERUN)
    first = [_page(), _query("v=1"), _slider("1", "part"), _chart("cdf"), _chart("points"), _finished()]
    second = [_slider("2"), ForwardMsg(ref_hash="cdf"), early, _chart("new"), _finished()]
    socket: Any = Socket(first, second, [_finished()], [_finished()])

    async def visit() -> None:
        tab = Tab(socket)
        await tab.run()
        assert tab.charts == {"cdf", "points"}
        await tab.move("ε", "2")
        assert tab.charts == {"cdf", "new"}
        await tab.run()
        await tab.run()

    _alone(visit())
    move = socket.asked[1]
    assert (move.query_string, move.page_script_hash, move.fragment_id) == ("v=1", "explore", "part")
    assert [(widget.id, *widget.string_array_value.data) for widget in move.widget_states.widgets] == [("$$ID-1-slide", "2")]
    assert set(move.cached_message_hashes) == {"cdf", "points"}
    assert set(socket.asked[3].cached_message_hashes) == {"cdf", "new"}  # the last two runs showed no points


@pytest.mark.parametrize("message", [_error(), _finished(ForwardMsg.FINISHED_WITH_COMPILE_ERROR)], ids=["shown", "script"])
def test_an_error_of_the_app_is_raised(message: ForwardMsg) -> None:
    socket: Any = Socket([message, _finished()])
    with pytest.raises(RuntimeError, match="app"):
        _alone(Tab(socket).run())
