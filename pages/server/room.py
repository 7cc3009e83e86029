"""For how many visitors there is room: each takes descriptors, and a server without any answers nobody."""

from __future__ import annotations

import resource
from typing import final

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.server.policy import refuse

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
