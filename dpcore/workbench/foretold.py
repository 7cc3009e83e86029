"""Of how many values a mean of known values may turn out to be, where that is not public: what its forecast ± rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.types import draws_people, inverse_of, person_of
from dpcore.guarantees.words import figure, percent
from dpcore.oracles.people import MOST_OF_ONE
from dpcore.workbench.guesses import LEAST_KNOWN, OFF_BY, USUAL_ROWS, Guesses, counted_rows

_PLACES = (np.arange(4_000) + 0.5) / 4_000  # at which a law of numbers of rows is looked at


@final
@dataclass(frozen=True, slots=True)
class Foretold:
    """``least``, ``most``: how many times as many known values as the made-up table a table has that the guesses are right of.
    ``words``: what this rests on, in a sentence."""

    least: float
    most: float
    words: str


def foretold(target: Any, oracle: object, guesses: Guesses) -> Foretold:
    """What is not public of a confidential table: rows of a person, and how many values are known.

    A guess g of rows a person stands for tables in which their mean number is between g/1.36 and 1.36·g: of at most s rows a
    person count at least as many as of geometric numbers of rows with the smaller mean, and at most min(1.36·g, s) a person.
    Without a guess it is from one row to s. A guess of the share of known values is taken to be right, where rows are guessed
    too, and else to be as far off; without one it is from 40 % to all.
    """
    known = guesses.known
    if person_of(target) is None:
        least, most = (LEAST_KNOWN, 1.0) if known is None else (known / OFF_BY, min(1.0, known * OFF_BY))
        return Foretold(least, most, f"It rests on how many values are known, which is not public: {_from(least, most, known)}.")
    rows, low, high = guesses.rows, LEAST_KNOWN if known is None else known, 1.0 if known is None else known
    between = "from 1 row to s rows" if rows is None else f"{figure(max(1.0, rows / OFF_BY))} to {figure(rows * OFF_BY)} rows"
    guessed = "nobody guessed" if rows is None else f"your guess is {figure(rows)}"
    values = (
        f"about {percent(low)} of the values known, as you guess"
        if known
        else f"from {percent(low)} to all of the values known (nobody guessed)"
    )
    words = f"It rests on what is not public: {between} a person ({guessed}), and {values}."
    return Foretold(*_rows_that_count(target, oracle, rows, low, high), words)


def _from(least: float, most: float, guess: float | None) -> str:
    guessed = "nobody guessed" if guess is None else f"your guess is {percent(guess)}"
    return f"{percent(least)} to {'all' if most == 1 else percent(most)} ({guessed})"


def _rows_that_count(target: Any, oracle: object, rows: float | None, low: float, high: float) -> tuple[float, float]:
    """Of one person at least and at most, in shares of as many as the oracle makes up, where from ``low`` to ``high`` of the
    values are known. Under a condition, or a cap in each group, the cap binds less, nobody knows by how much: there it binds
    nowhere."""
    cap = int(target.rows)
    loose = bool(target.where) or getattr(target, "groups_each", None) is not None
    made_up = _made_up(oracle, MOST_OF_ONE if loose else cap)
    if rows is None:
        return low / made_up, max(1.0, cap / made_up)
    fewest, most = max(1.0, rows / OFF_BY), rows * OFF_BY * high
    if loose:
        return fewest * low / made_up, most / made_up
    return counted_rows(fewest, cap, low) / made_up, min(most, cap) / made_up


def _made_up(oracle: object, cap: int) -> float:
    """E min(N, s) under the oracle's own numbers of rows; of an oracle that does not say them under as many as are usual."""
    rows: Any = getattr(oracle, "rows", None) if draws_people(oracle) else None
    inverse = inverse_of(rows)
    if inverse is None:
        return counted_rows(USUAL_ROWS, cap)
    return float(np.fmin(np.fmax(np.ceil(inverse(_PLACES)), 1), cap).mean())
