"""What is said of the private versions of an answer, and how far off they are expected to be."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, final

import numpy as np

from dpcore.answers.answer import KindOfAnswer
from dpcore.base.counted import counted
from dpcore.base.declared import Column
from dpcore.base.facts import facts
from dpcore.base.types import Database, FloatArray, Oracle, draws_people, inverse_of, person_of
from dpcore.guarantees.words import figure, percent
from dpcore.mechanisms.base import Calibrated
from dpcore.oracles.people import MOST_OF_ONE
from dpcore.oracles.product import laws_of
from dpcore.registry.beside import beside
from pages.experiment.scenario import Scenario
from pages.files.guesses import LEAST_KNOWN, OFF_BY, USUAL_ROWS, Guesses, counted_rows

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


SEED = 2017  # of what an expected error is averaged over: the same noise at each ε
NO_WORST = "none proved"  # in the worst case's place
Row = dict[str, str]


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class NonPrivate:
    """The target's value on a table, or on a simulated one: to be shown only where the table is public or its holder asked.
    ``guesses``: of a simulated one that stands for a confidential table, what its holder guesses of that."""

    value: FloatArray
    simulated: bool
    database: Database
    guesses: Guesses | None = None

    @property
    def name(self) -> str:
        """As a chart calls it."""
        return "simulated table" if self.simulated else "without noise"

    @property
    def of(self) -> str:
        """As a description of a chart calls it."""
        return "of a simulated table" if self.simulated else "without noise"


@dataclass(frozen=True, eq=False, kw_only=True)
class Headline(ABC):
    """One answer beside its private versions. ``worst``: under the proved sensitivity, where there is one. ``fresh``: an oracle
    of records that the answer was not made from, where there is one."""

    scenario: Scenario
    answer: KindOfAnswer
    columns: tuple[Column, ...]
    exact: NonPrivate
    noise: Calibrated[Any]
    worst: Calibrated[Any] | None
    fresh: Oracle | None = None
    asked: Any = None  # of several questions the one that is meant
    nothing_lost: ClassVar[float | None] = None  # of its error, as much as nobody minds; None where that hangs on the question

    @property
    @abstractmethod
    def error_words(self) -> str:
        """In which sense the error is meant."""

    @property
    @abstractmethod
    def of_this_answer(self) -> bool:
        """Whether ``reach`` tells something of the answer that is shown, and not of the noise alone."""

    @abstractmethod
    def reach(self, noise: Calibrated[Any]) -> str:
        """What a reader may expect of one private answer, as a sentence without its end."""

    @abstractmethod
    def moved(self, *, once: bool = False) -> str:
        """What is measured between two neighbours, as it stands before its sensitivity; ``once`` before a trial's distance."""

    @abstractmethod
    def error(self, law: Any) -> float:
        """The expected error of a response under this law."""

    @abstractmethod
    def rows(self) -> list[Row]:
        """The numbers behind the chart."""

    @property
    def least_error(self) -> float:
        """What is left of the error without any noise."""
        return 0.0

    def short_reach(self, noise: Calibrated[Any]) -> str:
        """The same as ``reach`` in one number with its unit; empty where no number says it."""
        return ""

    @property
    def rests_on(self) -> str:
        """What its ± rests on that is not public, in a sentence; empty where that is nothing."""
        return "" if self.foretold is None else self.foretold.words

    @cached_property
    def foretold(self) -> Foretold | None:
        """Of how many values the answer may be, where that hangs on a confidential table."""
        if self.exact.guesses is None or facts(self.answer).foretold is None:
            return None
        return foretold(self.asked or self.scenario.target, self.scenario.oracle, self.exact.guesses)

    def together(self, noise: Calibrated[Any]) -> str:
        """How far all parts of an answer reach at once; empty for one part."""
        return ""

    @property
    def fresh_columns_alone(self) -> bool:
        """Whether the fresh oracle draws each column by itself, so that its records show nothing of one column from others."""
        return self.fresh is not None and bool(laws_of(self.fresh, tuple(column.name for column in self.columns)))

    def on_fresh_records(self, noise: Calibrated[Any]) -> str:
        """What is to be said of records that the answer was not made from; empty where nothing is."""
        return ""


class MeasuredHeadline(Headline):
    """Of an answer that is one number or several, each of which private versions lie at some distance from."""

    moves: ClassVar[str]  # what moves between two neighbours
    costly: ClassVar[bool] = False  # whether an expected error takes long

    @property
    def labels(self) -> tuple[str, ...]:
        """A name for each number."""
        return self.answer.labels

    @property
    @abstractmethod
    def centres(self) -> FloatArray:
        """The numbers without noise, as people read them."""

    @abstractmethod
    def reaches(self, noise: Calibrated[Any], share: float) -> FloatArray:
        """Within which distance of each that share of its private versions lies."""

    def least_reaches(self, noise: Calibrated[Any], share: float) -> FloatArray:
        """The same where most is known, if how much is known is not public."""
        return np.atleast_1d(self.reaches(noise, share))

    def ranks_within(self, noise: Calibrated[Any], share: float) -> float | None:
        """The same in ranks; None where that says nothing."""
        return None

    def spans(self, noise: Calibrated[Any], share: float) -> tuple[str, ...]:
        """Both in words, for each number."""
        ranks = self.ranks_within(noise, share)
        also = "" if ranks is None else f", {counted(figure(ranks), ' ranks')}"
        reaches = np.atleast_1d(self.reaches(noise, share))
        return tuple(counted(figure(float(reach)), self.answer.after) + also for reach in reaches)


def kind_of_headline(answer: KindOfAnswer) -> Any:
    """The headline of a kind of answer, from the file of its name in this room."""
    return getattr(beside(answer, "pages.experiment.headlines"), f"{type(answer).__name__}Headline")
