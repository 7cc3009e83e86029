"""Values as Python that makes equal ones: catalogue members, declarations, arrays, and what these hold."""

from __future__ import annotations

import importlib
import math
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from typing import Any

import numpy as np

from dpcore.base.fingerprint.described import catalogued, is_named
from dpcore.base.norms import NORMS, Norm
from dpcore.registry.laid_out import Bracket, Part, laid_out, literal, on_a_line

__all__ = ["as_code", "dtype_code", "in_lines", "literal", "to_code"]

_ROOMS = ("targets", "curves", "oracles", "mechanisms")


def to_code(value: Any) -> str:
    """Python on one line that makes a value, for a program that has ``from dpcore import *``: its rooms, and their members that
    are names of its own. Arrays and infinite numbers take ``np`` besides.

    TypeError for what has no such code, as a function has none.
    """
    return on_a_line(as_code(value))


def in_lines(value: Any, *, before: str = "", indent: int = 0, after: str = "") -> str:
    """The same, with a line for each of its parts where one line would be too long."""
    return laid_out(as_code(value), before=before, indent=indent, after=after)


def as_code(value: Any) -> Part:
    """The expression, to be laid out."""
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, np.generic):
        return as_code(value.item())
    if isinstance(value, Norm):
        return _norm(value)
    if isinstance(value, tuple):
        return Bracket("(", tuple(("", as_code(item)) for item in value), ")", alone=len(value) == 1)
    if isinstance(value, dict) and all(isinstance(name, str) for name in value):
        return Bracket("{", tuple((f"{literal(name)}: ", as_code(item)) for name, item in value.items()), "}")
    if isinstance(value, list):
        return Bracket("[", tuple(("", as_code(item)) for item in value), "]")
    if isinstance(value, float) and not math.isfinite(value):
        return "np.nan" if math.isnan(value) else "np.inf" if value > 0 else "-np.inf"
    if isinstance(value, str):
        return literal(value)
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    if is_dataclass(value) and not isinstance(value, type):
        return _call(value)
    raise TypeError(f"{type(value).__name__} has no code that makes it")


def _call(value: Any) -> Part:
    """A call of its class; what was not given, and is nothing unless it is given, is left out."""
    kind = type(value)
    module = kind.__module__.split(".")[1] if kind.__module__.startswith("dpcore.") else ""
    own = vars(importlib.import_module("dpcore")).get(kind.__name__) is kind
    of_no_room = not own and module not in _ROOMS  # a target of none runs code that a reader of the script need not have
    if not module or (of_no_room and (catalogued(value) or callable(value))):
        raise TypeError(f"{kind.__name__} has no code that makes it")
    prefix = f"{module}." if module in _ROOMS and not own else ""
    given = [(field, getattr(value, field.name)) for field in fields(value) if field.init]
    said = tuple((f"{field.name}=", as_code(item)) for field, item in given if not _unsaid(field, item))
    return Bracket(f"{prefix}{kind.__name__}(", said, ")")


def _unsaid(field: Any, item: Any) -> bool:
    """Whether a field has its usual value, and that is none."""
    nothing = item is None or item is False or (isinstance(item, (str, tuple)) and not item)
    return nothing and field.default is not MISSING and bool(item == field.default)


def _norm(norm: Norm) -> Part:
    if not is_named(norm):
        raise TypeError(f"{norm!r} has no code that makes it")
    return norm.name if norm.name in NORMS else f"norm_named({literal(norm.name)})"


def _array(array: np.ndarray[Any, Any]) -> Part:
    """Floats by their digits alone; others with their type, whose names of fields are part of them."""
    values = as_code(array.tolist())
    kind: tuple[tuple[str, Part], ...] = () if array.dtype == np.float64 else (("dtype=", dtype_code(array.dtype)),)
    return Bracket("np.array(", (("", values), *kind), ")")


def dtype_code(dtype: np.dtype[Any]) -> Part:
    """The type of an array: its short name, or the names and types of its fields."""
    return as_code(dtype.str if dtype.names is None else dtype.descr)
