"""Dataclasses as plain data for JSON, and back: written by their fields, read strictly by the annotations of these fields.

Each value that is read is checked by its annotation, so no file makes an object that no constructor would. An annotation can
hold further checks, ``Annotated[float, at_least_0]``: each takes the field's name and the value, and returns the value or raises
InvalidValueError.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import numpy as np

from dpcore.base.checks import finite
from dpcore.errors import InvalidValueError

LONGEST = 2**17  # characters of a text
DEEPEST = 20  # levels of lists and entries; members of the catalogue have at most 16
_MOST = 2**53  # of a whole number
_STRING = re.compile(rb'(?s)"(?:[^"\\]|\\.?)*(?:"|$)')
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_EXPECTED = {
    bool: "true or false",
    int: "a whole number of at most 2⁵³",
    float: "a number",
    str: f"a text of at most {LONGEST:,} characters",
}


def read_json(text: str | bytes, most: int, deepest: int = DEEPEST) -> Any:
    """Return what JSON says.

    Args:
        text: At most ``most`` characters, or bytes of UTF-8.
        most: The greatest length.
        deepest: The most levels of lists and entries.

    Raises:
        ValueError: If it is not JSON, has NaN or Infinity, or is too long or too deep.
    """
    if len(text) > most:
        raise ValueError
    refuse_deep(text, deepest)
    return json.loads(text if isinstance(text, str) else text.decode("utf-8-sig"), parse_constant=_refuse)


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def refuse_deep(text: str | bytes, deepest: int) -> None:
    """Refuse JSON that nests lists and entries too deeply, before it is parsed: a parser would run out of stack.

    Raises:
        ValueError: If more than ``deepest`` brackets are open at once, outside strings.
    """
    content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    letters = np.frombuffer(_STRING.sub(b"", content), np.uint8)
    opens, closes = np.isin(letters, [*b"{["]), np.isin(letters, [*b"}]"])
    if np.cumsum(opens.astype(np.int64) - closes).max(initial=0) > deepest:
        raise ValueError(f"more than {deepest} levels of lists and entries within one another")


def refuse_broken(value: Any) -> None:
    """Raise ValueError for plain data with half a character (a lone surrogate), or with a number that is not finite."""
    json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


def to_plain(value: Any, number: Callable[[float], float] = float) -> Any:
    """Return an object as plain data.

    Args:
        value: A dataclass, which becomes an entry by the names of its fields; a member of an enumeration, by its name; a tuple,
            list, array or frozenset, as a list; or an object with its own ``to_json`` and ``from_json``.
        number: How a float is written.
    """
    if hasattr(value, "to_json") and hasattr(value, "from_json"):
        return value.to_json()
    if is_dataclass(value):
        return {one.name: to_plain(getattr(value, one.name), number) for one in fields(value) if one.init}
    if isinstance(value, (tuple, list, np.ndarray, frozenset)):
        return [to_plain(one, number) for one in (sorted(value) if isinstance(value, frozenset) else value)]
    if isinstance(value, float):
        return number(value)
    return value.name if isinstance(value, Enum) else value


def kind_to_plain(value: Any) -> dict[str, Any]:
    """Return an object of one of several classes as plain data: the name of its class, and its fields."""
    return {"kind": type(value).__name__, **to_plain(value)}


def from_plain(kind: Any, value: object, name: str = "") -> Any:
    """Return an object from its plain data, as ``to_plain`` writes it.

    Args:
        kind: Its class, or another annotation of a field.
        value: Plain data.
        name: What it is called in an error.

    Raises:
        InvalidValueError: If the plain data is of another form; it has the name of the field.

    Examples:
        >>> from dpcore.guarantees.privacy import PureDP
        >>> from_plain(PureDP, {"epsilon": 0.5})
        PureDP(epsilon=0.5)
    """
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        result = from_plain(inner[0], value, name)
        for check in inner[1:]:
            result = None if result is None else check(name, result)
        return result
    if origin in (Union, UnionType):
        return _of_union(inner, value, name)
    if origin is dict:
        return {_simple(str, key, name): from_plain(inner[1], one, name) for key, one in an_object(name, value).items()}
    if origin in (tuple, frozenset):
        return origin(from_plain(inner[0], one, name) for one in a_list(name, value))
    if kind in _EXPECTED:
        return _simple(kind, value, name)
    if hasattr(kind, "from_json"):
        return kind.from_json(value)
    if is_dataclass(kind):
        return _object(kind, value, name)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _member(kind, value, name)
    return value  # Any, and arrays: their constructor checks them


def _of_union(kinds: tuple[Any, ...], value: object, name: str) -> Any:
    others = [one for one in kinds if one is not NoneType]
    if value is None and len(others) < len(kinds):
        return None
    if len(others) == 1:
        return from_plain(others[0], value, name)
    if others[0] in _EXPECTED:
        return value  # the constructor says which of several simple kinds it takes
    known = {one.__name__: one for one in others}
    given = an_object(name, value)
    kind = given.pop("kind", None)  # as kind_to_plain writes it
    if not isinstance(kind, str) or kind not in known:
        raise InvalidValueError(name, f"an entry of the kind {', '.join(known)}, with its numbers", value)
    return _object(known[kind], given, name)


def _object(kind: Any, value: object, name: str) -> Any:
    annotations = _annotations(kind)
    given = an_object(name or kind.__name__.lower(), value, annotations)
    return kind(**{field: from_plain(annotations[field], one, field) for field, one in given.items()})


@cache
def _annotations(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    return {one.name: hints[one.name] for one in fields(kind) if one.init}


def _member(kind: type[Enum], value: object, name: str) -> Enum:
    known = kind.__members__
    return kind[_checked(isinstance(value, str) and value in known, name, f"one of {', '.join(known)}", value)]


def _simple(kind: Any, value: Any, name: str) -> Any:
    if kind is float:
        return finite(name, value)
    sound = type(value) is kind
    if sound and kind is int:
        sound = value <= _MOST
    if sound and kind is str:
        sound = len(value) <= LONGEST and not _HALF_CHARACTER.search(value)
    return _checked(sound, name, _EXPECTED[kind], value)


def _checked(sound: bool, name: str, expected: str, value: Any) -> Any:
    if not sound:
        raise InvalidValueError(name, expected, value)
    return value


def an_object(name: str, value: object, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return a copy of an entry with names; InvalidValueError if it has other names than ``names``, or is anything else."""
    if isinstance(value, dict) and (names is None or set(value) == set(names)):
        return dict(value)
    expected = "an entry with names" if names is None else f"an entry with {', '.join(sorted(names)) or 'nothing'}"
    raise InvalidValueError(name, expected, sorted(map(str, value)) if isinstance(value, dict) else value)


def a_list(name: str, value: object) -> list[Any]:
    """Return a list of plain data; InvalidValueError for anything else."""
    items: list[Any] = _checked(isinstance(value, list), name, "a list", value)
    return items


# Checks for annotations.


def at_least_0(name: str, value: float) -> Any:
    """Return a number that is at least 0."""
    return _checked(value >= 0, name, "a number of at least 0", value)


def below_1(name: str, value: float) -> Any:
    """Return a number that is at least 0 and below 1."""
    return _checked(0 <= value < 1, name, "at least 0 and below 1", value)


def most(size: int) -> Callable[[str, Any], Any]:
    """Return the check that a list or a text has at most this length."""

    def check(name: str, value: Any) -> Any:
        kind = "text" if isinstance(value, str) else "list"
        _checked(len(value) <= size, name, f"a {kind} of at most {size:,}", len(value))
        return value

    return check


def like(pattern: str, expected: str) -> Callable[[str, str], Any]:
    """Return the check that a text matches a pattern; ``expected`` describes the pattern in words."""

    def check(name: str, value: str) -> Any:
        return _checked(re.fullmatch(pattern, value) is not None, name, expected, value)

    return check


def one_of(*known: str) -> Callable[[str, str], Any]:
    """Return the check that a text is one of these."""

    def check(name: str, value: str) -> Any:
        return _checked(value in known, name, " or ".join(f"“{one}”" for one in known), value)

    return check
