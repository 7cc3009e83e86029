"""What is said of the private versions of an answer, and how far off they are expected to be."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, final

from dpcore.answers.answer import KindOfAnswer
from dpcore.base.declared import Column
from dpcore.base.types import Database, FloatArray, Oracle
from dpcore.mechanisms.base import Calibrated
from dpcore.workbench.scenario import Scenario

SHARE_WITHIN = 0.9  # of responses, inside a ±
SEED = 2017  # of what an expected error is averaged over: the same noise at each ε
NO_WORST = "none proved"  # in the worst case's place
Row = dict[str, str]


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class NonPrivate:
    """The target's value on a table, or on a simulated one: to be shown only where the table is public or its holder asked."""

    value: FloatArray
    simulated: bool
    database: Database

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

    error_words: ClassVar[str]  # in which sense the error is meant
    of_this_answer: ClassVar[bool]  # whether ``reach`` tells something of the answer that is shown, and not of the noise alone

    @abstractmethod
    def reach(self, noise: Calibrated[Any]) -> str:
        """What a reader may expect of one private answer, as a sentence without its end."""

    @abstractmethod
    def moved(self) -> str:
        """What is measured between two neighbours, as it stands before its sensitivity."""

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

    def together(self, noise: Calibrated[Any]) -> str:
        """How far all parts of an answer reach at once; empty for one part."""
        return ""

    def on_fresh_records(self, noise: Calibrated[Any]) -> str:
        """What is to be said of records that the answer was not made from; empty where nothing is."""
        return ""
