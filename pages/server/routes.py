"""Files that the server sends beside Streamlit's own: plotly.js, and documents of the project for links on the page About."""

from __future__ import annotations

import asyncio
import gzip
from functools import lru_cache
from pathlib import Path

import plotly
import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

_PLOTLY = f"{plotly.__version__}.min.js"  # the version is part of the address
_DOCS = Path(__file__).parents[2] / "docs"
NAMES = ("limits.md", "hosting.md", *sorted(path.relative_to(_DOCS).as_posix() for path in _DOCS.glob("mathematics/*.md")))


def plotly_address() -> str:
    """Return the URL of plotly.js on this host."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"{f'/{base}' if base else ''}/plotly/{_PLOTLY}"


@lru_cache(maxsize=1)
def _plotly_js() -> bytes:
    return gzip.compress((Path(plotly.__file__).parent / "package_data" / "plotly.min.js").read_bytes(), 6)


async def _send_plotly(request: Request) -> Response:
    if request.path_params["name"] != _PLOTLY:
        return PlainTextResponse("There is another version of this file. Load the page again.", status_code=404)
    headers = {"cache-control": "public, max-age=31536000, immutable", "content-encoding": "gzip", "vary": "accept-encoding"}
    content = await asyncio.to_thread(_plotly_js)  # compressing it takes half a second, once
    return Response(content, media_type="text/javascript", headers=headers)


async def _send_document(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in NAMES or not (_DOCS / name).is_file():
        return PlainTextResponse(f"This address has no document. The documents are: {', '.join(NAMES)}.", status_code=404)
    return PlainTextResponse((_DOCS / name).read_text(encoding="utf-8"))


ROUTES = [Route("/plotly/{name}", _send_plotly), Route("/docs/{name:path}", _send_document)]
