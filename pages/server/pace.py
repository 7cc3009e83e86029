"""How fast visitors may ask: answers set the pace, so that clients which never wait for them delay nobody else for long."""

from __future__ import annotations

import asyncio
from typing import final

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

PATIENCE = 0.25  # seconds that a message waits for the answer to the one before: then it may interrupt it
AT_ONCE = 4  # messages of all streams that are answered at a time: more threads would only hold each other up
_END_BYTES = 64  # the message that ends an answer is shorter


@final
class Paced:
    """Each websocket's messages wait in their own connection where they come faster than they are answered.

    Where many streams have one that waits, they are served in turn. Streamlit starts or interrupts a run for each message:
    four clients that sent 180 a second each kept it from answering anybody.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._places = asyncio.Semaphore(AT_ONCE)  # first come, first served

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, websocket or start of the server."""
        if scope["type"] == "websocket":
            stream = _Stream(receive, send, self._places)
            receive, send = stream.receive, stream.send
        await self._app(scope, receive, send)


@final
class _Stream:
    """One websocket. Its message holds a place until it is answered, or has waited long enough; then comes its next one."""

    def __init__(self, receive: Receive, send: Send, places: asyncio.Semaphore) -> None:
        self._receive, self._send, self._places = receive, send, places
        self._free = asyncio.Event()  # without a place
        self._free.set()
        self._timer: asyncio.TimerHandle | None = None

    async def receive(self) -> Message:
        """The next message, when it is its turn."""
        await self._free.wait()
        message = await self._receive()
        if message["type"] == "websocket.receive":
            await self._places.acquire()
            self._free.clear()
            self._timer = asyncio.get_running_loop().call_later(PATIENCE, self._leave)
        return message

    async def send(self, message: Message) -> None:
        """Pass on, and see whether it ends an answer."""
        await self._send(message)
        if _ends(message.get("bytes")):
            self._leave()

    def _leave(self) -> None:
        if not self._free.is_set() and self._timer is not None:
            self._timer.cancel()
            self._free.set()
            self._places.release()


def _ends(sent: bytes | None) -> bool:
    """Whether these bytes say that a run of the script is over, and not cut short by the next message."""
    if sent is None or len(sent) > _END_BYTES:
        return False
    message = ForwardMsg.FromString(sent)
    ended = message.WhichOneof("type") == "script_finished"
    return bool(ended and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN)
