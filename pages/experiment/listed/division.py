"""One ε for all lines of a list, divided among them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dpcore.errors import InvalidValueError
from dpcore.guarantees.words import figure
from pages.experiment.scenario import LEAST_EPSILON

_PLACES = 8  # decimals of a part


def divided(parts: Sequence[float], total: float) -> tuple[float, ...]:
    """ε for each line: as large beside the others as its part is, but none below the least that can be asked for.

    Each is a decimal of few digits, and they sum to the total. InvalidValueError where that is too little for all of them.
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
    found = [float(f"{part:.3g}") for part in found]
    largest = found.index(max(found))
    found[largest] = 0.0
    found[largest] = round(total - math.fsum(found), _PLACES)  # which takes what rounding leaves
    return tuple(found)
