"""What a class consists of: its bases, its metaclass, and each attribute: methods, properties, slots, values."""

from __future__ import annotations

import io
import types
from abc import ABCMeta
from types import (
    ClassMethodDescriptorType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodWrapperType,
    WrapperDescriptorType,
)
from typing import Any

from dpcore.base.fingerprint.installed import found
from dpcore.base.fingerprint.sink import Sink, UnknownContentsError

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
