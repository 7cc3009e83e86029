"""What a target or an oracle is, as JSON and as a SHA-256: provenance and ledger tell them apart by it."""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from dpcore.base.fingerprint.described import describe, to_json
from dpcore.base.types import FunctionTarget

__all__ = ["describe", "fingerprint", "to_json"]

_names: dict[int, tuple[Callable[[], Any], str]] = {}  # by id: an object that is not of the catalogue, and its name
_lock = threading.Lock()


def fingerprint(value: Any) -> str:
    """The SHA-256 of the JSON of a catalogue member; any other object, in a member too, stands in it with a random name.

    Two catalogue members with the same settings have the same fingerprint, in every process. A function or an object of the
    user's own gets its name once, in this process alone. No other object ever has that name, even if it does the same.

    A name says nothing of what the object does. The object must be deterministic, hold all that it uses, and never change.
    """
    content = json.dumps(to_json(value, array=_array, other=_name), sort_keys=True, default=_name).encode()
    return hashlib.sha256(content).hexdigest()


def _name(value: Any) -> dict[str, str]:
    """A random name, the same while the object is there. No member's JSON is like it, for that has a kind."""
    if isinstance(value, FunctionTarget):  # which is made anew for each call
        value = value.function
    with _lock:
        known = _names.get(id(value))
        if known is None or known[0]() is not value:  # another object may have had this id
            known = _reference(value), secrets.token_hex(16)
            _names[id(value)] = known
    return {"name": known[1]}


def _reference(value: Any) -> Callable[[], Any]:
    """Gives the object back while it is there. One that takes no weak references, as ``np.median``, is there from now on."""
    try:
        return weakref.ref(value, partial(_forget, id(value)))
    except TypeError:
        return lambda: value


def _forget(key: int, reference: weakref.ref[Any]) -> None:
    """Without the lock: an object can end while this very thread holds it."""
    known = _names.get(key)
    if known is not None and known[0] is reference:
        _names.pop(key, None)


def _array(array: np.ndarray[Any, Any]) -> Any:
    """Floats as they always were; of others the type too, as the names of columns are part of what a target reads."""
    return array.tolist() if array.dtype == np.float64 else {"dtype": repr(array.dtype), "values": array.tolist()}
