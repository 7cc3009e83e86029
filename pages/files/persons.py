"""Whose the rows of a table are, as its holder says: then its records are people. And what a holder guesses of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.checks import named, share, whole
from dpcore.base.facts import facts
from dpcore.base.people import MOST_ROWS, numbered
from dpcore.base.types import Database, draws_people, inverse_of, person_of
from dpcore.errors import InvalidValueError, TableError
from dpcore.guarantees.descriptions import figure, percent
from dpcore.guarantees.privacy import Adjacency
from dpcore.oracles.people import MOST_OF_ONE
from pages.files.declarations.declaration import words_of
from pages.files.limits import MOST_TEXT_BYTES

MOST_PEOPLE = MOST_ROWS  # each has a row at least, and an oracle makes up so many people


LONGEST_ID = 64  # letters of a person's name


@final
@dataclass(frozen=True, slots=True)
class Persons:
    """``column`` names the person of each row. ``stated`` is about how many people there are, said without a look at the table;
    None where their true number is public.

    A row without a name is a person of its own, or ``left_out``. That changes how many people there are, so it needs a number
    that is stated.
    """

    column: str
    stated: int | None = None
    left_out: bool = False

    def __post_init__(self) -> None:
        named("column of people", self.column)
        if self.stated is not None and whole("number of people", self.stated) > MOST_PEOPLE:
            raise InvalidValueError(
                "number of people", f"at most {MOST_PEOPLE:,}, the most rows that people have together", self.stated
            )
        if not isinstance(self.left_out, bool):
            raise InvalidValueError("left_out", "true or false", self.left_out)
        if self.left_out and self.stated is None:
            expected = "people of their own, where the number of people is public: it would change by rows that are left out"
            raise InvalidValueError("rows that name nobody", expected, "left out")

    @property
    def adjacency(self) -> Adjacency:
        """A person is replaced where their number is public, else added or removed."""
        return Adjacency.REPLACE_ONE_USER if self.stated is None else Adjacency.ADD_OR_REMOVE_ONE_USER

    @property
    def words(self) -> str:
        """What became of rows that name nobody, and how many rows there can be, which is the same for every table."""
        own = "A row that names nobody is a person of its own, and that person is protected by this row alone."
        nameless = "Rows that name nobody were left out." if self.left_out else own
        return f"{nameless} A table of people has at most {MOST_ROWS:,} rows."


def told_apart(ids: Any, column: str, codes: tuple[str, ...] = ()) -> Database:
    """Whose each row is, by names as they are written, ``numbered``; one of the ``codes`` names nobody. TableError where they
    cannot be told apart for certain: two people who became one would move an answer further than is proved."""
    if len(ids) > MOST_ROWS:
        raise TableError(
            f"A table of people can have {MOST_ROWS:,} rows, and this one has more.",
            "Leave out rows, or bring a table of fewer people.",
        )
    if isinstance(ids, np.ndarray) and ids.dtype.kind == "f" and (np.abs(ids[~np.isnan(ids)]) >= 2.0**53).any():
        raise TableError(f"Numbers in {column} are too large to be told apart.", "Write the people's column as text.")
    words = words_of(ids, most=LONGEST_ID + 1)
    longest = max(map(len, words.different), default=0)
    if longest > LONGEST_ID:
        raise TableError(f"A name in {column} has more than {LONGEST_ID} letters.", "Give people shorter names, or numbers.")
    if 4 * longest * len(words.different) > MOST_TEXT_BYTES:
        raise TableError(f"The names in {column} take too much memory.", "Give people shorter names, or numbers.")
    return numbered(np.array(words.without(codes).different))[words.places]


# What a holder guesses of a confidential table, without a look at it: what a forecast of a ± rests on.


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


# Of how many values a mean of known values may turn out to be, where that is not public: what its forecast ± rests on.


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
    loose = bool(target.where) or facts(target).groups_each is not None
    made_up = _made_up(oracle, MOST_OF_ONE if loose else cap)
    if rows is None:
        return low / made_up, max(1.0, cap / made_up)
    fewest, most = max(1.0, rows / OFF_BY), rows * OFF_BY * high
    if loose:
        return fewest * low / made_up, most / made_up
    return counted_rows(fewest, cap, low) / made_up, min(most, cap) / made_up


def _made_up(oracle: object, cap: int) -> float:
    """E min(N, s) under the oracle's own numbers of rows; of an oracle that does not say them under as many as are usual."""
    rows: Any = facts(oracle).rows if draws_people(oracle) else None
    inverse = inverse_of(rows)
    if inverse is None:
        return counted_rows(USUAL_ROWS, cap)
    return float(np.fmin(np.fmax(np.ceil(inverse(_PLACES)), 1), cap).mean())
