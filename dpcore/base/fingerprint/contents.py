"""The SHA-256 of all that an object consists of: its code, what that refers to, its classes and its state."""

from __future__ import annotations

import copyreg
import hashlib
import io
import marshal
import sys
import threading
import types
from abc import ABCMeta
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import _lru_cache_wrapper
from operator import attrgetter, itemgetter
from types import (
    BuiltinFunctionType,
    CellType,
    ClassMethodDescriptorType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, final

import numpy as np

from dpcore.base.fingerprint import functions
from dpcore.base.fingerprint.described import catalogued
from dpcore.base.fingerprint.installed import Sink, UnknownContentsError, found, installed

_MOST = 1_000_000  # parts, so that it ends
_RANDOM = getattr(np.random.get_state, "__self__", None)  # numpy's global generator: many objects of scipy hold it
_PLAIN = frozenset({type(None), bool, int, float, complex, str, bytes, type(...)})


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
        if kind in _PLAIN:
            self.put("plain", value)
        elif kind is frozenset:  # like a tuple, by value alone: whether two equal constants are one object is up to the compiler
            _add_set(self, value)
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
        if functions.looks_up(value):
            raise UnknownContentsError(repr(value))
        if value is _RANDOM:
            return self.put("random")
        if callable(value) and _found(value):
            return self.put("installed", value.__module__, _name(value), str(installed(value.__module__)))
        if type(value) in _MADE_OF:
            self.put(_MADE_OF[type(value)][0])
            return self.add(_MADE_OF[type(value)][1](value))
        add = _KINDS.get(type(value))
        if add is None:
            add = next((add for kind, add in _LIKE if isinstance(value, kind)), _add_state)
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


# What a class holds beside its attributes: caches, words for type checkers, and what its bases say already.
_BESIDE = {
    "__dict__",
    "__weakref__",
    "__annotations__",
    "__abstractmethods__",
    "_abc_impl",
    "__orig_bases__",
    "__parameters__",
    "__slotnames__",
    "__firstlineno__",
    "__static_attributes__",
}
_COMPILED = (
    ClassMethodDescriptorType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodWrapperType,
    WrapperDescriptorType,
)
_OF_PYTHON = {value for value in vars(types).values() if isinstance(value, type)}  # as the type of None: no module names it


def _add_class(sink: Sink, cls: type[Any]) -> None:
    """Its bases, its metaclass, and each attribute: methods, properties, slots, values."""
    sink.put("class", cls.__qualname__)
    if cls in _OF_PYTHON:
        return
    sink.add(type(cls))
    sink.add(cls.__mro__[1:])
    for name, value in vars(cls).items():
        if name not in _BESIDE:
            sink.put("attribute", name)
            sink.add(value)
    if _has_registered(cls):
        raise UnknownContentsError(f"{cls.__qualname__} with classes that were registered as its own")


def _has_registered(cls: type[Any]) -> bool:
    """Whether an abstract class was told of classes that are not made from it: ``isinstance`` hangs on it."""
    if not isinstance(cls, ABCMeta):
        return False
    said = io.StringIO()
    cls._dump_registry(said)
    return "_abc_registry: set()" not in said.getvalue()


def _add_descriptor(sink: Sink, value: Any) -> None:
    """A slot, or a compiled method of an installed class: its name, and the class that it is of."""
    sink.put("descriptor", type(value).__name__, value.__name__)
    if isinstance(value, MethodWrapperType):
        return sink.add(value.__self__)
    cls = value.__objclass__
    if not isinstance(value, MemberDescriptorType) and not found(cls, cls.__module__, cls.__qualname__):
        raise UnknownContentsError(f"{cls.__qualname__}.{value.__name__}")
    return sink.add(cls)


def _add_list(sink: Sink, values: list[Any]) -> None:
    if _PLAIN.issuperset(map(type, values)):  # a million numbers at once
        return sink.put("plain list", marshal.dumps(values, 2))
    sink.put("list", len(values))
    for value in values:
        sink.add(value)
    return None


def _add_mapping(sink: Sink, values: Mapping[Any, Any]) -> None:
    """In their order, which a loop sees."""
    sink.put("mapping", len(values))
    for pair in values.items():
        sink.add(pair)


def _add_set(sink: Sink, values: Iterable[Any]) -> None:
    sink.put(type(values).__name__)
    sink.add_unordered(values)


def _add_bytes(sink: Sink, values: bytearray) -> None:
    sink.put("bytearray", bytes(values))


def _add_array(sink: Sink, array: np.ndarray[Any, Any] | np.generic) -> None:
    """By dtype, shape, layout (sums differ by it in their last bits) and content."""
    layout = (array.flags.c_contiguous, array.flags.f_contiguous)
    sink.put(type(array).__name__, repr(array.dtype), repr((array.shape, array.strides if not any(layout) else layout)))
    if array.dtype.hasobject:
        return sink.add(array.tolist())
    return sink.put("bytes", array.tobytes())


def _add_dtype(sink: Sink, dtype: np.dtype[Any]) -> None:
    sink.put("dtype", repr(dtype))


def _add_ufunc(sink: Sink, function: np.ufunc) -> None:
    for module in ("numpy", "scipy.special"):
        if found(function, module, function.__name__):
            return sink.put("ufunc", module, function.__name__, str(installed(module)))
    raise UnknownContentsError(function.__name__)  # as of ``frompyfunc``: compiled, with a function inside


def _add_lock(sink: Sink, lock: object) -> None:
    sink.put("lock")  # whether it is held says nothing of what a target gives


def _add_cached(sink: Sink, function: Any) -> None:
    """Of ``functools.lru_cache``: the function that it remembers, not what it has seen so far."""
    sink.put("cached")
    sink.add((tuple(function.cache_parameters().items()), vars(function)))


def _add_state(sink: Sink, value: Any) -> None:
    """Its class, and what ``__reduce__`` or ``__getstate__`` say that it is: what a worker process is sent."""
    cls = type(value)
    sink.put("object")
    sink.add(cls)
    if catalogued(value):
        return sink.add(tuple((field.name, getattr(value, field.name)) for field in fields(value) if field.init))
    reduce = copyreg.dispatch_table.get(cls)
    reduced = reduce(value) if reduce else value.__reduce_ex__(4)
    if isinstance(reduced, str):
        return _add_single(sink, value, reduced)
    make, arguments, state, items, pairs, restore = (*reduced, None, None, None, None)[:6]
    if make is not getattr:  # which a method of a compiled object is pickled by
        sink.add(make)
    return sink.add((arguments, state, items and tuple(items), pairs and tuple(pairs), restore))


def _add_single(sink: Sink, value: Any, name: str) -> None:
    """One object that stands under a name in an installed module."""
    module = getattr(value, "__module__", "builtins")
    if not found(value, module, name):
        raise UnknownContentsError(name)
    sink.put("single", str(module), name, str(installed(sys.modules[str(module)])))


_MADE_OF: dict[type[Any], tuple[str, Callable[[Any], Any]]] = {  # a name, and the objects that it consists of
    property: ("property", attrgetter("fget", "fset", "fdel")),
    staticmethod: ("staticmethod", attrgetter("__func__")),
    classmethod: ("classmethod", attrgetter("__func__")),
    MethodType: ("method", attrgetter("__func__", "__self__")),
}
_KINDS: dict[type[Any], Callable[[Any, Any], None]] = {
    list: _add_list,
    dict: _add_mapping,
    MappingProxyType: _add_mapping,
    set: _add_set,
    bytearray: _add_bytes,
    np.ndarray: _add_array,
    np.ufunc: _add_ufunc,
    _lru_cache_wrapper: _add_cached,
    type(threading.Lock()): _add_lock,
    type(threading.RLock()): _add_lock,
    FunctionType: functions.add_function,
    CodeType: functions.add_code,
    CellType: functions.add_cell,
    BuiltinFunctionType: functions.add_builtin,
    **dict.fromkeys(_COMPILED, _add_descriptor),
}
_LIKE: tuple[tuple[type[Any], Callable[[Any, Any], None]], ...] = (
    (type, _add_class),
    (ModuleType, functions.add_module),
    (np.generic, _add_array),
    (np.dtype, _add_dtype),
)
