"""A mean from a noisy sum and a noisy number: how far it lies from the one without noise, simulated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

from dpcore.base.counted import counted
from dpcore.guarantees.words import figure
from dpcore.mechanisms.base import Calibrated
from dpcore.workbench.computable import computable
from dpcore.workbench.headlines.base import NO_WORST, SHARE_WITHIN, Headline, Row
from dpcore.workbench.headlines.numbers import moved_together

_SHARES = {"half of them": 0.5, "9 in 10": SHARE_WITHIN, "99 in 100": 0.99}


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class RatioHeadline(Headline):
    """Its ± depends on how many values are known, so on the answer that is shown."""

    error_words: ClassVar[str] = "mean error"
    of_this_answer: ClassVar[bool] = True

    @property
    def without_noise(self) -> float:
        """The mean of the known values."""
        answer: Any = self.answer
        return float(answer.value(self.exact.value))

    def reach(self, noise: Calibrated[Any]) -> str:
        """Nine times in ten …"""
        return f"nine times in ten answers lie within {self.short_reach(noise)} of the one without noise"

    def short_reach(self, noise: Calibrated[Any]) -> str:
        """± a distance with its unit."""
        return f"± {self._within(noise, SHARE_WITHIN)}"

    def moved(self) -> str:
        """Both numbers, in the norm."""
        return moved_together("the sum of known values and their number", self.scenario.norm)

    @computable
    def error(self, law: Any) -> float:
        """The mean distance of simulated means."""
        answer: Any = self.answer
        return float(answer.errors(law, self.exact.value).mean())

    def rows(self) -> list[Row]:
        """How far so many of the private means lie from the one without noise."""
        return [
            {self.exact.name: counted(figure(self.without_noise), self.answer.after), "private answers": words,
             "± sampled": self._within(self.noise, share),
             "± worst case": NO_WORST if self.worst is None else self._within(self.worst, share)}
            for words, share in _SHARES.items()
        ]  # fmt: skip

    def _within(self, noise: Calibrated[Any], share: float) -> str:
        answer: Any = self.answer
        return counted(figure(answer.within(noise.law, self.exact.value, share)), self.answer.after)
