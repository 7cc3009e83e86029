"""Public bounds as a person types them."""

from __future__ import annotations

import math
import re

from dpcore.errors import TableError

_TWO_WAYS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")  # a mark between thousands, or before decimals
_LARGEST = 1e100  # of a bound: products of a few, and their sums over a table, stay finite
_NARROWEST = 1e-12  # the bounds' difference, as a share of the larger: bins between them have edges that differ


def number(text: str, what: str) -> float:
    """The number that was typed, with a point or a comma before its decimals; TableError where it is none."""
    plain = text.strip().replace("−", "-").replace("\u00a0", "")
    if _TWO_WAYS.fullmatch(plain):
        raise TableError(f"{what} is “{text}”, which can be read in two ways.", "Write it without a comma, as 1500 or 1.5.")
    if plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    try:
        value = float(plain)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise TableError(f"{what} is “{text}”, and that is no number.", "Write it as 1500 or 0.5, without a unit.")
    return value


def both(lowest: str, highest: str, name: str, *, example: str = "") -> None:
    """TableError where one of them is not given."""
    given = [bool(text.strip()) for text in (lowest, highest)]
    if not all(given):
        missing = "lowest" if given[1] else "highest" if given[0] else "lowest and its highest"
        remedy = f"Enter what the quantity can be, not what the table has{example}."
        raise TableError(f"{name} needs its {missing} possible value.", remedy)


def refuse(name: str, low: float, high: float) -> None:
    """TableError, in plain words, for bounds that no column can have or that cannot be computed with."""
    if low == high:
        problem = f"The lowest and the highest value of {name} are both {low:.15g}."
        raise TableError(problem, "Enter two different numbers, the lower one first.")
    if low > high:
        problem = f"The lowest value of {name} is {low:.15g}, and that is above its highest, {high:.15g}."
        raise TableError(problem, "Enter the lower number first.")
    largest = max(abs(low), abs(high))
    if largest > _LARGEST:
        raise TableError(
            f"A bound of {name} is {largest:.3g} in size, and more than {_LARGEST:g} cannot be computed with.",
            "Enter what the quantity can be, or upload it in a larger unit.",
        )
    if high - low < max(_NARROWEST * largest, 1 / _LARGEST):
        raise TableError(f"The bounds of {name} are too close together to compute with.", "Enter what the quantity can be.")
