"""What a room has for a kind of answer: the file there that has the name of the kind's own file."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import FunctionType, ModuleType
from typing import Any

from dpcore.answers.answer import KindOfAnswer
from dpcore.errors import UnknownKindError


def beside(answer: KindOfAnswer, room: str) -> Any:
    """The module of a room, say ``"pages.old.charts.answers"``, for this kind of answer.

    UnknownKindError where the room has none: a kind of answer needs a file of its name in every room that shows answers.
    """
    return _found(type(answer).__module__.rpartition(".")[2], room)


def defined(answer: KindOfAnswer, room: str, name: str) -> Callable[..., Any] | None:
    """The function of this name that the kind's file in a room defines; None where it defines none. One that the file only
    imports is not its own, whatever its name is."""
    file = beside(answer, room)
    found = vars(file).get(name)
    return found if isinstance(found, FunctionType) and found.__module__ == file.__name__ else None


def has(answer: KindOfAnswer, room: str) -> bool:
    """Whether the room, which need not have a file for every kind, has one for this."""
    return find_spec(f"{room}.{type(answer).__module__.rpartition('.')[2]}") is not None


@cache
def _found(name: str, room: str) -> ModuleType:
    module = f"{room}.{name}"
    if find_spec(module) is None:
        known = pkgutil.iter_modules(import_module(room).__path__)
        raise UnknownKindError(f"kind of answer in {room.replace('.', '/')}", name, tuple(found.name for found in known))
    return import_module(module)
