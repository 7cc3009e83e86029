"""What a target or an oracle is, as JSON and as a SHA-256: provenance and ledger tell them apart by it."""

from __future__ import annotations

import hashlib
import json
import pickle
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from dpcore.norms import Norm

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
    """The SHA-256 of the JSON of a catalogue member, else of its pickle, else a name that is unique in this process."""
    try:
        content = json.dumps(to_json(value), sort_keys=True).encode()
    except TypeError:
        try:
            content = pickle.dumps(value) + _code(value)
        except (pickle.PicklingError, AttributeError, TypeError):
            return f"{describe(value)}@{id(value):x}"
    return hashlib.sha256(content).hexdigest()


def _code(value: Any) -> bytes:
    """What a function does: its pickle is its name alone, which a notebook can give to another."""
    code = getattr(value, "__code__", None)
    return b"" if code is None else code.co_code + repr(code.co_consts).encode()


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
