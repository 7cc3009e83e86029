"""A report as one HTML file: it asks no host for anything, runs no script, and prints on A4."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from importlib import resources
from typing import Any

from dpcore.workbench.reports.document import Report

_ROOM = "dpcore.workbench.reports"


def html(report: Report) -> str:
    """The file's text. All of it is text but for the pictures, which the library drew itself: no name can bring markup in."""
    style = _style()
    text: str = _template().render(report=report, style=style, allowed=_hash(style))
    return text


@lru_cache(maxsize=1)
def _template() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    there = Environment(
        loader=PackageLoader("dpcore.workbench", "reports"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    return there.get_template("page.html.jinja")


@lru_cache(maxsize=1)
def _style() -> str:
    return resources.files(_ROOM).joinpath("page.css").read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """By which a policy allows this style and no other."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
