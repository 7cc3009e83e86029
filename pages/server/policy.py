"""What a page of this app may load and run, as each answer that is HTML tells the browser: nothing that did not come from here.

Why each exception stands is said in ``docs/hosting.md``. Every answer also says that it is of no other type than it states, and
that no other site is told the address of a page, which holds a scenario.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import lru_cache
from pathlib import Path
from typing import final

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import file_util

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
    page = Path(file_util.get_static_dir(), "index.html").read_bytes()
    texts = [*_INLINE.findall(page), FROM_THE_TOP.encode()]
    return [f"'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'" for text in texts]
