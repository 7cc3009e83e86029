"""The members of the catalogue by name, and members from JSON."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

from dpcore import curves, mechanisms, oracles, targets
from dpcore.base.condition import Condition
from dpcore.base.declared import Column
from dpcore.base.fingerprint import to_json
from dpcore.base.groups import Groups
from dpcore.base.norms import norm_named
from dpcore.errors import DpcoreError, InvalidValueError, UnknownKindError

__all__ = ["FOLDERS", "from_json", "members", "title_of", "to_json"]


# The fields whose members are of another room.
_INSIDE = {"curve": "curves", "where": "conditions", "by": "groups", "table": "columns"}
_ASKED: dict[str, dict[str, type[Any]]] = {
    "columns": {"Column": Column},
    "conditions": {"Condition": Condition},
    "groups": {"Groups": Groups},
}
FOLDERS = {"targets": targets, "curves": curves, "oracles": oracles, "mechanisms": mechanisms}
_MOST_DEPTH = 16  # of members and lists within one another


def members(folder: str) -> dict[str, type[Any]]:
    """Return the classes that ``dpcore.targets``, ``curves``, ``oracles`` or ``mechanisms`` lists, by name."""
    package = FOLDERS[folder]
    return {name: vars(package)[name] for name in sorted(package.__all__)}


def title_of(kind: type[Any]) -> str:
    """Return the title of a class, or its name in words.

    >>> title_of(members("targets")["LetterCounts"])
    'Letter counts'
    """
    return kind.title or re.sub(r"(?<!^)([A-Z])", lambda capital: f" {capital[1].lower()}", kind.__name__)


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
