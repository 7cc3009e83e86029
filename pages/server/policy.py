"""Accept requests only from the pages of this server, which load and run only its own files.

The owner of a name can let it point to this server; a page of that name is then the server's own by its origin (DNS rebinding).
So a request must ask for a name in ``server.allowedHosts``, which Streamlit checks only of websockets. A browser also states the
origin of the page behind each websocket and upload. Streamlit accepts any page of this computer, and asks a foreign host for this
server's address before it refuses another one: so foreign requests never get that far.
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

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\s:/?#@,\[\]]+)(:\d*)?")
_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_POLICY = b"content-security-policy"
_ALWAYS = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer"))  # an address holds a scenario
_POLICY_VIOLATION = 1008  # RFC 6455, section 7.4.1
_OTHER_SITE = json.dumps({"error": "A page of another site may not use this app."})
_OTHER_NAME = (
    "This app does not answer under the name that was asked for. If you run it, state that name: docs/hosting.md says how, "
    'under "Its names". Otherwise ask the host for its address.'
)


@final
class Policy:
    """Refuses requests of other sites and for other names, and adds the security headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, a websocket, or the start of the server."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": with_policy(message["headers"])}
            await send(message)

        refused = refusal(scope["headers"]) if scope["type"] in ("http", "websocket") else None
        if refused is None:
            await self._app(scope, receive, send_with_headers)
        elif scope["type"] == "websocket":
            await receive()  # the request to connect: closed before it is accepted, it is answered with 403
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        else:
            await refused(scope, receive, send_with_headers)


def refusal(headers: list[tuple[bytes, bytes]]) -> Response | None:
    """Return the answer to a request that asks for another name, or that another site made; None if it is to be served.

    A page cannot leave its origin out of a websocket or an upload, so a request that states none is of no other site. TLS ends
    before this server, so the scheme of the origin is either.
    """
    hosts = [value.decode("latin-1").lower() for name, value in headers if name == b"host"]
    origins = [value.decode("latin-1").lower() for name, value in headers if name == b"origin"]
    found = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
    if found is None or not _is_ours(found[1].strip("[]").rstrip(".")):
        return Response(_OTHER_NAME, 403, media_type="text/plain")
    if origins and origins not in ([f"http://{hosts[0]}"], [f"https://{hosts[0]}"]):
        return Response(_OTHER_SITE, 403, media_type="application/json")
    return None


def _is_ours(host: str) -> bool:
    allowed = [one.strip().lower().rstrip(".") for one in st.get_option("server.allowedHosts")]
    return not allowed or any(one in ("*", host) or (one.startswith("*.") and host.endswith(one[1:])) for one in allowed)


def with_policy(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return an answer's headers, with the security headers that it does not state itself. Only HTML needs the policy."""
    stated = dict(headers)
    is_html = stated.get(b"content-type", b"").startswith(b"text/html")
    more = ((_POLICY, policy().encode()), *_ALWAYS) if is_html else _ALWAYS
    return [*headers, *((name, value) for name, value in more if name not in stated)]


@lru_cache(maxsize=1)
def policy() -> str:
    """Return the Content-Security-Policy. ``docs/hosting.md`` gives the reason of each exception."""
    page = (resources.files(st) / "static" / "index.html").read_bytes()
    inline = [base64.b64encode(hashlib.sha256(text).digest()).decode() for text in _INLINE.findall(page)]
    rules = {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", "blob:", *(f"'sha256-{digest}'" for digest in inline)]),
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
