"""A distance in the unit that people say one of its size in: 0.0195 years is about 7 days."""

from __future__ import annotations

import math

_TIMES = {"years": 31_557_600.0, "months": 2_629_800.0, "days": 86_400.0, "hours": 3_600.0, "minutes": 60.0, "seconds": 1.0}
_KINDS = (
    _TIMES,  # a year of 365.25 days, and a twelfth of it
    {"kilometres": 1_000.0, "metres": 1.0, "centimetres": 0.01},
    {"kilograms": 1_000.0, "grams": 1.0, "milligrams": 0.001},
)
_ALSO = {"weeks": (_TIMES, 604_800.0)}  # nobody says "about 1 week" for 7 days
SMALL, LARGE = 0.3, 300.0  # between them a number is said as it is
_LEAST = 2.0  # of a unit: of less the whole number would be too far off


def others(after: str) -> tuple[tuple[float, str], ...]:
    """The other units of its kind, from the largest: how many of this one each is, and its name."""
    name = after.strip()
    of, own = next(((one, one[name]) for one in _KINDS if name in one), _ALSO.get(name, ({}, 1.0)))
    return tuple((size / own, other) for other, size in of.items() if other != name)


def everyday(value: float, after: str) -> str:
    """What follows a distance with its unit: " (about 7 days)", with one digit below 10 and two above. Empty where it is
    neither small nor large, or no unit says it better.
    """
    if not (0 < value < SMALL or LARGE < value < math.inf):
        return ""
    for size, name in others(after):
        if (size < 1) == (value < 1) and value / size >= _LEAST:
            return f" (about {_rounded(value / size):,.0f} {name})"
    return ""


def _rounded(many: float) -> float:
    power = 1.0
    while many >= 100 * power:
        power *= 10
    return math.floor(many / power + 0.5) * power
