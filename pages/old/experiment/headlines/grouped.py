"""An answer for each group: how far each lies from the one without noise, and all of them at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from dpcore.answers.grouped import Grouped, named
from dpcore.base.counted import counted
from dpcore.base.everyday import everyday
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.words import figure
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.experiment.computable import computable
from pages.old.experiment.headlines.base import MeasuredHeadline, kind_of_headline

_MOST = 30  # groups that an expected error is the mean over: a chart asks for it at many ε
_ALIKE = 1.05  # times the least ±, up to which the largest is said of all


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupedHeadline(MeasuredHeadline):
    """One headline a group, each of the kind that the group's answer is."""

    answer: Grouped

    @cached_property
    def each(self) -> tuple[MeasuredHeadline, ...]:
        """The headline of every group."""
        answer = self.answer
        kind = kind_of_headline(answer.of)
        if not issubclass(kind, MeasuredHeadline):
            raise InvalidValueError("answer of each group", "one number or several", type(answer.of).__name__)
        common: dict[str, Any] = {
            "scenario": self.scenario,
            "answer": answer.of,
            "columns": self.columns,
            "noise": self.noise,
            "worst": self.worst,
            "asked": self.asked,
        }
        return tuple(kind(**common, exact=replace(self.exact, value=part)) for part in answer.split(self.exact.value))

    @property
    def labels(self) -> tuple[str, ...]:
        """A name for each number: its group, and what it is where a group has several."""
        groups = zip(self.answer.groups, self.each, strict=True)
        return tuple(name for group, headline in groups for name in named(group, headline.labels))

    @property
    def of_this_answer(self) -> bool:
        """As of one group."""
        return self.each[0].of_this_answer

    @property
    def centres(self) -> FloatArray:
        """The numbers of one group after another."""
        return np.concatenate([headline.centres for headline in self.each])

    def reaches(self, noise: Calibrated[Any], share: float) -> FloatArray:
        """Each number taken alone."""
        return np.concatenate([headline.reaches(noise, share) for headline in self.each])

    def least_reaches(self, noise: Calibrated[Any], share: float) -> FloatArray:
        """The least of each."""
        return np.concatenate([headline.least_reaches(noise, share) for headline in self.each])

    @property
    def rests_on(self) -> str:
        """As of one group."""
        return self.each[0].rests_on

    def reach(self, noise: Calibrated[Any]) -> str:
        """95 times in 100 …; from the nearest to the furthest, where groups differ."""
        number = "group's answer" if len(self.each[0].labels) == 1 else "number of a group"
        return f"95 times in 100 each {number}, taken alone, lies within {self.short_reach(noise)} of the one without noise"

    def short_reach(self, noise: Calibrated[Any]) -> str:
        """± a number with its unit, or two."""
        ends = np.concatenate((self.least_reaches(noise, SHARE_WITHIN), self.reaches(noise, SHARE_WITHIN)))
        also = "" if _differ(ends) else everyday(float(max(ends)), self.answer.after)
        return _between(ends, self.answer.after) + also

    @computable
    def error(self, law: Any) -> float:
        """The mean over the groups, or where they are many over some, from the first to the last."""
        places = np.linspace(0, len(self.each) - 1, min(_MOST, len(self.each))).round().astype(int)
        return float(np.mean([self.each[i].error(law) for i in places]))


def _between(reaches: FloatArray, after: str) -> str:
    """The least ± and the largest, or one that all keep within where they are nearly the same."""
    least = f"± {figure(float(min(reaches)))} to " * _differ(reaches)
    return f"{least}± {counted(figure(float(max(reaches))), after)}"


def _differ(reaches: FloatArray) -> bool:
    return bool(max(reaches) > _ALIKE * min(reaches))
