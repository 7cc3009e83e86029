"""Messages that no page of ours sends: however many come, the server's log has few lines, and visitors are served."""

from __future__ import annotations

import asyncio
import random
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed

from pages.server.log_limit import MOST_LINES
from tests.benchmarks.client import Tab, tab
from tests.browser.server import serving

pytestmark = pytest.mark.browser

_TABS, _SECONDS = 4, 8.0


def _forged(one: Tab, rng: random.Random) -> bytes:
    """Bytes that are no message, or a run with a value of another kind for a widget that is there."""
    if rng.random() < 0.3:
        return rng.randbytes(rng.randrange(1, 60))
    names = [*(slider.id for slider in one.sliders.values()), *one.widgets.values(), "$$ID-0-none"]
    state = WidgetState(id=rng.choice(names))
    kind = rng.randrange(4)
    if kind == 0:
        state.string_value = f"forged {rng.random()}"
    elif kind == 1:
        state.json_value = f'{{"a": {rng.random()}}}'
    elif kind == 2:
        state.string_array_value.data.extend(["forged", str(rng.random())])
    else:
        state.double_array_value.data.extend([rng.random()])
    asked = BackMsg()
    asked.rerun_script.CopyFrom(one._state(""))
    asked.rerun_script.widget_states.widgets.append(state)
    return asked.SerializeToString()


async def _send(address: str, rng: random.Random) -> int:
    """How many were sent in the time; a stream that the server closes is opened anew."""
    sent, end = 0, time.monotonic() + _SECONDS
    while time.monotonic() < end:
        with suppress(ConnectionClosed):
            async with tab(address) as one:
                drain = asyncio.create_task(one.drain())
                try:
                    while time.monotonic() < end:
                        await one._socket.send(_forged(one, rng))
                        sent += 1
                        await asyncio.sleep(0.02)
                finally:
                    drain.cancel()
    return sent


async def _all(address: str) -> list[int]:
    return await asyncio.gather(*(_send(address, random.Random(number)) for number in range(_TABS)))


async def _visit(address: str) -> None:
    async with tab(address):
        return


def test_forged_messages_write_few_lines_and_a_visitor_comes_in(tmp_path: Path) -> None:
    with serving(tmp_path / "log") as server, ThreadPoolExecutor(1) as thread:
        sent = thread.submit(lambda: asyncio.run(_all(server.address))).result()
        assert sum(sent) > 200
        thread.submit(lambda: asyncio.run(_visit(server.address))).result()
        log = server.log.read_text(errors="replace")
    assert "Error" in log or "error" in log  # something was worth a line
    assert len(log.splitlines()) < 2 * MOST_LINES  # of two minutes that the test may touch
