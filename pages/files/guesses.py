"""What a holder guesses of a confidential table, without a look at it: what a forecast of a ± rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpcore.base.checks import share
from dpcore.errors import InvalidValueError
from dpcore.oracles.people import MOST_OF_ONE

USUAL_ROWS = 3.0  # of a person, where nobody guessed
OFF_BY = 1.36  # from a guess to the ends of a forecast: with one that is off by 1.5 a ± lies within 10 % of them
LEAST_KNOWN = 0.4  # of the values, where nobody guessed how many are known


@final
@dataclass(frozen=True, slots=True)
class Guesses:
    """``rows``: how many rows a person has, in the mean. ``known``: of all values of a column, which share is known. None of what
    nobody guessed. Both are public, and are never computed from a confidential table."""

    rows: float | None = None
    known: float | None = None

    def __post_init__(self) -> None:
        if self.rows is not None:
            if not isinstance(self.rows, (int, float)) or isinstance(self.rows, bool) or not 1 <= self.rows <= MOST_OF_ONE:
                raise InvalidValueError("rows of a person", f"a number from 1 to {MOST_OF_ONE:,}", self.rows)
            object.__setattr__(self, "rows", float(self.rows))
        if self.known is not None:
            object.__setattr__(self, "known", share("share of known values", self.known, closed=True))
            if self.known == 0:
                raise InvalidValueError("share of known values", "above 0", self.known)

    @property
    def cap(self) -> int:
        """The cap that every question about people begins with: the guess, or as many rows as are usual."""
        return max(1, round(USUAL_ROWS if self.rows is None else self.rows))


def counted_rows(mean: float, cap: int, known: float = 1.0) -> float:
    """E min(M, s), where M are those of N rows whose values are known, each alone with probability c, and N >= 1 is geometric
    with this mean: c·mean·(1 − ρ^s), ρ = (1 − p)·c/(p + c − p·c), p = 1/mean."""
    once = 1 / mean
    another = (1 - once) * known / (once + known - once * known)
    return known * mean * (1 - another**cap)
