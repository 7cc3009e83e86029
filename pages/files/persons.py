"""People in a table: the person of each row, guesses of the user about them, and the predicted number of known values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.arrays import Database
from dpcore.base.checks import named, share, whole
from dpcore.base.types import inverse_of
from dpcore.base.users import MOST_ROWS, numbered
from dpcore.errors import InvalidValueError, TableError
from dpcore.guarantees.descriptions import figure, percent
from dpcore.guarantees.privacy import Adjacency
from dpcore.oracles.users import MOST_OF_ONE
from pages.files.cells import words_of
from pages.files.limits import MOST_TEXT_BYTES

MOST_PEOPLE = MOST_ROWS  # each has at least one row, and an oracle simulates this number of people


LONGEST_ID = 64  # letters of a person's name


@final
@dataclass(frozen=True, slots=True)
class Persons:
    """The people that the rows of a table are about. Then a record is a person.

    Attributes:
        column: The column that names the person of each row.
        stated: Approximate number of people, stated before any access to the table; None if the true number is public.
    """

    column: str
    stated: int | None = None

    def __post_init__(self) -> None:
        named("column of people", self.column)
        if self.stated is not None and whole("number of people", self.stated) > MOST_PEOPLE:
            raise InvalidValueError(
                "number of people", f"at most {MOST_PEOPLE:,}, the most rows that people have together", self.stated
            )

    @property
    def adjacency(self) -> Adjacency:
        """The adjacency: a person is replaced if their number is public, otherwise added or removed."""
        return Adjacency.REPLACE_ONE_USER if self.stated is None else Adjacency.ADD_OR_REMOVE_ONE_USER

    @property
    def words(self) -> str:
        """The rule for rows without a name, and the largest number of rows, which is the same for every table."""
        own = "A row that names nobody is a person of its own, and that person is protected by this row alone."
        return f"{own} A table of people has at most {MOST_ROWS:,} rows."


def told_apart(ids: Any, column: str, codes: tuple[str, ...] = ()) -> Database:
    """Return the person of each row, ``numbered``.

    Args:
        ids: The names as they are written, a chunked Arrow array.
        column: Name of the column, for errors.
        codes: Names that stand for an unknown person.

    Raises:
        TableError: If people cannot be distinguished for certain: two people who became one would move an answer further than is
            proved.
    """
    if len(ids) > MOST_ROWS:
        raise TableError(
            f"A table of people can have {MOST_ROWS:,} rows, and this one has more.",
            "Leave out rows, or bring a table of fewer people.",
        )
    words = words_of(ids, most=LONGEST_ID + 1)
    longest = max(map(len, words.different), default=0)
    if longest > LONGEST_ID:
        raise TableError(f"A name in {column} has more than {LONGEST_ID} letters.", "Give people shorter names, or numbers.")
    if 4 * longest * len(words.different) > MOST_TEXT_BYTES:
        raise TableError(f"The names in {column} take too much memory.", "Give people shorter names, or numbers.")
    return numbered(np.array(words.without(codes).different))[words.places]


# Guesses about a confidential table. The prediction of a margin of error rests on them.


USUAL_ROWS = 3.0  # per person, without a guess
OFF_BY = 1.36  # factor around a guess: if a guess is off by 1.5, the margin of error is within 10% of the predicted range
LEAST_KNOWN = 0.4  # share of known values, without a guess


@final
@dataclass(frozen=True, slots=True)
class Guesses:
    """Guesses of the user about a confidential table. They are public, and never computed from the table.

    Attributes:
        rows: Average number of rows of a person; None if not guessed.
        known: Share of the values of a column that are known; None if not guessed.
    """

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
        """The limit per person that each question begins with: the guess, or the usual number of rows."""
        return max(1, round(USUAL_ROWS if self.rows is None else self.rows))


def counted_rows(mean: float, cap: int, known: float = 1.0) -> float:
    """Return E min(M, s), M being the number of rows of a person with a known value.

    The person has N >= 1 rows, geometric with this mean, and each value is known with probability c, independently. The result is
    c·mean·(1 − ρ^s) with ρ = (1 − p)·c/(p + c − p·c) and p = 1/mean.
    """
    once = 1 / mean
    another = (1 - once) * known / (once + known - once * known)
    return known * mean * (1 - another**cap)


# The number of known values that a mean is computed from, if that number is confidential.


_PLACES = (np.arange(4_000) + 0.5) / 4_000  # probabilities at which a law of the number of rows is evaluated


@final
@dataclass(frozen=True, slots=True)
class Foretold:
    """The range of known values that a table may have, if the guesses are right.

    Attributes:
        least: Smallest number, as a multiple of that in the simulated table.
        most: Largest number, as such a multiple.
        words: A sentence on the assumptions.
    """

    least: float
    most: float
    words: str


def foretold(target: Any, oracle: object, guesses: Guesses) -> Foretold:
    """Predict how many known values a confidential table has, as a multiple of those in a simulated one.

    A guess g of rows per person covers tables with an average between g/1.36 and 1.36·g. Of at most s rows per person, at least
    as many count as for geometric numbers of rows with the smaller average, and at most min(1.36·g, s) per person. Without a
    guess the range is one row to s. A guess of the share of known values is taken to be right if rows are guessed too, and
    otherwise to be equally imprecise. Without one the range is 40% to all.
    """
    known = guesses.known
    if target.person is None:
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
    """Return the least and the largest number of rows that count per person, divided by the oracle's number.

    Between ``low`` and ``high`` of the values are known. Under a filter, or with a limit per person in each group, the limit has
    less effect, by an unknown amount. It is ignored there.
    """
    cap = int(target.rows)
    loose = bool(target.where) or target.groups_each is not None
    made_up = _made_up(oracle, MOST_OF_ONE if loose else cap)
    if rows is None:
        return low / made_up, max(1.0, cap / made_up)
    fewest, most = max(1.0, rows / OFF_BY), rows * OFF_BY * high
    if loose:
        return fewest * low / made_up, most / made_up
    return counted_rows(fewest, cap, low) / made_up, min(most, cap) / made_up


def _made_up(oracle: Any, cap: int) -> float:
    """Return E min(N, s) under the oracle's law of the number of rows, or the usual law if the oracle has none."""
    rows: Any = oracle.rows if oracle.draws_people else None
    inverse = inverse_of(rows)
    if inverse is None:
        return counted_rows(USUAL_ROWS, cap)
    return float(np.fmin(np.fmax(np.ceil(inverse(_PLACES)), 1), cap).mean())
