"""Numbers and names as people read them: counted things, quotations, everyday units, and released numbers rounded to their ±."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Decimal
from itertools import islice
from typing import Any

TOO_FEW = "too few to tell"
EMPTY = (
    "“Too few to tell” means that the noisy number of values is so small that there may be none, so their mean "
    "is unknown. A larger ε, fewer groups or a wider condition would help."
)
_LONGEST_QUOTE = 40  # characters
_DIGITS = 3  # significant digits of a ±
_LARGEST_RATIO = 1e15  # of a number to its ±; a float has no more digits than that
_LEAST_PLACE = -9  # people read at most nine digits after the point

_SINGULAR = {
    "records": "record",
    "rows": "row",
    "ranks": "rank",
    "letters": "letter",
    "trials": "trial",
    "fresh trials": "fresh trial",
    "points": "point",
    "lines": "line",
    "releases": "release",
    "questions": "question",
    "pinned scenarios": "pinned scenario",
    "public rows": "public row",
    "people": "person",
    "made-up people": "made-up person",
    "groups": "group",
    "numbers": "number",
    "values": "value",
    "known values": "known value",
    "columns": "column",
    "cells": "cell",
    "more columns": "more column",
    "bins": "bin",
    "bars": "bar",
    "pairs": "pair",
    "counts": "count",
    "categories": "category",
    "candidates": "candidate",
    "answers": "answer",
    "distances": "distance",
    "times": "time",
    "cores": "core",
    "workers": "worker",
    "years": "year",
    "months": "month",
    "weeks": "week",
    "days": "day",
    "hours": "hour",
    "minutes": "minute",
    "seconds": "second",
}

# How many of the smallest unit each unit is, from the largest: a year has 365.25 days, and a month is a twelfth of it.
_KINDS = (
    {
        "years": 31_557_600.0,
        "months": 2_629_800.0,
        "weeks": 604_800.0,
        "days": 86_400.0,
        "hours": 3_600.0,
        "minutes": 60.0,
        "seconds": 1.0,
    },
    {"kilometres": 1_000.0, "metres": 1.0, "centimetres": 0.01},
    {"kilograms": 1_000.0, "grams": 1.0, "milligrams": 0.001},
)
_SMALL, _LARGE = 0.3, 300.0  # numbers between them need no other unit
_LEAST = 2.0  # of a unit: below that a whole number would be too far off


def counted(number: str | int, after: str) -> str:
    """Return a number with its unit, in the singular for 1.

    Args:
        number: A whole number, or a number as it is written.
        after: The unit in the plural, after a blank. A unit that this module does not know stays as its owner wrote it.

    Examples:
        >>> counted(1, " rows"), counted(2000, " rows"), counted("± 1", " ranks")
        ('1 row', '2,000 rows', '± 1 rank')
    """
    number = number if isinstance(number, str) else f"{number:,}"
    one = _SINGULAR.get(after.strip()) if number.removeprefix("±").lstrip() == "1" else None
    return f"{number} {one}" if one else number + after


def quoted(text: object, most: int = _LONGEST_QUOTE) -> str:
    """Return a text in quotation marks, on one line, without inner quotation marks, and shortened to ``most`` characters.

    Examples:
        >>> quoted("two\\nlines")
        '“two lines”'
    """
    line = " ".join(str(text).split()).replace("“", "").replace("”", "")
    return f"“{line if len(line) <= most else line[: most - 1] + '…'}”"


def everyday(value: float, after: str) -> str:
    """Return a small or large distance in the unit that people use for its size; empty if no unit says it better.

    Args:
        value: The distance.
        after: Its unit, after a blank.

    Examples:
        >>> everyday(0.0195, " years")
        ' (about 7 days)'
    """
    own = after.strip()
    kind = next((kind for kind in _KINDS if own in kind), None)
    if kind is None or not (0 < value < _SMALL or _LARGE < value < math.inf):
        return ""
    for unit, size in kind.items():
        ratio = size / kind[own]
        named = unit not in (own, "weeks")  # people say 7 days, and not 1 week
        if named and (ratio < 1) == (value < 1) and value / ratio >= _LEAST:
            return f" (about {_two_digits(value / ratio):,.0f} {unit})"
    return ""


def _two_digits(value: float) -> float:
    """Return a number of at least 1, rounded to two digits from 10 on, and to one digit below."""
    power = 10.0 ** max(math.floor(math.log10(value)) - 1, 0)
    return math.floor(value / power + 0.5) * power


def in_full(value: float) -> str:
    """Return a number of a response with six significant digits, or with all digits before the point."""
    return f"{value:,.0f}" if 1e6 <= abs(value) < 1e15 else f"{value:,.6g}"


def first_of(texts: Iterable[str], size: int) -> str:
    """Return the first three of ``size`` texts, for a line of a ledger, with an ellipsis if there are more."""
    return "; ".join(islice(texts, 3)) + "; …" * (size > 3)


def beside(value: float, inside: float, after: str, near: float = 0.0) -> str:
    """Return a number with its unit, rounded to its ±, and the number that it is cut off to: "-0.002, so 0".

    Args:
        value: The noisy number.
        inside: The nearest number in its range. It has all its digits, because its ± is measured from it.
        after: The unit, after a blank.
        near: The ±; 0 if it is not known.
    """
    text = counted(to_place(value, near), after)
    return text if value == inside else f"{text}, so {counted(f'{inside:,.15g}', after)}"


def to_place(value: float, near: float) -> str:
    """Return a number rounded to the place of the third digit of its ±; in full if the ± is 0 or infinite."""
    if not 0 < near < math.inf or abs(value) > _LARGEST_RATIO * near:
        return in_full(value)
    rounded = Decimal(value).quantize(Decimal(1).scaleb(_place(near)), ROUND_HALF_EVEN)
    return f"{rounded:,f}" if rounded else f"{abs(rounded):,f}"


def plus_minus(near: float, after: str) -> str:
    """Return a ± with its unit, so wide that the printed number and ± hold as often as the exact ones; TOO_FEW if infinite."""
    if not math.isfinite(near):
        return TOO_FEW
    return counted(f"±\u00a0{widened(near)}", after) + everyday(near, after)


def widened(near: float) -> str:
    """Return a ± plus half of the last digit of its rounded number, rounded up to three digits."""
    if near <= 0:
        return "0"
    last = Decimal(1).scaleb(_place(near))
    size = Decimal(near) + last / 2
    unit = Decimal(1).scaleb(max(_place(float(size)), _place(near)))
    up = size.quantize(unit, ROUND_CEILING)
    return f"{up.normalize():,f}" if up == up.to_integral_value() else f"{up:,f}"


def _place(near: float) -> int:
    """Return the power of ten of the third digit of a ±."""
    return max(math.floor(math.log10(near)) - _DIGITS + 1, _LEAST_PLACE)


def rows(kind: Any, response: Any, near: tuple[float, ...]) -> tuple[tuple[str, str, str], ...]:
    """Return each part of a response: its name, its rounded value, and its ±.

    Args:
        kind: The kind of answer.
        response: The response.
        near: The ± of each part; of another length if it is not known. Then each ± is empty.
    """
    parts = kind.parts(response)
    if len(near) != len(parts):
        return tuple((name, text, "") for name, text in parts)
    return tuple(
        (name, text, plus_minus(one, kind.after)) if math.isfinite(one) else (name, TOO_FEW, "")
        for (name, _), text, one in zip(parts, kind.rounded(response, near), near, strict=True)
    )
