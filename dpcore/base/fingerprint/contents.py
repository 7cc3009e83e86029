"""The SHA-256 of all that an object consists of: its code, what that refers to, its classes and its state."""

from __future__ import annotations

import hashlib
import marshal
import threading
from collections.abc import Callable, Iterable
from functools import _lru_cache_wrapper
from operator import itemgetter
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any, final

import numpy as np

from dpcore.base.fingerprint import functions, states
from dpcore.base.fingerprint.functions import looks_up
from dpcore.base.fingerprint.installed import UnknownContentsError, found, installed

_MOST = 1_000_000  # parts, so that it ends
_RANDOM = getattr(np.random.get_state, "__self__", None)  # numpy's global generator: many objects of scipy hold it
_KINDS: dict[type[Any], Callable[[Any, Any], None]] = {
    list: states.add_list,
    dict: states.add_mapping,
    MappingProxyType: states.add_mapping,
    set: states.add_set,
    bytearray: states.add_bytes,
    np.ndarray: states.add_array,
    np.ufunc: states.add_ufunc,
    _lru_cache_wrapper: states.add_cached,
    type(threading.Lock()): states.add_lock,
    type(threading.RLock()): states.add_lock,
    FunctionType: functions.add_function,
    CodeType: functions.add_code,
    CellType: functions.add_cell,
    MethodType: functions.add_method,
    BuiltinFunctionType: functions.add_builtin,
    property: states.add_property,
    staticmethod: states.add_bound_to_class,
    classmethod: states.add_bound_to_class,
    **dict.fromkeys(states.COMPILED, states.add_descriptor),
}
_LIKE: tuple[tuple[type[Any], Callable[[Any, Any], None]], ...] = (
    (type, states.add_class),
    (ModuleType, functions.add_module),
    (np.generic, states.add_array),
    (np.dtype, states.add_dtype),
)


def contents(value: Any) -> str:
    """The SHA-256 of a value with all that it refers to; any exception where that cannot be told with certainty."""
    parts = Parts()
    parts.add(value)
    return parts.hash.hexdigest()


@final
class Parts:
    """Feeds parts to a SHA-256, each object once: where it comes again, and in a circle, its number stands."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self._left = _MOST
        self._met: dict[int, tuple[int, Any]] = {}  # by id, with the object, so that no other takes its id

    def put(self, tag: str, *parts: str | bytes | int) -> None:
        self.hash.update(marshal.dumps((tag, *parts), 2))  # each with its length: no two rows of parts read alike

    def add(self, value: Any, /) -> None:
        self._left -= 1
        if self._left < 0:
            raise UnknownContentsError(f"more than {_MOST:,} parts")
        kind = type(value)
        if kind in states.PLAIN:
            self.put("plain", value)
        elif kind is frozenset:  # like a tuple, by value alone: whether two equal constants are one object is up to the compiler
            states.add_set(self, value)
        elif kind is tuple:
            self.put("tuple", len(value))
            for item in value:
                self.add(item)
        elif id(value) in self._met:
            self.put("again", self._met[id(value)][0])
        else:
            self._met[id(value)] = len(self._met), value
            self._add_new(value)

    def _add_new(self, value: Any) -> None:
        if looks_up(value):
            raise UnknownContentsError(repr(value))
        if value is _RANDOM:
            return self.put("random")
        if callable(value) and _found(value):
            return self.put("installed", value.__module__, _name(value), str(installed(value.__module__)))
        add = _KINDS.get(type(value))
        if add is None:
            add = next((add for kind, add in _LIKE if isinstance(value, kind)), states.add_state)
        return add(self, value)

    def add_unordered(self, values: Iterable[Any], /) -> None:
        alone = sorted(((contents(value), value) for value in values), key=itemgetter(0))
        if len({digest for digest, _ in alone}) < len(alone):
            raise UnknownContentsError("a set of objects that are alike")
        self.put("unordered", len(alone))
        for _, value in alone:
            self.add(value)


def _found(value: Any) -> bool:
    """Whether it is of an installed module, and no function of the user's own that was put there in another's place."""
    own = isinstance(value, FunctionType) and functions.owner_of(value) is None
    return not own and found(value, getattr(value, "__module__", None), _name(value))


def _name(value: Any) -> str:
    return str(getattr(value, "__qualname__", None) or getattr(value, "__name__", ""))
