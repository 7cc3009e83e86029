"""An answer for each group: how far each lies from the one without noise, and all of them at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from dpcore.answers.grouped import Grouped, named
from dpcore.base.counted import counted
from dpcore.base.everyday import everyday
from dpcore.base.facts import facts
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.words import figure
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.experiment.computable import computable
from pages.old.experiment.headlines.base import SEED, MeasuredHeadline, Row, kind_of_headline

_MOST = 30  # groups that an expected error is the mean over: a chart asks for it at many ε
_ALIKE = 1.05  # times the least ±, up to which the largest is said of all
_DRAWS = 4_000  # of the noise, always the same


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
    def error_words(self) -> str:
        """Those of one group, and over how many it is the mean."""
        few = f"{_MOST} of the " if len(self.each) > _MOST else ""
        return f"{self.each[0].error_words}, mean over {few}groups"

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

    def spans(self, noise: Calibrated[Any], share: float) -> tuple[str, ...]:
        """In words, those of one group after another."""
        return tuple(span for headline in self.each for span in headline.spans(noise, share))

    def reach(self, noise: Calibrated[Any]) -> str:
        """95 times in 100 …; from the nearest to the furthest, where groups differ."""
        number = "group's answer" if len(self.each[0].labels) == 1 else "number of a group"
        return f"95 times in 100 each {number}, taken alone, lies within {self.short_reach(noise)} of the one without noise"

    def short_reach(self, noise: Calibrated[Any]) -> str:
        """± a number with its unit, or two."""
        ends = np.concatenate((self.least_reaches(noise, SHARE_WITHIN), self.reaches(noise, SHARE_WITHIN)))
        also = "" if _differ(ends) else everyday(float(max(ends)), self.answer.after)
        return _between(ends, self.answer.after) + also

    def together(self, noise: Calibrated[Any]) -> str:
        """All groups at once."""
        reaches = self.joint_reaches(noise)
        if len(reaches) == 1:
            return ""
        what = "groups" if len(reaches) == len(self.each) else "numbers"
        every = f"Both {what}" if len(reaches) == 2 else f"All {len(reaches):,} {what}"
        differ = " The numbers behind the charts show each group's own ±." * _differ(reaches)
        return f"{every} at once lie within {_between(reaches, self.answer.after)} 95 times in 100.{differ}"

    def joint_reaches(self, noise: Calibrated[Any]) -> FloatArray:
        """Distances within which all numbers lie at once, 95 times in 100.

        The noises are independent, so each at the power of one over their number (mathematics, section 13). Where an answer is
        computed from noisy numbers its ± is simulated, and that power lies too far out to be: there all are simulated together,
        and each one's own ± is drawn out by one factor.
        """
        value = facts(self.answer.of).value
        if value is None or self.each[0].foretold is not None:
            return self.reaches(noise, SHARE_WITHIN ** (1 / len(self.labels)))
        alone, shape = self.reaches(noise, SHARE_WITHIN), (-1, len(self.each), self.exact.value.size // len(self.each))
        drawn = noise.law.simulate(self.exact.value, size=_DRAWS, rng=np.random.default_rng(SEED))
        away = np.abs(value(drawn.reshape(shape)) - self.centres)
        times = np.divide(away, alone, out=np.zeros_like(away), where=alone > 0).max(axis=1)
        return np.asarray(alone * max(1.0, float(np.quantile(times, SHARE_WITHIN))))

    @property
    def moves(self) -> str:
        """What moves in any group."""
        return f"{self.each[0].moves}, over all groups,"

    @computable
    def error(self, law: Any) -> float:
        """The mean over the groups, or where they are many over some, from the first to the last."""
        places = np.linspace(0, len(self.each) - 1, min(_MOST, len(self.each))).round().astype(int)
        return float(np.mean([self.each[i].error(law) for i in places]))

    def rows(self) -> list[Row]:
        """Each group's answer, and how far its private versions lie from it."""
        spans = self.of_both(lambda noise: self.spans(noise, SHARE_WITHIN))
        return [
            {
                "group": name,
                self.exact.name: counted(figure(float(value)), self.answer.after),
                "± sampled, 95 in 100, each alone": near,
                "± worst case, 95 in 100, each alone": far,
            }
            for name, value, (near, far) in zip(self.labels, self.centres, spans, strict=True)
        ]


def _between(reaches: FloatArray, after: str) -> str:
    """The least ± and the largest, or one that all keep within where they are nearly the same."""
    least = f"± {figure(float(min(reaches)))} to " * _differ(reaches)
    return f"{least}± {counted(figure(float(max(reaches))), after)}"


def _differ(reaches: FloatArray) -> bool:
    return bool(max(reaches) > _ALIKE * min(reaches))
