"""What an object holds: an array by its bytes, anything else as it is pickled."""

from __future__ import annotations

import copyreg
import io
import marshal
import sys
import types
from abc import ABCMeta
from collections.abc import Iterable, Mapping
from dataclasses import fields
from types import (
    ClassMethodDescriptorType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodWrapperType,
    WrapperDescriptorType,
)
from typing import Any

import numpy as np

from dpcore.base.fingerprint.described import catalogued
from dpcore.base.fingerprint.installed import Sink, UnknownContentsError, found, installed

# What a class consists of: its bases, its metaclass, and each attribute: methods, properties, slots, values.


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
COMPILED = (
    ClassMethodDescriptorType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodWrapperType,
    WrapperDescriptorType,
)
_OF_PYTHON = {value for value in vars(types).values() if isinstance(value, type)}  # as the type of None: no module names it


def add_class(sink: Sink, cls: type[Any]) -> None:
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


def add_property(sink: Sink, value: property) -> None:
    sink.put("property")
    sink.add((value.fget, value.fset, value.fdel))


def add_bound_to_class(sink: Sink, value: staticmethod[..., Any] | classmethod[Any, ..., Any]) -> None:
    sink.put(type(value).__name__)
    sink.add(value.__func__)


def add_descriptor(sink: Sink, value: Any) -> None:
    """A slot, or a compiled method of an installed class: its name, and the class that it is of."""
    sink.put("descriptor", type(value).__name__, value.__name__)
    if isinstance(value, MethodWrapperType):
        return sink.add(value.__self__)
    cls = value.__objclass__
    if not isinstance(value, MemberDescriptorType) and not found(cls, cls.__module__, cls.__qualname__):
        raise UnknownContentsError(f"{cls.__qualname__}.{value.__name__}")
    return sink.add(cls)


PLAIN = frozenset({type(None), bool, int, float, complex, str, bytes, type(...)})


def add_list(sink: Sink, values: list[Any]) -> None:
    if PLAIN.issuperset(map(type, values)):  # a million numbers at once
        return sink.put("plain list", marshal.dumps(values, 2))
    sink.put("list", len(values))
    for value in values:
        sink.add(value)
    return None


def add_mapping(sink: Sink, values: Mapping[Any, Any]) -> None:
    """In their order, which a loop sees."""
    sink.put("mapping", len(values))
    for pair in values.items():
        sink.add(pair)


def add_set(sink: Sink, values: Iterable[Any]) -> None:
    sink.put(type(values).__name__)
    sink.add_unordered(values)


def add_bytes(sink: Sink, values: bytearray) -> None:
    sink.put("bytearray", bytes(values))


def add_array(sink: Sink, array: np.ndarray[Any, Any] | np.generic) -> None:
    """By dtype, shape, layout (sums differ by it in their last bits) and content."""
    layout = (array.flags.c_contiguous, array.flags.f_contiguous)
    sink.put(type(array).__name__, repr(array.dtype), repr((array.shape, array.strides if not any(layout) else layout)))
    if array.dtype.hasobject:
        return sink.add(array.tolist())
    return sink.put("bytes", array.tobytes())


def add_dtype(sink: Sink, dtype: np.dtype[Any]) -> None:
    sink.put("dtype", repr(dtype))


def add_ufunc(sink: Sink, function: np.ufunc) -> None:
    for module in ("numpy", "scipy.special"):
        if found(function, module, function.__name__):
            return sink.put("ufunc", module, function.__name__, str(installed(module)))
    raise UnknownContentsError(function.__name__)  # as of ``frompyfunc``: compiled, with a function inside


def add_lock(sink: Sink, lock: object) -> None:
    sink.put("lock")  # whether it is held says nothing of what a target gives


def add_cached(sink: Sink, function: Any) -> None:
    """Of ``functools.lru_cache``: the function that it remembers, not what it has seen so far."""
    sink.put("cached")
    sink.add((tuple(function.cache_parameters().items()), vars(function)))


def add_state(sink: Sink, value: Any) -> None:
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
