"""The identity of a target or an oracle: as JSON, in words, and as a SHA-256 for provenance and ledger."""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
import weakref
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from dpcore.base.norms import NORMS, Norm
from dpcore.base.text import counted
from dpcore.base.types import FunctionTarget

__all__ = ["describe", "fingerprint", "to_json"]

# The modules of members, and of the parts of a member that are public declarations.
_CATALOGUED = (
    "dpcore.targets.",
    "dpcore.oracles.",
    "dpcore.curves.",
    "dpcore.mechanisms.",
    "dpcore.base.columns",
    "dpcore.base.filters",
)
_names: dict[int, tuple[str, Any]] = {}  # by id of an object outside the catalogue: its name, and the object if that must be kept
_lock = threading.Lock()


def fingerprint(value: Any) -> str:
    """Return the SHA-256 of the JSON of a catalogue member; any other object is written as a random name.

    Two catalogue members with the same settings have the same fingerprint, in every process. A function or an object of the
    user's own gets its name once, in this process only. No other object ever has that name, even if it does the same.

    A name does not depend on what the object does. The object must be deterministic, hold all that it uses, and never change.
    """
    content = json.dumps(to_json(value, array=_array, other=_name), sort_keys=True, default=_name).encode()
    return hashlib.sha256(content).hexdigest()


def _name(value: Any) -> dict[str, str]:
    """Return a random name, the same while the object exists. No member's JSON is like it, because that has a kind."""
    if isinstance(value, FunctionTarget):  # one is made for each call
        value = value.function
    with _lock:
        if id(value) not in _names:
            _names[id(value)] = secrets.token_hex(16), _kept(value)
        return {"name": _names[id(value)][0]}


def _kept(value: Any) -> Any:
    """Forget the object's name when the object ends, before its id is used again; return the object if it cannot be watched."""
    try:
        # Without the lock: an object can end while this very thread holds it.
        weakref.finalize(value, _names.pop, id(value), None).atexit = False
    except TypeError:  # an object that takes no weak references, such as ``np.median``, is kept from now on
        return value
    return None


def _array(array: np.ndarray[Any, Any]) -> Any:
    """Return floats as a list; of other arrays the type too, because a target can read the names of columns."""
    return array.tolist() if array.dtype == np.float64 else {"dtype": repr(array.dtype), "values": array.tolist()}


def _catalogued(value: Any) -> bool:
    """Return whether an object is a catalogue member: its settings say all that it does."""
    return is_dataclass(value) and not isinstance(value, type) and type(value).__module__.startswith(_CATALOGUED)


def _refuse(value: Any) -> Any:
    raise TypeError(f"{type(value).__name__} is not in the catalogue")


def to_json(
    value: Any, *, array: Callable[[np.ndarray[Any, Any]], Any] = np.ndarray.tolist, other: Callable[[Any], Any] = _refuse
) -> Any:
    """Return a catalogue member as ``{"kind": class name, field: value…}``, built from the inside out.

    Args:
        value: The member.
        array: How an array is written.
        other: How an object outside the catalogue is written.

    Raises:
        TypeError: If an object is outside the catalogue, unless ``other`` is given.
    """
    if _catalogued(value):
        settings = {name: to_json(item, array=array, other=other) for name, item in _settings(value).items()}
        return {"kind": type(value).__name__, **settings}
    if type(value) in (list, tuple):  # a subclass could be the user's own target
        return [to_json(item, array=array, other=other) for item in value]
    if isinstance(value, np.ndarray):
        return array(value)
    if isinstance(value, Norm) and any(value is norm for norm in NORMS.values()):  # the user's own norm may have any name
        return value.name
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    return other(value)


def _settings(member: Any) -> dict[str, Any]:
    return {field.name: getattr(member, field.name) for field in fields(member) if field.init}


def describe(value: Any) -> str:
    """Return a target or an oracle in words: its public settings if it is in the catalogue, otherwise only its name.

    Examples:
        >>> from dpcore import oracles
        >>> describe(oracles.Uniform(0, 1))
        'Uniform(low=0, high=1)'
    """
    if _catalogued(value):
        given = (f"{name}={_setting(item)}" for name, item in _settings(value).items() if item is not None)
        return f"{type(value).__name__}({', '.join(given)})"
    function = value.function if isinstance(value, FunctionTarget) else value
    return getattr(function, "__qualname__", None) or type(function).__qualname__


def _setting(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return counted(len(value), " public rows")
    if isinstance(value, (list, tuple)):
        return f"({', '.join(map(_setting, value))})"
    if isinstance(value, float):
        return f"{value:g}"
    return describe(value) if is_dataclass(value) else repr(value)
