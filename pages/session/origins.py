"""Who may speak with this server: pages that it sent itself, and programs that are no pages.

A browser states the origin of the page behind every websocket and every upload. Streamlit lets any page of this computer
through, and asks a foreign host for its own address before it refuses another one: so what is foreign never gets that far.
"""

from __future__ import annotations

import json
from typing import final

from starlette.types import ASGIApp, Receive, Scope, Send

_POLICY_VIOLATION = 1008  # RFC 6455, section 7.4.1
_SAID = json.dumps({"error": "A page of another site may not use this app."}).encode()


@final
class SameOrigin:
    """Passes on what states no origin, or the one that it was sent to; refuses the rest with 403."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, websocket or start of the server."""
        if scope["type"] not in ("http", "websocket") or at_home(scope["headers"]):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()  # the request to connect: closed before it is accepted, it is answered with 403
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        else:
            headers = [(b"content-type", b"application/json"), (b"content-length", str(len(_SAID)).encode())]
            await send({"type": "http.response.start", "status": 403, "headers": headers})
            await send({"type": "http.response.body", "body": _SAID})


def at_home(headers: list[tuple[bytes, bytes]]) -> bool:
    """Whether the origin is the host that was asked, its port included, as ``docs/hosting.md`` has nginx compare them.

    TLS ends before this server, so the scheme is either of two. No page can leave its origin out of a websocket or of an
    upload: what states none is no page of another site.
    """
    origins = [value for name, value in headers if name == b"origin"]
    hosts = [value for name, value in headers if name == b"host"]
    if not origins:
        return True
    return len(origins) == len(hosts) == 1 and origins[0] in (b"http://" + hosts[0], b"https://" + hosts[0])
