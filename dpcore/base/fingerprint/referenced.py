"""What a piece of code names outside of itself, read from its bytecode."""

from __future__ import annotations

import dis
from functools import lru_cache
from types import CodeType
from typing import NamedTuple

_GLOBAL = {"LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "DELETE_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"}
_ATTRIBUTE = {"LOAD_ATTR", "LOAD_METHOD"}


class Import(NamedTuple):
    """``import name``, or ``from name import names``; ``level`` counts the dots before the name."""

    name: str
    names: tuple[str, ...] | None
    level: int


class References(NamedTuple):
    """``paths``: each global with the attributes that are read from it at once, as ("np", "linalg", "norm").

    A global whose path ends at itself may go anywhere from there, and so may what was imported.
    """

    paths: tuple[tuple[str, ...], ...]
    imports: tuple[Import, ...]


@lru_cache(maxsize=1_024)
def references(code: CodeType) -> References:
    """What this code names, in the order of its first mention; functions defined inside of it are codes of their own."""
    steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
    globals_ = dict.fromkeys(_path(steps, place) for place, step in enumerate(steps) if step.opname in _GLOBAL)
    imports = dict.fromkeys(
        Import(step.argval, steps[place - 1].argval, steps[place - 2].argval)  # both were loaded just before
        for place, step in enumerate(steps)
        if step.opname == "IMPORT_NAME"
    )
    return References(tuple(globals_), tuple(imports))


def _path(steps: list[dis.Instruction], place: int) -> tuple[str, ...]:
    stop = place + 1
    while stop < len(steps) and steps[stop].opname in _ATTRIBUTE:
        stop += 1
    return tuple(str(step.argval) for step in steps[place:stop])
