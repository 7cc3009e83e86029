"""Jinja templates of the files that the app offers. Every value in them is escaped, except what the app itself wrote."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from pages.escape import seen


@cache
def template(name: str) -> Any:
    """Return the template of this name in this folder. A missing value is an error, and no value brings markup in."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    there = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_without_controls,
    )
    return there.get_template(name)


def trusted(text: str) -> Any:
    """Return a text of the app itself, which is not escaped."""
    from markupsafe import Markup

    return Markup(text)


def allowed(text: str) -> str:
    """Return how a security policy allows a script or a style: by its hash."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _without_controls(value: Any) -> Any:
    """Return a text without control characters, and without marks that turn the text after them around."""
    return seen(value) if type(value) is str else value
