"""What is said of the private versions of an answer, and how far off they are expected to be."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, final

import numpy as np

from dpcore.answers.answer import KindOfAnswer
from dpcore.base.declared import Column
from dpcore.base.facts import facts
from dpcore.base.types import Database, FloatArray, Oracle
from dpcore.mechanisms.base import Calibrated
from dpcore.oracles.product import laws_of
from dpcore.registry.beside import beside
from pages.experiment.scenario import Scenario
from pages.files.persons import Foretold, Guesses, foretold

SEED = 2017  # of what an expected error is averaged over: the same noise at each ε


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
    def of_this_answer(self) -> bool:
        """Whether ``reach`` tells something of the answer that is shown, and not of the noise alone."""
        return True

    @abstractmethod
    def reach(self, noise: Calibrated[Any]) -> str:
        """What a reader may expect of one private answer, as a sentence without its end."""

    @abstractmethod
    def error(self, law: Any) -> float:
        """The expected error of a response under this law."""

    def simulated(self, law: Any, size: int, seed: Any) -> FloatArray:
        """So many responses around the answer, drawn under a law: under one seed the same noise at each ε, only scaled."""
        return np.asarray(law.simulate(self.exact.value, size=size, rng=np.random.default_rng(seed)))

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

    @property
    def fresh_columns_alone(self) -> bool:
        """Whether the fresh oracle draws each column by itself, so that its records show nothing of one column from others."""
        return self.fresh is not None and bool(laws_of(self.fresh, tuple(column.name for column in self.columns)))


class MeasuredHeadline(Headline):
    """Of an answer that is one number or several, each of which private versions lie at some distance from."""

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


class OneNumberHeadline(MeasuredHeadline):
    """Of one number whose private versions are not spread as the noise is."""

    @property
    @abstractmethod
    def without_noise(self) -> float:
        """The number itself."""

    @property
    def centres(self) -> FloatArray:
        """It alone."""
        return np.array([self.without_noise])


def kind_of_headline(answer: KindOfAnswer) -> Any:
    """The headline of a kind of answer, from the file of its name in this room."""
    return getattr(beside(answer, "pages.old.experiment.headlines"), f"{type(answer).__name__}Headline")
