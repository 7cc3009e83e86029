"""What is said of the private versions of an answer, and how far off they are expected to be."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, final

import numpy as np

from dpcore.answers.answer import KindOfAnswer
from dpcore.base.counted import counted
from dpcore.base.declared import Column
from dpcore.base.facts import facts
from dpcore.base.norms import L1, L2, LINF, RANGE
from dpcore.base.types import Database, FloatArray, Oracle
from dpcore.guarantees.words import figure
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import SHARE_WITHIN
from dpcore.oracles.product import laws_of
from dpcore.registry.beside import beside
from dpcore.sampling.blocks import generator
from pages.experiment.scenario import Scenario
from pages.files.persons import Foretold, Guesses, foretold

SEED = 2017  # of what an expected error is averaged over: the same noise at each ε
NO_WORST = "none proved"  # in the worst case's place
Row = dict[str, str]
_SHARES = {"half of them": 0.5, "95 in 100": SHARE_WITHIN, "99 in 100": 0.99}

_MOVED = {
    L1: "{} together moved by at most",
    L2: "{} together moved a distance of at most",
    LINF: "none of {} moved by more than",
    RANGE: "{} moved against one another by at most",
}
_MOVED_ONCE = {
    L1: "{} together moved by",
    L2: "{} together moved a distance of",
    LINF: "of {}, the one that moved the furthest moved by",
    RANGE: "{} moved against one another by",
}
ALONE = ", each alone"  # behind a ± of one number of several


def moved_together(what: str, norm: Any, *, once: bool) -> str:
    """How several things moved, as the norm measures it: in several trials at most so far, ``once`` by just that."""
    return (_MOVED_ONCE if once else _MOVED)[norm].format(what)


def spread(away: FloatArray) -> FloatArray:
    """Within which distance of each number 95 in 100 private ones lie, by how far simulated ones are off: (k, d) -> (d,)"""
    return np.asarray(np.quantile(np.abs(away), SHARE_WITHIN, axis=0))


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
    def of_this_answer(self) -> bool:
        """Whether ``reach`` tells something of the answer that is shown, and not of the noise alone."""
        return True

    @property
    @abstractmethod
    def moves(self) -> str:
        """What moves between two neighbours."""

    @abstractmethod
    def reach(self, noise: Calibrated[Any]) -> str:
        """What a reader may expect of one private answer, as a sentence without its end."""

    def moved(self, *, once: bool = False) -> str:
        """What is measured between two neighbours, as it stands before its sensitivity; ``once`` before a trial's distance."""
        return moved_together(self.moves, self.scenario.norm, once=once)

    @abstractmethod
    def error(self, law: Any) -> float:
        """The expected error of a response under this law."""

    @abstractmethod
    def rows(self) -> list[Row]:
        """The numbers behind the chart."""

    def simulated(self, law: Any, size: int, seed: Any) -> FloatArray:
        """So many responses around the answer, drawn under a law: under one seed the same noise at each ε, only scaled."""
        return np.asarray(law.simulate(self.exact.value, size=size, rng=np.random.default_rng(seed)))

    def of_both(self, words: Callable[[Calibrated[Any]], Iterable[str]]) -> list[tuple[str, str]]:
        """What is said of each number under the noise of the sampled sensitivity, and under that of the worst case."""
        sampled = list(words(self.noise))
        worst = [NO_WORST] * len(sampled) if self.worst is None else words(self.worst)
        return list(zip(sampled, worst, strict=True))

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

    def fresh_records(self, size: int) -> Database | None:
        """So many records that the answer was not made from: of the oracle's law, and not of the table's."""
        return None if self.fresh is None else self.fresh.draw(1, size, rng=generator(self.scenario.seed, 0, 5))[0]

    @property
    def fresh_columns_alone(self) -> bool:
        """Whether the fresh oracle draws each column by itself, so that its records show nothing of one column from others."""
        return self.fresh is not None and bool(laws_of(self.fresh, tuple(column.name for column in self.columns)))

    def on_fresh_records(self, noise: Calibrated[Any]) -> str:
        """What is to be said of records that the answer was not made from; empty where nothing is."""
        return ""


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

    def spans(self, noise: Calibrated[Any], share: float) -> tuple[str, ...]:
        """Both in words, for each number."""
        ranks = self.ranks_within(noise, share)
        also = "" if ranks is None else f", {counted(figure(ranks), ' ranks')}"
        reaches = np.atleast_1d(self.reaches(noise, share))
        return tuple(counted(figure(float(reach)), self.answer.after) + also for reach in reaches)


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

    def rows(self) -> list[Row]:
        """How far so many of the private answers lie from the one without noise."""
        exact = counted(figure(self.without_noise), self.answer.after)
        return [
            {self.exact.name: exact, "private answers": words, "± sampled": near, "± worst case": far}
            for words, share in _SHARES.items()
            for near, far in self.of_both(partial(self.spans, share=share))
        ]


def kind_of_headline(answer: KindOfAnswer) -> Any:
    """The headline of a kind of answer, from the file of its name in this room."""
    return getattr(beside(answer, "pages.old.experiment.headlines"), f"{type(answer).__name__}Headline")
