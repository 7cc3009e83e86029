"""Plain data, as JSON holds it: dataclasses are written by their fields, and read back by what these are annotated with.

Each value that is read is checked by its annotation, so that no file makes an object that no constructor would. An annotation can
hold further checks, ``Annotated[float, at_least_0]``: each takes the field's name and the value, and gives the value or raises
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
from typing import Annotated, Any, Protocol, Union, get_args, get_origin, get_type_hints, runtime_checkable

import numpy as np

from dpcore.base.checks import finite
from dpcore.errors import InvalidValueError

LONGEST = 2**17  # characters of a text
DEEPEST = 20  # lists and entries within one another; members of the catalogue take at most 16
_MOST = 2**53  # of a whole number
_STRING = re.compile(rb'(?s)"(?:[^"\\]|\\.?)*(?:"|$)')


def read_json(said: str | bytes, most: int, deepest: int = DEEPEST) -> Any:
    """What a text of at most so many characters, or bytes, says; ValueError for what is no JSON, too long or too deep."""
    if len(said) > most:
        raise ValueError
    refuse_deep(said, deepest)
    return json.loads(said if isinstance(said, str) else said.decode("utf-8-sig"), parse_constant=_none)


def refuse_deep(said: str | bytes, deepest: int) -> None:
    """Refuse JSON that nests lists and entries too deeply, before it is parsed: a parser would run out of stack.

    Raises:
        ValueError: If more than ``deepest`` brackets are open at once, outside strings.
    """
    content = said.encode("utf-8", "surrogatepass") if isinstance(said, str) else said
    letters = np.frombuffer(_STRING.sub(b"", content), np.uint8)
    opens, closes = np.isin(letters, [*b"{["]), np.isin(letters, [*b"}]"])
    if np.cumsum(opens.astype(np.int64) - closes).max(initial=0) > deepest:
        raise ValueError(f"more than {deepest} levels of lists and entries within one another")


def refuse_broken(value: Any, *, endless: bool = False) -> None:
    """ValueError for half a character, which is no text, and for numbers that are not finite, unless they may be ``endless``."""
    json.dumps(value, ensure_ascii=False, allow_nan=endless).encode()


def json_or_none(said: str | bytes, most: int) -> Any:
    """The same; None for what is refused."""
    try:
        return read_json(said, most)
    except ValueError:
        return None


def _none(constant: str) -> float:
    raise ValueError(constant)


@runtime_checkable
class WritesItself(Protocol):
    """What says itself how it is written, and how it is read back."""

    def to_json(self) -> Any: ...

    @classmethod
    def from_json(cls, value: object) -> Any: ...


def to_plain(value: Any, number: Callable[[float], float] = float) -> Any:
    """Objects by their fields' names, members of an enumeration by theirs, and lists; floats as ``number`` gives them."""
    if hasattr(value, "to_json") and hasattr(value, "from_json"):  # a check of the protocol takes ten times as long
        return value.to_json()
    if is_dataclass(value):
        return {one.name: to_plain(getattr(value, one.name), number) for one in fields(value) if one.init}
    if isinstance(value, (tuple, list, np.ndarray, frozenset)):
        return [to_plain(one, number) for one in (sorted(value) if isinstance(value, frozenset) else value)]
    if isinstance(value, float):
        return number(value)
    return value.name if isinstance(value, Enum) else value


def from_plain(kind: Any, said: object, name: str = "") -> Any:
    """The object of this kind that ``to_plain`` gave; InvalidValueError, with the field's name, for anything else.

    >>> from dpcore.guarantees.privacy import PureDP
    >>> from_plain(PureDP, {"epsilon": 0.5})
    PureDP(epsilon=0.5)
    """
    of = get_origin(kind)
    if of is Annotated:
        inner, *checks = get_args(kind)
        value = from_plain(inner, said, name)
        for check in checks:
            value = value if value is None else check(name, value)
        return value
    if of in (Union, UnionType):
        inner, *more = [one for one in get_args(kind) if one is not NoneType]
        if (said is None and NoneType in get_args(kind)) or (more and inner in _SIMPLE):
            return said  # of several simple kinds the constructor says which it takes
        return from_plain(inner, said, name) if not more else _of_kinds((inner, *more), said, name)
    if of is dict:
        return {text(name, key): from_plain(get_args(kind)[1], one, name) for key, one in an_object(name, said).items()}
    if of in (tuple, frozenset):
        return of(from_plain(get_args(kind)[0], one, name) for one in a_list(name, said))
    if isinstance(kind, type) and issubclass(kind, WritesItself):
        return kind.from_json(said)
    if is_dataclass(kind):
        return _object(kind, said, name)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return member(name, said, kind.__members__)
    return _SIMPLE[kind](name, said) if kind in _SIMPLE else said  # anything, and arrays, which their constructor checks


def _object(kind: Any, said: object, name: str) -> Any:
    known = _annotated(kind)
    given = an_object(name or kind.__name__.lower(), said, known)
    return kind(**{field: from_plain(known[field], value, field) for field, value in given.items()})


@cache
def _annotated(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    return {one.name: hints[one.name] for one in fields(kind) if one.init}


def kind_to_plain(value: Any) -> dict[str, Any]:
    """One of several kinds: the name of its own stands before its fields."""
    return {"kind": type(value).__name__, **to_plain(value)}


def _of_kinds(kinds: tuple[Any, ...], said: object, name: str) -> Any:
    """What ``kind_to_plain`` gave of one of these."""
    given, known = an_object(name, said), {one.__name__: one for one in kinds}
    kind = given.pop("kind", None)
    if not isinstance(kind, str) or kind not in known:
        raise InvalidValueError(name, f"an entry of the kind {', '.join(known)}, with its numbers", said)
    return _object(known[kind], given, name)


def an_object(name: str, said: object, names: Iterable[str] | None = None) -> dict[str, Any]:
    """A copy of an object, with exactly these names where they are given."""
    if isinstance(said, dict) and (names is None or set(said) == set(names)):
        return dict(said)
    expected = "an entry with names" if names is None else f"an entry with {', '.join(sorted(names)) or 'nothing'}"
    raise InvalidValueError(name, expected, sorted(map(str, said)) if isinstance(said, dict) else said)


def a_list(name: str, said: object) -> list[Any]:
    """A list of whatever it is."""
    if not isinstance(said, list):
        raise InvalidValueError(name, "a list", said)
    return said


def member(name: str, said: object, known: Any) -> Any:
    """The member of this name."""
    if not isinstance(said, str) or said not in known:
        raise InvalidValueError(name, f"one of {', '.join(known)}", said)
    return known[said]


def truth(name: str, said: object) -> bool:
    """True or False."""
    if not isinstance(said, bool):
        raise InvalidValueError(name, "true or false", said)
    return said


def text(name: str, said: object) -> str:
    """A text of at most 2¹⁷ characters, all of them whole."""
    if not isinstance(said, str) or len(said) > LONGEST or any("\ud800" <= letter <= "\udfff" for letter in said):
        raise InvalidValueError(name, f"a text of at most {LONGEST:,} characters", said)
    return said


def _whole(name: str, said: object) -> int:
    if not isinstance(said, int) or isinstance(said, bool) or said > _MOST:
        raise InvalidValueError(name, "a whole number of at most 2⁵³", said)
    return said


_SIMPLE: dict[Any, Callable[[str, object], Any]] = {bool: truth, str: text, int: _whole, float: finite}


# Further checks.


def at_least_0(name: str, value: float) -> float:
    """Of a number that is none below 0."""
    if value < 0:
        raise InvalidValueError(name, "a number of at least 0", value)
    return value


def below_1(name: str, value: float) -> float:
    """Of a number from 0 on that does not reach 1."""
    if not 0 <= value < 1:
        raise InvalidValueError(name, "at least 0 and below 1", value)
    return value


def most(size: int) -> Callable[[str, Any], Any]:
    """Of a list or a text that is at most so long."""

    def check(name: str, value: Any) -> Any:
        if len(value) > size:
            of = "a text of" if isinstance(value, str) else "a list of"
            raise InvalidValueError(name, f"{of} at most {size:,}", len(value))
        return value

    return check


def like(pattern: str, expected: str) -> Callable[[str, str], str]:
    """Of a text that is written so."""
    found = re.compile(pattern)

    def check(name: str, value: str) -> str:
        if not found.fullmatch(value):
            raise InvalidValueError(name, expected, value)
        return value

    return check


def one_of(*known: str) -> Callable[[str, str], str]:
    """Of a text that is one of these."""

    def check(name: str, value: str) -> str:
        if value not in known:
            raise InvalidValueError(name, " or ".join(f"“{one}”" for one in known), value)
        return value

    return check
