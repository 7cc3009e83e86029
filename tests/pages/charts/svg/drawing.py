"""What functions of pages/old/charts/drawing give, in the engine that the app draws with."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import quickjs

from pages.old.charts.bundle import script

_NAMES = ("byD3", "linesOf", "ticks")


@cache
def _engine() -> Any:
    context = quickjs.Context()
    names = ", ".join(_NAMES)
    context.eval(script(*_NAMES) + f"const known = {{ {names} }};")
    context.eval(
        "function run(body, given) { return JSON.stringify(new Function('known', 'given', body)(known, JSON.parse(given))); }"
    )
    return context.get("run")


def run(body: str, **given: Any) -> Any:
    """What a function of this body returns; it has ``known`` functions, and ``given``."""
    return json.loads(_engine()(body, json.dumps(given)))


def called(name: str, *given: Any) -> Any:
    """What one of the functions returns."""
    return run(f"return known.{name}(...given.of);", of=given)


def lines_of(text: str) -> list[list[dict[str, Any]]]:
    """The lines of a text, each of runs."""
    found: list[list[dict[str, Any]]] = called("linesOf", text)
    return found
