"""A client with Streamlit's protocol, which draws nothing.

One websocket a session: a ``BackMsg`` asks for a run with the widgets' values, and ``ForwardMsg``s bring its elements until
``script_finished``. Elements that the server omits because the tab has them (``ref_hash``) count as brought.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import cast

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

CHARTS = frozenset({"answers", "error", "sensitivity", "points"})
_MOST_BYTES = 2**25
_SECONDS = 60  # a server with 50 sessions may take that long for one run
_KEPT_RUNS = 2  # a browser keeps a large message that long after it was last shown


class Tab:
    """One session: its widgets by label, its pages by address, and the charts that the last run brought, by key."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._query = "plain=1"  # ordinary sliders, which this client can move
        self._page = ""
        self._runs = 0
        self._kept: dict[str, tuple[Element, int]] = {}  # by hash, with the run that showed it last
        self._values: dict[str, WidgetState] = {}
        self._fragments: dict[str, str] = {}
        self.tells = False  # whether the server has the browser send how it is used
        self.pages: dict[str, str] = {}
        self.sliders: dict[str, Slider] = {}
        self.charts: set[str] = set()

    async def run(self, fragment: str = "") -> None:
        """Ask for a run and read it to its end."""
        asked = BackMsg()
        asked.rerun_script.CopyFrom(self._state(fragment))
        self.charts = set()
        self._runs += 1
        await self._socket.send(asked.SerializeToString())
        async with asyncio.timeout(_SECONDS):
            while not self._ended(await self._next()):
                pass
        self._values = {name: value for name, value in self._values.items() if not value.trigger_value}
        self._kept = {name: kept for name, kept in self._kept.items() if kept[1] > self._runs - _KEPT_RUNS}

    async def move(self, label: str, option: str) -> None:
        """Move a slider as the arrow keys do."""
        slider = self.sliders[label]
        self._values[slider.id] = _options(slider.id, [option])
        await self.run(self._fragments.get(slider.id, ""))

    async def go(self, page: str) -> None:
        """Open a page by its address."""
        self._page, self._values = self.pages[page], {}
        await self.run()

    def _state(self, fragment: str) -> ClientState:
        state = ClientState(query_string=self._query, page_script_hash=self._page, fragment_id=fragment)
        state.cached_message_hashes.extend(self._kept)
        state.context_info.url, state.context_info.color_scheme = "http://127.0.0.1/", "light"
        state.widget_states.widgets.extend(self._values.values())
        return state

    async def _next(self) -> ForwardMsg:
        return ForwardMsg.FromString(cast(bytes, await self._socket.recv()))

    def _ended(self, message: ForwardMsg) -> bool:
        kind = message.WhichOneof("type")
        if kind == "script_finished":
            if message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                raise RuntimeError("the app's script does not run")
            return message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
        if kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "new_session":
            self.tells = message.new_session.config.gather_usage_stats
        elif kind == "navigation":
            self._page = message.navigation.page_script_hash
            self.pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
        elif kind == "ref_hash":
            element, _ = self._kept[message.ref_hash]
            self._keep(message.ref_hash, element)
            self._show(element, "")
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            if message.metadata.cacheable:
                self._keep(message.hash, message.delta.new_element)
            self._show(message.delta.new_element, message.delta.fragment_id)
        return False

    def _keep(self, name: str, element: Element) -> None:
        self._kept[name] = element, self._runs

    def _show(self, element: Element, fragment: str) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise RuntimeError(f"the app shows an error: {element.exception.message}")
        if kind == "plotly_chart":
            self.charts.add(element.plotly_chart.id.rpartition("-")[2])
        elif kind == "slider":
            slider = element.slider
            self.sliders[slider.label], self._fragments[slider.id] = slider, fragment
            if slider.set_value:
                self._values[slider.id] = _options(slider.id, slider.raw_value)
            else:
                self._values.setdefault(slider.id, _options(slider.id, [slider.options[int(slider.default[0])]]))


def _options(name: str, picked: Iterable[str]) -> WidgetState:
    state = WidgetState(id=name)
    state.string_array_value.data.extend(picked)
    return state


@asynccontextmanager
async def tab(address: str) -> AsyncIterator[Tab]:
    """A session that has shown its first screen; it leaves with the block."""
    stream = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    protocols = [Subprotocol("streamlit")]
    async with connect(
        stream, subprotocols=protocols, origin=Origin(address), max_size=_MOST_BYTES, open_timeout=_SECONDS
    ) as socket:
        opened = Tab(socket)
        await opened.run()
        yield opened
