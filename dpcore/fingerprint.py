"""What a target or an oracle is, as JSON and as a SHA-256: provenance and ledger tell them apart by it."""

from __future__ import annotations

import hashlib
import json
import secrets
import weakref
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass
from inspect import getattr_static
from types import CodeType
from typing import Any

import numpy as np

from dpcore.norms import Norm

_METHODS = ("__call__", "draw", "contribution", "pair", "batch")
_CATALOGUED = ("dpcore.targets.", "dpcore.oracles.", "dpcore.curves.", "dpcore.mechanisms.")


def to_json(value: Any) -> Any:
    """``{"kind": class name, field: value…}`` of a catalogue member, built from the inside out."""
    if is_dataclass(value) and not isinstance(value, type) and type(value).__module__.startswith(_CATALOGUED):
        pairs = {field.name: to_json(getattr(value, field.name)) for field in fields(value) if field.init}
        return {"kind": type(value).__name__, **pairs}
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Norm):
        return value.name
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise TypeError(f"{type(value).__name__} is not in the catalogue")


def fingerprint(value: Any) -> str:
    """The SHA-256 of the JSON of a catalogue member, else of its pickle and code, else a name for this one object.

    Two that do different things never share it: to resume, and in a ledger, that would be a wrong guarantee. Two that do the
    same may differ, as a function that a notebook defined twice.
    """
    try:
        content = json.dumps(to_json(value), sort_keys=True).encode()
    except TypeError:
        try:
            content = (
                _pickled(value) + _code(value) + b"".join(_code(getattr_static(type(value), name, None)) for name in _METHODS)
            )
        except Exception:  # pickling runs the value's own code, which can raise anything
            return f"{describe(value)}@{_token(value)}"
    return hashlib.sha256(content).hexdigest()


def _pickled(value: Any) -> bytes:
    """By value what no other process could import: a closure with what it holds, a notebook's function with its globals."""
    import cloudpickle

    return bytes(cloudpickle.dumps(value))


def _code(value: Any) -> bytes:
    """What a function does: the pickle of one that can be imported is its name alone."""
    code = getattr(value, "__code__", None)
    if not isinstance(code, CodeType):
        return b""
    nested = b"".join(_of_code(part) for part in _codes(code))
    return nested + repr((value.__defaults__, value.__kwdefaults__)).encode()


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _of_code(code: CodeType) -> bytes:
    constants = [constant for constant in code.co_consts if not isinstance(constant, CodeType)]
    return code.co_code + repr((constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)).encode()


def _token(value: Any) -> str:
    """The same for the same object while it lives, and never for another: an ``id`` is used again."""
    kept = _TOKENS.get(id(value))
    if kept is not None and kept[0]() is value:
        return kept[1]
    token = secrets.token_hex(8)
    with suppress(TypeError):  # without a weak reference nothing tells whether it lives: no two looks at it are alike
        _TOKENS[id(value)] = weakref.ref(value), token
    return token


_TOKENS: dict[int, tuple[weakref.ref[Any], str]] = {}


def describe(value: Any) -> str:
    """A target or an oracle for people: its public settings if it is of the catalogue, else its name alone."""
    if is_dataclass(value) and type(value).__module__.startswith(_CATALOGUED):
        given = ((field.name, getattr(value, field.name)) for field in fields(value) if field.init)
        return f"{type(value).__name__}({', '.join(f'{name}={_setting(item)}' for name, item in given if item is not None)})"
    return getattr(value, "__qualname__", None) or type(value).__qualname__


def _setting(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{len(value):,} public records"
    if isinstance(value, (list, tuple)):
        return f"({', '.join(map(_setting, value))})"
    if isinstance(value, float):
        return f"{value:g}"
    return describe(value) if is_dataclass(value) else repr(value)
