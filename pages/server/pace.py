"""How fast visitors may ask: answers set the pace, so that clients which never wait for them delay nobody else for long."""

from __future__ import annotations

import asyncio
import resource
from typing import final

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.server.policy import refuse

# For how many visitors there is room: each takes descriptors, and a server without any answers nobody.


A_STREAM = 4  # its socket, and the three of its session's event loop
_KEPT = 128 * 3  # of the sessions that have left and can be come back to
_OTHERS = 120  # pages that are loaded, files, workers and what libraries hold
_ENOUGH = 65_536
_TRY_AGAIN_LATER = 1013  # registered with IANA as a WebSocket close code
_SAID = b"This server has no room for another visitor. Try again in a minute; nothing of yours is lost."


def raise_limit() -> None:
    """Ask the system for as many descriptors as this process may have. systemd gives 1,024 where more are allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _ENOUGH if hard == resource.RLIM_INFINITY else min(hard, _ENOUGH)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def most_streams() -> int:
    """Visitors that the descriptors suffice for."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = _ENOUGH if soft == resource.RLIM_INFINITY else soft
    return max((limit - _KEPT - _OTHERS) // A_STREAM, 8)


@final
class Room:
    """Refuses a page, and a websocket, where as many are open as there is room for."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, websocket or start of the server."""
        stream = scope["type"] == "websocket"
        if self._open >= most_streams() and (stream or _is_page(scope)):
            answer = Response(_SAID, 503, {"retry-after": "60"}, media_type="text/plain")
            await refuse(scope, receive, send, _TRY_AGAIN_LATER, answer)
        elif stream:
            self._open += 1
            try:
                await self._app(scope, receive, send)
            finally:
                self._open -= 1
        else:
            await self._app(scope, receive, send)


def _is_page(scope: Scope) -> bool:
    return scope["type"] == "http" and any(name == b"accept" and b"text/html" in value for name, value in scope["headers"])


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
