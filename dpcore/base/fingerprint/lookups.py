"""What reaches an object by a name that stands in no code: what such code does cannot be told by reading it."""

from __future__ import annotations

import builtins
import operator
import sys
from types import CodeType, ModuleType
from typing import Any

_BUILTINS = ("__import__", "breakpoint", "compile", "dir", "eval", "exec", "getattr", "globals", "input", "open", "vars")
_OBJECTS: tuple[Any, ...] = (
    *(getattr(builtins, name) for name in _BUILTINS),
    *(builtins, operator.attrgetter, operator.methodcaller, sys._getframe, sys.modules),
)
_MODULES = {"_ctypes", "ctypes", "gc", "importlib", "inspect", "marshal", "pickle", "_pickle", "pkgutil", "runpy", "shelve"}
_ATTRIBUTES = {
    "__annotations__",
    "__builtins__",
    "__globals__",
    "__orig_bases__",
    "__parameters__",
    "__subclasses__",
    "_getframe",
    "attrgetter",
    "f_back",
    "f_globals",
    "get_type_hints",
    "methodcaller",
    "modules",
}


def code_looks_up(code: CodeType) -> bool:
    """Whether it reads an attribute that leads to what it does not name."""
    return not _ATTRIBUTES.isdisjoint(code.co_names)


def looks_up(value: Any) -> bool:
    """Whether this object is a way round: ``getattr``, ``globals``, ``open``, what is of ``importlib``…"""
    if any(value is one for one in _OBJECTS):
        return True
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return isinstance(module, str) and module.partition(".")[0] in _MODULES
