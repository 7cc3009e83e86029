"""Checks that many constructors share: one home for what counts as a number, a share or a pair of bounds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from numbers import Integral, Real

import numpy as np

from dpcore.errors import InvalidValueError


def finite(name: str, value: object) -> float:
    """The value as a float, or InvalidValueError if it is not a finite number (a bool is none)."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InvalidValueError(name, "a number", value)
    try:
        number = float(value)
    except OverflowError:  # a whole number beyond all floats
        number = math.inf
    if not math.isfinite(number):
        raise InvalidValueError(name, "a number", value)
    return number


def positive(name: str, value: object) -> float:
    """The value as a float above 0."""
    number = finite(name, value)
    if number <= 0:
        raise InvalidValueError(name, "a number above 0", value)
    return number


def share(name: str, value: object, *, closed: bool = False) -> float:
    """The value as a float strictly between 0 and 1, or with ``closed`` from 0 to 1."""
    number = finite(name, value)
    if not (0 <= number <= 1 if closed else 0 < number < 1):
        raise InvalidValueError(name, "from 0 to 1" if closed else "above 0 and below 1", value)
    return number


def whole(name: str, value: object, *, least: int = 1) -> int:
    """The value as an int of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise InvalidValueError(name, f"a whole number of at least {least}", value)
    return int(value)


def numbers(name: str, value: object) -> tuple[float, ...]:
    """A sequence of finite numbers, as a tuple that is not empty."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidValueError(name, "a list of numbers", value)
    values = tuple(finite(name, item) for item in value)
    if not values:
        raise InvalidValueError(name, "a list of at least one number", value)
    return values


def named(name: str, value: object) -> str:
    """A text that is not empty, and has no character 0: arrays of texts drop it from the end, so that two names would be one."""
    if not isinstance(value, str) or not value or "\0" in value:
        raise InvalidValueError(name, "a text that is not empty, without the character 0", value)
    return value


def categories(name: str, value: object) -> tuple[float, ...] | tuple[str, ...]:
    """Different texts, none of them empty, or different finite numbers: at least one."""
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, str) for item in value):
        values: tuple[float, ...] | tuple[str, ...] = tuple(named(name, item) for item in value)
    else:
        values = numbers(name, value)
    if len(set(values)) != len(values):
        raise InvalidValueError(name, "different from one another", value)
    return values


def checked_candidates(value: object) -> tuple[str | float, ...]:
    """At least two different ones, each a text or a finite number; InvalidValueError for others."""
    expected = "at least two different texts or finite numbers"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidValueError("candidates", expected, value)
    items = tuple(value)
    sound = all(map(math.isfinite, items)) if set(map(type, items)) == {float} else all(map(_is_candidate, items))
    if len(items) < 2 or not sound or len(set(items)) < len(items):
        raise InvalidValueError("candidates", expected, items)
    return items


def _is_candidate(item: object) -> bool:
    if isinstance(item, str):
        return True
    try:
        return isinstance(item, (int, float)) and not isinstance(item, bool) and math.isfinite(item)
    except OverflowError:  # a whole number beyond all floats
        return False


def set_fields(frozen: object, **values: object) -> None:
    """Fields of a frozen dataclass as its constructor checked them: for ``__post_init__`` alone."""
    for name, value in values.items():
        object.__setattr__(frozen, name, value)
