"""Public shares of the noise of numbers that are released together: each divided by its width, and read times it."""

from __future__ import annotations

from dpcore.base.checks import numbers
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError

_LEAST, _MOST = 1e-3, 1e3


def widths_of(name: str, value: object, parts: int) -> tuple[float, ...]:
    """One width a part, each from 0.001 to 1,000; InvalidValueError for others."""
    found = numbers(name, value)
    if len(found) != parts or not all(_LEAST <= width <= _MOST for width in found):
        raise InvalidValueError(name, f"{parts} numbers from {_LEAST:g} to {_MOST:,.0f}", value)
    return found


def divided(answers: FloatArray, widths: FloatArray) -> FloatArray:
    """f_i/b_i, whose noise is the same for all i: (..., q), (q,) -> (..., q) (mathematics, section 13.3)."""
    return answers / widths


def restored(responses: FloatArray, widths: FloatArray) -> FloatArray:
    """The f_i with their noise, b_i times that of a response, of responses to the ``divided``: (..., q), (q,) -> (..., q)."""
    return responses * widths


def sizes(largest: FloatArray, widths: FloatArray) -> FloatArray:
    """What to ``raise`` the worst case of ``divided`` answers by, of the largest |f_i| each: twice the largest |f_i|/b_i, for a
    quotient of a rounded answer errs by up to 3.5 ulp of it (mathematics, section 13.3)."""
    return 2 * largest / widths
