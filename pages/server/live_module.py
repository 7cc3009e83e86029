"""Where a browser gets the module from that draws under the hand: one file, under a name that changes with what is in it."""

from __future__ import annotations

import hashlib
from functools import lru_cache

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pages.old.charts.bundle import module

_FOREVER = "public, max-age=31536000, immutable"


@lru_cache(maxsize=1)
def _name() -> str:
    return f"{hashlib.sha256(module().encode()).hexdigest()[:16]}.js"


def address() -> str:
    """Of the module, on this host."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"{f'/{base}' if base else ''}/live/{_name()}"


async def _given(request: Request) -> Response:
    if request.path_params["name"] != _name():
        return Response("There is another version of this file. Load the page again.", status_code=404, media_type="text/plain")
    return Response(module(), media_type="text/javascript", headers={"cache-control": _FOREVER})


ROUTE = Route("/live/{name}", _given)
