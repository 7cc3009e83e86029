"""What a function consists of: its code, its defaults, what it closes over, and each global that its code reads."""

from __future__ import annotations

import builtins
import dis
import marshal
import operator
import sys
from collections.abc import Iterator
from functools import lru_cache
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

from dpcore.base.fingerprint.installed import Sink, UnknownContentsError, installed

# What a piece of code names outside of itself, read from its bytecode.


_GLOBAL = {"LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "DELETE_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"}
_ATTRIBUTE = {"LOAD_ATTR", "LOAD_METHOD"}


class Import(NamedTuple):
    """``import name``, or ``from name import names``; ``level`` counts the dots before the name."""

    name: str
    names: tuple[str, ...] | None
    level: int


class References(NamedTuple):
    """``paths``: each global with the attributes that are read from it at once, as ("np", "linalg", "norm").

    A global whose path ends at itself may go anywhere from there, and so may what was imported.
    """

    paths: tuple[tuple[str, ...], ...]
    imports: tuple[Import, ...]


@lru_cache(maxsize=1_024)
def references(code: CodeType) -> References:
    """What this code names, in the order of its first mention; functions defined inside of it are codes of their own."""
    steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
    globals_ = dict.fromkeys(_path(steps, place) for place, step in enumerate(steps) if step.opname in _GLOBAL)
    imports = dict.fromkeys(
        Import(step.argval, steps[place - 1].argval, steps[place - 2].argval)  # both were loaded just before
        for place, step in enumerate(steps)
        if step.opname == "IMPORT_NAME"
    )
    return References(tuple(globals_), tuple(imports))


def _path(steps: list[dis.Instruction], place: int) -> tuple[str, ...]:
    stop = place + 1
    while stop < len(steps) and steps[stop].opname in _ATTRIBUTE:
        stop += 1
    return tuple(str(step.argval) for step in steps[place:stop])


# What reaches an object by a name that stands in no code: what such code does cannot be told by reading it.


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


def looks_up(value: Any) -> bool:
    """Whether this object is a way round: ``getattr``, ``globals``, ``open``, what is of ``importlib``…"""
    if any(value is one for one in _OBJECTS):
        return True
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return isinstance(module, str) and module.partition(".")[0] in _MODULES


_MACHINERY = {"__builtins__", "__cached__", "__file__", "__loader__", "__path__", "__spec__"}


def add_function(sink: Sink, function: FunctionType) -> None:
    sink.put("function", function.__qualname__)
    sink.add(function.__code__)
    sink.add((function.__defaults__, function.__kwdefaults__, function.__closure__, vars(function)))
    if owner := owner_of(function):
        return sink.put("installed", owner)
    scope = function.__globals__
    for code in _codes(function.__code__):
        if not _ATTRIBUTES.isdisjoint(code.co_names):  # one of these leads to what the code does not name
            raise UnknownContentsError(function.__qualname__)
        _add_references(sink, references(code), scope, getattr(function, "__builtins__", vars(builtins)))
    return None


def owner_of(function: FunctionType) -> str | None:
    """What was installed with the module whose globals it reads; they must be that module's own, or anyone could say so."""
    scope = function.__globals__
    module = sys.modules.get(str(scope.get("__name__")))
    return installed(module) if module is not None and vars(module) is scope else None


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _codes(part)


def _add_references(sink: Sink, named: References, scope: dict[str, Any], outer: dict[str, Any]) -> None:
    for path in named.paths:
        sink.put("global", *path)
        values = scope if path[0] in scope else outer
        if path[0] in values:
            _add_at_end(sink, values[path[0]], path[1:])
    for one in named.imports:
        _add_import(sink, one, scope)


def _add_at_end(sink: Sink, value: Any, attributes: tuple[str, ...]) -> None:
    """Follows the attributes as long as they lead through modules; what they lead to is added whole."""
    for attribute in attributes:
        if not isinstance(value, ModuleType):
            break
        if installed(value) is None and attribute not in vars(value) and "__getattr__" in vars(value):
            raise UnknownContentsError(f"{value.__name__}.{attribute}")
        if not hasattr(value, attribute):
            return sink.put("absent", attribute)
        value = getattr(value, attribute)
    return sink.add(value)


def _add_import(sink: Sink, one: Import, scope: dict[str, Any]) -> None:
    """As the statement does it, which imports the module; a name is looked for in it, an ``import`` or a * takes it whole."""
    module = __import__(one.name, scope, None, one.names or (), one.level)
    names = () if one.names is None or "*" in one.names else one.names
    sink.put("import", one.name, *names)
    for name in names:
        _add_at_end(sink, module, (name,))
    if not names:
        sink.add(module)


def add_code(sink: Sink, code: CodeType) -> None:
    """Without file and line numbers, which tell where it stands and not what it does."""
    numbers = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_qualname, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    sink.put("code", code.co_code, code.co_exceptiontable, marshal.dumps((numbers, names), 2))
    sink.add(code.co_consts)  # nested functions, lambdas and comprehensions are among them


def add_cell(sink: Sink, cell: CellType) -> None:
    try:
        held = cell.cell_contents
    except ValueError:  # its variable is not assigned yet
        return sink.put("empty cell")
    sink.put("cell")
    return sink.add(held)


def add_builtin(sink: Sink, function: BuiltinFunctionType) -> None:
    """A method of an object; a compiled function of the user's own shows nothing of what it does."""
    if function.__self__ is None or isinstance(function.__self__, ModuleType):
        raise UnknownContentsError(function.__qualname__)
    sink.put("builtin", function.__qualname__)
    sink.add(function.__self__)


def add_module(sink: Sink, module: ModuleType) -> None:
    """All that a module of the user's own holds: whoever has it can read any of its names."""
    sink.put("module", module.__name__, installed(module) or "")
    if installed(module) is None:
        for name in sorted(vars(module).keys() - _MACHINERY):
            sink.put("name", name)
            sink.add(vars(module)[name])
