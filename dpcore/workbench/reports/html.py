"""A report as one HTML file: it asks no host for anything, runs no script, and prints on A4."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import lru_cache
from importlib import resources
from typing import Any

from dpcore.workbench.reports.document import Report

_ROOM = "dpcore.workbench.reports"
_UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


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
        lstrip_blocks=True, finalize=_seen,
    )  # fmt: skip
    return there.get_template("page.html.jinja")


def _seen(said: Any) -> Any:
    """A text without controls, and without marks that turn what follows around."""
    return _UNSEEN.sub(" ", said) if type(said) is str else said


@lru_cache(maxsize=1)
def _style() -> str:
    return resources.files(_ROOM).joinpath("page.css").read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """By which a policy allows this style and no other."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
