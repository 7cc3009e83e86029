"""The members of the catalogue, found by looking into their folders; objects from JSON."""

from __future__ import annotations

import re
from dataclasses import fields
from functools import cache
from typing import Any

from dpcore.base.condition import Condition
from dpcore.base.declared import Column
from dpcore.base.facts import facts
from dpcore.base.fingerprint import to_json
from dpcore.base.groups import Groups
from dpcore.base.norms import norm_named
from dpcore.errors import DpcoreError, InvalidValueError, UnknownKindError
from dpcore.registry.files import ROOMS, declared

__all__ = ["findings", "from_json", "members", "title_of", "to_json"]


# The fields whose members are of another room.
_INSIDE = {"curve": "curves", "where": "conditions", "by": "groups", "table": "columns"}
_ASKED: dict[str, dict[str, type[Any]]] = {
    "columns": {"Column": Column},
    "conditions": {"Condition": Condition},
    "groups": {"Groups": Groups},
}
_MOST_DEPTH = 16  # of members and lists within one another


@cache
def members(folder: str) -> dict[str, type[Any]]:
    """The kinds of ``dpcore.targets``, ``dpcore.curves``, ``dpcore.oracles`` or ``dpcore.mechanisms``, by name.

    A kind is a frozen dataclass whose file is named after it (``laplace.py`` holds ``Laplace``). A file that is none is left
    out; ``findings`` says why.
    """
    return declared(folder).kinds


def title_of(kind: type[Any]) -> str:
    """A kind for people: as it says itself, else its name in words.

    >>> title_of(members("targets")["TrimmedMean"])
    'Trimmed mean'
    """
    return facts(kind).title or re.sub(r"(?<!^)([A-Z])", lambda capital: f" {capital[1].lower()}", kind.__name__)


def findings() -> tuple[str, ...]:
    """A sentence for each file of the four rooms that was left out: what was expected of it, what came, and what to do."""
    return tuple(sentence for room in ROOMS for sentence in declared(room).findings)


def from_json(value: object, folder: str, depth: int = 0) -> Any:
    """The member that ``{"kind": name, field: value…}`` describes, checked by its own constructor.

    UnknownKindError for a kind or a field that there is not; InvalidValueError for a value that it refuses, or cannot be
    made of. ``depth`` is how many members it stands in.
    """
    if not isinstance(value, dict):
        raise InvalidValueError(folder[:-1], "an entry that names its kind", value)
    if depth > _MOST_DEPTH:
        raise InvalidValueError(folder[:-1], "of fewer members within members", None)
    known = _ASKED.get(folder) or members(folder)
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in known:
        raise UnknownKindError(folder[:-1], kind, tuple(known))
    names = {field.name for field in fields(known[kind])}
    given = {name: _field(name, item, folder, depth) for name, item in value.items() if name != "kind"}
    if strange := sorted(set(given) - names):
        raise UnknownKindError(f"field of {kind}", strange[0], tuple(sorted(names)))
    try:
        return known[kind](**given)
    except DpcoreError:
        raise
    except TypeError:
        raise InvalidValueError(kind, f"given with all its settings: {', '.join(sorted(names))}", None) from None
    except (ValueError, ArithmeticError, MemoryError):  # as of lists that are no table, or a number beyond all floats
        raise InvalidValueError(kind, "given values that it can be made of", None) from None


def _field(name: str, value: object, folder: str, depth: int) -> object:
    if name == "norm":
        return norm_named(value)
    return _built(value, _INSIDE.get(name, folder), depth + 1)


def _built(value: object, folder: str, depth: int) -> object:
    if isinstance(value, dict):
        return from_json(value, folder, depth)
    if isinstance(value, list):
        if depth > _MOST_DEPTH:
            raise InvalidValueError(folder[:-1], "of fewer lists within lists", None)
        return tuple(_built(item, folder, depth + 1) for item in value)
    return value
