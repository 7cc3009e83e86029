"""One ε for all lines of a list, divided among them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dpcore.errors import InvalidValueError
from dpcore.guarantees.words import figure
from pages.experiment.scenario import LEAST_EPSILON, MOST_EPSILON

PLACES = 8  # decimals of a part


def divided(parts: Sequence[float], total: float) -> tuple[float, ...]:
    """ε for each line: as large beside the others as its part is, but none below the least that can be asked for.

    Each is a decimal of few digits, and they sum to the total. InvalidValueError where that is too little for all of them, or
    more than one of them can be asked at.
    """
    least = LEAST_EPSILON * len(parts)
    if not total >= least * (1 - 1e-9):
        raise InvalidValueError("total ε", f"at least {figure(least)}, so that each of its lines gets {LEAST_EPSILON:g}", total)
    found = [total * part / math.fsum(parts) for part in parts]
    small = [place for place, part in enumerate(found) if part < LEAST_EPSILON]
    if small:  # which take the least, and leave the rest to the others
        others = [place for place in range(len(parts)) if place not in small]
        rest = divided([parts[place] for place in others], total - LEAST_EPSILON * len(small)) if others else ()
        shares = dict(zip(others, rest, strict=True))
        return tuple(shares.get(place, LEAST_EPSILON) for place in range(len(parts)))
    if max(found) > MOST_EPSILON * (1 + 1e-9):
        expected = f"at most {figure(most(parts))}, so that none of its lines gets more than {MOST_EPSILON:g}"
        raise InvalidValueError("total ε", expected, total)
    found = [float(f"{part:.3g}") for part in found]
    largest = found.index(max(found))
    found[largest] = 0.0
    found[largest] = min(MOST_EPSILON, round(total - math.fsum(found), PLACES))  # which takes what rounding leaves
    return tuple(found)


def most(parts: Sequence[float]) -> float:
    """The largest total that can be shared out so."""
    return math.floor(MOST_EPSILON * math.fsum(parts) / max(parts) * 1e6) / 1e6
