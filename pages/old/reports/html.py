"""A report as one HTML file: it asks no host for anything and prints on A4. It runs no
program."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from importlib import resources
from typing import Any

from pages.old.charts.svg import ON_DARK
from pages.old.reports.document import Report
from pages.old.wording.from_outside import seen

_ROOM = "pages.old.reports"


def html(report: Report) -> str:
    """The file's text. All of it is text but for the pictures, which the library drew itself: no name can bring markup in."""
    style = _page_style()
    return str(_templates().get_template("page.html.jinja").render(style=style, policy=policy(style), report=report))


def policy(style: str) -> str:
    """What the file may do: show itself in this style."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii")
    return f"default-src 'none'; style-src 'sha256-{digest}'"


@lru_cache(maxsize=1)
def _templates() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("pages.old", "reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_seen,
    )


def _seen(said: Any) -> Any:
    """A text without controls, and without marks that turn what follows around."""
    return seen(said) if type(said) is str else said


def _page_style() -> str:
    return f"{_style('page')}@media screen and (prefers-color-scheme: dark) {{ :root {{ {ON_DARK}; }} }}\n"


@lru_cache(maxsize=4)
def _style(name: str) -> str:
    return resources.files(_ROOM).joinpath(f"{name}.css").read_text(encoding="utf-8")
