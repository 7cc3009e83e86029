"""What a ratio of two numbers can be without noise, given the two noisy numbers (mathematics, section 19.5)."""

from __future__ import annotations

from typing import Any

from dpcore.base.bounds import Interval

_HALVINGS = 60


def ratio_interval(above: float, below: float, law: Any, share: float) -> Interval | None:
    """The r in [−1, 1] at which above − r·below is no further from 0 than its own noise is in that share of releases.

    ``above`` = S + Z and ``below`` = C + Z′ with |S| <= C and independent noises of one law. At r = S/C the difference is
    Z − r·Z′, so the interval holds S/C in at least that share of releases (Fieller 1954). None where ``below`` is as small as
    noise alone can be: where C = 0, and there is no ratio, that is so in that share of releases.
    """
    if below <= 0 or (law.scale > 0 and below <= law.half_width(2 * share - 1)):
        return None
    middle = min(max(above / below, -1.0), 1.0)
    if law.scale == 0:
        return middle, middle

    def possible(ratio: float) -> bool:
        return bool(law.beyond(abs(middle - ratio) * below, abs(ratio)) >= 1 - share)

    return _end(middle, -1.0, possible), _end(middle, 1.0, possible)


def _end(inside: float, outside: float, possible: Any) -> float:
    """The last number on the way from one that is possible, a hair beyond it."""
    if possible(outside):
        return outside
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if possible(middle) else (inside, middle)
    return outside
