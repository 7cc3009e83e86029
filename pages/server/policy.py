"""What a page of this app may load and run, as each answer that is HTML tells the browser: nothing that did not come from here.

Why each exception stands is said in ``docs/hosting.md``. Every answer also says that it is of no other type than it states, and
that no other site is told the address of a page, which holds a scenario.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import lru_cache
from importlib import resources
from typing import final

import streamlit as st
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Who may speak with this server: pages that it sent itself under a name of its own, and programs that are no pages.
#
# A browser states the origin of the page behind every websocket and every upload. Streamlit lets any page of this computer
# through, and asks a foreign host for its own address before it refuses another one: so what is foreign never gets that far.
#
# Whoever owns a name can let it point to this server, and a page of that name is then the server's own by its origin (DNS
# rebinding). So a request also has to ask for a name in ``server.allowedHosts``, which Streamlit checks of websockets only.


_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\s:/?#@,\[\]]+)(:\d*)?")
_POLICY_VIOLATION = 1008  # RFC 6455, section 7.4.1
_OF_ANOTHER_SITE = json.dumps({"error": "A page of another site may not use this app."}).encode()
_OF_NO_NAME = (
    b"This app does not answer under the name that was asked for. If you run it, state that name: docs/hosting.md says how, "
    b'under "Its names". Else ask whoever runs it for its address.'
)


@final
class SameOrigin:
    """Passes on what asks for a name of this server, and states no origin or the one that it was sent to; refuses the rest with
    403."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, websocket or start of the server."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif not named(scope["headers"]):
            await refuse(scope, receive, send, _POLICY_VIOLATION, Response(_OF_NO_NAME, 403, media_type="text/plain"))
        elif not at_home(scope["headers"]):
            await refuse(scope, receive, send, _POLICY_VIOLATION, Response(_OF_ANOTHER_SITE, 403, media_type="application/json"))
        else:
            await self._app(scope, receive, send)


async def refuse(scope: Scope, receive: Receive, send: Send, code: int, answer: Response) -> None:
    """Close a websocket with this code before it is accepted; any other request gets the answer."""
    if scope["type"] == "websocket":
        await receive()  # the request to connect: closed before it is accepted, it is answered with 403
        await send({"type": "websocket.close", "code": code})
    else:
        await answer(scope, receive, send)


def named(headers: list[tuple[bytes, bytes]]) -> bool:
    """Return whether the one host that was asked for is in ``server.allowedHosts``, or that is empty."""
    hosts = [value for name, value in headers if name == b"host"]
    found = _HOST.fullmatch(hosts[0].decode("latin-1").lower()) if len(hosts) == 1 else None
    if found is None:
        return False
    name = found[1].strip("[]").rstrip(".")
    allowed = [one.strip().lower().rstrip(".") for one in st.get_option("server.allowedHosts")]
    return not allowed or any(one in ("*", name) or (one.startswith("*.") and name.endswith(one[1:])) for one in allowed)


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


_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
FROM_THE_TOP = """document.querySelector('[data-testid="stMain"]').scrollTo(0, 0)"""  # all that a page of ours runs inline
_HEADER = b"content-security-policy"
_ALWAYS = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer"))


@final
class Policed:
    """Adds the policy to HTML that states none, and what every answer says to those that do not say it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, websocket or start of the server."""

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                stated = dict(message["headers"])
                more = [(name, value) for name, value in _ALWAYS if name not in stated]
                if stated.get(b"content-type", b"").startswith(b"text/html") and _HEADER not in stated:
                    more.append((_HEADER, policy().encode()))
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        await self._app(scope, receive, sent if scope["type"] == "http" else send)


@lru_cache(maxsize=1)
def policy() -> str:
    """The header's text."""
    rules = {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", "blob:", *_inline()]),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "object-src": "'none'",
        "frame-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {allowed}" for name, allowed in rules.items())


def _inline() -> list[str]:
    """The hashes of what Streamlit's page and ours run inline."""
    page = (resources.files(st) / "static" / "index.html").read_bytes()
    texts = [*_INLINE.findall(page), FROM_THE_TOP.encode()]
    return [f"'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'" for text in texts]
