"""A target or an oracle as JSON, and in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.norms import Norm, norm_named
from dpcore.base.types import FunctionTarget
from dpcore.errors import UnknownKindError

_ROOMS = ("dpcore.targets.", "dpcore.oracles.", "dpcore.curves.", "dpcore.mechanisms.")
# And what a question of these asks, and of what.
_CATALOGUED = (*_ROOMS, "dpcore.base.condition", "dpcore.base.declared", "dpcore.base.groups")


def catalogued(value: Any) -> bool:
    """Whether it is a catalogue member: its settings say all that it does."""
    return is_dataclass(value) and not isinstance(value, type) and type(value).__module__.startswith(_CATALOGUED)


def _refuse(value: Any) -> Any:
    raise TypeError(f"{type(value).__name__} is not in the catalogue")


def to_json(
    value: Any, *, array: Callable[[np.ndarray[Any, Any]], Any] = np.ndarray.tolist, other: Callable[[Any], Any] = _refuse
) -> Any:
    """``{"kind": class name, field: value…}`` of a catalogue member, built from the inside out.

    ``array`` says what becomes of an array, and ``other`` of what is not of the catalogue: unless it says so, TypeError.
    """
    if catalogued(value):
        pairs = {
            field.name: to_json(getattr(value, field.name), array=array, other=other) for field in fields(value) if field.init
        }
        return {"kind": type(value).__name__, **pairs}
    if type(value) in (list, tuple):  # a subclass could be somebody's own target
        return [to_json(item, array=array, other=other) for item in value]
    if isinstance(value, np.ndarray):
        return array(value)
    if isinstance(value, Norm) and is_named(value):
        return value.name
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    return other(value)


def is_named(norm: Norm) -> bool:
    """Whether its name is read back as the norm itself: somebody's own may have any name."""
    try:
        return norm_named(norm.name) is norm
    except UnknownKindError:
        return False


def describe(value: Any) -> str:
    """A target or an oracle for people: its public settings if it is of the catalogue, else its name alone."""
    if catalogued(value):
        given = ((field.name, getattr(value, field.name)) for field in fields(value) if field.init)
        return f"{type(value).__name__}({', '.join(f'{name}={_setting(item)}' for name, item in given if item is not None)})"
    function = value.function if isinstance(value, FunctionTarget) else value
    return getattr(function, "__qualname__", None) or type(function).__qualname__


def _setting(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return counted(f"{len(value):,}", " public rows")
    if isinstance(value, (list, tuple)):
        return f"({', '.join(map(_setting, value))})"
    if isinstance(value, float):
        return f"{value:g}"
    return describe(value) if is_dataclass(value) else repr(value)
