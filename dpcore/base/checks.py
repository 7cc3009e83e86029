"""Checks that many constructors share. Each returns the checked value, or raises InvalidValueError with the argument's name."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np

from dpcore.errors import InvalidValueError


def finite(name: str, value: object) -> float:
    """Return a finite number as a float. A bool is not a number."""
    try:
        number = math.nan if isinstance(value, bool) or not isinstance(value, Real) else float(value)
    except OverflowError:  # a whole number beyond all floats
        number = math.inf
    if not math.isfinite(number):
        raise InvalidValueError(name, "a number", value)
    return number


def positive(name: str, value: object) -> float:
    """Return a number above 0 as a float."""
    number = finite(name, value)
    if number <= 0:
        raise InvalidValueError(name, "a number above 0", value)
    return number


def share(name: str, value: object, *, closed: bool = False) -> float:
    """Return a number above 0 and below 1 as a float; with ``closed``, a number from 0 to 1."""
    number = finite(name, value)
    if not (0 <= number <= 1 if closed else 0 < number < 1):
        raise InvalidValueError(name, "from 0 to 1" if closed else "above 0 and below 1", value)
    return number


def whole(name: str, value: object, *, least: int = 1) -> int:
    """Return a whole number of at least ``least`` as an int."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise InvalidValueError(name, f"a whole number of at least {least}", value)
    return int(value)


def numbers(name: str, value: object) -> tuple[float, ...]:
    """Return at least one finite number, as a tuple of floats."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidValueError(name, "a list of numbers", value)
    values = tuple(finite(name, item) for item in value)
    if not values:
        raise InvalidValueError(name, "a list of at least one number", value)
    return values


def named(name: str, value: object) -> str:
    """Return a text that is not empty, without the character 0.

    Arrays of texts drop this character from the end, so two names would be one.
    """
    if not isinstance(value, str) or not value or "\0" in value:
        raise InvalidValueError(name, "a text that is not empty, without the character 0", value)
    return value


def categories(name: str, value: object) -> tuple[float, ...] | tuple[str, ...]:
    """Return at least one category: different texts that are not empty, or different finite numbers."""
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, str) for item in value):
        values: tuple[float, ...] | tuple[str, ...] = tuple(named(name, item) for item in value)
    else:
        values = numbers(name, value)
    if len(set(values)) != len(values):
        raise InvalidValueError(name, "different from one another", value)
    return values


def checked_candidates(value: object) -> tuple[str | float, ...]:
    """Return at least two different candidates, each a text or a finite number."""
    given = value.tolist() if isinstance(value, np.ndarray) else value
    items = tuple(given) if isinstance(given, Sequence) and not isinstance(given, str) else ()
    if len(items) < 2 or not all(map(_is_candidate, items)) or len(set(items)) < len(items):
        raise InvalidValueError("candidates", "at least two different texts or finite numbers", value)
    return items


def _is_candidate(item: Any) -> bool:
    number = isinstance(item, (int, float)) and not isinstance(item, bool)
    return isinstance(item, str) or (number and abs(item) <= sys.float_info.max)


def set_fields(frozen: object, **values: object) -> None:
    """Set checked values of a frozen dataclass in its ``__post_init__``."""
    for name, value in values.items():
        object.__setattr__(frozen, name, value)
