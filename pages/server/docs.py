"""The documents of the project as plain text, for links on the page About."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

_DOCS = Path(__file__).parents[2] / "docs"
NAMES = ("limits.md", "hosting.md", *sorted(path.relative_to(_DOCS).as_posix() for path in _DOCS.glob("mathematics/*.md")))


async def _send(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in NAMES or not (_DOCS / name).is_file():
        return PlainTextResponse(f"This address has no document. The documents are: {', '.join(NAMES)}.", status_code=404)
    return PlainTextResponse((_DOCS / name).read_text(encoding="utf-8"))


ROUTE = Route("/docs/{name:path}", _send)
